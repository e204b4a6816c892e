import { realpathSync, statSync } from 'node:fs';
import { errorMessage, hasCode } from '../../../../core/index.ts';
import { StoreUnavailableError } from '../../../model/index.ts';
import type { SqliteConnection } from './connection.ts';
import type { SqliteEngine } from './engine.ts';

/** In seconds; writes fail until the server is restarted. */
const RETRY_AFTER = 30;

/**
 * Compares the open files of a database with those that have its name: SQLite continues to write to a file that was
 * removed or replaced, and these commits are lost with the process. Includes the write-ahead log and its index.
 *
 * @param file database that is open in WAL mode and has been read, so that all its files exist.
 * @returns a function that throws a `StoreUnavailableError` if the open files were deleted or replaced; it takes some
 * microseconds. It continues to throw once files were missing: a file that reappears may have been written by another
 * process meanwhile.
 */
export function createFileIdentityCheck(file: string): () => void {
  const names = [file, ...['-wal', '-shm'].map((suffix) => realpathSync(file) + suffix)];
  const opened = names.map(identityOf);
  let isGone = false;
  return () => {
    isGone ||= names.some((name, index) => identityOf(name) !== opened[index]);
    if (!isGone) return;
    const message =
      `the database ${file}, its -wal or its -shm was removed or replaced while it was open. Writes fail until it ` +
      'is opened again (restart the server); until then you can still read and export earlier data';
    throw new StoreUnavailableError(message, { retryAfterSeconds: RETRY_AFTER });
  };
}

/** Returns the identity of a file, which no other file has while it is open; undefined if the file does not exist. */
function identityOf(name: string): string | undefined {
  try {
    const { dev, ino } = statSync(name, { bigint: true });
    return `${dev} ${ino}`;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    const message = `cannot access the files of the database: ${errorMessage(error)}; nothing was stored`;
    throw new StoreUnavailableError(message, { cause: error });
  }
}

/** Minimum size of a long WAL: the limit to which SQLite truncates it after large writes. */
const LONG_BYTES = 64 * 1024 * 1024;

const POLL_INTERVAL_MS = 1_000;

/** Checkpoints by commits, which SQLite runs by default at a thousand pages. */
const AUTO_CHECKPOINT = { on: 'PRAGMA wal_autocheckpoint = 1000', off: 'PRAGMA wal_autocheckpoint = 0' };

/**
 * Checkpoints a long WAL in a thread. A WAL becomes long if a process is killed, or during a long read such as a backup. The
 * next commit would checkpoint it otherwise, and block all writes for seconds per gigabyte.
 *
 * @returns a function that stops this, and resolves when no thread is running.
 */
export function checkpointLongWal(
  { checkpointWal }: SqliteEngine,
  connection: SqliteConnection,
  path: string,
): () => Promise<void> {
  if (!checkpointWal) return async () => {};
  let running: Promise<void> | undefined;
  // The WAL keeps its size after a checkpoint until the next commit restarts it.
  let checkpointedBytes = 0;

  async function checkpoint(bytes: number): Promise<void> {
    connection.run(AUTO_CHECKPOINT.off);
    // False while there are readers. If the thread fails, commits run the checkpoint, and tolerate its failure.
    const isDone = await checkpointWal?.(path).catch(() => true);
    if (!isDone) return;
    checkpointedBytes = bytes;
    connection.run(AUTO_CHECKPOINT.on);
  }

  function poll(): void {
    const bytes = walBytes(path);
    if (running || bytes <= LONG_BYTES || bytes === checkpointedBytes) return;
    running = checkpoint(bytes).finally(() => {
      running = undefined;
    });
  }

  poll();
  const timer = setInterval(poll, POLL_INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** Returns 0 if the WAL does not exist or cannot be accessed; writes report that error. */
function walBytes(path: string): number {
  try {
    // The WAL is in the folder of the file, not of a symbolic link to it.
    return statSync(`${realpathSync(path)}-wal`).size;
  } catch {
    return 0;
  }
}
