import { stat } from 'node:fs/promises';
import { sleep } from '../core/index.ts';
import { measureDiskUsage } from './disk-usage.ts';
import {
  countEpollWatches,
  listDescendants,
  measureMemory,
  measureUnlinkedFiles,
  type ProcessThreads,
} from './processes.ts';
import type { ReachedLimit, SandboxLimits } from './types.ts';

/** Time between two looks. Each process alone is kept from taking more by the system itself, at every moment. */
const MEMORY_MS = 200;
const DISK_MS = 1_000;
/** A look that takes long comes less often: the pause after it is at least this many times as long. */
const REST = 5;
/** Watches are looked at more often, since a process alone can take most of a user's watches within seconds. */
const WATCHES_MS = 100;
const WATCHES_REST = 1;

type UsageTargets = {
  /** The process that all of the command descend from. */
  root: Promise<number | undefined>;
  /** Device of the sandbox's file system, if it has a separate one. */
  device: number | undefined;
  /** Set if the disk limit is kept here, not by the kernel: the folder, and what was in it before the command. */
  disk: { folder: string; before: number } | undefined;
  /** Arguments that start a program which may see open files. undefined: this process may. */
  enter: (() => readonly string[]) | undefined;
  /** The most epoll watches. Set if they are counted, because they are charged to the server's user. */
  watches: number | undefined;
};

/**
 * Looks from time to time at what all processes and files of a command take together, for machines on which an ordinary
 * user has no control groups. A command that makes a full disk emptier is not ended.
 */
export function watchUsage(
  { root, device, disk, enter, watches }: UsageTargets,
  limits: SandboxLimits,
  reached: (limit: ReachedLimit) => void,
  failed: (error: unknown) => void,
): () => Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;

  const every = async (pauseMs: number, look: (processes: ProcessThreads[]) => Promise<void>, rest = REST) => {
    const pid = await root;
    let pause = pauseMs;
    while (pid !== undefined && !signal.aborted) {
      await sleep(pause, signal);
      const began = performance.now();
      await look(await listDescendants(pid));
      pause = Math.max(pauseMs, (performance.now() - began) * rest);
    }
  };
  const lookAtMemory = async (processes: ProcessThreads[]) => {
    if ((await measureMemory(processes, limits.memoryBytes)) > limits.memoryBytes) reached('memory');
  };
  const lookAtFiles = async (processes: ProcessThreads[]) => {
    const ownDevice = device ?? (disk && (await stat(disk.folder)).dev);
    const [used, unlinked] = await Promise.all([
      disk && measureDiskUsage(disk.folder),
      measureUnlinkedFiles(processes, ownDevice, enter?.()),
    ]);
    if (unlinked.memory > limits.memoryBytes) reached('memory');
    if (!disk) return;
    const total = (used ?? 0) + unlinked.disk;
    if (total > limits.diskBytes && total > disk.before) reached('disk');
  };
  const lookAtWatches = (max: number) => async (processes: ProcessThreads[]) => {
    if ((await countEpollWatches(processes, max)) > max) reached('memory');
  };

  const watching = Promise.all([
    every(MEMORY_MS, lookAtMemory),
    every(DISK_MS, lookAtFiles),
    watches === undefined ? undefined : every(WATCHES_MS, lookAtWatches(watches), WATCHES_REST),
  ]).catch((error) => {
    if (!signal.aborted) failed(error);
  });
  return async () => {
    ended.abort();
    await watching;
  };
}
