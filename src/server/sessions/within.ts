/** The longest that Node's timers take. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits for work, but no longer than this; the work goes on. Whether it has ended. */
export async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, MAX_TIMER_MS), false);
  });
  return await Promise.race([work.then(() => true), timeout]).finally(() => clearTimeout(timer));
}
