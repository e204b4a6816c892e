import { createInputGenerator } from '../conformance/index.ts';
import { createRedactor, type Redactor, sum, UnknownNameError } from '../core/index.ts';
import { closeSecondCopies, openClient, selectEnvironments, type TrialTarget } from '../trial/index.ts';
import type { Evidence, SplitEvidence } from './evidence.ts';
import type { ValidationFinding } from './finding.ts';
import { collectUncaughtErrors, createEvidenceCollector } from './gather/collect-evidence.ts';
import type { ValidatedEnvironment } from './gather/plan.ts';
import { planSplits } from './gather/plan.ts';
import type { ValidateOptions, ValidationReport, ValidationSettings } from './options.ts';
import { validationRules } from './rules/index.ts';

/**
 * Plays a sample of tasks of each split in every way that needs no model, and reports the problems that it finds.
 *
 * @throws RangeError for invalid options; Error for unknown environments or splits; TypeError as `serve` does;
 * OrsConnectionError if a server cannot be reached.
 * @example
 * const { findings } = await validate(await loadTarget('environment.ts'), { tasks: 10 });
 */
export async function validate(target: TrialTarget, options: ValidateOptions = {}): Promise<ValidationReport> {
  await using _copies = { [Symbol.asyncDispose]: () => closeSecondCopies(target) };
  const { tasks = 5, seed = 1, timeoutMs = 60_000, secrets = {}, splits, ignore = [], onProgress } = options;
  assertOptions({ ...options, tasks, timeoutMs });
  const signal = options.signal ?? new AbortController().signal;
  const began = performance.now();
  const inputs = options.inputs ?? createInputGenerator({ seed });
  await using _ownInputs = options.inputs ? undefined : inputs;
  const settings: ValidationSettings = { tasks, splits, seed, timeoutMs, secrets, signal, inputs };
  const source = 'client' in target ? undefined : target;
  using uncaught = source && collectUncaughtErrors();
  await using first = await openClient(target, timeoutMs, { errorDetail: 'place' });
  const secondCopy = source?.secondCopy ?? [];
  await using second =
    secondCopy.length > 0
      ? await openClient({ environments: secondCopy }, timeoutMs, { errorDetail: 'place' })
      : undefined;
  const names = source ? source.environments.map(({ name }) => name) : await first.client.environments({ signal });
  const environments = names.map((name, at) => ({
    remote: first.client.environment(name),
    secondCopy: second?.client.environment(name),
    source: source?.environments[at],
  }));

  const collected: Evidence[] = [];
  let interrupted = false;
  try {
    const plans: (readonly [ValidatedEnvironment, SplitEvidence[]])[] = [];
    for (const environment of selectEnvironments(environments, options.environments)) {
      plans.push([environment, await planSplits(environment, settings)]);
    }
    const total = sum(plans.flatMap(([, planned]) => planned.map(({ sampled }) => sampled.length)));
    let done = 0;
    onProgress?.(done, total);
    for (const [environment, planned] of plans) {
      const maxReward = environment.source?.maxReward ?? options.maxReward;
      const known = { maxReward, secondCopyFailure: source?.secondCopyFailure };
      const collector = createEvidenceCollector(environment, planned, settings, known, uncaught?.errors ?? []);
      collected.push(collector.evidence);
      await collector.collect(() => onProgress?.(++done, total));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    interrupted = true;
  }
  return {
    ...applyRules(collected, ignore, createRedactor(secrets)),
    seed,
    interrupted,
    durationMs: performance.now() - began,
  };
}

function applyRules(collected: readonly Evidence[], ignored: readonly string[], redactor: Redactor) {
  const rules = validationRules.filter(({ name }) => !ignored.includes(name));
  const findings = collected.flatMap((evidence) =>
    rules.flatMap(({ name: rule, levels, check }) =>
      Array.from(check(evidence), ({ level = levels[0], message, ...position }): ValidationFinding => {
        return { level, rule, environment: evidence.environment, ...position, message: redactor.text(message) };
      }),
    ),
  );
  const tasks = collected.flatMap(({ splits }) => splits.flatMap((split) => split.tasks));
  const runs = tasks.flatMap((task) => task.runs);
  return {
    findings,
    environments: collected.map((evidence) => {
      const broken = new Set(findings.flatMap((each) => (each.environment === evidence.environment ? each.rule : [])));
      const others = rules.filter(({ name }) => !broken.has(name));
      const reasons = others.map(({ name: rule, untested }) => ({ rule, reason: untested?.(evidence) }));
      return {
        name: evidence.environment,
        splits: Object.fromEntries(evidence.splits.map(({ name, tasks: played }) => [name, played.length])),
        held: reasons.flatMap(({ rule, reason }) => (reason === undefined ? rule : [])),
        untested: reasons.flatMap(({ rule, reason }) => (reason === undefined ? [] : { rule, reason })),
      };
    }),
    tasks: tasks.length,
    episodes: runs.length,
    calls: sum(runs.map(({ steps }) => steps.length)),
  };
}

function assertOptions(options: ValidateOptions & Pick<ValidationSettings, 'tasks' | 'timeoutMs'>): void {
  const { tasks, timeoutMs, maxReward = 0, ignore = [] } = options;
  if (!Number.isSafeInteger(tasks) || tasks < 1) {
    throw new RangeError(`invalid tasks: expected an integer of at least 1, got ${tasks}`);
  }
  if (!(timeoutMs > 0 && timeoutMs <= 1_000_000_000)) {
    throw new RangeError(`invalid timeoutMs: expected milliseconds above 0, got ${timeoutMs}`);
  }
  if (!Number.isFinite(maxReward)) {
    throw new RangeError(`invalid maxReward: expected a finite number, got ${maxReward}`);
  }
  const unknown = ignore.find((name) => !validationRules.some((rule) => rule.name === name));
  if (unknown === undefined) return;
  throw new UnknownNameError(
    'rule',
    unknown,
    validationRules.map(({ name }) => name),
  );
}
