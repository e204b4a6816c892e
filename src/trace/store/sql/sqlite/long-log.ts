import { realpathSync, statSync } from 'node:fs';
import type { SqliteConnection } from './connection.ts';
import type { SqliteEngine } from './engine.ts';

/** A log that was cut after large writes is not longer. */
const LONG_BYTES = 64 * 1024 * 1024;

const POLL_INTERVAL_MS = 1_000;

/** Whether commits move the log, as SQLite does by itself whenever it has a thousand pages. */
const BY_COMMITS = { on: 'PRAGMA wal_autocheckpoint = 1000', off: 'PRAGMA wal_autocheckpoint = 0' };

/**
 * Has a thread move a long log into its file: what a process has left that was killed, or what somebody read the old state
 * of, as a backup does. Else the next commit would, and all would wait for it, some seconds for a gigabyte.
 *
 * @returns what ends this, and resolves when no thread is at work.
 */
export function checkpointLongWal(
  { checkpointWal }: SqliteEngine,
  connection: SqliteConnection,
  path: string,
): () => Promise<void> {
  if (!checkpointWal) return async () => {};
  let moving: Promise<void> | undefined;
  // A log that is moved keeps its length until the next commit begins it anew.
  let movedBytes = 0;

  async function move(bytes: number): Promise<void> {
    connection.run(BY_COMMITS.off);
    // Where the thread fails, commits try it, and go on if they cannot. Where somebody still reads, it is too soon.
    const isDone = await checkpointWal?.(path).catch(() => true);
    if (!isDone) return;
    movedBytes = bytes;
    connection.run(BY_COMMITS.on);
  }

  function look(): void {
    const bytes = logBytes(path);
    if (moving || bytes <= LONG_BYTES || bytes === movedBytes) return;
    moving = move(bytes).finally(() => {
      moving = undefined;
    });
  }

  look();
  const timer = setInterval(look, POLL_INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    await moving;
  };
}

/** 0 where it cannot be known: there is no log, or the disk fails, which writers will be told. */
function logBytes(path: string): number {
  try {
    // It is beside the file, and not beside a link to that.
    return statSync(`${realpathSync(path)}-wal`).size;
  } catch {
    return 0;
  }
}
