import { stat } from 'node:fs/promises';
import type { Connection } from './connection.ts';
import type { Engine } from './engine.ts';

/** A log that was cut after large writes is not longer. */
const LONG_BYTES = 64 * 1024 * 1024;

/** After so many pages SQLite moves a log by itself. */
const PAGES = 1000;

/**
 * Moves a long log, which a process that was killed has left, into its file. The first commit would do it otherwise, and
 * all else would wait: six seconds for a gigabyte, and less than half a second at a time while a thread does it.
 */
export async function moveLongLog(engine: Engine, connection: Connection, path: string): Promise<void> {
  if (!engine.moveLog || (await sizeOf(`${path}-wal`)) <= LONG_BYTES) return;
  connection.run('PRAGMA wal_autocheckpoint = 0');
  try {
    await engine.moveLog(path);
  } catch {
    // Commits try it again, and go on if they cannot.
  } finally {
    connection.run(`PRAGMA wal_autocheckpoint = ${PAGES}`);
  }
}

const sizeOf = async (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
