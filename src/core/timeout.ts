import { type JoinedSignal, joinSignals, onAbort } from './abort.ts';
import { type Awaitable, isPromiseLike } from './awaitable.ts';
import { startTimer, startWatchdog, type Watchdog } from './timers.ts';

const noop = () => {};

interface DeadlineSignal extends JoinedSignal {
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
  let cancelTimer = noop;
  const abort = (reason?: unknown) => {
    cancelTimer();
    controller.abort(reason);
  };
  const releases = signals.map((signal) => onAbort(signal, abort));
  const deadline = {
    signal: controller.signal,
    isTimedOut: false,
    abort,
    release() {
      cancelTimer();
      for (const release of releases) release();
    },
  };
  if (controller.signal.aborted) return deadline;
  cancelTimer = startTimer(ms, () => {
    deadline.isTimedOut = true;
    controller.abort(reason());
  });
  return deadline;
}

/**
 * A signal that aborts some time after another one, for work that may still end by itself when it is cancelled.
 *
 * @param reason returns the reason of the abort. Default: the reason of the other signal.
 */
export function delayedSignal(ms: number, signal: AbortSignal, reason?: () => unknown): JoinedSignal {
  const controller = new AbortController();
  let cancelTimer = noop;
  const stopListening = onAbort(signal, (cause) => {
    cancelTimer = startTimer(ms, () => controller.abort(reason ? reason() : cause));
  });
  return {
    signal: controller.signal,
    abort: (cause) => controller.abort(cause),
    release() {
      cancelTimer();
      stopListening();
    },
  };
}

export interface SilenceSignal extends JoinedSignal, Pick<Watchdog, 'heard'> {}

/**
 * A signal that aborts after a time without a sign of life, and with another signal.
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
export function settlesWithin(ms: number, work: Awaitable<unknown>, options?: SettleOptions): Awaitable<boolean> {
  if (!isPromiseLike(work)) return true;
  return new Promise((resolve, reject) => {
    let stopListening = noop;
    const stop = () => {
      cancelTimer();
      stopListening();
    };
    const giveUp = () => {
      stop();
      resolve(false);
    };
    const cancelTimer = startTimer(ms, giveUp, options);
    stopListening = onAbort(options?.signal, giveUp);
    Promise.resolve(work).then(
      () => {
        stop();
        resolve(true);
      },
      (error: unknown) => {
        stop();
        reject(error);
      },
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
