import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for databases, gone at the end. */
export function makeFolder(): Disposable & { path(name: string): string } {
  const folder = mkdtempSync(join(tmpdir(), 'ors-bench-'));
  return {
    path: (name) => join(folder, name),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

export interface Served extends AsyncDisposable {
  readonly url: string;
  post(path: string, body: unknown): Promise<unknown>;
  get(path: string): Promise<string>;
}

/** A trace server over a new SQLite file, in a process of its own. */
export async function serveFile(path: string): Promise<Served> {
  const program = join(import.meta.dirname, 'server.ts');
  const server = spawn(process.execPath, ['--import', 'tsx', program, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(server, 'exit');
  const [line] = await once(server.stdout.setEncoding('utf8'), 'data');
  const url = String(line).trim();
  const base = `${url}/v1/organizations/default/`;
  return {
    url,
    async post(place, body) {
      const headers = { 'Content-Type': 'application/json' };
      const response = await fetch(base + place, { method: 'POST', headers, body: JSON.stringify(body) });
      if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
      return response.json();
    },
    async get(place) {
      const response = await fetch(base + place);
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      return response.text();
    },
    async [Symbol.asyncDispose]() {
      server.stdin.end();
      await ended;
    },
  };
}

/** How many seconds some work took. */
export async function seconds(work: () => unknown): Promise<number> {
  const since = performance.now();
  await work();
  return (performance.now() - since) / 1_000;
}

export const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

export const quantile = (values: readonly number[], part: number): number =>
  [...values].sort((one, other) => one - other)[Math.floor(part * (values.length - 1))] ?? Number.NaN;
