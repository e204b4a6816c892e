import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostingOptions, ServerOptions } from 'ors-kit/server';
import { pino } from 'pino';
import { isOfTheMachine } from '../observe/log-lines.ts';
import { type CallAnswer, call, create } from '../support/client.ts';
import { until } from '../support/until.ts';
import { loadEnvironments, serve } from './built.ts';

const UNRULY = new URL('./modules/unruly.mjs', import.meta.url);

/** A line of the log. */
export interface Line {
  readonly msg: string;
  readonly what?: string;
  readonly sid?: string;
  readonly error?: string;
}

/** Serves the environment `unruly` in workers, with its log and a journal of the events of its episodes. */
export async function unruly(hosting: HostingOptions, options: ServerOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'ors-kit-'));
  const journal = join(folder, 'journal');
  await writeFile(journal, '');
  const lines: Line[] = [];
  const write = (text: string) => {
    const line: Line = JSON.parse(text);
    if (!isOfTheMachine(line)) lines.push(line);
  };
  const log = pino({ level: 'warn' }, { write });
  const environments = await loadEnvironments([UNRULY], { isolation: 'worker', ...hosting });
  const server = await serve(environments, { port: 0, log, deleteGraceMs: 100, ...options });
  const read = async () => (await readFile(journal, 'utf8')).split('\n').slice(0, -1);
  return {
    url: server.url,
    lines,
    close: server.close,
    /** Writes the file that the tools `block` and `tell_all` wait for. */
    release: () => writeFile(`${journal}-over`, ''),
    /** Opens a session with these secrets. */
    open: (secrets: Readonly<Record<string, string>> = {}) =>
      create(server, { env_name: 'unruly', split: 'train', index: 0, secrets: { journal, ...secrets } }),
    tool: (sid: string, name: string, input: object = {}): Promise<CallAnswer> =>
      call(server, sid, name, input, { environment: 'unruly' }),
    /** Resolves with the lines of the journal that contain `text`, once there are at least `count`. */
    inJournal: (text: string, count = 1) =>
      atLeast(`'${text}' in the journal`, count, async () => (await read()).filter((line) => line.includes(text))),
    /** Resolves with the lines of the log that contain `text`, once there are at least `count`. */
    inLog: (text: string, count = 1) =>
      atLeast(`'${text}' in the log`, count, async () => lines.filter((line) => JSON.stringify(line).includes(text))),
    async [Symbol.asyncDispose]() {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

function atLeast<T>(what: string, count: number, look: () => Promise<T[]>): Promise<T[]> {
  return until(async () => {
    const found = await look();
    return found.length >= count && found;
  }, `${count} of ${what}`);
}
