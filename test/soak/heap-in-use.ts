import { setImmediate as turn } from 'node:timers/promises';

/** Finalizers and later turns of the event loop can leave garbage to the next collection. */
const COLLECTIONS = 4;

/** Bytes of this thread's heap that are in use once the garbage is collected; the process needs `--expose-gc`. */
export async function heapInUse(): Promise<number> {
  if (!globalThis.gc) throw new Error('the process runs without --expose-gc');
  for (let count = 0; count < COLLECTIONS; count++) {
    await turn();
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}
