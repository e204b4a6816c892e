import { createRequire } from 'node:module';
import { isMissingPackage } from '../../../../core/index.ts';
import type { SqliteEngine } from './engine.ts';

/** As much of the package libsql as is used here. */
type Libsql = new (
  path: string,
) => {
  exec(sql: string): void;
  prepare(sql: string): { all(...params: readonly unknown[]): unknown[] };
  close(): void;
};

/** Undefined where the package is not installed. */
export function loadLibsql(): SqliteEngine | undefined {
  let Database: Libsql;
  try {
    Database = createRequire(import.meta.url)('libsql') as Libsql;
  } catch (error) {
    if (!isMissingPackage(error, 'libsql')) throw error;
    return undefined;
  }
  return { open: (path) => wrap(new Database(path)), backup: undefined, checkpointWal: undefined };
}

function wrap(database: InstanceType<Libsql>) {
  return {
    exec: (sql: string) => void database.exec(sql),
    prepare(sql: string) {
      const statement = database.prepare(sql);
      return { all: (...params: readonly unknown[]) => statement.all(...params.map(given)).map(withBytes) };
    },
    close: () => database.close(),
  };
}

/** libsql takes every number for a fraction. */
const given = (value: unknown): unknown =>
  Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value as number) : value;

function withBytes(row: unknown): unknown {
  const columns = Object.entries(row as object);
  if (!columns.some(([, value]) => value instanceof ArrayBuffer)) return row;
  return Object.fromEntries(
    columns.map(([name, value]) => [name, value instanceof ArrayBuffer ? new Uint8Array(value) : value]),
  );
}
