import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../process/server-process.ts';
import type { blocksOf } from './bodies.ts';
import type { Contestant } from './contestant.ts';
import { makeFolder } from './folder.ts';
import { exportOf, spanIdOf } from './otlp.ts';
import { openFile } from './sqlite.ts';

const program = fileURLToPath(new URL('../../.cache/phoenix/bin/phoenix', import.meta.url));

/** Why Phoenix cannot be measured here, if it cannot. */
export const phoenixMissing = existsSync(program)
  ? undefined
  : 'Arize Phoenix is not installed; run: sh bench/traces/phoenix.sh';

const START_MS = 120_000;

/** Arize Phoenix on a SQLite file of its own, as it sets itself up, but that it tells nobody outside of this machine. */
export async function startPhoenix(): Promise<Contestant> {
  const folder = makeFolder();
  const file = folder.path('phoenix.db');
  const [port, grpcPort] = [await freePort(), await freePort()];
  const server = spawn(program, ['serve'], {
    cwd: folder.path('.'),
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: folder.path('.'),
      PHOENIX_WORKING_DIR: folder.path('.'),
      PHOENIX_SQL_DATABASE_URL: `sqlite:///${file}`,
      PHOENIX_HOST: '127.0.0.1',
      PHOENIX_PORT: String(port),
      PHOENIX_GRPC_PORT: String(grpcPort),
      PHOENIX_TELEMETRY_ENABLED: 'false',
      PHOENIX_ALLOW_EXTERNAL_RESOURCES: 'false',
    },
  });
  const ended = once(server, 'exit');
  process.once('exit', () => server.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  const isThere = async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.ok ?? false;
  for (const end = performance.now() + START_MS; !(await isThere()); await delay(100)) {
    if (server.exitCode !== null || performance.now() > end) throw new Error('Phoenix did not start');
  }
  const kill = async () => {
    server.kill('SIGKILL');
    await ended;
  };
  const storedIds = async () => {
    using database = await openFile(file);
    return (database.prepare('SELECT span_id FROM spans').all() as { span_id: string }[]).map((row) => row.span_id);
  };
  return {
    write: (client, blocks) => send(url, `client ${client}`, blocks),
    async countStored(ids) {
      const wanted = new Set([...ids].map(spanIdOf));
      return (await storedIds()).filter((id) => wanted.has(id)).length;
    },
    kill,
    bytes: () => statSync(file).size,
    async [Symbol.asyncDispose]() {
      await kill();
      folder[Symbol.dispose]();
    },
  };
}

/** It refuses what it has no room for, and then is asked again, as exporters of OpenTelemetry do. */
async function send(url: string, trace: string, blocks: ReturnType<typeof blocksOf>): Promise<void> {
  const body = new Uint8Array(exportOf(trace, blocks));
  for (;;) {
    const headers = { 'Content-Type': 'application/x-protobuf' };
    const response = await fetch(`${url}/v1/traces`, { method: 'POST', headers, body });
    const text = await response.text();
    if (response.ok) return;
    if (response.status !== 503 && response.status !== 429) throw new Error(`${response.status} ${text}`);
    await delay(100);
  }
}

/** The version that is installed here. */
export const phoenixVersion = (): string =>
  /arize-phoenix==(\S+)/.exec(readFileSync(new URL('./phoenix-requirements.txt', import.meta.url), 'utf8'))?.[1] ?? '';
