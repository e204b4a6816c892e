import { HEARTBEAT_MS, IDLE_TIMEOUT_MS, LINGER_MS } from '../protocol/index.ts';

/** How much a client learns of an error that an author's code threw: nothing, its message, or its stack. */
export type ErrorDetail = 'none' | 'message' | 'stack';

/** Times in milliseconds, sizes in bytes. */
export interface Settings {
  /** A session without activity is torn down after this time. Default: 900 000, as the standard says. */
  readonly idleTimeoutMs: number;
  /** A completed call's result is kept for this time. Default: 60 000, as the standard says. */
  readonly lingerMs: number;
  /** All kept results together; beyond it the oldest go first. Default: 64 MiB. */
  readonly lingerBytes: number;
  /** A silent stream gets a comment this often. Default: 10 000. */
  readonly heartbeatMs: number;
  /** A call that waits for setup answers with a stream after this time. Default: 5000. */
  readonly setupAnswerMs: number;
  /** A tool that runs longer is stopped, unless it has a time of its own. Default: Infinity, for some take hours. */
  readonly callTimeoutMs: number;
  /** A setup that runs longer is stopped, and the session with it. Default: Infinity. */
  readonly setupTimeoutMs: number;
  /**
   * How long running tools may finish after a delete before teardown begins, and after they were stopped before they cost
   * the session. Default: 1000.
   */
  readonly deleteGraceMs: number;
  /** The longest that `/delete` waits for teardown; it goes on in the background then. Default: 20 000. */
  readonly deleteWaitMs: number;
  /** How many ids of gone sessions are remembered, so that they are 410 and not 404. Default: 100 000. */
  readonly tombstones: number;
  /** The largest request body. Default: 32 MiB. */
  readonly bodyLimitBytes: number;
  /** Default: message. */
  readonly errorDetail: ErrorDetail;
  /**
   * Four lower-case hex digits with which the session ids begin that this server issues, so that a proxy can tell from
   * an id which of several servers has the session. Default: none; the ids are random altogether.
   */
  readonly nodeTag?: string;
}

export const DEFAULT_SETTINGS: Settings = {
  idleTimeoutMs: IDLE_TIMEOUT_MS,
  lingerMs: LINGER_MS,
  lingerBytes: 64 * 1024 * 1024,
  heartbeatMs: HEARTBEAT_MS,
  setupAnswerMs: 5_000,
  callTimeoutMs: Infinity,
  setupTimeoutMs: Infinity,
  deleteGraceMs: 1_000,
  deleteWaitMs: 20_000,
  tombstones: 100_000,
  bodyLimitBytes: 32 * 1024 * 1024,
  errorDetail: 'message',
};
