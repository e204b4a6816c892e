import { MAX_TIMER_MS } from '../sessions/within.ts';

export interface TimeLimit {
  /** Aborts when the time is over, or when that of the session does. */
  readonly signal: AbortSignal;
  /** The work has ended. */
  clear(): void;
}

interface Overrun {
  /** The time is over, and the work has been told to stop. */
  readonly onTimeout: () => void;
  /** It has not stopped after `graceMs` more. */
  readonly onOverrun: () => void;
  readonly graceMs: number;
}

/** Gives work a time, after which it is told to stop. */
export function limitTime(timeoutMs: number, session: AbortSignal, overrun: Overrun): TimeLimit {
  const abort = new AbortController();
  const follow = () => abort.abort(session.reason);
  if (session.aborted) follow();
  session.addEventListener('abort', follow, { once: true });
  let timer = setTimeout(
    () => {
      abort.abort(new DOMException(`the call ran longer than ${timeoutMs} ms`, 'TimeoutError'));
      timer = setTimeout(overrun.onOverrun, overrun.graceMs);
      overrun.onTimeout();
    },
    Math.min(timeoutMs, MAX_TIMER_MS),
  );
  return {
    signal: abort.signal,
    clear() {
      clearTimeout(timer);
      session.removeEventListener('abort', follow);
    },
  };
}
