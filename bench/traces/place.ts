import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compiled } from '../process/contestants.ts';
import type { Database } from './engine.ts';

export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  post(path: string, body: unknown): Promise<unknown>;
  get(path: string): Promise<string>;
  /** Ends it as when the machine takes its memory: at once, and nothing is told. */
  kill(): Promise<void>;
}

/** A trace server of the built package over a database, in a process of its own. */
export async function serve(database: Database): Promise<Served> {
  const { server, ended, url } = await start('traces', database);
  const base = `${url}/v1/organizations/default/`;
  return {
    url,
    pid: server.pid ?? 0,
    async post(path, body) {
      const headers = { 'Content-Type': 'application/json' };
      const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
      if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
      return response.json();
    },
    async get(path) {
      const response = await fetch(base + path);
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      return response.text();
    },
    async kill() {
      server.kill('SIGKILL');
      await ended;
    },
    async [Symbol.asyncDispose]() {
      server.stdin.end();
      await ended;
    },
  };
}

/** What asks a server of its own process for the rows of all blocks as JSON, to the end of its answer. */
export async function serveRows(database: Database): Promise<AsyncDisposable & { get(): Promise<string> }> {
  const { server, ended, url } = await start('rows', database);
  return {
    get: async () => (await fetch(url)).text(),
    async [Symbol.asyncDispose]() {
      server.stdin.end();
      await ended;
    },
  };
}

async function start(name: string, { place }: Database) {
  const server = spawn(process.execPath, [compiled(name), place], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(server, 'exit');
  const [line] = await Promise.race([once(server.stdout.setEncoding('utf8'), 'data'), ended]);
  if (server.exitCode !== null) throw new Error(`${name} did not start; is ors-kit built? Run: make build`);
  return { server, ended, url: String(line).trim() };
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
