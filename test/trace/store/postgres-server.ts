import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Client } from 'pg';
import { openPostgres, type SqlDriver } from '../../../src/trace/store/index.ts';
import { createSqlStore } from '../../../src/trace/store/sql/sql-store.ts';
import type { TraceStore } from '../../../src/trace/store/trace-store.ts';
import { withDeadline } from '../../support/until.ts';

const run = promisify(execFile);

const START_MS = 60_000;
/** Maximum number of connections of a store. */
const CONNECTIONS = 4;

/** Deletes all rows except the identity of the store, with triggers disabled. */
const EMPTY_TABLES = `
SET session_replication_role = replica;
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'trace_store' LOOP
    EXECUTE format('DELETE FROM %I', name);
  END LOOP;
END $$`;

/** A PostgreSQL server with a new data folder, reached by a socket in it. */
export interface PostgresServer extends AsyncDisposable {
  /** Creates an empty schema and returns the URL of a store in it. */
  newUrl(): Promise<string>;
  /**
   * Opens a store in an empty schema. Another store may have used the schema and its connections: the migrations take
   * 150 ms, and each connection has to read the catalog.
   */
  openStore(options?: { readonly now?: () => number }): Promise<TraceStore>;
  /** Runs SQL on a separate connection. @returns the rows as printed by `psql -At`: lines, columns separated by `|`. */
  psql(url: string, sql: string): Promise<string>;
  /** Opens a transaction and leaves it open, so that its locks are held until it is rolled back. */
  hold(url: string, sql: string): Promise<HeldTransaction>;
  /** Kills the server at once, as a power failure does. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** A schema with the tables of a store, and connections to it. */
interface ConnectedSchema {
  readonly name: string;
  readonly driver: SqlDriver;
}

export interface HeldTransaction {
  rollBack(): Promise<void>;
}

/** Finds the folder of the PostgreSQL programs: first in PATH, then among those of Debian, newest version first. */
async function findPrograms(): Promise<string | undefined> {
  const debian = '/usr/lib/postgresql';
  const versions = (await readdir(debian).catch((): string[] => [])).sort((one, other) => Number(other) - Number(one));
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...versions.map((each) => join(debian, each, 'bin'))];
  for (const folder of folders) {
    const names = await readdir(folder).catch((): string[] => []);
    if (['initdb', 'postgres'].every((name) => names.includes(name))) return folder;
  }
  return undefined;
}

const programs = await findPrograms();

/** Finds a user for PostgreSQL, which rejects root: the user that its package creates. */
async function findUser(): Promise<{ readonly uid?: number; readonly gid?: number } | undefined> {
  if (process.getuid?.() !== 0) return {};
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => (await run('id', [flag, 'postgres'])).stdout),
    );
    return { uid: Number(uid), gid: Number(gid) };
  } catch {
    return undefined;
  }
}

const user = await findUser();

const hasPg = (): boolean => {
  try {
    createRequire(import.meta.url)('pg');
    return true;
  } catch {
    return false;
  }
};

/** Reason why PostgreSQL is not available; undefined if it is. */
export const postgresMissing = !programs
  ? 'PostgreSQL is not installed'
  : !user
    ? 'PostgreSQL does not run as root, and the user postgres does not exist'
    : hasPg()
      ? undefined
      : 'the package pg is not installed';
if (postgresMissing !== undefined && process.env.ORS_REQUIRED === 'postgres') throw new Error(postgresMissing);

const cache = fileURLToPath(new URL('../../../.cache/', import.meta.url));

/** Copies a data folder that `initdb` made once for this checkout: `initdb` takes a second of CPU time. */
async function makeData(programs: string, data: string, as: object): Promise<void> {
  const { stdout: version } = await run(join(programs, 'postgres'), ['--version']);
  const template = join(cache, `postgres-${/\d+(\.\d+)?/.exec(version)?.[0]}`);
  // The template may be a symbolic link, or that of another user.
  const copied = existsSync(template) ? run('cp', ['-RpH', template, data]) : Promise.reject();
  const isCopied = await copied.then(
    () => true,
    () => false,
  );
  if (isCopied) return;
  await rm(data, { recursive: true, force: true });
  const cluster = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--wal-segsize=4', '--no-sync'];
  await run(join(programs, 'initdb'), ['-D', data, ...cluster], as);
  await mkdir(cache, { recursive: true });
  const copy = await mkdtemp(`${template}-`);
  await run('cp', ['-Rp', data, copy]);
  // Another process may have been faster.
  await rename(join(copy, 'data'), template).catch(() => undefined);
  await rm(copy, { recursive: true });
}

/** Starts a server that is killed at the latest when this process exits. */
export async function startPostgres(): Promise<PostgresServer> {
  if (!programs || !user) throw new Error(postgresMissing);
  const { default: pg } = await import('pg');
  const folder = await mkdtemp(join(tmpdir(), 'ors-postgres-'));
  const data = join(folder, 'data');
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid ?? user.uid);
  const as = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  await makeData(programs, data, as);

  let server: ChildProcess | undefined;
  let schemas = 0;
  function endWithProcess(): void {
    server?.kill('SIGQUIT');
    // It may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
  process.once('exit', endWithProcess);
  const urlOf = (schema: string) =>
    `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(folder)}&options=-csearch_path%3D${schema}`;

  /** Connects; values are returned as the text that the server sends. */
  async function connect(url: string): Promise<Client> {
    const client = new pg.Client({ connectionString: url, types: { getTypeParser: () => String } });
    // A lost connection makes the query fail too.
    client.on('error', () => {});
    await client.connect();
    return client;
  }
  async function psql(url: string, sql: string): Promise<string> {
    const client = await connect(url);
    try {
      const results = [await client.query<unknown[]>({ text: sql, rowMode: 'array' })].flat();
      return results.flatMap(({ rows }) => rows.map((row) => row.map((value) => value ?? '').join('|'))).join('\n');
    } finally {
      await client.end();
    }
  }
  async function hold(url: string, sql: string): Promise<HeldTransaction> {
    const client = await connect(url);
    await client.query(`BEGIN; ${sql}`);
    return { rollBack: () => client.end() };
  }

  async function start(): Promise<void> {
    const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'max_connections=300'];
    const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
    const started = spawn(join(programs ?? '', 'postgres'), args, { ...as, stdio: 'ignore' });
    server = started;
    await untilReady(started);
  }

  async function untilReady(started: ChildProcess): Promise<void> {
    for (const end = performance.now() + START_MS; ; await delay(20)) {
      try {
        await psql(urlOf('public'), 'SELECT 1');
        return;
      } catch (error) {
        if (started.exitCode !== null || performance.now() > end) throw error;
      }
    }
  }

  /** SIGQUIT is what `pg_ctl stop -m immediate` sends. */
  async function kill(): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGQUIT');
    await withDeadline(ended, 'the end of PostgreSQL after SIGQUIT');
  }

  async function newSchema(): Promise<string> {
    const schema = `s${++schemas}`;
    await psql(urlOf('public'), `CREATE SCHEMA ${schema}`);
    return schema;
  }

  let emptying: Promise<Client> | undefined;
  /** Opens the connection that empties schemas. It stays open, because a new one reads the catalog again. */
  async function openEmptying(): Promise<Client> {
    const client = await connect(urlOf('public'));
    return client.once('end', () => {
      emptying = undefined;
    });
  }

  const connected: ConnectedSchema[] = [];
  const emptied: ConnectedSchema[] = [];
  async function connectSchema(): Promise<ConnectedSchema> {
    const name = await newSchema();
    const schema = { name, driver: await openPostgres({ url: urlOf(name), max: CONNECTIONS }) };
    connected.push(schema);
    return schema;
  }
  async function openStore({ now = Date.now }: { readonly now?: () => number } = {}): Promise<TraceStore> {
    const schema = emptied.pop() ?? (await connectSchema());
    const store = createSqlStore({ ...schema.driver, close: async () => {} }, now);
    return {
      ...store,
      async [Symbol.asyncDispose]() {
        await store.close();
        emptying ??= openEmptying();
        await (await emptying).query(`SET search_path = ${schema.name}; ${EMPTY_TABLES}`);
        emptied.push(schema);
      },
    };
  }

  await start();
  return {
    psql,
    hold,
    kill,
    start,
    newUrl: async () => urlOf(await newSchema()),
    openStore,
    async [Symbol.asyncDispose]() {
      await Promise.all(connected.map(({ driver }) => driver.close()));
      await kill();
      process.off('exit', endWithProcess);
      await rm(folder, { recursive: true });
    },
  };
}
