import type { SandboxLimits } from './types.ts';

const MiB = 1024 * 1024;

/** Open files of each process. */
export const OPEN_FILES = 1_024;
/** The fewest open files that programs such as Node, Python and compilers work with. */
const MIN_OPEN_FILES = 64;
/** Parts of a kernel user's epoll watches: all descriptors of a command watched by all, and those it may really have. */
const DESCRIPTORS_SHARE = 1 / 2;
const WATCHES_SHARE = 1 / 8;
/** Limits that the kernel counts per user. Its defaults would let one command have all that the user may have. */
export const QUEUED_SIGNALS = 1_024;
export const MESSAGE_QUEUE_BYTES = 128 * 1024;
export const LOCKED_BYTES = 64 * 1024;

const DEFAULTS: Readonly<SandboxLimits> = {
  timeoutMs: 30_000,
  memoryBytes: 512 * MiB,
  processes: 128,
  outputBytes: MiB / 4,
  diskBytes: 1024 * MiB,
};

/** The least that a sandbox works with: below it, not even a shell would start. */
const MIN_LIMITS: Readonly<SandboxLimits> = {
  timeoutMs: 1,
  memoryBytes: 16 * MiB,
  processes: 8,
  outputBytes: 1,
  diskBytes: 64 * 1024,
};

/**
 * Open files of each process, and epoll watches of a command, where commands share a kernel user with the server: epoll
 * watches are counted per user, and Node aborts when it gets no more.
 *
 * A process with `openFiles` descriptors, half of them epoll instances that watch the other half, has openFiles² / 4
 * watches. A file can be watched once more under each number it gets, so the watches themselves are counted too. A
 * command needs no more than a few for each descriptor.
 */
export function epollLimits(processes: number, userWatches: number): { openFiles: number; watches: number } {
  const max = 2 * Math.floor(Math.sqrt((userWatches * DESCRIPTORS_SHARE) / processes));
  const openFiles = Math.max(MIN_OPEN_FILES, Math.min(OPEN_FILES, max));
  return { openFiles, watches: Math.min(userWatches * WATCHES_SHARE, 2 * processes * openFiles) };
}

/** The limits of a sandbox. A number that is none, or too small to work with, is an error that names it. */
export function parseSandboxLimits(given: Partial<SandboxLimits>): SandboxLimits {
  const limits = { ...DEFAULTS };
  for (const name of Object.keys(DEFAULTS) as (keyof SandboxLimits)[]) {
    const value = given[name];
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < MIN_LIMITS[name]) {
      throw new TypeError(`${name} is ${value}; it must be a whole number of at least ${MIN_LIMITS[name]}`);
    }
    limits[name] = value;
  }
  return limits;
}
