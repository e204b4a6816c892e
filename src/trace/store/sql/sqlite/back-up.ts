import { existsSync } from 'node:fs';
import { openSqliteConnection } from './connection.ts';
import type { OnBackupProgress, SqliteEngine } from './engine.ts';

/**
 * Copies the database while others write: a connection of its own holds the state at the beginning, so that no write
 * makes it begin again.
 */
export async function backUp(
  engine: SqliteEngine,
  path: string,
  target: string,
  onProgress: OnBackupProgress = () => {},
): Promise<void> {
  if (existsSync(target)) throw new Error(`${target} is there already; name a new file for the copy`);
  const source = await openSqliteConnection(engine, path);
  try {
    if (engine.backup) {
      source.run('BEGIN');
      source.run('SELECT count(*) FROM sqlite_schema');
      await engine.backup(source.database, target, onProgress);
      source.run('COMMIT');
    } else {
      source.run('VACUUM INTO ?', [target]);
    }
  } finally {
    source.close();
  }
}
