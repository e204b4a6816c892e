import { type JoinedSignal, onAbort } from './abort.ts';
import { type Awaitable, isPromiseLike } from './awaitable.ts';
import { startTimer } from './timers.ts';

export interface DeadlineSignal extends JoinedSignal {
  /** True if the deadline aborted the signal. */
  readonly isTimedOut: boolean;
}

/**
 * Joins signals, and aborts after a time too. It aborts only; work that ignores the signal continues.
 *
 * @param reason returns the reason of the abort.
 */
export function deadlineSignal(
  ms: number,
  reason: () => unknown,
  ...signals: readonly (AbortSignal | undefined)[]
): DeadlineSignal {
  const controller = new AbortController();
  let isTimedOut = false;
  let cancelTimer = () => {};
  const abort = (reason: unknown) => {
    cancelTimer();
    controller.abort(reason);
  };
  const releases = signals.map((signal) => onAbort(signal, abort));
  if (!controller.signal.aborted) {
    cancelTimer = startTimer(ms, () => {
      isTimedOut = true;
      controller.abort(reason());
    });
  }
  return {
    signal: controller.signal,
    abort,
    get isTimedOut() {
      return isTimedOut;
    },
    release() {
      cancelTimer();
      for (const release of releases) release();
    },
  };
}

export interface SettleOptions {
  /** Stops waiting, which counts as not settled. */
  readonly signal?: AbortSignal | undefined;
  /** Reads pending data first when the time is over; see `TimerOptions`. @default false */
  readonly afterIo?: boolean;
}

/**
 * Returns whether work resolves within a time: false if not, or if the signal aborts before. True synchronously for a
 * value that is not a promise.
 *
 * @throws what the work rejects with in time.
 */
export function settlesWithin(ms: number, work: Promise<unknown>, options?: SettleOptions): Promise<boolean>;
export function settlesWithin(ms: number, work: Awaitable<unknown>, options?: SettleOptions): Awaitable<boolean>;
export function settlesWithin(
  ms: number,
  work: Awaitable<unknown>,
  { signal, afterIo = false }: SettleOptions = {},
): Awaitable<boolean> {
  if (!isPromiseLike(work)) return true;
  return new Promise((resolve, reject) => {
    const cleanUps: (() => void)[] = [];
    const finish = (settled: () => void) => {
      for (const cleanUp of cleanUps) cleanUp();
      settled();
    };
    const giveUp = () => finish(() => resolve(false));
    cleanUps.push(startTimer(ms, giveUp, { afterIo }));
    cleanUps.push(onAbort(signal, giveUp));
    Promise.resolve(work).then(
      () => finish(() => resolve(true)),
      (error: unknown) => finish(() => reject(error)),
    );
  });
}

/**
 * Returns what work resolves to, if it does so in time.
 *
 * @param error returns what to reject with when the time is over.
 * @throws what `error` returns; what the work rejects with.
 */
export async function withTimeout<T>(ms: number, work: Promise<T>, error: () => unknown): Promise<T> {
  if (!(await settlesWithin(ms, work))) throw error();
  return work;
}
