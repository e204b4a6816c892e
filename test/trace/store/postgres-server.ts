import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const START_MS = 60_000;

/** A PostgreSQL of its own in a new folder, reached by a socket in it. */
export interface PostgresServer extends AsyncDisposable {
  /** A new empty schema, as the url of a store. */
  newUrl(): Promise<string>;
  /** What `psql` says to a statement, rows by lines and columns by `|`. @throws Error with what it complains of. */
  psql(url: string, sql: string): Promise<string>;
  /** Ends it at once, as when the power goes. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Where the programs of PostgreSQL are: in PATH, or where Debian puts them, the newest first. */
async function findPrograms(): Promise<string | undefined> {
  const debian = '/usr/lib/postgresql';
  const versions = (await readdir(debian).catch((): string[] => [])).sort((one, other) => Number(other) - Number(one));
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...versions.map((each) => join(debian, each, 'bin'))];
  for (const folder of folders) {
    const names = await readdir(folder).catch((): string[] => []);
    if (['initdb', 'postgres', 'psql'].every((name) => names.includes(name))) return folder;
  }
  return undefined;
}

const programs = await findPrograms();

/** PostgreSQL refuses to run as root: then it runs as the user that its package makes. */
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

/** Why there is no PostgreSQL here, if there is none. */
export const postgresMissing = !programs
  ? 'PostgreSQL is not installed'
  : !user
    ? 'PostgreSQL does not run as root, and there is no user postgres'
    : hasPg()
      ? undefined
      : 'the package pg is not installed';
if (postgresMissing !== undefined && process.env.ORS_REQUIRED === 'postgres') throw new Error(postgresMissing);

/** A server that ends with this process at the latest. */
export async function startPostgres(): Promise<PostgresServer> {
  if (!programs || !user) throw new Error(postgresMissing);
  const folder = await mkdtemp(join(tmpdir(), 'ors-postgres-'));
  const data = join(folder, 'data');
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid ?? user.uid);
  const as = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  const cluster = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  await run(join(programs, 'initdb'), cluster, as);

  let server: ChildProcess | undefined;
  let schemas = 0;
  process.once('exit', () => {
    server?.kill('SIGQUIT');
    // It may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  const urlOf = (schema: string) =>
    `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(folder)}&options=-csearch_path%3D${schema}`;
  const psql = async (url: string, sql: string) => {
    const args = [url, '-X', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-c', sql];
    return (await run(join(programs, 'psql'), args, { env: as.env })).stdout.trim();
  };

  async function start(): Promise<void> {
    const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'max_connections=300'];
    const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
    const started = spawn(join(programs ?? '', 'postgres'), args, { ...as, stdio: 'ignore' });
    server = started;
    await untilReady(started);
  }

  async function untilReady(started: ChildProcess): Promise<void> {
    for (const end = performance.now() + START_MS; ; await delay(50)) {
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
    await ended;
  }

  await start();
  return {
    psql,
    kill,
    start,
    async newUrl() {
      const schema = `s${++schemas}`;
      await psql(urlOf('public'), `CREATE SCHEMA ${schema}`);
      return urlOf(schema);
    },
    async [Symbol.asyncDispose]() {
      await kill();
      await rm(folder, { recursive: true });
    },
  };
}
