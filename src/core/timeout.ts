import { type JoinedSignal, joinSignals, onAbort } from './abort.ts';
import { type Awaitable, isPromiseLike } from './awaitable.ts';
import { startTimer, startWatchdog, type Watchdog } from './timers.ts';

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

interface DeadlineSignal extends JoinedSignal {
  /** True if the deadline aborted the signal. */
  readonly isTimedOut: boolean;
}

/**
 * Joins signals, and aborts the result after a time. Work that ignores the signal continues.
 *
 * @param reason returns the reason of the abort after that time.
 */
export function deadlineSignal(
  ms: number,
  reason: () => unknown,
  ...signals: readonly (AbortSignal | undefined)[]
): DeadlineSignal {
  const joined = joinSignals(...signals);
  let cancelTimer = noop;
  const deadline = {
    ...joined,
    isTimedOut: false,
    release() {
      cancelTimer();
      joined.release();
    },
  };
  if (joined.signal.aborted) return deadline;
  cancelTimer = startTimer(ms, () => {
    if (joined.signal.aborted) return;
    deadline.isTimedOut = true;
    joined.abort(reason());
  });
  return deadline;
}

/**
 * Creates a signal that aborts some time after another one, so that cancelled work can still finish.
 *
 * @param reason returns the reason of the abort. @default the reason of the other signal
 */
export function delayedSignal(ms: number, signal: AbortSignal, reason?: () => unknown): JoinedSignal {
  const delayed = joinSignals();
  let cancelTimer = noop;
  const stopListening = onAbort(signal, (cause) => {
    cancelTimer = startTimer(ms, () => delayed.abort(reason ? reason() : cause));
  });
  return {
    ...delayed,
    release() {
      cancelTimer();
      stopListening();
    },
  };
}

export interface SilenceSignal extends JoinedSignal, Pick<Watchdog, 'heard'> {}

/**
 * Creates a signal that aborts after a time without a sign of life, and with another signal.
 *
 * @param reason returns the reason of the abort.
 */
export function silenceSignal(ms: number, reason: () => unknown, signal: AbortSignal): SilenceSignal {
  const joined = joinSignals(signal);
  const watchdog = startWatchdog(ms, () => {
    joined.abort(reason());
    return undefined;
  });
  const release = () => {
    watchdog.stop();
    joined.release();
  };
  return { ...joined, heard: watchdog.heard, release };
}
