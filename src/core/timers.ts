import { onAbort } from './abort.ts';
import type { Awaitable } from './awaitable.ts';

/** Maximum delay of a timer, in ms. The platform fires a timer with a longer delay after 1 ms. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Limits a delay to the maximum of a timer, for `setInterval` and the timers of other packages. */
export const clampTimerMs = (ms: number): number => Math.min(ms, MAX_TIMER_MS);

export interface TimerOptions {
  /** Lets the process exit while the timer is pending. @default false */
  readonly unref?: boolean | undefined;
  /**
   * Calls back one turn of the event loop later, when sockets have been read. Otherwise timers run before pending data is
   * read after the process was blocked or suspended. @default false
   */
  readonly afterIo?: boolean | undefined;
}

/**
 * Calls back once after a delay. A delay above `MAX_TIMER_MS`, such as `Infinity`, means never.
 *
 * @returns cancels the timer; can be called repeatedly.
 */
export function startTimer(ms: number, callback: () => void, options?: TimerOptions): () => void {
  if (ms > MAX_TIMER_MS) return () => {};
  if (options?.afterIo) return startTimerAfterIo(ms, callback, options);
  const timer = setTimeout(callback, ms);
  if (options?.unref) unref(timer);
  return () => clearTimeout(timer);
}

function startTimerAfterIo(ms: number, callback: () => void, { unref }: TimerOptions): () => void {
  let cancelled = false;
  const callBack = () => {
    if (!cancelled) callback();
  };
  const cancel = startTimer(ms, () => runInNextTurn(callBack), { unref });
  return () => {
    cancelled = true;
    cancel();
  };
}

/** Browsers only have a second timer, which can run in the same turn, before the sockets are read. */
const runInNextTurn = (callback: () => void) =>
  typeof setImmediate === 'undefined' ? startTimer(0, callback) : setImmediate(callback);

/** Timers are numbers in browsers, and do not keep anything running there. */
const unref = (timer: ReturnType<typeof setTimeout>) => (timer as { unref?: () => void }).unref?.();

/**
 * Waits for a time, at most `MAX_TIMER_MS`, which is 24.8 days.
 *
 * @throws signal.reason as soon as the signal aborts.
 */
export function sleep(ms: number, signal?: AbortSignal, options?: Pick<TimerOptions, 'unref'>): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const cancel = startTimer(
      clampTimerMs(ms),
      () => {
        release();
        resolve();
      },
      options,
    );
    const release = onAbort(signal, (reason) => {
      cancel();
      reject(reason);
    });
  });
}

export interface PollOptions {
  readonly everyMs: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Calls `check` until it returns something other than undefined: the first time immediately, the last time when the time is
 * over.
 *
 * @returns the result of `check`, or undefined after `timeoutMs`.
 * @throws signal.reason, or the error of `check`.
 */
export async function poll<T>(
  check: () => Awaitable<T | undefined>,
  { everyMs, timeoutMs, signal }: PollOptions,
): Promise<T | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const isLast = performance.now() >= deadline;
    const found = await check();
    if (found !== undefined || isLast) return found;
    await sleep(Math.min(everyMs, Math.max(0, deadline - performance.now())), signal);
  }
}

/** Time for reading data that arrived while the process was suspended. */
const SUSPENDED_GRACE_MS = 20;

export type Watchdog = ReturnType<typeof startWatchdog>;

/**
 * Watches for silence with one timer, however often `heard` is called. Data that arrived while the process was suspended
 * counts as heard.
 *
 * @param onSilence called after `ms` without `heard`; returns the time until it is called again, or undefined for never.
 */
export function startWatchdog(ms: number, onSilence: () => number | undefined) {
  let heardAt = performance.now();
  let cancel = startTimer(ms, check);
  const remainingMs = () => heardAt + ms - performance.now();
  function check(): void {
    const remaining = remainingMs();
    cancel = remaining > 0 ? startTimer(remaining, check) : startTimer(SUSPENDED_GRACE_MS, conclude);
  }
  function conclude(): void {
    const remaining = remainingMs();
    const next = remaining > 0 ? remaining : onSilence();
    if (next !== undefined) cancel = startTimer(next, check);
  }
  return {
    /** Records a sign of life. */
    heard(): void {
      heardAt = performance.now();
    },
    stop: () => cancel(),
  };
}
