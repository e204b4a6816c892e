import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Connection, httpRequest } from '../load/connection.ts';
import { compiled } from '../process/contestants.ts';
import { ask, preloaded } from '../process/preloaded.ts';
import type { Database } from './engine.ts';

export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  post(path: string, body: object): Promise<unknown>;
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
  const { server, end, url, caller } = await start('traces', database, how);
  const base = '/v1/organizations/default/';
  return {
    url,
    pid: server.pid ?? 0,
    post: (path, body) => caller.post(base + path, body),
    get: (path) => caller.get(base + path),
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
  const { end, caller } = await start('rows', database);
  return { get: () => caller.get('/'), [Symbol.asyncDispose]: end };
}

/** A server that keeps nothing: it sends each block that it gets to all who follow it. */
export async function serveEcho(
  database: Database,
): Promise<AsyncDisposable & { url: string; post(block: object): Promise<unknown> }> {
  const { end, url, caller } = await start('echo', database);
  return { url, post: (block) => caller.post('/', block), [Symbol.asyncDispose]: end };
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
  const url = String(said).trim();
  const caller = callerOf(url);
  const end = async () => {
    caller.close();
    stdin.end();
    await ended;
  };
  return { server, end, url, caller };
}

/** Asks a server by as many connections as requests are under way at once, with little work for each. */
function callerOf(url: string) {
  const { port } = new URL(url);
  const idle: Connection[] = [];
  const call = async (expected: number, ...request: Parameters<typeof httpRequest>): Promise<string> => {
    const connection = idle.pop() ?? (await Connection.open(Number(port)));
    const { status, body } = await connection.send(httpRequest(...request));
    idle.push(connection);
    if (status !== expected) throw new Error(`${status} ${body}`);
    return body;
  };
  return {
    post: (path: string, body: object): Promise<string> => call(201, 'POST', path, undefined, body),
    get: (path: string): Promise<string> => call(200, 'GET', path),
    close() {
      for (const connection of idle.splice(0)) connection.close();
    },
  };
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
