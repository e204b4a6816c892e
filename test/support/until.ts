import { setTimeout as delay } from 'node:timers/promises';

/** Timeout that is longer than a busy machine needs, and shorter than that of a test. */
const DEADLINE_MS = 45_000;

/** Pause between two calls, in milliseconds: several times as long as a call, so that a slow one does not use up a core. */
const PAUSE = { min: 10, max: 100, factor: 5 } as const;

/**
 * Calls a function until it returns something other than `false` and `undefined`.
 *
 * @param what describes the condition in the error. Default: the code of the function.
 * @param deadlineMs Default: 45 seconds.
 * @returns what the function returned.
 * @throws Error after the deadline.
 */
export async function until<T>(
  find: () => T | Promise<T>,
  what = `${find}`,
  deadlineMs = DEADLINE_MS,
): Promise<Exclude<T, false | undefined>> {
  for (const end = performance.now() + deadlineMs; performance.now() < end; ) {
    const began = performance.now();
    const found = await find();
    if (found !== undefined && found !== false) return found as Exclude<T, false | undefined>;
    const pause = PAUSE.factor * (performance.now() - began);
    await delay(Math.min(Math.max(pause, PAUSE.min), PAUSE.max));
  }
  throw new Error(`not within ${deadlineMs / 1_000} s: ${what}`);
}

/**
 * Waits for a promise that may never settle, such as that of an event.
 *
 * @param what describes the promise in the error.
 * @throws Error after 45 seconds.
 */
export async function withDeadline<T>(promise: Promise<T>, what: string): Promise<T> {
  const over = new AbortController();
  const late = delay(DEADLINE_MS, undefined, { signal: over.signal }).then(() => {
    throw new Error(`not within ${DEADLINE_MS / 1_000} s: ${what}`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    over.abort();
    late.catch(() => {});
  }
}
