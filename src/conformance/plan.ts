import type { ConformanceCheck } from './check.ts';
import { FIXTURE } from './fixture.ts';
import { assertPrerequisite } from './needs.ts';
import type { ConformanceOptions } from './options.ts';
import { allowedTools, ProbeConnection, ProbeRequests, type RunBudget } from './probe/index.ts';
import type { ConformanceRunParts } from './run.ts';
import { computeBudget, selectChecks } from './select.ts';
import { firstSample } from './share.ts';
import { discoverTarget, type TestTarget } from './target.ts';
import { assume, NotApplicableError, normalizeSuiteError, UntestableError } from './verdict.ts';

/** What a run would do. */
export interface ConformancePlan {
  readonly environment: string;
  readonly environments: readonly string[];
  readonly budget: RunBudget['limits'];
  readonly checks: readonly PlannedCheck[];
}

export interface PlannedCheck {
  readonly check: ConformanceCheck;
  /** Why it cannot be made; undefined if it can, as far as discovery tells. */
  readonly missing: string | undefined;
}

/** Finds out by discovery alone what a run with these options would do. Throws NoTarget. */
export async function planChecks(
  url: URL,
  options: ConformanceOptions,
  parts: Pick<ConformanceRunParts, 'checks' | 'inputs' | 'process'>,
): Promise<ConformancePlan> {
  const { headers = [], tls = {}, timeoutMs = 30_000 } = options;
  using connection = new ProbeConnection({ url, headers, timeoutMs, tls });
  const target = await discoverTarget(new ProbeRequests(connection), options, FIXTURE);
  const checks = selectChecks(parts.checks, options);
  const planned = checks.map(async (check) => ({ check, missing: await missingFor(check, target, options, parts) }));
  return {
    environment: target.environment.name,
    environments: target.names,
    budget: computeBudget(checks, options),
    checks: await Promise.all(planned),
  };
}

async function missingFor(
  { needs = [] }: ConformanceCheck,
  target: TestTarget,
  options: ConformanceOptions,
  { inputs, process }: Pick<ConformanceRunParts, 'inputs' | 'process'>,
): Promise<string | undefined> {
  const sample = async () => {
    assume(!options.noToolCalls, 'tool calls are not allowed');
    // Tools of single tasks are seen in an episode, and not before.
    if (target.environment.tools.length > 0)
      await firstSample(allowedTools(target.environment, options), options, inputs);
  };
  try {
    for (const need of needs) await assertPrerequisite(need, { target, process, sample });
    return undefined;
  } catch (thrown) {
    const error = normalizeSuiteError(thrown);
    if (error instanceof UntestableError || error instanceof NotApplicableError) return error.message;
    throw error;
  }
}
