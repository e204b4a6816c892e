import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { openPostgresStore, openSqliteStore, type TraceStore } from '../../../src/trace/store/index.ts';
import { loadNodePostgres, pgTypes } from '../../../src/trace/store/sql/postgres/node-postgres.ts';
import { migratePostgres, schemaVersions as postgresVersions } from '../../../src/trace/store/sql/postgres/schema.ts';
import { openSqliteConnection } from '../../../src/trace/store/sql/sqlite/connection.ts';
import { loadEngine } from '../../../src/trace/store/sql/sqlite/engine.ts';
import { migrateSqlite, schemaVersions as sqliteVersions } from '../../../src/trace/store/sql/sqlite/schema.ts';
import { newestVersion } from '../../../src/trace/store/sql/tables.ts';
import { describeUnless } from '../../support/optional.ts';
import { postgresMissing, startPostgres } from './postgres-server.ts';
import { newFolder, ORG, openConversation, post, result, sqliteMissing } from './stores.ts';

const server = postgresMissing === undefined ? await startPostgres() : undefined;

afterAll(async () => server?.[Symbol.asyncDispose]());

/** An invented second version: a new column, and an index that needs it. */
const NEXT = `
ALTER TABLE trace_details ADD COLUMN note text;
CREATE INDEX details_by_note ON trace_details (note);
`;
const BROKEN = `${NEXT} INSERT INTO no_such_table VALUES (1);`;

async function fill(store: TraceStore): Promise<void> {
  const id = await openConversation(store);
  await post(store, id, { blocks: [result({ output: 'x', seq: 0 }, { reward: 0.5 })] });
  await store.close();
}

/** A database of either engine. */
interface MigratedDatabase {
  open(): Promise<TraceStore>;
  migrate(versions: readonly string[]): Promise<unknown>;
  /** Reads the number that each statement selects. */
  read(...statements: readonly string[]): Promise<readonly number[]>;
}

interface MigrationSuite {
  readonly versions: readonly string[];
  /** Selects the version that is stored in the database. */
  readonly version: string;
  withDatabase(use: (database: MigratedDatabase) => Promise<void>): Promise<void>;
}

const EMPTY_NOTES = 'SELECT count(*) FROM trace_details WHERE trace_details.note IS NULL';

function testMigrations({ versions, version, withDatabase }: MigrationSuite): void {
  const next = [...versions, NEXT];

  test('creates all versions in an empty database', () =>
    withDatabase(async (database) => {
      await database.migrate(next);

      expect(await database.read(version, EMPTY_NOTES)).toEqual([newestVersion(next), 0]);
    }));

  test('adds a newer version and keeps the contents', () =>
    withDatabase(async (database) => {
      await fill(await database.open());

      await database.migrate(next);
      await database.migrate(next);

      expect(await database.read(version, EMPTY_NOTES)).toEqual([newestVersion(next), 1]);
    }));

  test('opens a database that was made before traces had parents', () =>
    withDatabase(async (database) => {
      await database.migrate(versions.slice(0, 2));

      await using store = await database.open();
      await store.createTrace(ORG, { id: 'tr_child', run: 'r', parent_trace_id: 'tr_old', parent_calls: 2 });

      expect(await database.read("SELECT parent_calls FROM traces WHERE parent_trace_id = 'tr_old'")).toEqual([2]);
      expect(await store.trace(ORG, 'tr_child')).toMatchObject({ parent_trace_id: 'tr_old', parent_calls: 2 });
    }));

  test('rejects a database of a newer version than it knows', () =>
    withDatabase(async (database) => {
      await fill(await database.open());
      await database.migrate(next);

      await expect(database.open()).rejects.toThrow(
        `has version ${newestVersion(next)} of the trace tables, and this ors-kit knows ${newestVersion(versions)}`,
      );
    }));

  test('leaves the database unchanged if a version fails', () =>
    withDatabase(async (database) => {
      await fill(await database.open());

      await expect(database.migrate([...versions, BROKEN])).rejects.toThrow('no_such_table');

      expect(await database.read(version)).toEqual([newestVersion(versions)]);
      await expect(database.read(EMPTY_NOTES)).rejects.toThrow('note');
      await using store = await database.open();
      expect(await store.blocks(ORG, 'tr_test')).toHaveLength(3);
      expect(await store.verify()).toEqual([]);
    }));
}

describe('a migration', () => {
  describeUnless(sqliteMissing)('of SQLite', () => {
    async function withDatabase(use: (database: MigratedDatabase) => Promise<void>): Promise<void> {
      await using folder = await newFolder();
      const path = join(folder.path, 'traces.db');
      const read = async (...statements: readonly string[]) => {
        const database = loadEngine().open(path);
        try {
          return statements.map((sql) => Number(Object.values(database.prepare(sql).all()[0] as object)[0]));
        } finally {
          database.close();
        }
      };
      await use({
        open: () => openSqliteStore({ path }),
        async migrate(versions) {
          const connection = await openSqliteConnection(loadEngine(), path);
          try {
            await migrateSqlite(connection, path, versions);
          } finally {
            connection.close();
          }
        },
        read,
      });
    }

    testMigrations({ versions: sqliteVersions, version: 'PRAGMA user_version', withDatabase });

    test('may rebuild a table that others refer to', () =>
      withDatabase(async (database) => {
        await fill(await database.open());
        const rebuild = `
          DROP TRIGGER traces_belong_to_their_organization;
          CREATE TABLE new_organizations (rid INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, note TEXT) STRICT;
          INSERT INTO new_organizations (rid, name) SELECT rid, name FROM organizations;
          DROP TABLE organizations;
          ALTER TABLE new_organizations RENAME TO organizations;`;

        await database.migrate([...sqliteVersions, rebuild]);

        expect(
          await database.read('SELECT count(*) FROM organizations', 'SELECT count(*) FROM pragma_foreign_key_check'),
        ).toEqual([1, 0]);
      }));
  });

  describeUnless(postgresMissing)('of PostgreSQL', () => {
    async function withDatabase(use: (database: MigratedDatabase) => Promise<void>): Promise<void> {
      const url = (await server?.newUrl()) ?? '';
      const read = async (...statements: readonly string[]) => {
        const values: number[] = [];
        for (const sql of statements) values.push(Number(await server?.psql(url, sql)));
        return values;
      };
      await use({
        open: () => openPostgresStore({ url }),
        async migrate(versions) {
          const pool = new (loadNodePostgres().Pool)({
            connectionString: url,
            connectionTimeoutMillis: 10_000,
            keepAlive: false,
            fallback_application_name: 'ors-kit',
            max: 1,
            types: pgTypes,
            onConnect: async () => {},
          });
          try {
            await migratePostgres(pool, versions);
          } finally {
            await pool.end();
          }
        },
        read,
      });
    }

    testMigrations({ versions: postgresVersions, version: 'SELECT version FROM trace_store', withDatabase });
  });
});
