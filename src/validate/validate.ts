import { createInputs } from '../conformance/index.ts';
import { createRedactor, type Redactor, sum } from '../core/index.ts';
import { type Finding, findingsOf } from './finding.ts';
import { hearUncaught } from './gather/hear-uncaught.ts';
import { type Observation, observationOf } from './gather/observe.ts';
import { openTarget, type Target } from './gather/open-target.ts';
import type { Terms, ValidateOptions, Validation } from './gather/options.ts';
import { chosen, type Plan, planOf } from './gather/plan.ts';
import { rules } from './rules/index.ts';

/**
 * Plays a sample of tasks from every split in every way that needs no model, and reports the problems that it finds.
 *
 * @throws RangeError for invalid options; Error for unknown environments or splits; TypeError as `serve` does;
 * OrsConnectionError if a server cannot be reached.
 */
export async function validate(target: Target, options: ValidateOptions = {}): Promise<Validation> {
  await using _copies = { [Symbol.asyncDispose]: () => closeCopies(target) };
  check(options);
  const { tasks = 5, seed = 1, timeoutMs = 60_000, secrets = {}, splits } = options;
  const signal = options.signal ?? new AbortController().signal;
  const began = performance.now();
  await using own = options.inputs ? undefined : createInputs({ seed });
  const inputs = options.inputs ?? (own as NonNullable<typeof own>);
  const terms: Terms = { tasks, splits, seed, timeoutMs, secrets, signal, inputs };
  using ears = 'client' in target ? undefined : hearUncaught();
  await using stage = await openTarget(target, timeoutMs, signal);

  const observations: Observation[] = [];
  let interrupted = false;
  try {
    const plans: Plan[] = [];
    for (const subject of chosen(stage.subjects, options.environments)) {
      plans.push(await planOf(subject, splits, { tasks, seed, signal }));
    }
    const all = sum(plans.flatMap((plan) => plan.splits).map(({ sampled }) => sampled.length));
    let done = 0;
    options.onProgress?.(done, all);
    for (const plan of plans) {
      const { source } = plan.subject;
      const freshFailure = 'client' in target ? undefined : target.freshFailure;
      const maxReward = source?.maxReward ?? options.maxReward;
      const observation = observationOf(plan, terms, { maxReward, freshFailure, ears });
      observations.push(observation);
      await observation.gather(() => options.onProgress?.(++done, all));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    interrupted = true;
  }
  return {
    ...summary(observations, options.ignore ?? [], createRedactor(secrets)),
    seed,
    interrupted,
    durationMs: performance.now() - began,
  };
}

/** Closes the workers of second copies. A server that started has already closed them. */
async function closeCopies(target: Target): Promise<void> {
  if ('environments' in target) await Promise.all((target.fresh ?? []).map((copy) => copy.close()));
}

function summary(observations: readonly Observation[], ignored: readonly string[], redactor: Redactor) {
  const held = rules.filter(({ name }) => !ignored.includes(name));
  const all = observations.map(({ evidence }) => evidence);
  const findings: Finding[] = all
    .flatMap((evidence) => held.flatMap((rule) => findingsOf(rule, evidence)))
    .map((finding) => ({ ...finding, message: redactor.text(finding.message) }));
  const tasks = all.flatMap(({ splits }) => splits.flatMap((split) => split.tasks));
  const runs = tasks.flatMap((task) => task.runs);
  return {
    findings,
    environments: all.map(({ environment, splits }) => ({
      name: environment,
      splits: Object.fromEntries(splits.map(({ name, tasks: played }) => [name, played.length])),
    })),
    tasks: tasks.length,
    episodes: runs.length,
    calls: sum(runs.map(({ steps }) => steps.length)),
  };
}

function check({ tasks = 5, timeoutMs = 60_000, maxReward = 0, ignore = [] }: ValidateOptions): void {
  if (!Number.isSafeInteger(tasks) || tasks < 1) throw new RangeError(`tasks is ${tasks}; give an integer from 1`);
  if (!(timeoutMs > 0 && timeoutMs <= 1_000_000_000)) {
    throw new RangeError(`timeoutMs is ${timeoutMs}; give milliseconds above 0`);
  }
  if (!Number.isFinite(maxReward)) throw new RangeError(`maxReward is ${maxReward}; give a number`);
  const unknown = ignore.find((name) => !rules.some((rule) => rule.name === name));
  if (unknown !== undefined) {
    throw new RangeError(
      `there is no rule '${unknown}' to ignore; there are ${rules.map(({ name }) => name).join(', ')}`,
    );
  }
}
