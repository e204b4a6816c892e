/** What every method of the client that waits can be given. */
export interface SignalOption {
  /** Ends the wait, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A signal of one's own that others abort as well. */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  /** Ends the joint; must be called. */
  release(): void;
}

/** Joins signals for a time; AbortSignal.any would hold on to long-lived ones for as long as they live. */
export function joinSignals(...others: readonly (AbortSignal | undefined)[]): JoinedSignal {
  const controller = new AbortController();
  const releases: (() => void)[] = [];
  for (const other of others) {
    if (other?.aborted) controller.abort(other.reason);
    else if (other) releases.push(onAbort(other, () => controller.abort(other.reason)));
  }
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release() {
      for (const release of releases) release();
    },
  };
}

/** What waits for a signal, and its one listener. */
interface Waiting {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

/**
 * One listener per signal, however many wait for it: a run has one signal and thousands of requests, and Node warns of
 * more than ten listeners and looks through all of them to add or remove one.
 */
const waitingFor = new WeakMap<AbortSignal, Waiting>();

function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const { callbacks, listener } = waitingFor.get(signal) ?? listenTo(signal);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size > 0 || waitingFor.get(signal)?.listener !== listener) return;
    signal.removeEventListener('abort', listener);
    waitingFor.delete(signal);
  };
}

function listenTo(signal: AbortSignal): Waiting {
  const callbacks = new Set<() => void>();
  const listener = () => {
    for (const callback of callbacks) callback();
  };
  signal.addEventListener('abort', listener, { once: true });
  const waiting = { callbacks, listener };
  waitingFor.set(signal, waiting);
  return waiting;
}

/** Timers for longer than this fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What a promise gives, unless the signal aborts first; the promise goes on by itself then. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  const joined = joinSignals(signal);
  try {
    return await new Promise((resolve, reject) => {
      joined.signal.throwIfAborted();
      joined.signal.addEventListener('abort', () => reject(joined.signal.reason), { once: true });
      promise.then(resolve, reject);
    });
  } finally {
    joined.release();
  }
}

/** Waits. Rejects with the reason of the first signal that aborts. */
export async function pause(ms: number, ...signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  const { signal, release } = joinSignals(...signals);
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      signal.throwIfAborted();
      timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER_MS));
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  } finally {
    clearTimeout(timer);
    release();
  }
}

/** After a process stood still its timers come before what waits in its sockets; it is read in this time. */
const GRACE_MS = 20;

/** Calls back after a time of silence. */
export interface Watchdog {
  heard(): void;
  stop(): void;
}

/** @param onSilence gives the time until it is called again, in ms, or undefined for never. */
export function watchdog(ms: number, onSilence: () => number | undefined): Watchdog {
  let heardAt = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const leftMs = () => heardAt + ms - performance.now();
  // Setting a timer for each piece of a stream would cost more than reading it.
  const wait = (forMs: number) => {
    timer = setTimeout(look, forMs);
  };
  const look = () => {
    const left = leftMs();
    if (left > 0) wait(left);
    else timer = setTimeout(conclude, GRACE_MS);
  };
  const conclude = () => {
    const left = leftMs();
    const next = left > 0 ? left : onSilence();
    if (next !== undefined) wait(next);
  };
  wait(ms);
  return {
    heard() {
      heardAt = performance.now();
    },
    stop: () => clearTimeout(timer),
  };
}
