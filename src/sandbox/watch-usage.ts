import { execFile as execFileWithCallback, spawn } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createLineSplitter, hasCode, sleep, sum } from '../core/index.ts';
import { findProgram, SANDBOX_PATH_VARIABLE } from './host-programs.ts';
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
  /** Devices of the sandbox's files, if they are on a separate file system. */
  devices: readonly number[] | undefined;
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
  { root, devices, disk, enter, watches }: UsageTargets,
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
    const ownDevices = devices ?? (disk ? [(await stat(disk.folder)).dev] : []);
    const [used, unlinked] = await Promise.all([
      disk && measureDiskUsage(disk.folder),
      measureUnlinkedFiles(processes, ownDevices, enter?.()),
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
  const { push } = createLineSplitter((line) => {
    files += 1;
    kib += Math.max(MIN_KIB, Number(line));
  });
  child.stdout.setEncoding('latin1').on('data', push);
  await ended.catch((cause) => {
    throw new SandboxError('failed', `cannot measure the files of a sandbox: ${cause.message}`, { cause });
  });
  // The folder itself is counted too. Errors for files that are removed meanwhile are ignored.
  if (files === 0) throw new SandboxError('failed', `cannot measure the files of a sandbox: ${folder} does not exist`);
  return kib * 1024;
}

const execFile = promisify(execFileWithCallback);
/** More than the lines for all descriptors of 1,024 processes. */
const FIND_BYTES = 64 * 1024 * 1024;

const PIECE_BYTES = 16 * 1024;
/** Concurrent reads, each of which needs a file descriptor of the server. */
const CONCURRENT_READS = 8;

/**
 * Ids of the threads of one process. Its resources are read through its threads: a process whose main thread has exited
 * shows neither memory nor files under its own id, and any thread may have a separate file table.
 */
type ProcessThreads = readonly number[];

/** Lists a process and all its descendants from /proc. Processes that start or end meanwhile may be missing. */
async function listDescendants(root: number): Promise<ProcessThreads[]> {
  const pids = [root];
  const processes: ProcessThreads[] = [];
  for (const pid of pids) {
    const threads = (await ifReadable(readdir(`/proc/${pid}/task`), [])).map(Number);
    processes.push(threads);
    const children = threads.map((thread) =>
      ifReadable(readFile(`/proc/${pid}/task/${thread}/children`, 'latin1'), ''),
    );
    pids.push(...(await Promise.all(children)).join(' ').split(' ').filter(Boolean).map(Number));
  }
  return processes;
}

/**
 * Returns the bytes of memory that only the end of the processes would free. Shared memory is counted for each process
 * that has it; if the sum exceeds `enough`, it is measured again exactly, in equal shares, which takes longer.
 */
async function measureMemory(processes: readonly ProcessThreads[], enough: number): Promise<number> {
  const separately = sum(
    await Promise.all(processes.map((threads) => kibOf(threads, 'status', /^Rss(?:Anon|Shmem):/))),
  );
  if (separately * 1024 <= enough) return separately * 1024;
  const together = processes.map((threads) => kibOf(threads, 'smaps_rollup', /^Pss_(?:Anon|Shmem):/));
  return sum(await Promise.all(together)) * 1024;
}

/**
 * Returns the bytes of files without a name, which exist as long as a process holds them open: removed ones on the given
 * devices, and others in memory. `enter` is set if only programs that it starts may list the open files.
 */
async function measureUnlinkedFiles(
  processes: readonly ProcessThreads[],
  devices: readonly number[],
  enter?: readonly string[],
): Promise<{ disk: number; memory: number }> {
  const threads = processes.flat();
  const files = new Map<string, ProcessFile>();
  const found = enter ? await findOpenFiles(enter, threads) : listOpenFiles(threads);
  for await (const file of found) files.set(`${file.dev}:${file.ino}`, file);
  const bytesOf = (onDisk: boolean) =>
    sum([...files.values()].filter(({ dev }) => devices.includes(dev) === onDisk).map(({ blocks }) => blocks * 512));
  return { disk: bytesOf(true), memory: bytesOf(false) };
}

type ProcessFile = { dev: number; ino: number; blocks: number };

async function* listOpenFiles(threads: readonly number[]): AsyncGenerator<ProcessFile> {
  for (const thread of threads) {
    for (const name of await ifReadable(readdir(`/proc/${thread}/fd`), [])) {
      const file = await ifReadable(stat(`/proc/${thread}/fd/${name}`), undefined);
      if (file?.isFile() && file.nlink === 0) yield file;
    }
  }
}

/** Same as `listOpenFiles`, by a `find` that `enter` starts. Its errors mean processes that have ended meanwhile. */
async function findOpenFiles(enter: readonly string[], threads: readonly number[]): Promise<ProcessFile[]> {
  const script = `find -L "$@" -maxdepth 1 -type f -links 0 -printf '%D %i %b\\n' 2>&-; exit 0`;
  const [file = '', ...args] = [...enter, findProgram('sh'), '-c', script, 'sh'];
  const folders = threads.map((thread) => `/proc/${thread}/fd`);
  const { stdout } = await execFile(file, [...args, ...folders], {
    cwd: '/',
    env: { PATH: SANDBOX_PATH_VARIABLE },
    maxBuffer: FIND_BYTES,
  });
  const lines = stdout.split('\n').filter(Boolean);
  return lines.map((line) => {
    const [dev = 0, ino = 0, blocks = 0] = line.split(' ').map(Number);
    return { dev, ino, blocks };
  });
}

/**
 * Returns the number of watches of all open epoll instances, or some number above `enough`. An instance counts for each
 * thread that has it open.
 */
async function countEpollWatches(processes: readonly ProcessThreads[], enough: number): Promise<number> {
  let watches = 0;
  for (const thread of processes.flat()) {
    const names = await ifReadable(readdir(`/proc/${thread}/fd`), []);
    const epolls = names.filter((name) => isEpoll(`/proc/${thread}/fd/${name}`));
    for (let at = 0; at < epolls.length; at += CONCURRENT_READS) {
      const batch = epolls.slice(at, at + CONCURRENT_READS);
      const counts = batch.map((name) => ifReadable(countWatches(`/proc/${thread}/fdinfo/${name}`, enough), 0));
      watches += sum(await Promise.all(counts));
      if (watches > enough) return watches;
    }
  }
  return watches;
}

/** Synchronous, since reading a link of /proc takes a tenth of the time of a promise. */
function isEpoll(path: string): boolean {
  try {
    return readlinkSync(path) === 'anon_inode:[eventpoll]';
  } catch (error) {
    if (isUnreadable(error)) return false;
    throw error;
  }
}

/** Counts lines in pieces of the file: an instance with millions of watches has hundreds of megabytes of them. */
async function countWatches(path: string, enough: number): Promise<number> {
  await using file = await open(path);
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  let watches = 0;
  let isHeader = true;
  while (watches <= enough) {
    const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES, null);
    const piece = buffer.subarray(0, bytesRead);
    const start = isHeader ? piece.indexOf('tfd:') : 0;
    if (bytesRead === 0 || start < 0) return watches;
    isHeader = false;
    for (let at = piece.indexOf('\n', start); at >= 0; at = piece.indexOf('\n', at + 1)) watches++;
  }
  return watches;
}

/** Returns the sum of the lines with a name in a file of /proc, in KiB, for the first thread that has such lines. */
async function kibOf(threads: ProcessThreads, file: string, name: RegExp): Promise<number> {
  for (const thread of threads) {
    const text = await ifReadable(readFile(`/proc/${thread}/${file}`, 'latin1'), '');
    const lines = text.split('\n').filter((line) => name.test(line));
    if (lines.length > 0) return sum(lines.map((line) => Number.parseInt(line.slice(line.indexOf(':') + 1), 10)));
  }
  return 0;
}

async function ifReadable<Found, Fallback>(reading: Promise<Found>, fallback: Fallback): Promise<Found | Fallback> {
  try {
    return await reading;
  } catch (error) {
    if (isUnreadable(error)) return fallback;
    throw error;
  }
}

/** Processes may end meanwhile. The process of bubblewrap itself is not readable, and uses no resources. */
const isUnreadable = (error: unknown): boolean => hasCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM');
