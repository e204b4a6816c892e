import type { SqlReader } from '../driver.ts';
import { migrations } from './migrations/index.ts';
import type { PgPool } from './node-postgres.ts';
import { runTransaction } from './transaction.ts';

/** Whoever migrates holds the lock of this number, which means nothing to others. */
const LOCK = 7_030_041_978;
/** The oldest that knows all that is used. */
const OLDEST = 130_000;

/**
 * Brings the tables to the newest version, all in one transaction, one process at a time.
 *
 * @returns what tells this store from all others.
 * @throws Error for a schema of another program, for one of a newer version, and for a server that is not fit for it.
 */
export const migratePostgres = (pool: PgPool): Promise<string> =>
  runTransaction(pool, async (transaction) => {
    await transaction.query('SET LOCAL lock_timeout = 0');
    await transaction.query(`SELECT pg_advisory_xact_lock(${LOCK})::text`);
    await checkServer(transaction);
    const version = await readVersion(transaction);
    if (version > migrations.length) {
      throw new Error(
        `the database has version ${version} of the trace tables, and this ors-kit knows ${migrations.length}; use the newer one`,
      );
    }
    for (const sql of migrations.slice(version)) await transaction.query(sql);
    await transaction.query('UPDATE trace_store SET version = ? WHERE version <> ?', [
      migrations.length,
      migrations.length,
    ]);
    return await readIdentity(transaction);
  });

async function checkServer(transaction: SqlReader): Promise<void> {
  const [server] = await transaction.query<{ readonly version: number; readonly encoding: string }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding`,
  );
  if (!server || server.version < OLDEST) {
    throw new Error(`traces need PostgreSQL 13 or newer, and this has the number ${server?.version}`);
  }
  if (server.encoding !== 'UTF8') {
    throw new Error(`traces need a database in the encoding UTF8, and this one has ${server.encoding}`);
  }
}

/** 0 for an empty schema. */
async function readVersion(transaction: SqlReader): Promise<number> {
  const [schema] = await transaction.query<{ readonly name: string | null; readonly tables: number }>(
    `SELECT current_schema() AS name, count(*) AS tables FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v', 'm', 'p', 'f')`,
  );
  if (!schema?.name)
    throw new Error('the search_path of the connection names no schema that is there; create it first');
  if (schema.tables === 0) return 0;
  const [found] = await transaction.query<{ readonly name: string | null }>(
    "SELECT to_regclass(quote_ident(current_schema()) || '.trace_store')::text AS name",
  );
  if (!found?.name) {
    throw new Error(
      `the schema ${schema.name} has tables of another program; give the traces a database or a schema of their own`,
    );
  }
  const [row] = await transaction.query<{ readonly version: number }>('SELECT version FROM trace_store');
  return row?.version ?? 0;
}

/** @throws Error where the tables are gone. */
async function readIdentity(reader: SqlReader): Promise<string> {
  const [row] = await reader.query<{ readonly identity: string }>('SELECT identity FROM trace_store');
  if (!row) throw new Error('the tables of the traces are empty of what names them; restore the database');
  return row.identity;
}
