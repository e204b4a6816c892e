/** What Linux tells about a process in /proc. Elsewhere every figure is NaN, and the report shows a dash. */
import { readdirSync, readFileSync } from 'node:fs';

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** CPU time in microseconds: the scheduler's nanoseconds of all threads, or clock ticks where it keeps none. */
export function cpuMicroseconds(pid: number): number {
  const threads = threadsOf(pid).map((thread) => read(`/proc/${pid}/task/${thread}/schedstat`));
  const nanoseconds = threads.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0);
  return nanoseconds > 0 ? nanoseconds / 1000 : ticksOf(pid) * 10_000;
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** User and system time in clock ticks of 10 ms; they follow the process's name, which may hold spaces. */
function ticksOf(pid: number): number {
  const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ');
  return Number(fields?.[11]) + Number(fields?.[12]);
}

/** How long the main thread has waited for a core so far, in microseconds, while it had something to do. */
export function waitedMicroseconds(pid: number): number {
  return Number(read(`/proc/${pid}/task/${pid}/schedstat`).split(' ')[1]) / 1000;
}

export function residentBytes(pid: number): number {
  const kilobytes = /^Rss: +(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1];
  return Number(kilobytes ?? /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1]) * 1024;
}

/** How many files, sockets included, a process may have open; infinite where nobody says. */
export function openFileLimit(pid: number | 'self'): number {
  const soft = /^Max open files +(\d+)/m.exec(read(`/proc/${pid}/limits`))?.[1];
  return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
}
