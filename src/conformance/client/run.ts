import { REQUIREMENTS_REVISION } from '../../../generated/requirements.ts';
import { abortable, mapConcurrent } from '../../core/index.ts';
import { interruptionSignal, UntestableError } from '../assertions.ts';
import type { CheckRunResult, ConformanceRun } from '../result.ts';
import { getRequirement, judge } from '../result.ts';
import { matchesName } from '../select.ts';
import { TargetNotFoundError } from '../target.ts';
import { AdapterDriver, type LaunchAdapter } from './adapter.ts';
import type { ClientCheck } from './harness.ts';
import { ClientHarness, type ClientTimes, STANDARD_CLIENT_TIMES } from './harness.ts';
import { ENVIRONMENT, ENVIRONMENTS } from './server/healthy.ts';
import { ScriptedServer } from './server/scripted-server.ts';

export interface ClientRunOptions {
  /** Ids or their beginnings, or requirements: only these checks. Default: all. */
  readonly only?: readonly string[];
  /** Ids or their beginnings, or requirements: not these. */
  readonly skip?: readonly string[];
  /** How many checks run at once, each with an adapter of its own. Default: 12. */
  readonly concurrency?: number;
  readonly times?: Partial<ClientTimes>;
  /** Ends the run early; what has not run is not testable. */
  readonly signal?: AbortSignal;
}

export interface ClientRunParts {
  readonly checks: readonly ClientCheck[];
  readonly launch: LaunchAdapter;
  /** Name and version of the suite, for the report. */
  readonly suite: string;
  /** Told before the first check and after each. */
  readonly onProgress?: (progress: ClientProgress) => void;
}

export interface ClientProgress {
  readonly done: number;
  readonly total: number;
  /** What the adapter says of its client; undefined if it says nothing. */
  readonly client: string | undefined;
  /** Of the check that has just ended. */
  readonly result?: CheckRunResult;
}

/** A run of checks of a client. */
export interface ClientRun extends ConformanceRun {
  /** What the adapter says of its client; undefined if it says nothing. */
  readonly client: string | undefined;
}

const DEFAULT_CONCURRENCY = 12;

/** The checks of a run, in the order of the list. */
export function selectClientChecks(
  checks: readonly ClientCheck[],
  { only, skip = [] }: Pick<ClientRunOptions, 'only' | 'skip'>,
): ClientCheck[] {
  return checks.filter((check) => (only === undefined || matchesName(check, only)) && !matchesName(check, skip));
}

/**
 * Holds a client against the checks: each gets a server of its own, on a free port of 127.0.0.1, and an adapter of its
 * own. Throws NoTarget if the adapter does not start.
 */
export async function runClientChecks(options: ClientRunOptions, parts: ClientRunParts): Promise<ClientRun> {
  const began = performance.now();
  const startedAt = new Date().toISOString();
  const checks = selectClientChecks(parts.checks, options);
  const times = { ...STANDARD_CLIENT_TIMES, ...options.times };
  const interruption = interruptionSignal(options.signal);
  let count = 0;
  const context: ClientRunContext = {
    times,
    launch: parts.launch,
    signal: interruption.signal,
    now: () => performance.now() - began,
    nextNumber: () => ++count,
    used: { sessions: 0, calls: 0 },
  };
  const client = await greet(context).catch((error: unknown) => {
    interruption.release();
    throw error;
  });
  let done = 0;
  const notify = (result?: CheckRunResult) =>
    parts.onProgress?.({ done, total: checks.length, client, ...(result && { result }) });
  notify();
  const results = await runSlowFirst(checks, options.concurrency ?? DEFAULT_CONCURRENCY, async (check) => {
    const result = await runCheck(check, context);
    done++;
    notify(result);
    return result;
  }).finally(interruption.release);
  return {
    url: 'http://127.0.0.1',
    suite: parts.suite,
    requirements: REQUIREMENTS_REVISION,
    profiles: [],
    seed: 1,
    startedAt,
    durationMs: Math.round(context.now()),
    environment: ENVIRONMENT,
    environments: ENVIRONMENTS,
    budget: { ...context.used, seconds: Number.POSITIVE_INFINITY },
    used: context.used,
    results,
    client,
  };
}

interface ClientRunContext {
  readonly times: ClientTimes;
  readonly launch: LaunchAdapter;
  /** Aborts with `Untestable` when the run is interrupted. */
  readonly signal: AbortSignal;
  /** Milliseconds since the run began. */
  readonly now: () => number;
  /** Counts the exchanges of the run. */
  readonly nextNumber: () => number;
  readonly used: { sessions: number; calls: number };
}

const serverParts = ({ now, nextNumber, times }: ClientRunContext) => ({ now, nextNumber, packetMs: times.packetMs });

/** Starts the adapter once, so that one that cannot start is told once. */
async function greet(context: ClientRunContext): Promise<string | undefined> {
  await using server = new ScriptedServer(serverParts(context));
  await server.listen();
  await using driver = new AdapterDriver(context.launch, { url: server.url, times: context.times });
  try {
    return await abortable(context.signal, () => driver.hello());
  } catch (error) {
    if (error instanceof UntestableError) throw new TargetNotFoundError(error.message);
    throw error;
  }
}

async function runCheck(check: ClientCheck, context: ClientRunContext): Promise<CheckRunResult> {
  const { level, sentence, contested } = getRequirement(check);
  const began = context.now();
  const server = new ScriptedServer(serverParts(context));
  await server.listen();
  const stage = new ClientHarness({ server, launch: context.launch, times: context.times });
  const outcome = await attempt(check, stage, context);
  await stage[Symbol.asyncDispose]();
  context.used.sessions += server.requestsOf('create').length;
  context.used.calls += server.requestsOf('call').length;
  return {
    check: check.id,
    title: check.title,
    requirement: check.requirement,
    level,
    sentence,
    contested,
    ...outcome,
    notes: stage.notes,
    durationMs: Math.round(context.now() - began),
    exchanges: server.requests.map(({ exchange }) => exchange),
  };
}

async function attempt(check: ClientCheck, stage: ClientHarness, context: ClientRunContext) {
  try {
    await abortable(context.signal, () => check.run(stage));
    stage.server.check();
    return { state: 'pass', violated: false } as const;
  } catch (error) {
    return judge(check, error);
  }
}

/** Runs checks side by side, the slow ones first. Results keep the order of the checks. */
async function runSlowFirst(
  checks: readonly ClientCheck[],
  concurrency: number,
  run: (check: ClientCheck) => Promise<CheckRunResult>,
): Promise<CheckRunResult[]> {
  const results = new Map<ClientCheck, CheckRunResult>();
  const sorted = checks.toSorted((a, b) => Number(b.slow ?? false) - Number(a.slow ?? false));
  await mapConcurrent(sorted, concurrency, async (check) => {
    results.set(check, await run(check));
  });
  return checks.flatMap((check) => results.get(check) ?? []);
}
