import { retryWhileLocked, type SqliteConnection, singleNumber } from './connection.ts';
import { migrations } from './migrations/index.ts';

/**
 * Brings the tables to the newest version, all in one transaction, in which foreign keys are off: a table whose constraints
 * change is rebuilt, and others refer to its rows.
 *
 * @throws Error for the database of another program, and for one of a newer version.
 */
export async function migrateSqlite(connection: SqliteConnection, path: string): Promise<void> {
  const { database } = connection;
  // In a transaction this has no effect.
  database.exec('PRAGMA foreign_keys = OFF');
  await retryWhileLocked(() => connection.run('BEGIN IMMEDIATE'));
  try {
    const missing = missingIn(connection, path);
    for (const sql of missing) database.exec(sql);
    // Whoever writes first waits until the log that a killed process has left is in the file.
    if (missing.length > 0) database.exec(`PRAGMA user_version = ${migrations.length}`);
    connection.run('COMMIT');
  } catch (error) {
    connection.run('ROLLBACK');
    throw error;
  }
  database.exec('PRAGMA foreign_keys = ON');
}

function missingIn(connection: SqliteConnection, path: string): readonly string[] {
  const version = singleNumber(connection.run('PRAGMA user_version'));
  if (version > migrations.length) {
    throw new Error(
      `${path} has version ${version} of the trace tables, and this ors-kit knows ${migrations.length}; use the newer one`,
    );
  }
  if (version === 0 && singleNumber(connection.run('SELECT count(*) FROM sqlite_schema')) > 0) {
    throw new Error(`${path} is the database of another program; name a file of its own for the traces`);
  }
  return migrations.slice(version);
}
