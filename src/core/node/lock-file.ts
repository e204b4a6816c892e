import { open, unlink, utimes } from 'node:fs/promises';
import { sleep } from '../index.ts';
import { createFile, replaceFile, unlessMissing } from './files.ts';
import { identityFromText, identityToText, processIdentity, processState } from './processes.ts';

/** Locks held by this process. */
const held = new Set<string>();

export interface LockOptions {
  /** Interval at which the holder touches the lock file, in ms. @default 2_000 */
  readonly heartbeatMs?: number;
}

/** Missed heartbeats after which a lock counts as abandoned. */
const MISSED_HEARTBEATS = 5;

/**
 * Locks a file exclusively, by a file `<path>.lock` that names this process.
 *
 * The lock of a process that has ended is taken over. A process of another host or container is not visible, so its lock is
 * taken over if it is not touched for 5 heartbeats.
 *
 * @param advice end of the error message for a locked file.
 * @returns a function that unlocks the file.
 * @throws Error if another process, or other code of this process, holds the lock.
 */
export async function lockFile(
  path: string,
  advice: string,
  { heartbeatMs = 2_000 }: LockOptions = {},
): Promise<() => Promise<void>> {
  const lock = `${path}.lock`;
  if (held.has(lock)) throw new Error(`${path} is in use by this process already; ${advice}`);
  held.add(lock);
  let release: () => Promise<void>;
  try {
    release = await acquire(lock, heartbeatMs);
  } catch (error) {
    held.delete(lock);
    if (!(error instanceof LockedError)) throw error;
    const sure = `if that process has certainly ended, delete ${error.lock}`;
    throw new Error(`${path} is in use by ${error.holder}, according to ${error.lock}; ${advice}; ${sure}`);
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    // Fails if a user has deleted the lock file, which is allowed.
    utimes(lock, now, now).catch(() => undefined);
  }, heartbeatMs);
  heartbeat.unref();
  return async () => {
    clearInterval(heartbeat);
    held.delete(lock);
    await release();
  };
}

class LockedError extends Error {
  readonly lock: string;
  readonly holder: string;

  constructor(lock: string, text: string) {
    super('locked');
    this.lock = lock;
    const process = identityFromText(text);
    this.holder = process ? `process ${process.pid} of ${process.host}` : 'another process';
  }
}

/** Creates a lock file, or takes over an abandoned one. @returns a function that removes it. */
async function acquire(lock: string, heartbeatMs: number): Promise<() => Promise<void>> {
  const mine = identityToText(processIdentity());
  const release = async () => {
    if ((await readLock(lock))?.text === mine) await unlessMissing(unlink(lock), undefined);
  };
  for (;;) {
    if (await createFile(lock, mine)) return release;
    const abandoned = await watchHolder(lock, heartbeatMs);
    // The holder has just unlocked it.
    if (!abandoned) continue;
    // Several processes may have seen the abandoned lock. Only one at a time may replace it.
    const endTakeover = await acquire(`${lock}.takeover`, heartbeatMs);
    try {
      const now = await readLock(lock);
      if (now?.text !== abandoned.text || now.touchedMs !== abandoned.touchedMs) continue;
      await replaceFile(lock, mine);
      return release;
    } finally {
      await endTakeover();
    }
  }
}

interface LockState {
  /** Identity of the holder; empty while the holder is creating the file. */
  readonly text: string;
  readonly touchedMs: number;
}

/** Returns an abandoned lock, or undefined if it is gone. @throws LockedError if its holder still runs. */
async function watchHolder(lock: string, heartbeatMs: number): Promise<LockState | undefined> {
  const first = await readLock(lock);
  if (!first) return undefined;
  const holder = identityFromText(first.text);
  const state = holder ? processState(holder) : 'unknown';
  if (state === 'gone') return first;
  // A lock of this process that is not in `held` belongs to another copy of this module, or to a process with the same id.
  if (state === 'running' && holder?.pid !== process.pid) throw new LockedError(lock, first.text);
  for (let missed = 0; missed < MISSED_HEARTBEATS; missed++) {
    await sleep(heartbeatMs);
    const now = await readLock(lock);
    if (!now) return undefined;
    if (now.text !== first.text || now.touchedMs !== first.touchedMs) throw new LockedError(lock, now.text);
  }
  return first;
}

/** Reads a lock, or returns undefined if there is none. Opens the file, so that network file systems ask the server. */
async function readLock(lock: string): Promise<LockState | undefined> {
  const file = await unlessMissing(open(lock), undefined);
  if (!file) return undefined;
  try {
    return { text: await file.readFile('utf8'), touchedMs: (await file.stat()).mtimeMs };
  } finally {
    await file.close();
  }
}
