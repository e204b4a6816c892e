import type { Client } from 'pg';
import { type PostgresServer, startPostgres } from '../../test/trace/store/postgres-server.ts';
import { countRows, type Database, type Engine } from './engine.ts';
import { runClients, seconds, times } from './trace-server.ts';

/** Starts a PostgreSQL server. Each database is a new schema. */
export async function openPostgres(): Promise<Engine> {
  const server = await startPostgres();
  return {
    version: `PostgreSQL ${await server.psql(await server.newUrl(), 'SHOW server_version')}`,
    isParallel: true,
    create: () => createSchema(server),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function createSchema(server: PostgresServer): Promise<Database> {
  const location = await server.newUrl();
  return {
    location,
    async insertBare(rows, count, writers) {
      const clients = await Promise.all(Array.from({ length: writers }, () => connect(location)));
      const values = [rows.map(({ id }) => id), rows.map(({ payload }) => payload)];
      const sql = 'INSERT INTO public.bare (id, payload) SELECT * FROM unnest($1::text[], $2::text[])';
      await clients[0]?.query(
        'CREATE TABLE IF NOT EXISTS public.bare (rid bigserial PRIMARY KEY, id text, payload text)',
      );
      const write = () => runClients(writers, times(count), async (writer) => clients[writer]?.query(sql, values));
      await write();
      const duration = await seconds(write);
      await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
      return duration;
    },
    async readRows() {
      await using client = await connect(location);
      JSON.stringify((await client.query('SELECT * FROM trace_blocks')).rows);
    },
    async bytes() {
      await using client = await connect(location);
      const { rows } = await client.query(
        `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class
         WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`,
      );
      return Number(rows[0].bytes);
    },
    async countBlocks(ids) {
      await using client = await connect(location);
      return countRows((await client.query('SELECT id FROM trace_blocks')).rows, ids);
    },
    async [Symbol.asyncDispose]() {},
  };
}

type PgConnection = Pick<Client, 'query'> & AsyncDisposable;

async function connect(connectionString: string): Promise<PgConnection> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString });
  await client.connect();
  return { query: client.query.bind(client), [Symbol.asyncDispose]: () => client.end() };
}
