import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compiled } from '../process/contestants.ts';
import { ask, preloaded } from '../process/preloaded.ts';
import type { Database } from './engine.ts';

export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  post(path: string, body: unknown): Promise<unknown>;
  get(path: string): Promise<string>;
  /** The longest time in which nothing else could run there since this was asked before, in milliseconds. */
  longestStall(): Promise<number>;
  /** Ends it as when the machine takes its memory: at once, and nothing is told. */
  kill(): Promise<void>;
}

/** A trace server as `serveAtOnce`, once it has loaded what it would load in its first seconds, while it is measured. */
export async function serve(database: Database, how: How = ''): Promise<Served> {
  const served = await serveAtOnce(database, how);
  const { status } = await fetch(`${served.url}/nowhere`);
  if (status !== 404) throw new Error(`a path that is not there was answered ${status}`);
  return served;
}

/** What `servers/traces.ts` tells of. */
export type How = 'apart' | 'log' | '';

/** A trace server of the built package over a database, in a process of its own, as soon as it answers. */
export async function serveAtOnce(database: Database, how: How = ''): Promise<Served> {
  const { server, end, url } = await start('traces', database, how);
  const base = `${url}/v1/organizations/default/`;
  return {
    url,
    pid: server.pid ?? 0,
    post: (path, body) => postTo(base + path, body),
    get: (path) => getFrom(base + path),
    longestStall: () => ask(server),
    async kill() {
      server.kill('SIGKILL');
      await end();
    },
    [Symbol.asyncDispose]: end,
  };
}

/** What asks a server of its own process for the rows of all blocks as JSON, to the end of its answer. */
export async function serveRows(database: Database): Promise<AsyncDisposable & { get(): Promise<string> }> {
  const { end, url } = await start('rows', database);
  return { get: () => getFrom(url), [Symbol.asyncDispose]: end };
}

/** A server that keeps nothing: it sends each block that it gets to all who follow it. */
export async function serveEcho(
  database: Database,
): Promise<AsyncDisposable & { url: string; post(block: unknown): Promise<unknown> }> {
  const { end, url } = await start('echo', database);
  return { url, post: (block) => postTo(url, block), [Symbol.asyncDispose]: end };
}

async function start(name: string, { place }: Database, ...args: readonly string[]) {
  const line = [...preloaded('stalls'), compiled(name), place, ...args];
  const server = spawn(process.execPath, line, { stdio: ['pipe', 'pipe', 'inherit', 'ipc'] });
  const { stdin, stdout } = server;
  // With a channel for messages the types no longer know that these are pipes.
  if (!stdin || !stdout) throw new Error(`${name} has no pipes`);
  const ended = once(server, 'exit');
  const [said] = await Promise.race([once(stdout.setEncoding('utf8'), 'data'), ended]);
  if (server.exitCode !== null) throw new Error(`${name} did not start; is ors-kit built? Run: make build`);
  const end = async () => {
    stdin.end();
    await ended;
  };
  return { server, end, url: String(said).trim() };
}

async function postTo(url: string, body: unknown): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

async function getFrom(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.text();
}

/** How many seconds some work took. */
export async function seconds(work: () => unknown): Promise<number> {
  const since = performance.now();
  await work();
  return (performance.now() - since) / 1_000;
}

/** Has `count` clients do `work` one after the other, each with its number and that of the work, until `goesOn` ends it. */
export async function together(
  count: number,
  goesOn: () => boolean,
  work: (client: number, turn: number) => Promise<unknown>,
): Promise<void> {
  let turn = 0;
  await Promise.all(
    Array.from({ length: count }, async (_, client) => {
      while (goesOn()) await work(client, turn++);
    }),
  );
}

/** Whether less than so many times were asked for. */
export const times = (count: number) => {
  let left = count;
  return () => left-- > 0;
};

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export const quantile = (values: readonly number[], part: number): number =>
  [...values].sort((one, other) => one - other)[Math.floor(part * (values.length - 1))] ?? Number.NaN;
