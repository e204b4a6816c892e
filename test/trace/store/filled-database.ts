import { join } from 'node:path';
import { openSqliteStore } from '../../../src/trace/store/index.ts';
import { loadEngine, type SqliteDatabase } from '../../../src/trace/store/sql/sqlite/engine.ts';
import type { TraceStore } from '../../../src/trace/store/trace-store.ts';
import { newFolder } from './stores.ts';

/** A database that a store has filled and closed, opened by another program. */
export interface FilledDatabase extends AsyncDisposable {
  readonly path: string;
  readonly database: SqliteDatabase;
  /** Returns the first column of the first row. */
  value(sql: string): unknown;
}

export async function openFilled(fill: (store: TraceStore) => Promise<unknown>): Promise<FilledDatabase> {
  const folder = await newFolder();
  const path = join(folder.path, 'traces.db');
  const store = await openSqliteStore({ path });
  await fill(store);
  await store.close();
  const database = loadEngine().open(path);
  return {
    path,
    database,
    value: (sql) => Object.values((database.prepare(sql).all()[0] as object | undefined) ?? {})[0],
    async [Symbol.asyncDispose]() {
      database.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
