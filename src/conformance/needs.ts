import type { CheckPrerequisite } from './check.ts';
import { FIXTURE } from './fixture.ts';
import type { TargetProcess } from './probe/index.ts';
import type { TestTarget } from './target.ts';
import { assume, assumeApplicable } from './verdict.ts';

/** What is there to make checks with. */
export interface CheckResources {
  readonly target: TestTarget;
  readonly process: TargetProcess | undefined;
  /** Throws Untestable where no tool can be called. */
  sample(): Promise<unknown>;
}

/** Throws Untestable where what a check needs is missing, NotApplicable where a server need not have it. */
export async function assertPrerequisite(need: CheckPrerequisite, means: CheckResources): Promise<void> {
  const { target, process } = means;
  const { name, tools, split } = target.environment;
  if (need === 'task') return assume(split, `environment '${name}' has no split with a task`);
  if (need === 'call') return void (await means.sample());
  if (need === 'environments') return assumeApplicable(target.other, 'the server has a single environment');
  if (need === 'process') return assume(process, 'needs --start, so that the suite may stop the server');
  assume(name.toLowerCase() === FIXTURE, `needs the fixture environment '${FIXTURE}' (docs/conformance-fixture.md)`);
  const tool = need.slice('fixture:'.length);
  const isThere = need === 'fixture' || tool === 'only_here' || tools.some((each) => each.name === tool);
  assume(isThere, `the fixture on this server has no tool '${tool}'`);
}
