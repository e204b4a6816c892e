import { connect } from './connection.ts';
import { inodeOf } from './inode.ts';
import type { NodeSqlite } from './node-sqlite.ts';

/** Pages of 4 KB that are copied at a time. */
const RATE = 1000;

/**
 * Copies the database while others write: a connection of its own holds the state at the beginning, so that no write
 * makes it begin again.
 */
export async function backUp(
  sqlite: NodeSqlite,
  path: string,
  target: string,
  onProgress: (done: number, all: number) => void = () => {},
): Promise<void> {
  if ((await inodeOf(target)) !== undefined)
    throw new Error(`${target} is there already; name a new file for the copy`);
  const source = await connect(sqlite, path);
  try {
    if (sqlite.backup) {
      source.run('BEGIN');
      source.run('SELECT count(*) FROM sqlite_schema');
      const progress = (pages: { readonly totalPages: number; readonly remainingPages: number }) =>
        onProgress(pages.totalPages - pages.remainingPages, pages.totalPages);
      await sqlite.backup(source.database, target, { rate: RATE, progress });
      source.run('COMMIT');
    } else {
      source.run('VACUUM INTO ?', [target]);
    }
  } finally {
    source.close();
  }
}
