import { REQUIREMENTS_REVISION } from '../../generated/requirements.ts';
import { abortable, mapConcurrent } from '../core/index.ts';
import type { Check } from './check.ts';
import { FIXTURE } from './fixture.ts';
import type { Inputs } from './inputs/inputs.ts';
import { judge, requirementOf } from './judge.ts';
import { meet } from './needs.ts';
import { type ConformanceOptions, STANDARD_LOADS, STANDARD_TIMES } from './options.ts';
import { Budget, Connection, Probe, type ProbeContext, Requests, type ServerProcess } from './probe/index.ts';
import type { Result, Run } from './result.ts';
import { budgetOf, selectChecks } from './select.ts';
import { share } from './share.ts';
import { findTarget } from './target.ts';
import { given, interruptionSignal, Untestable, understood, Violation } from './verdict.ts';

/** Why no check could be made any more. */
export const GONE = 'the server can no longer be reached: it refuses connections';

export interface RunParts {
  readonly checks: readonly Check[];
  readonly inputs: Inputs;
  /** Name and version of the suite, for the report. */
  readonly suite: string;
  /** The server's process, where the suite has started it. */
  readonly process?: ServerProcess;
  /** Told before the first check and after each. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  /** The environment under test. */
  readonly environment: string;
  readonly done: number;
  readonly total: number;
  readonly budget: Run['budget'];
  /** Of the check that has just ended. */
  readonly result?: Result;
}

/**
 * Holds a server against the checks. Throws NoTarget if there is no ORS server at the URL,
 * UnknownTool if the options name a tool that it has not; everything else that can go
 * wrong is a result. All sessions that it makes are deleted.
 */
export async function runChecks(url: URL, options: ConformanceOptions, parts: RunParts): Promise<Run> {
  const checks = selectChecks(parts.checks, options);
  const timeoutMs = options.timeoutMs ?? 30_000;
  using connection = new Connection({ url, headers: options.headers ?? [], timeoutMs, tls: options.tls ?? {} });
  const startedAt = new Date().toISOString();
  const target = await findTarget(new Requests(connection), options, FIXTURE);
  const budget = new Budget(budgetOf(checks, options), () => connection.now());
  await using shared = share({ connection, target, inputs: parts.inputs, budget, options });
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
  const known = { environment: target.environment.name, total: checks.length, budget: budget.allowance };
  const tell = (result?: Result) => parts.onProgress?.({ ...known, done, ...(result && { result }) });
  tell();
  const interruption = interruptionSignal(options.signal);
  const results = await runInOrder(checks, options.concurrency ?? 4, async (check) => {
    const result = await runCheck(check, context, interruption.signal);
    done++;
    tell(result);
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
    budget: budget.allowance,
    used: budget.used,
    results,
  };
}

/** What cannot be had is told by the checks. */
function unlessUntestable(thrown: unknown): void {
  const error = understood(thrown);
  if (!(error instanceof Untestable)) throw error;
}

async function runCheck(check: Check, context: ProbeContext, signal: AbortSignal): Promise<Result> {
  const { level, sentence, contested } = requirementOf(check);
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

async function attempt(check: Check, probe: Probe, context: ProbeContext, signal: AbortSignal) {
  try {
    given(context.budget.hasTime, `the time of ${context.budget.allowance.seconds} s is used up`);
    await abortable(signal, () => make(check, probe));
    return { state: 'pass', violated: false } as const;
  } catch (error) {
    return judge(check, isGone(check, probe, error) ? new Untestable(GONE) : error);
  }
}

/** A server that has ended fails the check that ended it, and no other. */
function isGone({ needs = [] }: Check, { exchanges }: Probe, error: unknown): boolean {
  if (needs.includes('process') || !(error instanceof Violation || error instanceof Untestable)) return false;
  return exchanges.some(({ failure }) => failure?.includes('ECONNREFUSED'));
}

async function make(check: Check, probe: Probe): Promise<void> {
  for (const need of check.needs ?? []) await meet(need, probe);
  await check.run(probe);
}

/**
 * Runs checks side by side, the heavy ones by themselves after the others, those that stop the server last of all.
 * Results keep the order of the checks.
 */
async function runInOrder(
  checks: readonly Check[],
  concurrency: number,
  run: (check: Check) => Promise<Result>,
): Promise<Result[]> {
  const results = new Map<Check, Result>();
  const isLast = (check: Check) => check.needs?.includes('process') === true;
  const add = async (check: Check) => {
    results.set(check, await run(check));
  };
  const together = checks.filter((check) => !check.alone && !isLast(check));
  await mapConcurrent(together, concurrency, add);
  const alone = checks.filter((check) => check.alone && !isLast(check));
  for (const check of [...alone, ...checks.filter(isLast)]) await add(check);
  return checks.flatMap((check) => results.get(check) ?? []);
}
