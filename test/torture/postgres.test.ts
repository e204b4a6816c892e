import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { openPostgresStore } from '../../src/trace/store/sql/index.ts';
import type { TraceStore } from '../../src/trace/store/trace-store.ts';
import { testUnless } from '../support/optional.ts';
import { postgresMissing, startPostgres } from '../trace/store/postgres-server.ts';
import { newFolder, ORG } from '../trace/store/stores.ts';

const RESTARTS = 10;
const PROCESSES = ['a', 'b', 'c'];

/** A process that writes until it is told to end. */
function startWriter(url: string, notes: string, name: string) {
  const program = fileURLToPath(new URL('write-into-postgres.ts', import.meta.url));
  const { PATH, NODE_PATH } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', program, url, notes, name], { env: { PATH, NODE_PATH } });
  const ended = once(child, 'close');
  let said = '';
  let complained = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complained += text));
  return {
    async end(): Promise<{ readonly refused: number; readonly doubtful: number }> {
      child.stdin.end();
      const [code] = await ended;
      if (code !== 0) throw new Error(`a writer ended with ${code}: ${complained}`);
      return JSON.parse(said);
    },
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** None of them outlives the test. */
const startAll = (writers: readonly ReturnType<typeof startWriter>[]) => ({
  writers,
  async [Symbol.asyncDispose]() {
    for (const writer of writers) await writer[Symbol.asyncDispose]();
  },
});

/** What was acknowledged: the word before the id tells whether it was new. */
async function notesIn(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').slice(0, -1);
}

async function storedIn(store: TraceStore): Promise<string[]> {
  const { items } = await store.traces(ORG, { limit: 100 });
  const traces = await Promise.all(items.map(({ id }) => store.skeletons(ORG, id)));
  for (const blocks of traces) expect(blocks.map(({ ord }) => ord)).toEqual(blocks.map((_, place) => place + 1));
  return traces.flat().map(({ block }) => block.id);
}

testUnless(postgresMissing)(
  `${RESTARTS} times PostgreSQL dies under ${PROCESSES.length} processes that write: what they were told is exactly what is there`,
  async () => {
    await using server = await startPostgres();
    await using folder = await newFolder();
    const url = await server.newUrl();
    await (await openPostgresStore({ url })).close();
    const notes = PROCESSES.map((name) => join(folder.path, name));
    await using all = startAll(PROCESSES.map((name, place) => startWriter(url, notes[place] ?? '', name)));
    const { writers } = all;
    const acknowledged = async () => (await Promise.all(notes.map(notesIn))).flat();

    for (let restart = 0; restart < RESTARTS; restart++) {
      const before = (await acknowledged()).length;
      while ((await acknowledged()).length < before + 50 && !writers.some((writer) => writer.hasEnded()))
        await delay(20);
      await delay((restart * 37) % 150);
      await server.kill();
      await server.start();
    }
    const before = (await acknowledged()).length;
    while ((await acknowledged()).length < before + 50 && !writers.some((writer) => writer.hasEnded())) await delay(20);
    const ends = await Promise.all(writers.map((writer) => writer.end()));

    await using store = await openPostgresStore({ url });
    const [told, stored] = [await acknowledged(), await storedIn(store)];
    expect(told.map((line) => line.split(' ')[1]).sort()).toEqual(stored.toSorted());
    // What was refused was not stored: nothing was there when it came again.
    expect(told.filter((line) => line.startsWith('again'))).toEqual([]);
    expect(await store.verify()).toEqual([]);
    expect(await server.psql(url, 'SELECT count(*), count(DISTINCT id) FROM blocks')).toBe(
      `${stored.length}|${stored.length}`,
    );
    process.stderr.write(
      `${RESTARTS} restarts: ${told.length} blocks acknowledged, 0 of them missing, by process ${JSON.stringify(ends)}\n`,
    );
    expect(Math.min(...ends.map(({ refused }) => refused))).toBeGreaterThan(0);
  },
);
