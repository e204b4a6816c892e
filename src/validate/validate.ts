import { createInputGenerator } from '../conformance/index.ts';
import { createRedactor, type Redactor, sum } from '../core/index.ts';
import { applyRule, type ValidationFinding } from './finding.ts';
import { collectUncaughtErrors } from './gather/hear-uncaught.ts';
import { createEvidenceCollector, type EvidenceCollector } from './gather/observe.ts';
import { openTarget, type ValidationTarget } from './gather/open-target.ts';
import type { ValidateOptions, ValidationReport, ValidationSettings } from './gather/options.ts';
import { createPlan, type EnvironmentPlan, selectSubjects } from './gather/plan.ts';
import { validationRules } from './rules/index.ts';

/**
 * Plays a sample of tasks from every split in every way that needs no model, and reports the problems that it finds.
 *
 * @throws RangeError for invalid options; Error for unknown environments or splits; TypeError as `serve` does;
 * OrsConnectionError if a server cannot be reached.
 */
export async function validate(target: ValidationTarget, options: ValidateOptions = {}): Promise<ValidationReport> {
  await using _copies = { [Symbol.asyncDispose]: () => closeCopies(target) };
  check(options);
  const { tasks = 5, seed = 1, timeoutMs = 60_000, secrets = {}, splits } = options;
  const signal = options.signal ?? new AbortController().signal;
  const began = performance.now();
  await using own = options.inputs ? undefined : createInputGenerator({ seed });
  const inputs = options.inputs ?? (own as NonNullable<typeof own>);
  const terms: ValidationSettings = { tasks, splits, seed, timeoutMs, secrets, signal, inputs };
  using ears = 'client' in target ? undefined : collectUncaughtErrors();
  await using stage = await openTarget(target, timeoutMs, signal);

  const observations: EvidenceCollector[] = [];
  let interrupted = false;
  try {
    const plans: EnvironmentPlan[] = [];
    for (const subject of selectSubjects(stage.subjects, options.environments)) {
      plans.push(await createPlan(subject, splits, { tasks, seed, signal }));
    }
    const all = sum(plans.flatMap((plan) => plan.splits).map(({ sampled }) => sampled.length));
    let done = 0;
    options.onProgress?.(done, all);
    for (const plan of plans) {
      const { source } = plan.subject;
      const secondCopyFailure = 'client' in target ? undefined : target.secondCopyFailure;
      const maxReward = source?.maxReward ?? options.maxReward;
      const observation = createEvidenceCollector(plan, terms, { maxReward, secondCopyFailure, ears });
      observations.push(observation);
      await observation.collect(() => options.onProgress?.(++done, all));
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
async function closeCopies(target: ValidationTarget): Promise<void> {
  if ('environments' in target) await Promise.all((target.secondCopy ?? []).map((copy) => copy.close()));
}

function summary(observations: readonly EvidenceCollector[], ignored: readonly string[], redactor: Redactor) {
  const held = validationRules.filter(({ name }) => !ignored.includes(name));
  const all = observations.map(({ evidence }) => evidence);
  const findings: ValidationFinding[] = all
    .flatMap((evidence) => held.flatMap((rule) => applyRule(rule, evidence)))
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
  const unknown = ignore.find((name) => !validationRules.some((rule) => rule.name === name));
  if (unknown !== undefined) {
    throw new RangeError(
      `there is no rule '${unknown}' to ignore; there are ${validationRules.map(({ name }) => name).join(', ')}`,
    );
  }
}
