import type { Awaitable } from './awaitable.ts';

/*
 * Rules of cancellation in this project: an abort rejects with `signal.reason` itself. If the signal has already aborted,
 * no timer is set and no work is started. Timers and listeners are removed when the promise settles. Later results and
 * rejections are ignored.
 */

interface AbortListener {
  readonly callbacks: Set<(reason: unknown) => void>;
  readonly listener: () => void;
}

/**
 * One listener per signal for all callbacks: a run has one signal and thousands of requests, and Node warns about more than
 * ten listeners and scans all of them to add or remove one.
 */
const listeners = new WeakMap<AbortSignal, AbortListener>();

/**
 * Calls back when a signal aborts, or immediately if it has already aborted. The callback must not throw.
 *
 * @returns removes the callback; can be called repeatedly.
 */
export function onAbort(signal: AbortSignal | undefined, callback: (reason: unknown) => void): () => void {
  if (!signal) return () => {};
  if (signal.aborted) {
    callback(signal.reason);
    return () => {};
  }
  const { callbacks, listener } = listeners.get(signal) ?? listenTo(signal);
  // A new function, since the same callback can be registered twice.
  const call = (reason: unknown) => callback(reason);
  callbacks.add(call);
  return () => {
    callbacks.delete(call);
    if (callbacks.size > 0 || listeners.get(signal)?.listener !== listener) return;
    signal.removeEventListener('abort', listener);
    listeners.delete(signal);
  };
}

function listenTo(signal: AbortSignal): AbortListener {
  const callbacks = new Set<(reason: unknown) => void>();
  const listener = () => {
    for (const callback of callbacks) callback(signal.reason);
  };
  signal.addEventListener('abort', listener, { once: true });
  const entry = { callbacks, listener };
  listeners.set(signal, entry);
  return entry;
}

/** Resolves when the signal aborts. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    onAbort(signal, () => resolve());
  });

/**
 * Runs work, and stops waiting for it when the signal aborts. The work itself continues.
 *
 * @throws signal.reason, or the error of `work`.
 */
export async function abortable<T>(signal: AbortSignal | undefined, work: () => Awaitable<T>): Promise<T> {
  if (!signal) return work();
  signal.throwIfAborted();
  let release = () => {};
  try {
    return await new Promise<T>((resolve, reject) => {
      release = onAbort(signal, reject);
      Promise.resolve(work()).then(resolve, reject);
    });
  } finally {
    release();
  }
}

/** A signal that can also be aborted by other signals. */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Aborts only this signal. The first reason wins. @param reason @default an AbortError */
  abort(reason?: unknown): void;
  /** Detaches this signal from the others. Must be called. */
  release(): void;
}

/** Joins signals until `release()`. Long-lived signals would keep the result of `AbortSignal.any` in memory. */
export function joinSignals(...signals: readonly (AbortSignal | undefined)[]): JoinedSignal {
  const controller = new AbortController();
  const abort = (reason?: unknown) => controller.abort(reason);
  const releases = signals.map((signal) => onAbort(signal, abort));
  return {
    signal: controller.signal,
    abort,
    release() {
      for (const release of releases) release();
    },
  };
}
