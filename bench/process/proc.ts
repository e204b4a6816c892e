/** Readings of /proc. On other systems than Linux every figure is NaN, and the report shows a dash. */
import { readdirSync, readFileSync } from 'node:fs';

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** CPU time of all threads in microseconds: the nanoseconds of the scheduler, or clock ticks if it keeps none. */
export function cpuMicroseconds(pid: number): number {
  const threads = list(`/proc/${pid}/task`).map((thread) => read(`/proc/${pid}/task/${thread}/schedstat`));
  const nanoseconds = threads.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0);
  return nanoseconds > 0 ? nanoseconds / 1000 : ticksOf(pid) * 10_000;
}

/** User and system time in clock ticks of 10 ms. They follow the process name, which may contain spaces. */
function ticksOf(pid: number): number {
  const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ');
  return Number(fields?.[11]) + Number(fields?.[12]);
}

/** Total time in microseconds for which the main thread was runnable but waited for a core. */
export function runQueueMicroseconds(pid: number): number {
  return Number(read(`/proc/${pid}/task/${pid}/schedstat`).split(' ')[1]) / 1000;
}

export function residentBytes(pid: number): number {
  const kilobytes = /^Rss: +(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1];
  return kilobytes === undefined ? statusBytes(pid, 'VmRSS') : Number(kilobytes) * 1024;
}

/** The highest resident memory of a process so far. */
export const peakResidentBytes = (pid: number): number => statusBytes(pid, 'VmHWM');

function statusBytes(pid: number, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/status`))?.[1]) * 1024;
}

/**
 * Samples the resident memory of a process while `work` runs.
 *
 * @returns the bytes between the reading before the work and the highest one.
 */
export async function memoryGrowth(pid: number, everyMs: number, work: () => Promise<unknown>): Promise<number> {
  const before = residentBytes(pid);
  let peak = before;
  const sample = () => {
    peak = Math.max(peak, residentBytes(pid));
  };
  const timer = setInterval(sample, everyMs);
  await work().finally(() => clearInterval(timer));
  sample();
  return peak - before;
}

/** The number of open files of a process, including sockets; 0 if it is unknown. */
export const openFileCount = (pid: number): number => list(`/proc/${pid}/fd`).length;

/** The limit of open files of a process, including sockets; infinite if it is unknown. */
export function openFileLimit(pid: number | 'self'): number {
  const soft = /^Max open files +(\d+)/m.exec(read(`/proc/${pid}/limits`))?.[1];
  return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
}
