import type { SandboxLimits } from './types.ts';

const MiB = 1024 * 1024;

/** Maximum number of open files of a process. */
export const OPEN_FILES = 1_024;
/** Minimum number of open files with which programs such as Node, Python and compilers work. */
const MIN_OPEN_FILES = 64;
/** Maximum share of a kernel user's epoll watches that a command could have if each descriptor watched each other. */
const DESCRIPTORS_SHARE = 1 / 2;
/** Maximum share of a kernel user's epoll watches that a command may have. */
const WATCHES_SHARE = 1 / 8;
/** Limits that the kernel counts per user. With its defaults, one command could exhaust them. */
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

/** Minimum limits; with less, not even a shell would start. */
const MIN_LIMITS: Readonly<SandboxLimits> = {
  timeoutMs: 1,
  memoryBytes: 16 * MiB,
  processes: 8,
  outputBytes: 1,
  diskBytes: 64 * 1024,
};

/**
 * Returns the maximum numbers of open files of a process and of epoll watches of a command, for commands that share a
 * kernel user with the server: epoll watches are counted per user, and Node aborts when none are left.
 *
 * A process with `openFiles` descriptors, half of them epoll instances that watch the other half, has openFiles² / 4
 * watches. A file can be watched again under each further descriptor, so the watches themselves are counted too. A command
 * needs only a few for each descriptor.
 */
export function epollLimits(processes: number, userWatches: number): { openFiles: number; watches: number } {
  const max = 2 * Math.floor(Math.sqrt((userWatches * DESCRIPTORS_SHARE) / processes));
  const openFiles = Math.max(MIN_OPEN_FILES, Math.min(OPEN_FILES, max));
  return { openFiles, watches: Math.min(userWatches * WATCHES_SHARE, 2 * processes * openFiles) };
}

/**
 * Returns the limits of a sandbox, with defaults.
 *
 * @throws TypeError for a number that is invalid or too small.
 */
export function parseSandboxLimits(given: Partial<SandboxLimits>): SandboxLimits {
  const limits = { ...DEFAULTS };
  for (const name of Object.keys(DEFAULTS) as (keyof SandboxLimits)[]) {
    const value = given[name];
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < MIN_LIMITS[name]) {
      throw new TypeError(`invalid ${name}: expected an integer of at least ${MIN_LIMITS[name]}, got ${value}`);
    }
    limits[name] = value;
  }
  return limits;
}
