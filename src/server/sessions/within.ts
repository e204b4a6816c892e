import { type Awaitable, isPromiseLike } from '../../core/index.ts';

/** The longest that Node's timers take. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits for work, but no longer than this; the work goes on. Whether it has ended. */
export function within(ms: number, work: Awaitable<unknown>): Awaitable<boolean> {
  if (!isPromiseLike(work)) return true;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.min(ms, MAX_TIMER_MS), false);
    work.then(() => resolve(true), reject).finally(() => clearTimeout(timer));
  });
}
