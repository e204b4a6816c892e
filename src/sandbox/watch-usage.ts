import { readFile, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { diskUsage } from './disk-usage.ts';
import { descendants, epollWatches, memoryOf, unlinkedFiles } from './processes.ts';
import type { ReachedLimit, SandboxLimits } from './types.ts';

/** Time between two looks. Each process alone is kept from taking more by the system itself, at every moment. */
const MEMORY_MS = 200;
const DISK_MS = 1_000;
/** A look that takes long comes less often: at most this part of the time goes into looking. */
const SHARE = 1 / 5;

/** Part of the epoll watches of a kernel user that a command may have if it shares the user with the server. */
const WATCHES_SHARE = 1 / 8;
const MAX_WATCHES = '/proc/sys/fs/epoll/max_user_watches';

type Watched = {
  /** The process that all of the command descend from. */
  root: Promise<number | undefined>;
  /** Device of the sandbox's file system, if it has a separate one. */
  device: number | undefined;
  /** Set if the disk limit is kept here, not by the kernel: the folder, and what was in it before the command. */
  disk: { folder: string; before: number } | undefined;
  /** Set if epoll watches are counted, because they are charged to the server's user. */
  countsWatches: boolean;
};

/**
 * Looks from time to time at what all processes and files of a command take together, for machines on which an ordinary
 * user has no control groups. A disk that was full before is no reason to end a command that makes it emptier.
 */
export function watchUsage(
  { root, device, disk, countsWatches }: Watched,
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
  const lookAtFiles = async (pids: number[]) => {
    const ownDevice = device ?? (disk && (await stat(disk.folder)).dev);
    const [used, unlinked] = await Promise.all([disk && diskUsage(disk.folder), unlinkedFiles(pids, ownDevice)]);
    if (unlinked.memory > limits.memoryBytes) reached('memory');
    if (!disk) return;
    const total = (used ?? 0) + unlinked.disk;
    if (total > limits.diskBytes && total > disk.before) reached('disk');
  };
  const lookAtWatches = async (pids: number[]) => {
    const most = Number(await readFile(MAX_WATCHES, 'latin1')) * WATCHES_SHARE;
    if ((await epollWatches(pids, most)) > most) reached('memory');
  };

  const watching = Promise.all([
    every(MEMORY_MS, lookAtMemory),
    every(DISK_MS, lookAtFiles),
    countsWatches ? every(MEMORY_MS, lookAtWatches) : undefined,
  ]).catch((error) => {
    if (!signal.aborted) failed(error);
  });
  return async () => {
    ended.abort();
    await watching;
  };
}
