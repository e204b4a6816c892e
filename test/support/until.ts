import { setTimeout as delay } from 'node:timers/promises';

/** A busy machine needs some of it. */
const DEADLINE_MS = 30_000;

/** Waits until a condition holds. Rejects with the code of the condition if it does not within 30 seconds. */
export async function until(condition: () => boolean | Promise<boolean>, deadlineMs = DEADLINE_MS): Promise<void> {
  for (const end = performance.now() + deadlineMs; !(await condition()); await delay(10)) {
    if (performance.now() > end) throw new Error(`not within ${deadlineMs} ms: ${condition}`);
  }
}
