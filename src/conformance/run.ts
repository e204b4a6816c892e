import { REQUIREMENTS_REVISION } from '../../generated/requirements.ts';
import { abortable } from '../core/index.ts';
import { assume, interruptionSignal, normalizeSuiteError, UntestableError, ViolationError } from './assertions.ts';
import type { ConformanceCheck } from './check.ts';
import { type ConformanceOptions, STANDARD_LOADS, STANDARD_TIMES } from './options.ts';
import { Probe, ProbeConnection, type ProbeContext, ProbeRequests, RunBudget } from './probe/index.ts';
import { type CheckRunResult, type ConformanceRun, runBatches, runCheck } from './result.ts';
import { assertPrerequisite, computeBudget, type PlanParts, selectChecks } from './select.ts';
import { createSharedFixtures } from './shared.ts';
import { discoverTarget } from './target.ts';

/** Message of checks that could not run because the server had exited. */
export const SERVER_UNREACHABLE = 'the server can no longer be reached: it refuses connections';

export interface ConformanceRunParts extends PlanParts {
  /** Name and version of the suite, for the report. */
  readonly suite: string;
  /** Called before the first check and after each. */
  readonly onProgress?: (progress: ConformanceProgress) => void;
}

/**
 * State of a run of a server.
 *
 * @example
 * const onProgress = ({ done, total }: ConformanceProgress) => console.error(`${done} of ${total} checks`);
 */
export interface ConformanceProgress {
  /** The environment under test. */
  readonly environment: string;
  /** Number of checks that have ended. */
  readonly done: number;
  readonly total: number;
  /** Sessions, calls and seconds that the run may still use. */
  readonly budget: ConformanceRun['budget'];
  /** Result of the check that has just ended. */
  readonly result?: CheckRunResult;
}

/**
 * Runs the checks against a server, and deletes all sessions that they create. Everything that goes wrong is a result,
 * except for wrong options and a missing server.
 *
 * @throws TargetNotFoundError if no ORS server responds at the URL
 * @throws UnknownToolError if the options name a tool that the server does not have
 * @example
 * await using inputs = createInputGenerator();
 * const run = await runChecks(new URL('http://localhost:8080'), {}, { checks: serverChecks, inputs, suite: 'mine 1.0' });
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
  const target = await discoverTarget(new ProbeRequests(connection), options);
  const budget = new RunBudget(computeBudget(checks, options), () => connection.now());
  await using shared = createSharedFixtures({ connection, target, inputs: parts.inputs, budget, options });
  // Task tools are visible only in an episode, which needs a session.
  if (budget.has('sessions')) await shared.ensureNamed().catch(ignoreUntestable);
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
  const known = { environment: target.environment.name, total: checks.length, budget: budget.limits };
  const interruption = interruptionSignal(options.signal);
  const results = await runBatches(
    checks,
    batchesOf(checks, options.concurrency ?? 4),
    (check) => runOne(check, context, interruption.signal),
    (done, result) => parts.onProgress?.({ ...known, done, ...(result && { result }) }),
  ).finally(interruption.release);
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

/** Ignores missing prerequisites: the checks report them. */
function ignoreUntestable(thrown: unknown): void {
  const error = normalizeSuiteError(thrown);
  if (!(error instanceof UntestableError)) throw error;
}

/** Returns the checks that run concurrently, then the exclusive ones and, last, those that stop the server. */
function batchesOf(checks: readonly ConformanceCheck[], concurrency: number) {
  const stopping = checks.filter(({ needs }) => needs?.includes('process'));
  const others = checks.filter((check) => !stopping.includes(check));
  const concurrent = others.filter(({ exclusive }) => !exclusive);
  const exclusive = others.filter((check) => check.exclusive);
  return [[concurrent, concurrency] as const, [[...exclusive, ...stopping], 1] as const];
}

function runOne(check: ConformanceCheck, context: ProbeContext, signal: AbortSignal): Promise<CheckRunResult> {
  const probe = new Probe(context, check);
  return runCheck(check, {
    now: () => context.connection.now(),
    run: () => attempt(check, probe, context, signal),
    cleanUp: () => probe.cleanUp(),
    evidence: () => ({ notes: probe.notes, exchanges: probe.exchanges }),
  });
}

async function attempt(check: ConformanceCheck, probe: Probe, { budget }: ProbeContext, signal: AbortSignal) {
  try {
    assume(budget.hasTime, `the time of ${budget.limits.seconds} s is used up`);
    await abortable(signal, async () => {
      for (const need of check.needs ?? []) await assertPrerequisite(need, probe);
      await check.run(probe);
    });
  } catch (error) {
    throw isServerGone(check, probe, error) ? new UntestableError(SERVER_UNREACHABLE) : error;
  }
}

/** Returns whether the server has exited: that fails the check that caused it, and no other. */
function isServerGone({ needs = [] }: ConformanceCheck, { exchanges }: Probe, error: unknown): boolean {
  if (needs.includes('process') || !(error instanceof ViolationError || error instanceof UntestableError)) return false;
  return exchanges.some(({ failure }) => failure?.includes('ECONNREFUSED'));
}
