import { REQUIREMENTS_REVISION } from '../../../generated/requirements.ts';
import { abortable } from '../../core/index.ts';
import { interruptionSignal, UntestableError } from '../assertions.ts';
import type { ConformanceOptions } from '../options.ts';
import { type CheckRunResult, type ConformanceRun, runBatches, runCheck } from '../result.ts';
import type { ConformanceRunParts } from '../run.ts';
import { matchesName } from '../select.ts';
import { TargetNotFoundError } from '../target.ts';
import { AdapterDriver, type LaunchAdapter } from './adapter.ts';
import { type ClientCheck, ClientHarness, type ClientTimes, STANDARD_CLIENT_TIMES } from './harness.ts';
import { ENVIRONMENT, ENVIRONMENTS } from './server/healthy.ts';
import { ScriptedServer, type ScriptedServerParts } from './server/scripted-server.ts';

export interface ClientRunOptions extends Pick<ConformanceOptions, 'only' | 'skip' | 'signal'> {
  /** Maximum number of concurrent checks, each with its own adapter. @default 12 */
  readonly concurrency?: number;
  readonly times?: Partial<ClientTimes>;
}

export interface ClientRunParts extends Pick<ConformanceRunParts, 'suite'> {
  readonly checks: readonly ClientCheck[];
  readonly launch: LaunchAdapter;
  /** Called before the first check and after each. */
  readonly onProgress?: (progress: ClientProgress) => void;
}

/**
 * State of a run of a client.
 *
 * @example
 * const onProgress = ({ done, total, client }: ClientProgress) => console.error(`${client}: ${done}/${total}`);
 */
export interface ClientProgress {
  /** Number of checks that have ended. */
  readonly done: number;
  readonly total: number;
  /** Name of the client, if the adapter reports one. */
  readonly client: string | undefined;
  /** Result of the check that has just ended. */
  readonly result?: CheckRunResult;
}

/**
 * Result of a run of a client.
 *
 * @example
 * const launch = launchAdapterCommand('python adapter.py');
 * const run: ClientRun = await runClientChecks({}, { checks: clientChecks, launch, suite: 'mine 1.0' });
 * console.log(run.client, run.results.length);
 */
export interface ClientRun extends ConformanceRun {
  /** Name of the client, if the adapter reports one. */
  readonly client: string | undefined;
}

const DEFAULT_CONCURRENCY = 12;

/**
 * Returns the checks of a run, in the order of the list.
 *
 * @example
 * const checks = selectClientChecks(clientChecks, { only: ['client/stream'] });
 */
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
 * @example
 * const launch = launchAdapterCommand('python adapter.py');
 * const run = await runClientChecks({}, { checks: clientChecks, launch, suite: 'mine 1.0' });
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
    server: { now: () => performance.now() - startedMs, nextNumber: () => ++count, packetMs: times.packetMs },
    used: { sessions: 0, calls: 0 },
  };
  const client = await greet(context).catch((error: unknown) => {
    interruption.release();
    throw error;
  });
  const slowFirst = checks.toSorted((a, b) => Number(b.slow ?? false) - Number(a.slow ?? false));
  const results = await runBatches(
    checks,
    [[slowFirst, options.concurrency ?? DEFAULT_CONCURRENCY]],
    (check) => runOne(check, context),
    (done, result) => parts.onProgress?.({ done, total: checks.length, client, ...(result && { result }) }),
  ).finally(interruption.release);
  return {
    url: 'http://127.0.0.1',
    suite: parts.suite,
    requirements: REQUIREMENTS_REVISION,
    profiles: [],
    seed: 1,
    startedAt,
    durationMs: Math.round(context.server.now()),
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
  readonly server: ScriptedServerParts;
  readonly used: { sessions: number; calls: number };
}

/** Starts the adapter once before the checks, so that a failure to start is reported once. */
async function greet(context: ClientRunContext): Promise<string | undefined> {
  await using server = new ScriptedServer(context.server);
  await server.listen();
  await using driver = new AdapterDriver(context.launch, { url: server.url, times: context.times });
  try {
    return await abortable(context.signal, () => driver.hello());
  } catch (error) {
    if (error instanceof UntestableError) throw new TargetNotFoundError(error.message);
    throw error;
  }
}

async function runOne(check: ClientCheck, { server: parts, launch, times, signal, used }: ClientRunContext) {
  const server = new ScriptedServer(parts);
  await server.listen();
  const harness = new ClientHarness({ server, launch, times });
  return await runCheck(check, {
    now: parts.now,
    run: async () => {
      await abortable(signal, () => check.run(harness));
      server.check();
    },
    cleanUp: async () => {
      await harness[Symbol.asyncDispose]();
      used.sessions += server.requestsOf('create').length;
      used.calls += server.requestsOf('call').length;
    },
    evidence: () => ({ notes: harness.notes, exchanges: server.requests.map(({ exchange }) => exchange) }),
  });
}
