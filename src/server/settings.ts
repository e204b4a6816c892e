import { HEARTBEAT_MS, IDLE_TIMEOUT_MS, LINGER_MS } from '../protocol/index.ts';

/**
 * How much clients learn about an error that author code threw: nothing, its message, its message with
 * the place in the code, or its stack.
 *
 * @example
 * const errorDetail: ErrorDetail = 'none';
 * const server = await serve([environment], { errorDetail });
 */
export type ErrorDetail = 'none' | 'message' | 'place' | 'stack';

const DEFAULT_SETTINGS = {
  /**
   * Idle time after which a session is torn down.
   *
   * @default 900_000, as in the standard
   */
  idleTimeoutMs: IDLE_TIMEOUT_MS,
  /**
   * Time without requests other than pings after which a session leaves memory, if the journal has it. Its next request
   * brings it back.
   *
   * @default Infinity, since coming back costs a replay or a `restore`
   */
  evictAfterMs: Infinity,
  /**
   * Time for which the result of a completed call is kept.
   *
   * @default 60_000, as in the standard
   */
  lingerMs: LINGER_MS,
  /**
   * Maximum size of all kept results. The oldest ones are removed first.
   *
   * @default 64 MiB
   */
  lingerBytes: 64 * 1024 * 1024,
  /**
   * Maximum number of kept results. The oldest ones are removed first.
   *
   * @default 100_000
   */
  lingerCount: 100_000,
  /**
   * Interval of the comments that keep a silent stream alive.
   *
   * @default 10_000
   */
  heartbeatMs: HEARTBEAT_MS,
  /**
   * Time after which a call that waits for setup opens its stream.
   *
   * @default 5_000
   */
  setupAnswerMs: 5_000,
  /**
   * Time after which `/prompt`, `/messages` and `/task_tools` respond with 503 and `X-Backend-State: starting` while setup
   * runs. Only for clients that understand it; others wait until the end of setup.
   *
   * @default 25_000
   */
  setupWaitMs: 25_000,
  /**
   * Time limit of a tool that does not set its own.
   *
   * @default Infinity, since some tools take hours
   */
  callTimeoutMs: Infinity,
  /**
   * Time limit for finding tasks, counting tasks and creating a prompt.
   *
   * @default 300_000
   */
  lookupTimeoutMs: 300_000,
  /**
   * Time limit of setup. A session whose setup exceeds it ends.
   *
   * @default Infinity
   */
  setupTimeoutMs: Infinity,
  /**
   * Time that running tools have to stop: after a delete, before teardown begins, and after a timeout, before the session
   * is lost.
   *
   * @default 1_000
   */
  deleteGraceMs: 1_000,
  /**
   * Maximum time that `/delete` waits for teardown, which then continues in the background.
   *
   * @default 20_000
   */
  deleteWaitMs: 20_000,
  /**
   * Number of ended sessions to remember. Requests to them get 410 instead of 404, and the log and spans of such requests
   * name the environment.
   *
   * @default 100_000
   */
  tombstones: 100_000,
  /**
   * Maximum size of a request body.
   *
   * @default 32 MiB
   */
  bodyLimitBytes: 32 * 1024 * 1024,
  /**
   * Maximum size of all headers of a request, including `X-Secrets`.
   *
   * @default 64 KiB
   */
  headerLimitBytes: 64 * 1024,
  /**
   * Time that a new connection has to send the headers of its first request.
   *
   * @default 20_000
   */
  headersTimeoutMs: 20_000,
  /**
   * Time in which a request must arrive, including its body. The response is not limited.
   *
   * @default 120_000
   */
  requestTimeoutMs: 120_000,
  /**
   * Time after which a client that reads nothing of a waiting response is disconnected, accurate to a quarter. The result
   * is kept.
   *
   * @default 120_000
   */
  stalledReaderMs: 120_000,
  /**
   * Maximum number of sessions, each counted from `/create` to the end of teardown.
   *
   * @default Infinity
   */
  maxSessions: Infinity,
  /**
   * Maximum number of sessions per API key.
   *
   * @default Infinity
   */
  maxSessionsPerKey: Infinity,
  /**
   * Time that `/create` waits for a session slot before it is rejected. Python clients give up soon after the default.
   *
   * @default 20_000
   */
  capacityWaitMs: 20_000,
  /**
   * Maximum number of running tools. Further calls wait in order.
   *
   * @default Infinity
   */
  maxCalls: Infinity,
  /**
   * Maximum number of running setups. Further ones wait in order.
   *
   * @default Infinity
   */
  maxSetups: Infinity,
  /**
   * Time after which a session ends even if it is active.
   *
   * @default Infinity
   */
  maxLifetimeMs: Infinity,
  /**
   * Maximum size of a result as JSON. The call gets `ok: false` instead of a larger result.
   *
   * @default 128 MiB
   */
  maxResultBytes: 128 * 1024 * 1024,
  /**
   * Maximum time that `drain` waits for the remaining sessions.
   *
   * @default 25_000
   */
  drainTimeoutMs: 25_000,
  /**
   * How much clients learn about errors of author code.
   *
   * @default 'message'
   */
  errorDetail: 'message' as ErrorDetail,
};

/**
 * Limits and times of a server. Times are in milliseconds, sizes in bytes.
 *
 * @example
 * const settings: Partial<ServerSettings> = { idleTimeoutMs: 600_000, maxSessions: 500 };
 * const server = await serve([environment], settings);
 */
export interface ServerSettings extends Readonly<typeof DEFAULT_SETTINGS> {
  /**
   * First four digits (lower-case hex) of the session ids of this server, so that a proxy in front of several servers
   * can route by session id.
   *
   * @default undefined: ids are completely random
   */
  readonly nodeTag?: string;
}

/** Counts with a minimum of 1: with 0 the server could not do anything. */
const AT_LEAST_ONE: ReadonlySet<string> = new Set(['maxSessions', 'maxSessionsPerKey', 'maxCalls', 'maxSetups']);

/** Adds the defaults of missing settings. @throws TypeError for an invalid number. */
export function resolveSettings(settings: Partial<ServerSettings>): ServerSettings {
  for (const name of Object.keys(DEFAULT_SETTINGS)) {
    const value = settings[name as keyof ServerSettings];
    const min = AT_LEAST_ONE.has(name) ? 1 : 0;
    if (name === 'errorDetail' || value === undefined || (typeof value === 'number' && value >= min)) continue;
    throw new TypeError(`invalid ${name}: expected a number of at least ${min}, got ${String(value)}`);
  }
  return { ...DEFAULT_SETTINGS, ...settings };
}
