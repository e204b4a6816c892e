import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import build from '../support/build.mjs';

const path = (file) => fileURLToPath(new URL(file, import.meta.url));
const interpreter = path('../../.cache/python/bin/python');
// The log level is read when the package is imported: servers log only critical errors.
const levels = { SCRIPTS: undefined, SERVERS: 'CRITICAL' };
const running = [];

/** Builds, and starts the processes that Python scripts are forked from (python-packages.ts). They import at first use. */
export default async function setUp() {
  build();
  // Others than Linux have no Unix sockets that keep messages apart.
  if (process.platform !== 'linux' || !existsSync(interpreter)) return;
  await Promise.all(Object.entries(levels).map(([name, level]) => startForkServer(name, level)));
}

async function startForkServer(name, level) {
  const folder = mkdtempSync(join(tmpdir(), 'ors-kit-fork-'));
  const socket = join(folder, 'socket');
  const { OPENREWARD_LOG_LEVEL, LOG_LEVEL, ...inherited } = process.env;
  const env = {
    ...inherited,
    ...(level && { LOG_LEVEL: level }),
    ...{ OPENREWARD_DISABLE_UPDATE_CHECK: '1', PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1' },
  };
  const server = spawn(interpreter, [path('fork_server.py'), socket], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  running.push({ server, folder });
  await once(server.stdout, 'data');
  process.env[`ORS_FORKS_OF_${name}`] = socket;
}

export async function tearDown() {
  for (const { server, folder } of running.splice(0)) {
    const ended = once(server, 'close');
    server.stdin.end();
    await ended;
    rmSync(folder, { recursive: true });
  }
}
