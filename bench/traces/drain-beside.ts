import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Reads a whole answer in a thread of its own, so that nobody here is kept waiting by it. */
export async function drainBeside(url: string): Promise<{ readonly bytes: number; readonly took: number }> {
  const worker = new Worker(new URL('./drain.ts', import.meta.url), { workerData: url });
  const [read] = await once(worker, 'message');
  return read;
}
