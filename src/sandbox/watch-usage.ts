import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { sleep } from '../core/index.ts';
import {
  countEpollWatches,
  listDescendants,
  measureMemory,
  measureUnlinkedFiles,
  type ProcessThreads,
} from './processes.ts';
import { type ReachedLimit, SandboxError, type SandboxLimits } from './types.ts';

/** Intervals between measurements. The kernel limits each single process at all times. */
const MEMORY_MS = 200;
const DISK_MS = 1_000;
/** The pause after a measurement is at least this many times its duration. */
const PAUSE_FACTOR = 5;
/** Watches are counted more often, since one process can use most of a user's watches within seconds. */
const WATCHES_MS = 100;
const WATCHES_PAUSE_FACTOR = 1;

type UsageTargets = {
  /** Process from which all processes of the command descend. */
  root: Promise<number | undefined>;
  /** Device of the sandbox's file system, if it has a separate one. */
  device: number | undefined;
  /** Set if the kernel does not enforce the disk limit: the folder, and its size before the command. */
  disk: { folder: string; before: number } | undefined;
  /** Arguments that start a program which may list open files. Undefined if this process may. */
  enter: (() => readonly string[]) | undefined;
  /** Maximum number of epoll watches. Set if they count towards the limit of the server's user. */
  watches: number | undefined;
};

/**
 * Measures the usage of all processes and files of a command together, for machines on which an ordinary user has no
 * control groups. A command that frees space on a full disk is not ended.
 */
export function watchUsage(
  { root, device, disk, enter, watches }: UsageTargets,
  limits: SandboxLimits,
  reached: (limit: ReachedLimit) => void,
  failed: (error: unknown) => void,
): () => Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;

  const every = async (
    intervalMs: number,
    measure: (processes: ProcessThreads[]) => Promise<void>,
    pauseFactor = PAUSE_FACTOR,
  ) => {
    const pid = await root;
    let pause = intervalMs;
    while (pid !== undefined && !signal.aborted) {
      await sleep(pause, signal);
      const began = performance.now();
      await measure(await listDescendants(pid));
      pause = Math.max(intervalMs, (performance.now() - began) * pauseFactor);
    }
  };
  const checkMemory = async (processes: ProcessThreads[]) => {
    if ((await measureMemory(processes, limits.memoryBytes)) > limits.memoryBytes) reached('memory');
  };
  const checkFiles = async (processes: ProcessThreads[]) => {
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
  const checkWatches = (max: number) => async (processes: ProcessThreads[]) => {
    if ((await countEpollWatches(processes, max)) > max) reached('memory');
  };

  const watching = Promise.all([
    every(MEMORY_MS, checkMemory),
    every(DISK_MS, checkFiles),
    watches === undefined ? undefined : every(WATCHES_MS, checkWatches(watches), WATCHES_PAUSE_FACTOR),
  ]).catch((error) => {
    if (!signal.aborted) failed(error);
  });
  return async () => {
    ended.abort();
    await watching;
  };
}

/** Minimum size that counts for a file, so that the number of empty files is limited too. */
const MIN_KIB = 4;

/**
 * Returns the bytes of all files in the folder of a sandbox. Uses `find`, which can traverse folders deeper than the
 * maximum length of a path, with permission to read folders that commands have closed.
 */
export async function measureDiskUsage(folder: string): Promise<number> {
  const find = ['find', folder, '-xdev', '-printf', '%k\\n'];
  // Root of a separate namespace may read all files of the user.
  const asRoot = ['bwrap', '--unshare-user', '--uid', '0', '--gid', '0', '--cap-add', 'CAP_DAC_READ_SEARCH'];
  const [file = '', ...args] = process.getuid?.() === 0 ? find : [...asRoot, '--ro-bind', '/', '/', '--', ...find];
  const child = spawn(file, args, { cwd: '/', env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve, reject) => child.once('close', () => resolve()).once('error', reject));
  let files = 0;
  let kib = 0;
  let rest = '';
  child.stdout.setEncoding('latin1').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    files += lines.length;
    for (const line of lines) kib += Math.max(MIN_KIB, Number(line));
  });
  await ended.catch((cause) => {
    throw new SandboxError('failed', `cannot measure the files of a sandbox: ${cause.message}`, { cause });
  });
  // The folder itself is counted too. Errors for files that are removed meanwhile are ignored.
  if (files === 0) throw new SandboxError('failed', `cannot measure the files of a sandbox: ${folder} does not exist`);
  return kib * 1024;
}
