import type { IncomingHttpHeaders } from 'node:http';
import { type Awaitable, errorMessage, settle } from '../../core/index.ts';
import type { StreamWatch } from '../../http/index.ts';

/**
 * Receives the events of a server: implemented by its log, metrics and tracing. Observers must not throw. No event
 * contains a body, the value of a header or a secret.
 */
export interface Observer {
  /** A request arrived. The span ends when its response is sent or its connection is closed. */
  readonly request: (arrival: RequestStart) => ObserverSpan<RequestEnd> | undefined;
  /** Author code starts for a session. */
  readonly authorWork: (work: AuthorWork) => ObserverSpan<AuthorWorkEnd> | undefined;
  /** An event stream starts. */
  readonly stream: () => StreamWatch | undefined;
  /** A client was disconnected because it stopped reading its response. */
  readonly readerStalled: () => void;
  readonly sessionOpened: (session: SessionRef) => void;
  /** A session ended for its clients. `ending` is the kind of reason: deleted, expired, ... */
  readonly sessionEnded: (session: SessionRef, ending: string) => void;
  /** The work of an ended session has stopped, and the session is torn down. */
  readonly sessionTornDown: (session: SessionRef) => void;
  /** Something waits in a queue. The returned function is called when the wait is over. */
  readonly waiting: (queue: QueueName) => () => void;
  /** The server loads a lazy module, which blocks the event loop. The returned function is called at the end. */
  readonly loading: () => () => void;
  /** A call was requested again by its task_id. */
  readonly callRepeated: (found: RepeatedCallState) => void;
  /** A request was rejected that would be accepted at another time or from another caller. */
  readonly rejected: (reason: RejectionReason) => void;
}

/** Observes one operation from start to end. */
export interface ObserverSpan<End> {
  /** Runs the operation in the context of the span. Optional: without it the operation just runs. */
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
  /** Only for extracting the trace context. */
  readonly headers: IncomingHttpHeaders;
}

/** Outcome of a request. Does not contain the requested path, which can contain anything. */
export interface RequestEnd {
  /** Operation id; undefined if the request did not reach an operation. */
  readonly operation: string | undefined;
  /** Path of the operation in the document, with parameters in braces. */
  readonly route: string | undefined;
  readonly status: number;
  /** False if the client disconnected before the whole response was passed to the operating system. */
  readonly isComplete: boolean;
  /** Id of an existing or remembered session. */
  readonly sid: string | undefined;
  readonly environment: string | undefined;
}

/** Author code that runs for a session. */
export interface AuthorWork extends SessionRef {
  readonly kind: 'setup' | 'call' | 'scoring' | 'teardown';
  /** Name of the called tool; undefined if the episode has no tool of the requested name. */
  readonly tool?: string | undefined;
  /** Time that a call waited in queues, in milliseconds. */
  readonly waitedMs?: number | undefined;
}

export interface AuthorWorkEnd {
  /**
   * `ok`; `failed` in a way that the agent can handle; `error` in author code; `timeout`; `gone` if the session ended
   * before.
   */
  readonly outcome: 'ok' | 'failed' | 'error' | 'timeout' | 'gone';
  /** Error message for the client, without secrets. */
  readonly error?: string | undefined;
}

/** Queues: calls wait for other calls of their session; calls, setups and new sessions for a permit. */
export type QueueName = 'tool' | 'call' | 'setup' | 'session';

/** State of a call that is requested again. `forgotten`: its result is no longer kept. */
export type RepeatedCallState = 'running' | 'completed' | 'forgotten';

export type RejectionReason = 'draining' | 'capacity' | 'unauthorized' | 'host';

/** Runs work in the context of a span, if the span has one. */
export function runInSpan<T>(span: Pick<ObserverSpan<never>, 'run'> | undefined, work: () => T): T {
  return span?.run ? span.run(work) : work();
}

/**
 * Runs author code in a span. The span ends with the outcome that `run` passes to `end`, otherwise with `ok` or `error`
 * when `run` settles.
 */
export function observeWork<T>(
  observer: Observer,
  work: AuthorWork,
  run: (end: (end: AuthorWorkEnd) => void) => Awaitable<T>,
): Awaitable<T> {
  const span = observer.authorWork(work);
  let hasEnded = false;
  const end = (how: AuthorWorkEnd) => {
    if (!hasEnded) span?.ended(how);
    hasEnded = true;
  };
  return settle(
    () => runInSpan(span, () => run(end)),
    (result) => {
      end({ outcome: 'ok' });
      return result;
    },
    (error) => {
      end({ outcome: 'error', error: errorMessage(error) });
      throw error;
    },
  );
}

/** Combines partial observers into one. Events that no observer handles cost nothing. */
export function combineObservers(observers: readonly Partial<Observer>[]): Observer {
  // The cast is safe: `each[key]` has the type of the key.
  const all = <Key extends keyof Observer>(key: Key) =>
    observers.flatMap((each) => each[key] ?? []) as unknown as Observer[Key][];
  return {
    request: combineSpans(all('request'), (one, other) => new CombinedSpan(one, other)),
    authorWork: combineSpans(all('authorWork'), (one, other) => new CombinedSpan(one, other)),
    stream: combineSpans<void, StreamWatch>(all('stream'), combineStreams),
    readerStalled: combineListeners(all('readerStalled')),
    sessionOpened: combineListeners(all('sessionOpened')),
    sessionEnded: combineListeners(all('sessionEnded')),
    sessionTornDown: combineListeners(all('sessionTornDown')),
    waiting: combinePeriods(all('waiting')),
    loading: combinePeriods<void>(all('loading')),
    callRepeated: combineListeners(all('callRepeated')),
    rejected: combineListeners(all('rejected')),
  };
}

const combineListeners =
  <Args extends unknown[]>(listeners: readonly ((...args: Args) => void)[]) =>
  (...args: Args): void => {
    for (const listener of listeners) listener(...args);
  };

const combinePeriods =
  <Arg>(begins: readonly ((arg: Arg) => () => void)[]) =>
  (arg: Arg): (() => void) =>
    combineListeners(begins.map((begin) => begin(arg)));

/** Joins the spans that several observers begin; returns undefined if no observer begins one. */
function combineSpans<Arg, Span>(
  begins: readonly ((arg: Arg) => Span | undefined)[],
  join: (one: Span, other: Span) => Span,
): (arg: Arg) => Span | undefined {
  const [first = () => undefined, ...others] = begins;
  return others.reduce((before, begin) => {
    return (arg) => {
      const one = before(arg);
      const other = begin(arg);
      return one && other ? join(one, other) : (one ?? other);
    };
  }, first);
}

/** A class, since closures would take twice the memory and there can be very many spans at a time. */
class CombinedSpan<End> implements ObserverSpan<End> {
  readonly #one: ObserverSpan<End>;
  readonly #other: ObserverSpan<End>;

  constructor(one: ObserverSpan<End>, other: ObserverSpan<End>) {
    this.#one = one;
    this.#other = other;
  }

  run<T>(work: () => T): T {
    return runInSpan(this.#one, () => runInSpan(this.#other, work));
  }

  ended(end: End): void {
    this.#one.ended(end);
    this.#other.ended(end);
  }
}

const combineStreams = (one: StreamWatch, other: StreamWatch): StreamWatch => ({
  sent(bytes) {
    one.sent(bytes);
    other.sent(bytes);
  },
  waits(isWaiting) {
    one.waits(isWaiting);
    other.waits(isWaiting);
  },
  closed() {
    one.closed();
    other.closed();
  },
});
