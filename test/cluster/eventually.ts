import { setTimeout as delay } from 'node:timers/promises';

/** Waits until something holds that can only be asked; the test's own time limit is the bound. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(20);
}
