import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Connection, httpRequest } from '../load/connection.ts';
import { ors } from '../load/ors.ts';
import type { ProtocolServer } from '../load/protocol.ts';
import { type Contestant, compileServer } from './contestants.ts';
import { pinToServerCore } from './pinning.ts';
import { cpuMicroseconds, openFileLimit, residentBytes } from './proc.ts';

export interface ServerProcess extends ProtocolServer {
  name: string;
  pid: number;
  child: ChildProcess;
  /** Milliseconds from the start of the process to its first response. */
  startupMs: number;
  /** CPU time of all threads so far, in microseconds. */
  cpu(): number;
  /** Resident memory in bytes. */
  memory(): number;
  openFileLimit(): number;
  [Symbol.asyncDispose](): Promise<void>;
}

const running = new Map<ChildProcess, string>();
const START_TIMEOUT_MS = 60_000;
const health = httpRequest('GET', '/health');

/** Makes servers log only warnings, and query no package index. */
const environment = {
  NODE_ENV: 'production',
  ORS_LOG_LEVEL: 'WARNING',
  OPENREWARD_LOG_LEVEL: 'WARNING',
  OPENREWARD_DISABLE_UPDATE_CHECK: '1',
};

/**
 * Starts the server of a contestant on a free port, and resolves when it responds on `/health`.
 *
 * @param nodeFlags Node options, such as those of `preloadFlags`; with any, the child has an IPC channel.
 */
export async function startServer(contestant: Contestant, nodeFlags: readonly string[] = []): Promise<ServerProcess> {
  const port = await freePort();
  const line = [contestant.command, ...nodeFlags, ...contestant.args];
  const [command, ...args] = contestant.usesAllCores ? line : pinToServerCore(line);
  const from = performance.now();
  const child = spawn(command ?? contestant.command, args, {
    stdio: ['ignore', 'ignore', 'pipe', nodeFlags.length > 0 ? 'ipc' : 'ignore'],
    env: { ...process.env, ...environment, PORT: String(port) },
  });
  running.set(child, contestant.name);
  let stderr = '';
  child.on('error', (error) => {
    stderr = error.message;
  });
  child.stderr?.on('data', (part) => {
    stderr = (stderr + part).slice(-2000);
  });
  child.once('exit', () => running.delete(child));

  const pid = child.pid ?? 0;
  const server: ServerProcess = {
    name: contestant.name,
    port,
    protocol: contestant.protocol ?? ors,
    pid,
    child,
    startupMs: 0,
    cpu: () => cpuMicroseconds(pid),
    memory: () => residentBytes(pid),
    openFileLimit: () => openFileLimit(pid),
    [Symbol.asyncDispose]: () => stop(child),
  };
  await waitUntilHealthy(server, () => stderr);
  return { ...server, startupMs: performance.now() - from };
}

/** Kills the running servers, of one contestant or of all, without waiting for their exit. */
export function killServers(name?: string): void {
  for (const [child, owner] of running) if (name === undefined || name === owner) child.kill('SIGKILL');
}

/** Kills instead of shutting down: a benchmark has no data to save, and draining 10,000 sessions takes long. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}

async function waitUntilHealthy(server: ServerProcess, stderr: () => string): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const alive = server.child.exitCode === null && server.child.signalCode === null && server.child.pid !== undefined;
    if (!alive)
      throw new Error(`the server '${server.name}' did not start: ${stderr().trim() || 'it printed nothing'}`);
    if (await isHealthy(server.port)) return;
    await sleep(2);
  }
  await stop(server.child);
  throw new Error(
    `the server '${server.name}' did not respond on /health in ${START_TIMEOUT_MS / 1000} s: ${stderr()}`,
  );
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    const connection = await Connection.open(port);
    const { status } = await connection.send(health).finally(() => connection.close());
    return status === 200;
  } catch {
    return false;
  }
}

/** Finds a free port on the loopback interface. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('the system assigned no free port');
  return address.port;
}

/** Node options that load one of the `bench/servers/preload-*` modules before the program. */
export const preloadFlags = (
  name: 'event-loop-delay' | 'heap-usage' | 'profiler',
  ...flags: readonly string[]
): readonly string[] => [...flags, '--import', pathToFileURL(compileServer(`preload-${name}`)).href];

/** Requests the reading of the preloaded module `heap-usage` or `event-loop-delay`. */
export async function readPreload(child: ChildProcess): Promise<number> {
  const settled = new AbortController();
  const { signal } = settled;
  const exited = once(child, 'exit', { signal }).then(() => {
    throw new Error('the server exited before it sent its reading');
  });
  const answered = once(child, 'message', { signal });
  child.send('');
  const [value] = await Promise.race([answered, exited]).finally(() => settled.abort());
  return value;
}
