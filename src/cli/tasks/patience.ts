import { Failure } from '../failure.ts';

/** A signal that aborts at an interrupt, and when nothing was heard for too long. */
export interface Patience extends Disposable {
  readonly signal: AbortSignal;
  /** An answer has come; the time begins anew. */
  readonly heard: () => void;
}

/** @param seconds between two answers. Default: without end. */
export function openPatience(seconds: number | undefined, interrupt: AbortSignal): Patience {
  if (seconds === undefined) return { signal: interrupt, heard: () => undefined, [Symbol.dispose]: () => undefined };
  const controller = new AbortController();
  const late = new Failure(`no answer within ${seconds} s; give it more with --timeout <seconds>`);
  const timer = setTimeout(() => controller.abort(late), seconds * 1000);
  return {
    signal: AbortSignal.any([interrupt, controller.signal]),
    heard: () => void timer.refresh(),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
