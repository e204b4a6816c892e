import { HEARTBEAT_MS, IDLE_TIMEOUT_MS, LINGER_MS } from '../protocol/index.ts';

/** How much a client learns of an error that an author's code threw: nothing, its message, or its stack. */
export type ErrorDetail = 'none' | 'message' | 'stack';

/** Times in milliseconds, sizes in bytes. */
export interface ServerSettings {
  /** A session without activity is torn down after this time. Default: 900 000, as the standard says. */
  readonly idleTimeoutMs: number;
  /** A completed call's result is kept for this time. Default: 60 000, as the standard says. */
  readonly lingerMs: number;
  /** All kept results together; beyond it the oldest go first. Default: 64 MiB. */
  readonly lingerBytes: number;
  /** How many results are kept; beyond it the oldest go first. Default: 100 000. */
  readonly lingerCount: number;
  /** A silent stream gets a comment this often. Default: 10 000. */
  readonly heartbeatMs: number;
  /** A call that waits for setup answers with a stream after this time. Default: 5000. */
  readonly setupAnswerMs: number;
  /** A tool that runs longer is stopped, unless it has a time of its own. Default: Infinity, for some take hours. */
  readonly callTimeoutMs: number;
  /** To find tasks, to count them or to make a prompt an environment has this time. Default: 300 000. */
  readonly lookupTimeoutMs: number;
  /** A setup that runs longer is stopped, and the session with it. Default: Infinity. */
  readonly setupTimeoutMs: number;
  /**
   * How long running tools may finish after a delete before teardown begins, and after they were stopped before they cost
   * the session. Default: 1000.
   */
  readonly deleteGraceMs: number;
  /** The longest that `/delete` waits for teardown; it goes on in the background then. Default: 20 000. */
  readonly deleteWaitMs: number;
  /**
   * How many gone sessions are remembered at most, so that they are 410 and not 404, and that the log and spans name the
   * environments of requests about them, also of the one that ends a session. Default: 100 000.
   */
  readonly tombstones: number;
  /** The largest request body. Default: 32 MiB. */
  readonly bodyLimitBytes: number;
  /** All headers of a request together, for `X-Secrets` is one of them. Default: 64 KiB. */
  readonly headerLimitBytes: number;
  /** A connection has this time to send the headers of its first request. Default: 20 000. */
  readonly headersTimeoutMs: number;
  /** A request has this time to arrive, body included; its answer may take any. Default: 120 000. */
  readonly requestTimeoutMs: number;
  /**
   * A reader that takes nothing of what waits for it is disconnected after this time, or up to a quarter later; its
   * result stays. Default: 120 000.
   */
  readonly stalledReaderMs: number;
  /** The most sessions at a time, from `/create` to the end of teardown. Default: Infinity. */
  readonly maxSessions: number;
  /** The most sessions at a time of one API key. Default: Infinity. */
  readonly maxSessionsPerKey: number;
  /** A `/create` waits this long for a place before it is refused, since the Python clients give up soon. Default: 20 000. */
  readonly capacityWaitMs: number;
  /** The most tools that run at a time; further calls wait in order. Default: Infinity. */
  readonly maxCalls: number;
  /** The most setups that run at a time; further ones wait in order. Default: Infinity. */
  readonly maxSetups: number;
  /** A session ends after this time, whatever goes on in it. Default: Infinity. */
  readonly maxLifetimeMs: number;
  /** The JSON of a larger result is not sent; the call is answered with `ok: false`. Default: 128 MiB. */
  readonly maxResultBytes: number;
  /** `drain` waits this long for the sessions that are left. Default: 25 000. */
  readonly drainTimeoutMs: number;
  /** Default: message. */
  readonly errorDetail: ErrorDetail;
  /**
   * Four lower-case hex digits with which the session ids begin that this server issues, so that a proxy can tell from
   * an id which of several servers has the session. Default: none; the ids are random altogether.
   */
  readonly nodeTag?: string;
}

/** Counts of what there must be at least one of, or nothing could ever happen. */
const AT_LEAST_ONE: ReadonlySet<string> = new Set(['maxSessions', 'maxSessionsPerKey', 'maxCalls', 'maxSetups']);

/** The defaults, and what is given in their place. @throws TypeError for a number that cannot be meant. */
export function resolveSettings(given: Partial<ServerSettings>): ServerSettings {
  for (const name of Object.keys(DEFAULT_SETTINGS)) {
    const value = given[name as keyof ServerSettings];
    const min = AT_LEAST_ONE.has(name) ? 1 : 0;
    if (name === 'errorDetail' || value === undefined || (typeof value === 'number' && value >= min)) continue;
    throw new TypeError(`${name} is ${String(value)}; it must be a number of at least ${min}`);
  }
  return { ...DEFAULT_SETTINGS, ...given };
}

export const DEFAULT_SETTINGS: ServerSettings = {
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
