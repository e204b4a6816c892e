import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import build from '../support/build.mjs';

const path = (file) => fileURLToPath(new URL(file, import.meta.url));
const interpreter = path('../../.cache/python/bin/python');
let running;

/** Builds, and starts the process that Python scripts are forked from (python.ts). It imports at first use. */
export default async function setUp() {
  build();
  // Others than Linux have no Unix sockets that keep messages apart.
  if (process.platform !== 'linux' || !existsSync(interpreter)) return;
  const folder = mkdtempSync(join(tmpdir(), 'ors-kit-fork-'));
  const socket = join(folder, 'socket');
  const { OPENREWARD_LOG_LEVEL, ORS_LOG_LEVEL, ...inherited } = process.env;
  // The packages read the log level when they are imported.
  const env = { ...inherited, LOG_LEVEL: 'CRITICAL', OPENREWARD_DISABLE_UPDATE_CHECK: '1', PYTHONUNBUFFERED: '1' };
  const server = spawn(interpreter, [path('fork_server.py'), socket], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  running = { server, folder };
  await once(server.stdout, 'data');
  process.env.ORS_PYTHON_FORKS = socket;
}

export async function tearDown() {
  if (running === undefined) return;
  const { server, folder } = running;
  const ended = once(server, 'close');
  server.stdin.end();
  await ended;
  rmSync(folder, { recursive: true });
}
