import { HEARTBEAT_MS, IDLE_TIMEOUT_MS, LINGER_MS } from '../protocol/index.ts';

/** How much clients learn about an error that author code threw: nothing, its message, or its stack. */
export type ErrorDetail = 'none' | 'message' | 'stack';

/** Limits and times of a server. Times are in milliseconds, sizes in bytes. */
export interface ServerSettings {
  /**
   * Idle time after which a session is torn down.
   *
   * @default 900_000, as in the standard
   */
  readonly idleTimeoutMs: number;
  /**
   * Time for which the result of a completed call is kept.
   *
   * @default 60_000, as in the standard
   */
  readonly lingerMs: number;
  /**
   * Maximum size of all kept results. The oldest ones are removed first.
   *
   * @default 64 MiB
   */
  readonly lingerBytes: number;
  /**
   * Maximum number of kept results. The oldest ones are removed first.
   *
   * @default 100_000
   */
  readonly lingerCount: number;
  /**
   * Interval of the comments that keep a silent stream alive.
   *
   * @default 10_000
   */
  readonly heartbeatMs: number;
  /**
   * Time after which a call that waits for setup opens its stream.
   *
   * @default 5_000
   */
  readonly setupAnswerMs: number;
  /**
   * Time limit of a tool that does not set its own.
   *
   * @default Infinity, since some tools take hours
   */
  readonly callTimeoutMs: number;
  /**
   * Time limit for finding tasks, counting tasks and creating a prompt.
   *
   * @default 300_000
   */
  readonly lookupTimeoutMs: number;
  /**
   * Time limit of setup. A session whose setup exceeds it ends.
   *
   * @default Infinity
   */
  readonly setupTimeoutMs: number;
  /**
   * Time that running tools have to stop: after a delete, before teardown begins, and after a timeout, before the session
   * is lost.
   *
   * @default 1_000
   */
  readonly deleteGraceMs: number;
  /**
   * Maximum time that `/delete` waits for teardown, which then continues in the background.
   *
   * @default 20_000
   */
  readonly deleteWaitMs: number;
  /**
   * Number of ended sessions to remember. Requests to them get 410 instead of 404, and the log and spans of such requests
   * name the environment.
   *
   * @default 100_000
   */
  readonly tombstones: number;
  /**
   * Maximum size of a request body.
   *
   * @default 32 MiB
   */
  readonly bodyLimitBytes: number;
  /**
   * Maximum size of all headers of a request, including `X-Secrets`.
   *
   * @default 64 KiB
   */
  readonly headerLimitBytes: number;
  /**
   * Time that a new connection has to send the headers of its first request.
   *
   * @default 20_000
   */
  readonly headersTimeoutMs: number;
  /**
   * Time in which a request must arrive, including its body. The response is not limited.
   *
   * @default 120_000
   */
  readonly requestTimeoutMs: number;
  /**
   * Time after which a client that reads nothing of a waiting response is disconnected, accurate to a quarter. The result
   * is kept.
   *
   * @default 120_000
   */
  readonly stalledReaderMs: number;
  /**
   * Maximum number of sessions, each counted from `/create` to the end of teardown.
   *
   * @default Infinity
   */
  readonly maxSessions: number;
  /**
   * Maximum number of sessions per API key.
   *
   * @default Infinity
   */
  readonly maxSessionsPerKey: number;
  /**
   * Time that `/create` waits for a session slot before it is rejected. Python clients give up soon after the default.
   *
   * @default 20_000
   */
  readonly capacityWaitMs: number;
  /**
   * Maximum number of running tools. Further calls wait in order.
   *
   * @default Infinity
   */
  readonly maxCalls: number;
  /**
   * Maximum number of running setups. Further ones wait in order.
   *
   * @default Infinity
   */
  readonly maxSetups: number;
  /**
   * Time after which a session ends even if it is active.
   *
   * @default Infinity
   */
  readonly maxLifetimeMs: number;
  /**
   * Maximum size of a result as JSON. The call gets `ok: false` instead of a larger result.
   *
   * @default 128 MiB
   */
  readonly maxResultBytes: number;
  /**
   * Maximum time that `drain` waits for the remaining sessions.
   *
   * @default 25_000
   */
  readonly drainTimeoutMs: number;
  /**
   * How much clients learn about errors of author code.
   *
   * @default 'message'
   */
  readonly errorDetail: ErrorDetail;
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

/** Returns the given settings completed with the defaults. @throws TypeError for an invalid number. */
export function resolveSettings(given: Partial<ServerSettings>): ServerSettings {
  for (const name of Object.keys(DEFAULT_SETTINGS)) {
    const value = given[name as keyof ServerSettings];
    const min = AT_LEAST_ONE.has(name) ? 1 : 0;
    if (name === 'errorDetail' || value === undefined || (typeof value === 'number' && value >= min)) continue;
    throw new TypeError(`invalid ${name}: expected a number of at least ${min}, got ${String(value)}`);
  }
  return { ...DEFAULT_SETTINGS, ...given };
}

const DEFAULT_SETTINGS: ServerSettings = {
  idleTimeoutMs: IDLE_TIMEOUT_MS,
  lingerMs: LINGER_MS,
  lingerBytes: 64 * 1024 * 1024,
  lingerCount: 100_000,
  heartbeatMs: HEARTBEAT_MS,
  setupAnswerMs: 5_000,
  callTimeoutMs: Infinity,
  lookupTimeoutMs: 300_000,
  setupTimeoutMs: Infinity,
  deleteGraceMs: 1_000,
  deleteWaitMs: 20_000,
  tombstones: 100_000,
  bodyLimitBytes: 32 * 1024 * 1024,
  headerLimitBytes: 64 * 1024,
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 120_000,
  stalledReaderMs: 120_000,
  maxSessions: Infinity,
  maxSessionsPerKey: Infinity,
  capacityWaitMs: 20_000,
  maxCalls: Infinity,
  maxSetups: Infinity,
  maxLifetimeMs: Infinity,
  maxResultBytes: 128 * 1024 * 1024,
  drainTimeoutMs: 25_000,
  errorDetail: 'message',
};
