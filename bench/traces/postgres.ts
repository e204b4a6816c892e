import type { Client } from 'pg';
import { type PostgresServer, startPostgres } from '../../test/trace/store/postgres-server.ts';
import { countOf, type Database, type Engine } from './engine.ts';
import { seconds, times, together } from './place.ts';

/** A server of its own, and a new schema per database. */
export async function postgres(): Promise<Engine> {
  const server = await startPostgres();
  return {
    version: `PostgreSQL ${await server.psql(await server.newUrl(), 'SHOW server_version')}`,
    isParallel: true,
    create: () => createSchema(server),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function createSchema(server: PostgresServer): Promise<Database> {
  const place = await server.newUrl();
  return {
    place,
    async writeBare(rows, count, writers) {
      const clients = await Promise.all(Array.from({ length: writers }, () => connect(place)));
      const values = [rows.map(({ id }) => id), rows.map(({ payload }) => payload)];
      const sql = 'INSERT INTO public.bare (id, payload) SELECT * FROM unnest($1::text[], $2::text[])';
      await clients[0]?.query(
        'CREATE TABLE IF NOT EXISTS public.bare (rid bigserial PRIMARY KEY, id text, payload text)',
      );
      const write = () => together(writers, times(count), async (writer) => clients[writer]?.query(sql, values));
      await write();
      const took = await seconds(write);
      await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
      return took;
    },
    async readRows() {
      await using client = await connect(place);
      JSON.stringify((await client.query('SELECT * FROM trace_blocks')).rows);
    },
    async bytes() {
      await using client = await connect(place);
      const { rows } = await client.query(
        `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class
         WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`,
      );
      return Number(rows[0].bytes);
    },
    async countBlocks(ids) {
      await using client = await connect(place);
      return countOf((await client.query('SELECT id FROM trace_blocks')).rows, ids);
    },
    async [Symbol.asyncDispose]() {},
  };
}

type Connected = Pick<Client, 'query'> & AsyncDisposable;

async function connect(connectionString: string): Promise<Connected> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString });
  await client.connect();
  return { query: client.query.bind(client), [Symbol.asyncDispose]: () => client.end() };
}
