const DEADLINE_MS = 30_000;

/**
 * Resolves with what a function finds, once that is not undefined.
 *
 * @throws Error naming `what`, after half a minute.
 */
export async function eventually<T>(what: string, find: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (const end = performance.now() + DEADLINE_MS; performance.now() < end; ) {
    const found = await find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`not there within ${DEADLINE_MS / 1_000} s: ${what}`);
}

/** Resolves once a condition is met. @throws Error naming `what`, after half a minute. */
export const until = (what: string, condition: () => boolean): Promise<true> =>
  eventually(what, () => condition() || undefined);

/** How many workers this process has. */
export const workerCount = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
