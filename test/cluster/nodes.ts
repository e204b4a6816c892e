import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ORS, type RunningCommand, startCommand } from '../support/command.ts';
import { freePort } from '../support/free-ports.ts';

/** A server in a separate process. */
export interface ClusterNode {
  readonly tag: string;
  readonly address: string;
  readonly command: RunningCommand;
  /** The numbers of the tasks of which it has said something. */
  readonly said: (what: 'set up' | 'waiting' | 'torn down' | 'restored') => number[];
}

export interface Nodes extends AsyncDisposable {
  /** Those that run, and those that have ended, in the order of their start. */
  readonly all: readonly ClusterNode[];
  /** Starts one more; with an address where one has been before. */
  readonly start: (tag: string, address?: string) => Promise<ClusterNode>;
  /** Lets the calls pass that wait at a gate. */
  readonly open: (gate: string) => Promise<void>;
}

/** `ors serve`, as operators run it. */
export const SERVE: readonly string[] = [...ORS, 'serve', 'test/cluster/counting.mjs', '--drain-timeout', '600'];

/** Starts servers of the counting environment with the tags 0000, 0001, ... */
export async function startNodes(count: number, program = SERVE): Promise<Nodes> {
  const gates = await mkdtemp(join(tmpdir(), 'ors-kit-cluster-'));
  const all: ClusterNode[] = [];
  const start = async (tag: string, address?: string) => {
    const port = address ?? `127.0.0.1:${await freePort()}`;
    const node = await startNode(tag, port, program, gates);
    all.push(node);
    return node;
  };
  const dispose = async () => {
    await Promise.all(all.map(({ command }) => command[Symbol.asyncDispose]()));
    await rm(gates, { recursive: true });
  };
  try {
    await Promise.all(Array.from({ length: count }, (_, index) => start(tagOf(index))));
    all.sort((a, b) => a.tag.localeCompare(b.tag));
  } catch (error) {
    await dispose();
    throw error;
  }
  return { all, start, open: (gate) => writeFile(join(gates, gate), ''), [Symbol.asyncDispose]: dispose };
}

const tagOf = (index: number): string => index.toString(16).padStart(4, '0');

async function startNode(
  tag: string,
  address: string,
  program: readonly string[],
  gates: string,
): Promise<ClusterNode> {
  const port = address.slice(address.lastIndexOf(':') + 1);
  const command = startCommand([...program, '--log-level', 'warn'], { PORT: port, ORS_NODE_TAG: tag, GATES: gates });
  try {
    await command.says(/ors serves counting.* on \S+/);
  } catch (error) {
    await command[Symbol.asyncDispose]();
    throw error;
  }
  return {
    tag,
    address,
    command,
    said: (what) => [...command.said().matchAll(new RegExp(`^${what} (\\d+)$`, 'gm'))].map(([, n]) => Number(n)),
  };
}
