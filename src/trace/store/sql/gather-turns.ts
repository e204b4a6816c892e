import { setImmediate as nextTurn } from 'node:timers/promises';

/** Waits for what arrives in the same turn of the event loop, and in the next ones as long as each brings more. */
export async function waitForBatch(count: () => number, isEnough: () => boolean): Promise<void> {
  let before: number;
  do {
    before = count();
    await nextTurn();
  } while (count() > before && !isEnough());
}
