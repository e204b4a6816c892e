import type { Check } from './check.ts';
import { FIXTURE } from './fixture.ts';
import { meet } from './needs.ts';
import type { ConformanceOptions } from './options.ts';
import { allowedTools, type Budget, Connection, Requests } from './probe/index.ts';
import type { RunParts } from './run.ts';
import { budgetOf, selectChecks } from './select.ts';
import { sampleOf } from './share.ts';
import { findTarget, type Target } from './target.ts';
import { given, NotApplicable, Untestable, understood } from './verdict.ts';

/** What a run would do. */
export interface Plan {
  readonly environment: string;
  readonly environments: readonly string[];
  readonly budget: Budget['allowance'];
  readonly checks: readonly PlannedCheck[];
}

export interface PlannedCheck {
  readonly check: Check;
  /** Why it cannot be made; undefined if it can, as far as discovery tells. */
  readonly missing: string | undefined;
}

/** Finds out by discovery alone what a run with these options would do. Throws NoTarget. */
export async function planChecks(
  url: URL,
  options: ConformanceOptions,
  parts: Pick<RunParts, 'checks' | 'inputs' | 'process'>,
): Promise<Plan> {
  const { headers = [], tls = {}, timeoutMs = 30_000 } = options;
  using connection = new Connection({ url, headers, timeoutMs, tls });
  const target = await findTarget(new Requests(connection), options, FIXTURE);
  const checks = selectChecks(parts.checks, options);
  const planned = checks.map(async (check) => ({ check, missing: await missingFor(check, target, options, parts) }));
  return {
    environment: target.environment.name,
    environments: target.names,
    budget: budgetOf(checks, options),
    checks: await Promise.all(planned),
  };
}

async function missingFor(
  { needs = [] }: Check,
  target: Target,
  options: ConformanceOptions,
  { inputs, process }: Pick<RunParts, 'inputs' | 'process'>,
): Promise<string | undefined> {
  const sample = async () => {
    given(!options.noToolCalls, 'tool calls are not allowed');
    // Tools of single tasks are seen in an episode, and not before.
    if (target.environment.tools.length > 0) await sampleOf(allowedTools(target.environment, options), options, inputs);
  };
  try {
    for (const need of needs) await meet(need, { target, process, sample });
    return undefined;
  } catch (thrown) {
    const error = understood(thrown);
    if (error instanceof Untestable || error instanceof NotApplicable) return error.message;
    throw error;
  }
}
