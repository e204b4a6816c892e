import { type JoinedSignal, joinSignals, onAbort } from './abort.ts';
import { startTimer, startWatchdog, type Watchdog } from './timers.ts';

const noop = () => {};

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
