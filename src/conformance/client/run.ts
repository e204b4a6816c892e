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
  /** Runs only these checks: ids, groups or requirements. @default all */
  readonly only?: readonly string[];
  /** Skips these checks: ids, groups or requirements. @default none */
  readonly skip?: readonly string[];
  /** Maximum number of concurrent checks, each with its own adapter. @default 12 */
  readonly concurrency?: number;
  readonly times?: Partial<ClientTimes>;
  /** Ends the run early; the remaining checks are not testable. */
  readonly signal?: AbortSignal;
}

export interface ClientRunParts {
  readonly checks: readonly ClientCheck[];
  readonly launch: LaunchAdapter;
  /** Name and version of the suite, for the report. */
  readonly suite: string;
  /** Called before the first check and after each. */
  readonly onProgress?: (progress: ClientProgress) => void;
}

export interface ClientProgress {
  readonly done: number;
  readonly total: number;
  /** Name of the client, if the adapter reports one. */
  readonly client: string | undefined;
  /** Result of the check that has just ended. */
  readonly result?: CheckRunResult;
}

/** Result of a run of a client. */
export interface ClientRun extends ConformanceRun {
  /** Name of the client, if the adapter reports one. */
  readonly client: string | undefined;
}

const DEFAULT_CONCURRENCY = 12;

/** Returns the checks of a run, in the order of the list. */
export function selectClientChecks(
  checks: readonly ClientCheck[],
  { only, skip = [] }: Pick<ClientRunOptions, 'only' | 'skip'>,
): ClientCheck[] {
  return checks.filter((check) => (only === undefined || matchesName(check, only)) && !matchesName(check, skip));
}

/**
 * Runs the checks against a client. Each gets its own server on a free port of 127.0.0.1, and its own adapter.
 *
 * @throws TargetNotFoundError if the adapter does not start
 */
export async function runClientChecks(options: ClientRunOptions, parts: ClientRunParts): Promise<ClientRun> {
  const startedMs = performance.now();
  const startedAt = new Date().toISOString();
  const checks = selectClientChecks(parts.checks, options);
  const times = { ...STANDARD_CLIENT_TIMES, ...options.times };
  const interruption = interruptionSignal(options.signal);
  let count = 0;
  const context: ClientRunContext = {
    times,
    launch: parts.launch,
    signal: interruption.signal,
    now: () => performance.now() - startedMs,
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
  /** Aborts with `UntestableError` when the run is interrupted. */
  readonly signal: AbortSignal;
  /** Returns the milliseconds since the start of the run. */
  readonly now: () => number;
  /** Returns the number of the next exchange of the run. */
  readonly nextNumber: () => number;
  readonly used: { sessions: number; calls: number };
}

const serverParts = ({ now, nextNumber, times }: ClientRunContext) => ({ now, nextNumber, packetMs: times.packetMs });

/** Starts the adapter once before the checks, so that a failure to start is reported once. */
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
  const startedMs = context.now();
  const server = new ScriptedServer(serverParts(context));
  await server.listen();
  const harness = new ClientHarness({ server, launch: context.launch, times: context.times });
  const outcome = await attempt(check, harness, context);
  await harness[Symbol.asyncDispose]();
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
    notes: harness.notes,
    durationMs: Math.round(context.now() - startedMs),
    exchanges: server.requests.map(({ exchange }) => exchange),
  };
}

async function attempt(check: ClientCheck, harness: ClientHarness, context: ClientRunContext) {
  try {
    await abortable(context.signal, () => check.run(harness));
    harness.server.check();
    return { state: 'pass', violated: false } as const;
  } catch (error) {
    return judge(check, error);
  }
}

/** Runs checks concurrently, the slow ones first. Returns the results in the order of the checks. */
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
