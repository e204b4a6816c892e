import { onAbort } from './abort.ts';
import { type Awaitable, isPromiseLike } from './awaitable.ts';
import { startTimer } from './timers.ts';

const noop = () => {};

export interface SettleOptions {
  /** Stops waiting, which counts as not settled. */
  readonly signal?: AbortSignal | undefined;
  /** Reads pending data first when the time is over; see `TimerOptions`. @default false */
  readonly afterIo?: boolean;
}

/**
 * Returns true if work resolves within a time and before the signal aborts, otherwise false. Synchronous for a value that is
 * not a promise.
 *
 * @throws the error of work that rejects in time.
 */
export function settlesWithin(ms: number, work: Promise<unknown>, options?: SettleOptions): Promise<boolean>;
export function settlesWithin(ms: number, work: Awaitable<unknown>, options?: SettleOptions): Awaitable<boolean>;
export function settlesWithin(ms: number, work: Awaitable<unknown>, options?: SettleOptions): Awaitable<boolean> {
  if (!isPromiseLike(work)) return true;
  return new Promise((resolve, reject) => {
    let stopListening = noop;
    const stop = () => {
      cancelTimer();
      stopListening();
    };
    const finish = (isSettled: boolean) => {
      stop();
      resolve(isSettled);
    };
    const giveUp = () => finish(false);
    const cancelTimer = startTimer(ms, giveUp, options);
    stopListening = onAbort(options?.signal, giveUp);
    Promise.resolve(work).then(
      () => finish(true),
      (error: unknown) => {
        stop();
        reject(error);
      },
    );
  });
}

/**
 * Returns the result of work with a time limit.
 *
 * @param error returns the error for a timeout.
 * @throws the result of `error`, or the error of the work.
 */
export async function withTimeout<T>(ms: number, work: Promise<T>, error: () => unknown): Promise<T> {
  if (!(await settlesWithin(ms, work))) throw error();
  return work;
}
