import { REQUIREMENTS_REVISION } from '../../generated/requirements.ts';
import { abortable, mapConcurrent } from '../core/index.ts';
import type { ConformanceCheck } from './check.ts';
import { FIXTURE } from './fixture.ts';
import type { InputGenerator } from './inputs/inputs.ts';
import { getRequirement, judge } from './judge.ts';
import { assertPrerequisite } from './needs.ts';
import { type ConformanceOptions, STANDARD_LOADS, STANDARD_TIMES } from './options.ts';
import {
  Probe,
  ProbeConnection,
  type ProbeContext,
  ProbeRequests,
  RunBudget,
  type TargetProcess,
} from './probe/index.ts';
import type { CheckRunResult, ConformanceRun } from './result.ts';
import { computeBudget, selectChecks } from './select.ts';
import { createSharedFixtures } from './share.ts';
import { discoverTarget } from './target.ts';
import { assume, interruptionSignal, normalizeSuiteError, UntestableError, ViolationError } from './verdict.ts';

/** Why no check could be made any more. */
export const SERVER_UNREACHABLE = 'the server can no longer be reached: it refuses connections';

export interface ConformanceRunParts {
  readonly checks: readonly ConformanceCheck[];
  readonly inputs: InputGenerator;
  /** Name and version of the suite, for the report. */
  readonly suite: string;
  /** The server's process, where the suite has started it. */
  readonly process?: TargetProcess;
  /** Told before the first check and after each. */
  readonly onProgress?: (progress: ConformanceProgress) => void;
}

export interface ConformanceProgress {
  /** The environment under test. */
  readonly environment: string;
  readonly done: number;
  readonly total: number;
  readonly budget: ConformanceRun['budget'];
  /** Of the check that has just ended. */
  readonly result?: CheckRunResult;
}

/**
 * Holds a server against the checks. Throws NoTarget if there is no ORS server at the URL,
 * UnknownTool if the options name a tool that it has not; everything else that can go
 * wrong is a result. All sessions that it makes are deleted.
 */
export async function runChecks(
  url: URL,
  options: ConformanceOptions,
  parts: ConformanceRunParts,
): Promise<ConformanceRun> {
  const checks = selectChecks(parts.checks, options);
  const timeoutMs = options.timeoutMs ?? 30_000;
  using connection = new ProbeConnection({ url, headers: options.headers ?? [], timeoutMs, tls: options.tls ?? {} });
  const startedAt = new Date().toISOString();
  const target = await discoverTarget(new ProbeRequests(connection), options, FIXTURE);
  const budget = new RunBudget(computeBudget(checks, options), () => connection.now());
  await using shared = createSharedFixtures({ connection, target, inputs: parts.inputs, budget, options });
  // Where no session may be made, an episode cannot be asked.
  if (budget.has('sessions')) await shared.ensureNamed().catch(unlessUntestable);
  const context: ProbeContext = {
    connection,
    target,
    inputs: parts.inputs,
    shared,
    budget,
    timeoutMs,
    times: { ...STANDARD_TIMES, ...options.times },
    loads: { ...STANDARD_LOADS, ...options.loads },
    seed: options.seed ?? 1,
    secrets: options.secrets ?? {},
    process: parts.process,
  };
  let done = 0;
  const known = { environment: target.environment.name, total: checks.length, budget: budget.limits };
  const notify = (result?: CheckRunResult) => parts.onProgress?.({ ...known, done, ...(result && { result }) });
  notify();
  const interruption = interruptionSignal(options.signal);
  const results = await runInOrder(checks, options.concurrency ?? 4, async (check) => {
    const result = await runCheck(check, context, interruption.signal);
    done++;
    notify(result);
    return result;
  }).finally(interruption.release);
  return {
    url: url.href,
    suite: parts.suite,
    requirements: REQUIREMENTS_REVISION,
    profiles: options.profiles ?? ['core'],
    seed: context.seed,
    startedAt,
    durationMs: Math.round(connection.now()),
    environment: target.environment.name,
    environments: target.names,
    budget: budget.limits,
    used: budget.used,
    results,
  };
}

/** What cannot be had is told by the checks. */
function unlessUntestable(thrown: unknown): void {
  const error = normalizeSuiteError(thrown);
  if (!(error instanceof UntestableError)) throw error;
}

async function runCheck(check: ConformanceCheck, context: ProbeContext, signal: AbortSignal): Promise<CheckRunResult> {
  const { level, sentence, contested } = getRequirement(check);
  const probe = new Probe(context, check);
  const began = context.connection.now();
  const outcome = await attempt(check, probe, context, signal);
  await probe.cleanUp();
  return {
    check: check.id,
    title: check.title,
    requirement: check.requirement,
    level,
    sentence,
    contested,
    ...outcome,
    notes: probe.notes,
    durationMs: Math.round(context.connection.now() - began),
    exchanges: probe.exchanges,
  };
}

async function attempt(check: ConformanceCheck, probe: Probe, context: ProbeContext, signal: AbortSignal) {
  try {
    assume(context.budget.hasTime, `the time of ${context.budget.limits.seconds} s is used up`);
    await abortable(signal, () => make(check, probe));
    return { state: 'pass', violated: false } as const;
  } catch (error) {
    return judge(check, isGone(check, probe, error) ? new UntestableError(SERVER_UNREACHABLE) : error);
  }
}

/** A server that has ended fails the check that ended it, and no other. */
function isGone({ needs = [] }: ConformanceCheck, { exchanges }: Probe, error: unknown): boolean {
  if (needs.includes('process') || !(error instanceof ViolationError || error instanceof UntestableError)) return false;
  return exchanges.some(({ failure }) => failure?.includes('ECONNREFUSED'));
}

async function make(check: ConformanceCheck, probe: Probe): Promise<void> {
  for (const need of check.needs ?? []) await assertPrerequisite(need, probe);
  await check.run(probe);
}

/**
 * Runs checks side by side, the heavy ones by themselves after the others, those that stop the server last of all.
 * Results keep the order of the checks.
 */
async function runInOrder(
  checks: readonly ConformanceCheck[],
  concurrency: number,
  run: (check: ConformanceCheck) => Promise<CheckRunResult>,
): Promise<CheckRunResult[]> {
  const results = new Map<ConformanceCheck, CheckRunResult>();
  const isLast = (check: ConformanceCheck) => check.needs?.includes('process') === true;
  const add = async (check: ConformanceCheck) => {
    results.set(check, await run(check));
  };
  const together = checks.filter((check) => !check.exclusive && !isLast(check));
  await mapConcurrent(together, concurrency, add);
  const alone = checks.filter((check) => check.exclusive && !isLast(check));
  for (const check of [...alone, ...checks.filter(isLast)]) await add(check);
  return checks.flatMap((check) => results.get(check) ?? []);
}
