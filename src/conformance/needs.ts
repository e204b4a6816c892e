import type { Need } from './check.ts';
import { FIXTURE } from './fixture.ts';
import type { ServerProcess } from './probe/index.ts';
import type { Target } from './target.ts';
import { applies, given } from './verdict.ts';

/** What is there to make checks with. */
export interface Means {
  readonly target: Target;
  readonly process: ServerProcess | undefined;
  /** Throws Untestable where no tool can be called. */
  sample(): Promise<unknown>;
}

/** Throws Untestable where what a check needs is missing, NotApplicable where a server need not have it. */
export async function meet(need: Need, means: Means): Promise<void> {
  const { target, process } = means;
  const { name, tools, split } = target.environment;
  if (need === 'task') return given(split, `environment '${name}' has no split with a task`);
  if (need === 'call') return void (await means.sample());
  if (need === 'environments') return applies(target.other, 'the server has a single environment');
  if (need === 'process') return given(process, 'needs --start, so that the suite may stop the server');
  given(name.toLowerCase() === FIXTURE, `needs the fixture environment '${FIXTURE}' (docs/conformance-fixture.md)`);
  const tool = need.slice('fixture:'.length);
  const isThere = need === 'fixture' || tool === 'only_here' || tools.some((each) => each.name === tool);
  given(isThere, `the fixture on this server has no tool '${tool}'`);
}
