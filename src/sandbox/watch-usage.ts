import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { diskUsage } from './disk-usage.ts';
import { descendants, memoryOf, unlinkedFiles } from './processes.ts';
import type { ReachedLimit, SandboxLimits } from './types.ts';

/** Time between two looks. Each process alone is kept from taking more by the system itself, at every moment. */
const MEMORY_MS = 200;
const DISK_MS = 1_000;
/** A look that takes long comes less often: at most this part of the time goes into looking. */
const SHARE = 1 / 5;

/**
 * Looks from time to time at what all processes and files of a command take together, for machines on which an ordinary
 * user has no control groups. A disk that was full before is no reason to end a command that makes it emptier.
 */
export function watchUsage(
  folder: string,
  root: Promise<number | undefined>,
  diskBefore: number,
  limits: SandboxLimits,
  reached: (limit: ReachedLimit) => void,
  failed: (error: unknown) => void,
): () => Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;

  const every = async (pauseMs: number, look: (pids: number[]) => Promise<void>) => {
    const pid = await root;
    let pause = pauseMs;
    while (pid !== undefined && !signal.aborted) {
      await delay(pause, undefined, { signal });
      const began = performance.now();
      await look(await descendants(pid));
      pause = Math.max(pauseMs, (performance.now() - began) / SHARE);
    }
  };
  const lookAtMemory = async (pids: number[]) => {
    if ((await memoryOf(pids, limits.memoryBytes)) > limits.memoryBytes) reached('memory');
  };
  const lookAtDisk = async (pids: number[]) => {
    const [used, unlinked] = await Promise.all([diskUsage(folder), unlinkedFiles(pids, (await stat(folder)).dev)]);
    if (unlinked.memory > limits.memoryBytes) reached('memory');
    const disk = used + unlinked.disk;
    if (disk > limits.diskBytes && disk > diskBefore) reached('disk');
  };

  const watching = Promise.all([every(MEMORY_MS, lookAtMemory), every(DISK_MS, lookAtDisk)]).catch((error) => {
    if (!signal.aborted) failed(error);
  });
  return async () => {
    ended.abort();
    await watching;
  };
}
