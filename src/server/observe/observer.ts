import type { IncomingHttpHeaders } from 'node:http';
import type { StreamWatch } from '../../http/index.ts';

/**
 * Whoever watches a server: its log, its metrics, its traces. The server tells what happens and knows none of them.
 * Nothing here may throw, and nothing is told that holds a body, a header's value or a secret.
 */
export interface Observer {
  /** A request has come in; it ends when its answer is sent or its connection is gone. */
  readonly request: (arrival: RequestStart) => ObserverSpan<RequestEnd> | undefined;
  /** An author's code begins to run for a session. */
  readonly authorWork: (work: AuthorWork) => ObserverSpan<AuthorWorkEnd> | undefined;
  /** An event stream begins to be sent. */
  readonly stream: () => StreamWatch | undefined;
  /** A reader took nothing of an answer for so long that it was disconnected. */
  readonly readerStalled: () => void;
  readonly sessionOpened: (session: SessionRef) => void;
  /** A session has ended for its clients, and why, in one word of a few: deleted, expired, ... */
  readonly sessionEnded: (session: SessionRef, ending: string) => void;
  /** What the session left running has ended, and it is torn down. */
  readonly sessionTornDown: (session: SessionRef) => void;
  /** Something waits for its turn; the function that comes back is told that it waits no more. */
  readonly waiting: (queue: QueueName) => () => void;
  /** The server loads what it does without at first, which blocks the event loop; the function that comes back is told of the end. */
  readonly loading: () => () => void;
  /** A call was asked for again by its task_id, and what there was of it. */
  readonly callRepeated: (found: RepeatedCallState) => void;
  /** A request is turned away that would be taken at another time or from somebody else. */
  readonly rejected: (reason: RejectionReason) => void;
}

/** Somebody who watches one thing from its beginning to its end. */
export interface ObserverSpan<End> {
  /** Runs what is watched, so that what it does can be told to belong to it. Default: just runs it. */
  run?<T>(work: () => T): T;
  /** Called once. */
  ended(end: End): void;
}

export interface SessionRef {
  readonly sid: string;
  readonly environment: string;
}

export interface RequestStart {
  readonly method: string;
  /** For the context of a trace; nothing else may be taken from them. */
  readonly headers: IncomingHttpHeaders;
}

/** What became of a request. Paths as clients send them may hold anything, so they are not here. */
export interface RequestEnd {
  /** One of the document's; undefined if the request never became one of an operation. */
  readonly operation: string | undefined;
  /** The path of the operation in the document, parameters in braces. */
  readonly route: string | undefined;
  readonly status: number;
  /** Whether all of the answer was handed to the system; false if the client went away before. */
  readonly isComplete: boolean;
  /** Of a session that there is, or that is remembered. */
  readonly sid: string | undefined;
  readonly environment: string | undefined;
}

/** An author's code that runs for a session. */
export interface AuthorWork extends SessionRef {
  readonly kind: 'setup' | 'call' | 'teardown';
  /** For calls: a tool of the episode; undefined if there is none of the name that the client sent. */
  readonly tool?: string | undefined;
  /** For calls: how long it waited for its turn, in milliseconds. */
  readonly waitedMs?: number | undefined;
}

export interface AuthorWorkEnd {
  /**
   * `ok`; `failed` in a way that the agent can act on; `error` of the author's code; `timeout`; `gone` if the session
   * ended before.
   */
  readonly outcome: 'ok' | 'failed' | 'error' | 'timeout' | 'gone';
  /** What the client is told of an error, secrets taken out. */
  readonly error?: string | undefined;
}

/** Where things wait: calls for an earlier one of their tool; calls, setups and new sessions for a place. */
export type QueueName = 'tool' | 'call' | 'setup' | 'session';

/** What a repeated call met: itself, still running; its result; or nothing, since the result is gone. */
export type RepeatedCallState = 'running' | 'completed' | 'forgotten';

/** Why a request is turned away. */
export type RejectionReason = 'draining' | 'capacity' | 'unauthorized' | 'host';
