import { statSync } from 'node:fs';
import { countOf, type Database, type Engine } from './engine.ts';
import { makeFolder } from './folder.ts';
import { seconds } from './place.ts';

interface Statement {
  run(...values: (string | number)[]): unknown;
  all(): object[];
}

interface Connection {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** A new file per database. */
export const sqlite: Engine = {
  version: `SQLite ${process.versions.sqlite}`,
  isParallel: false,
  create: async () => createFile(),
  [Symbol.asyncDispose]: async () => {},
};

function createFile(): Database {
  const folder = makeFolder();
  const place = folder.path('traces.db');
  return {
    place,
    async writeBare(rows, times) {
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
      using database = await openFile(place);
      JSON.stringify(database.prepare('SELECT * FROM trace_blocks').all());
    },
    async bytes() {
      // The last connection that closes moves the log into the file.
      (await openFile(place))[Symbol.dispose]();
      return statSync(place).size;
    },
    async countBlocks(ids) {
      using database = await openFile(place);
      return countOf(database.prepare('SELECT id FROM trace_blocks').all() as { id: string }[], ids);
    },
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]();
    },
  };
}

const name: string = 'node:sqlite';

/** SQLite without a store; the types of Node 20 do not know it. */
export async function openFile(path: string): Promise<Connection & Disposable> {
  const { DatabaseSync } = (await import(name)) as { DatabaseSync: new (path: string) => Connection };
  const database = new DatabaseSync(path);
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => database.prepare(sql),
    close: () => database.close(),
    [Symbol.dispose]: () => database.close(),
  };
}
