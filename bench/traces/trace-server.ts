import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Connection, httpRequest } from '../load/connection.ts';
import { compileServer } from '../process/contestants.ts';
import { preloadFlags, readPreload } from '../process/server-process.ts';
import type { Database } from './engine.ts';

export interface TraceServer extends AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
  readonly pid: number;
  post(path: string, body: object): Promise<unknown>;
  get(path: string): Promise<string>;
  /** The longest event-loop delay of the server since the previous request for it, in milliseconds. */
  longestDelay(): Promise<number>;
  /** Kills it without a shutdown, like the kernel does when memory runs out. */
  kill(): Promise<void>;
}

type Preload = Parameters<typeof preloadFlags>[0];

/** Starts a trace server, and waits until it has loaded the modules that it loads lazily after its start. */
export async function serve(database: Database, mode: ServerMode = '', preload?: Preload): Promise<TraceServer> {
  const server = await serveUnwarmed(database, mode, preload);
  const { status } = await fetch(`${server.url}/nowhere`);
  if (status !== 404) throw new Error(`an unknown path returned the status ${status}`);
  return server;
}

/** See `servers/traces.ts`. */
export type ServerMode = 'separate' | 'long-wal' | '';

/** Starts a trace server of the built package in a separate process, and resolves as soon as it responds. */
export async function serveUnwarmed(
  database: Database,
  mode: ServerMode = '',
  preload?: Preload,
): Promise<TraceServer> {
  const { child, end, url, client } = await start('traces', database, [mode], preload);
  const base = '/v1/organizations/default/';
  return {
    url,
    child,
    pid: child.pid ?? 0,
    post: (path, body) => client.post(base + path, body),
    get: (path) => client.get(base + path),
    longestDelay: () => readPreload(child),
    async kill() {
      child.kill('SIGKILL');
      await end();
    },
    [Symbol.asyncDispose]: end,
  };
}

/** Starts a server that sends the rows of all blocks as JSON. `get` reads the whole response. */
export async function serveRows(database: Database): Promise<AsyncDisposable & { get(): Promise<string> }> {
  const { end, client } = await start('trace-rows', database);
  return { get: () => client.get('/'), [Symbol.asyncDispose]: end };
}

/** Starts a server that sends each posted block to all followers, without storing it. */
export async function serveEcho(
  database: Database,
): Promise<AsyncDisposable & { url: string; post(block: object): Promise<unknown> }> {
  const { end, url, client } = await start('event-echo', database);
  return { url, post: (block) => client.post('/', block), [Symbol.asyncDispose]: end };
}

async function start(
  name: string,
  { location }: Database,
  args: readonly string[] = [],
  preload: Preload = 'event-loop-delay',
) {
  const line = [...preloadFlags(preload), compileServer(name), location, ...args];
  const child = spawn(process.execPath, line, { stdio: ['pipe', 'pipe', 'inherit', 'ipc'] });
  const { stdin, stdout } = child;
  // With an IPC channel, the types do not know that these are pipes.
  if (!stdin || !stdout) throw new Error(`${name} has no pipes`);
  const exited = once(child, 'exit');
  const [printed] = await Promise.race([once(stdout.setEncoding('utf8'), 'data'), exited]);
  if (child.exitCode !== null) throw new Error(`${name} did not start. If ors-kit is not built, run: make build`);
  const url = String(printed).trim();
  const client = createClient(url);
  const end = async () => {
    client.close();
    stdin.end();
    await exited;
  };
  return { child, end, url, client };
}

/** Creates an HTTP client with little overhead, and with one connection per concurrent request. */
function createClient(url: string) {
  const { port } = new URL(url);
  const idle: Connection[] = [];
  const send = async (expected: number, ...request: Parameters<typeof httpRequest>): Promise<string> => {
    const connection = idle.pop() ?? (await Connection.open(Number(port)));
    const { status, body } = await connection.send(httpRequest(...request));
    idle.push(connection);
    if (status !== expected) throw new Error(`${status} ${body}`);
    return body;
  };
  return {
    post: (path: string, body: object): Promise<string> => send(201, 'POST', path, undefined, body),
    get: (path: string): Promise<string> => send(200, 'GET', path),
    close() {
      for (const connection of idle.splice(0)) connection.close();
    },
  };
}

/** Creates the traces tr_0, tr_1, ... */
export async function createTraces(server: TraceServer, count: number): Promise<void> {
  for (let client = 0; client < count; client++) await server.post('traces', { id: `tr_${client}` });
}

/** Measures how many seconds `work` takes. */
export async function seconds(work: () => unknown): Promise<number> {
  const since = performance.now();
  await work();
  return (performance.now() - since) / 1_000;
}

/**
 * Runs `work` on `count` concurrent clients, each sequentially, as long as `shouldContinue` returns true.
 *
 * @param work Receives the number of the client and the number of the turn, which counts over all clients.
 */
export async function runClients(
  count: number,
  shouldContinue: () => boolean,
  work: (client: number, turn: number) => Promise<unknown>,
): Promise<void> {
  let turn = 0;
  await Promise.all(
    Array.from({ length: count }, async (_, client) => {
      while (shouldContinue()) await work(client, turn++);
    }),
  );
}

/** Creates a condition for `runClients` that is true `count` times. */
export const times = (count: number) => {
  let left = count;
  return () => left-- > 0;
};
