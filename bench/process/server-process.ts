import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { tailOf } from '../../src/core/node/index.ts';
import { Connection, httpRequest } from '../load/connection.ts';
import type { Contestant } from './contestants.ts';
import { onServerCore } from './pinning.ts';
import { cpuMicroseconds, openFileLimit, residentBytes } from './proc.ts';

export interface ServerProcess {
  name: string;
  port: number;
  child: ChildProcess;
  /** Milliseconds from the start of the process to its first answer. */
  startedAfterMs: number;
  /** CPU time so far, in microseconds, of all threads. */
  cpu(): number;
  /** Resident memory in bytes. */
  memory(): number;
  openFileLimit(): number;
  [Symbol.asyncDispose](): Promise<void>;
}

const running = new Map<ChildProcess, string>();
/** A busy machine takes its time. */
const startLimitMs = 60_000;
const health = httpRequest('GET', '/health');

/** Servers log what is wrong and nothing else, and ask no package index. */
const environment = {
  NODE_ENV: 'production',
  ORS_LOG_LEVEL: 'WARNING',
  OPENREWARD_LOG_LEVEL: 'WARNING',
  OPENREWARD_DISABLE_UPDATE_CHECK: '1',
};

/**
 * Starts the server of a contestant on a free port, and resolves when it answers on `/health`. With `nodeFlags` it
 * also has a channel for messages.
 */
export async function startServer(contestant: Contestant, nodeFlags: readonly string[] = []): Promise<ServerProcess> {
  const port = await freePort();
  const line = [contestant.command, ...nodeFlags, ...contestant.args];
  const [command, ...args] = contestant.usesAllCores ? line : onServerCore(line);
  const from = performance.now();
  const child = spawn(command ?? contestant.command, args, {
    stdio: ['ignore', 'ignore', 'pipe', nodeFlags.length > 0 ? 'ipc' : 'ignore'],
    env: { ...process.env, ...environment, PORT: String(port) },
  });
  running.set(child, contestant.name);
  let failure = '';
  child.on('error', (error) => {
    failure = error.message;
  });
  const complaint = child.stderr ? tailOf(child.stderr, 2_000) : () => '';
  child.once('exit', () => running.delete(child));

  const pid = child.pid ?? 0;
  const server: ServerProcess = {
    name: contestant.name,
    port,
    child,
    startedAfterMs: 0,
    cpu: () => cpuMicroseconds(pid),
    memory: () => residentBytes(pid),
    openFileLimit: () => openFileLimit(pid),
    [Symbol.asyncDispose]: () => stop(child),
  };
  await untilHealthy(server, () => failure || complaint());
  return { ...server, startedAfterMs: performance.now() - from };
}

/** Ends the servers that are still there, of one contestant or of all, without waiting for them. */
export function killServers(name?: string): void {
  for (const [child, owner] of running) if (name === undefined || name === owner) child.kill('SIGKILL');
}

/** Servers of a benchmark hold nothing that is worth a graceful end, and draining 10,000 sessions would take long. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}

async function untilHealthy(server: ServerProcess, complaint: () => string): Promise<void> {
  const deadline = performance.now() + startLimitMs;
  while (performance.now() < deadline) {
    const alive = server.child.exitCode === null && server.child.signalCode === null && server.child.pid !== undefined;
    if (!alive)
      throw new Error(`The server '${server.name}' did not start: ${complaint().trim() || 'it said nothing'}`);
    if (await isHealthy(server.port)) return;
    await sleep(2);
  }
  await stop(server.child);
  throw new Error(`The server '${server.name}' did not answer on /health in ${startLimitMs / 1000} s: ${complaint()}`);
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

/** Returns a port of loopback on which nobody listens. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The system gave no free port');
  return address.port;
}
