import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { tailOf } from '../../src/core/node/index.ts';
import type { Player, PlayerName } from './players.ts';
import type { Answer, Order } from './programs/orders.ts';

export interface PlayerProcess {
  name: PlayerName;
  /** Gives one order; rejects if the player ends before it answers. */
  play(order: Order): Promise<Answer>;
  /** Files that are open now, sockets included; 0 where the system does not tell. */
  openFiles(): number;
  /** Bytes of resident memory: now, and the most so far; NaN where the system does not tell. */
  memory(): { now: number; peak: number };
  [Symbol.asyncDispose](): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Nobody's own keys and servers, no proxy before the loopback, no question to a package index. */
const environment = {
  ...{ ORS_API_KEY: '', OPENREWARD_API_KEY: '', NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
  ...{ OPENREWARD_DISABLE_UPDATE_CHECK: '1', PYTHONDONTWRITEBYTECODE: '1', NODE_ENV: 'production' },
};

/** Starts a player against the server on a port. It runs on the core of this process, and ends with it. */
export function startPlayer({ name, command, args }: Player, port: number): PlayerProcess {
  const child = spawn(command, [...args, `http://127.0.0.1:${port}`], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  running.add(child);
  const complaint = tailOf(child.stderr, 2_000);
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => reject(new Error(`The player ended: ${complaint().trim() || 'it said nothing'}`)));
  });
  ended.catch(() => running.delete(child));
  child.stdin.on('error', () => undefined);
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  return {
    name,
    async play(order) {
      child.stdin.write(`${JSON.stringify(order)}\n`);
      const { value } = await Promise.race([answers.next(), ended]);
      return value === undefined ? ended : JSON.parse(value);
    },
    openFiles: () => countOpenFiles(child.pid),
    memory: () => memoryOf(child.pid),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended.catch(() => undefined);
    },
  };
}

/** Ends the players that are still there, without waiting for them. */
export function killPlayers(): void {
  for (const child of running) child.kill('SIGKILL');
}

function countOpenFiles(pid: number | undefined): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

function memoryOf(pid: number | undefined): { now: number; peak: number } {
  let status = '';
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // Not Linux, or ended: the figures are NaN.
  }
  const bytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}
