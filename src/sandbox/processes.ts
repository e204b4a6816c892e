import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { errorCode } from '../core/index.ts';

/** A process and all that descend from it, by /proc. Those that come and go meanwhile may be missing. */
export async function descendants(root: number): Promise<number[]> {
  const found = [root];
  for (const pid of found) {
    const threads = await orNothing(readdir(`/proc/${pid}/task`), []);
    const children = threads.map((thread) => orNothing(readFile(`/proc/${pid}/task/${thread}/children`, 'latin1'), ''));
    found.push(...(await Promise.all(children)).join(' ').split(' ').filter(Boolean).map(Number));
  }
  return found;
}

/**
 * Bytes of memory that processes have for themselves, and that nothing but their end would free. Memory that several
 * share is counted for each, and only if that is more than `enough`, in equal parts: this is exact, and takes longer.
 */
export async function memoryOf(pids: readonly number[], enough: number): Promise<number> {
  const separately = sum(await Promise.all(pids.map((pid) => kibOf(`/proc/${pid}/status`, /^Rss(?:Anon|Shmem):/))));
  if (separately * 1024 <= enough) return separately * 1024;
  const together = pids.map((pid) => kibOf(`/proc/${pid}/smaps_rollup`, /^Pss_(?:Anon|Shmem):/));
  return sum(await Promise.all(together)) * 1024;
}

/**
 * Bytes of files without a name, which are there as long as a process holds them open: removed ones on the disk of the
 * given device, and others in memory.
 */
export async function unlinkedFiles(
  pids: readonly number[],
  device: number | undefined,
): Promise<{ disk: number; memory: number }> {
  const sizes = new Map<string, { isOnDisk: boolean; bytes: number }>();
  for (const pid of pids) {
    for (const name of await orNothing(readdir(`/proc/${pid}/fd`), [])) {
      const file = await orNothing(stat(`/proc/${pid}/fd/${name}`), undefined);
      if (!file?.isFile() || file.nlink > 0) continue;
      sizes.set(`${file.dev}:${file.ino}`, { isOnDisk: file.dev === device, bytes: file.blocks * 512 });
    }
  }
  const bytesOf = (onDisk: boolean) =>
    sum([...sizes.values()].filter(({ isOnDisk }) => isOnDisk === onDisk).map(({ bytes }) => bytes));
  return { disk: bytesOf(true), memory: bytesOf(false) };
}

/** Watches of all epoll instances that processes have open, or some number above `enough`. Shared ones count for each. */
export async function epollWatches(pids: readonly number[], enough: number): Promise<number> {
  let watches = 0;
  for (const pid of pids) {
    for (const name of await orNothing(readdir(`/proc/${pid}/fd`), [])) {
      const target = await orNothing(readlink(`/proc/${pid}/fd/${name}`), '');
      if (target !== 'anon_inode:[eventpoll]') continue;
      const lines = (await orNothing(readFile(`/proc/${pid}/fdinfo/${name}`, 'latin1'), '')).split('\n');
      watches += lines.filter((line) => line.startsWith('tfd:')).length;
      if (watches > enough) return watches;
    }
  }
  return watches;
}

/** The sum of the lines of a file of /proc that begin with a name, in KiB. */
async function kibOf(path: string, name: RegExp): Promise<number> {
  const lines = (await orNothing(readFile(path, 'latin1'), '')).split('\n').filter((line) => name.test(line));
  return sum(lines.map((line) => Number.parseInt(line.slice(line.indexOf(':') + 1), 10)));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Processes end while one looks at them. bubblewrap's own process is not to be looked into, and holds nothing. */
async function orNothing<Found, Nothing>(looking: Promise<Found>, nothing: Nothing): Promise<Found | Nothing> {
  try {
    return await looking;
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '')) return nothing;
    throw error;
  }
}
