import { statSync } from 'node:fs';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { countRows, type Database, type Engine } from './engine.ts';
import { seconds } from './trace-server.ts';

interface SqliteStatement {
  run(...values: (string | number)[]): unknown;
  all(): object[];
}

interface SqliteConnection {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

/** SQLite. Each database is a new file. */
export const sqlite: Engine = {
  version: `SQLite ${process.versions.sqlite}`,
  isParallel: false,
  create: async () => createFile(),
  [Symbol.asyncDispose]: async () => {},
};

function createFile(): Database {
  const folder = createTemporaryFolder();
  const location = folder.path('traces.db');
  return {
    location,
    async insertBare(rows, times) {
      using database = await openFile(folder.path('bare.db'));
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
      database.exec('CREATE TABLE IF NOT EXISTS bare (rid INTEGER PRIMARY KEY, id TEXT, payload TEXT)');
      const insert = database.prepare('INSERT INTO bare (id, payload) VALUES (?, ?)');
      const write = async () => {
        for (let time = 0; time < times; time++) {
          database.exec('BEGIN IMMEDIATE');
          for (const { id, payload } of rows) insert.run(id, payload);
          database.exec('COMMIT');
        }
      };
      await write();
      return await seconds(write);
    },
    async readRows() {
      using database = await openFile(location);
      JSON.stringify(database.prepare('SELECT * FROM trace_blocks').all());
    },
    async bytes() {
      // The last connection checkpoints the write-ahead log into the file when it closes.
      (await openFile(location))[Symbol.dispose]();
      return statSync(location).size;
    },
    async countBlocks(ids) {
      using database = await openFile(location);
      return countRows(database.prepare('SELECT id FROM trace_blocks').all() as { id: string }[], ids);
    },
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]();
    },
  };
}

const name: string = 'node:sqlite';

/** Opens an SQLite file without a store. The types of Node 20 lack `node:sqlite`. */
export async function openFile(path: string): Promise<SqliteConnection & Disposable> {
  const { DatabaseSync } = (await import(name)) as { DatabaseSync: new (path: string) => SqliteConnection };
  const database = new DatabaseSync(path);
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => database.prepare(sql),
    close: () => database.close(),
    [Symbol.dispose]: () => database.close(),
  };
}
