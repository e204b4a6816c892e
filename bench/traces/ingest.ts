import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { openBare } from './bare-sqlite.ts';
import { blocksOf } from './bodies.ts';
import { makeFolder, quantile, seconds, serveFile } from './place.ts';
import type { Row } from './row.ts';

const BATCH = 100;
const BATCHES = 100;
const CLIENTS = 8;
const SINGLE_CLIENTS = 32;
const SINGLES = 3_000;

/** T1: batches of 100 through HTTP, beside a bare loop of SQLite with the same durability. */
export async function batches(): Promise<Row[]> {
  using folder = makeFolder();
  const bare = await bareLoop(folder.path('bare.db'));
  await using served = await serveFile(folder.path('traces.db'));
  for (let client = 0; client < CLIENTS; client++) await served.post('traces', { id: `tr_${client}` });
  let next = 0;
  const took = await seconds(() =>
    Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        while (next < BATCHES) {
          await served.post(`traces/tr_${client}/blocks`, { blocks: blocksOf(`b${next++}`, BATCH) });
        }
      }),
    ),
  );
  const ours = (BATCHES * BATCH) / took;
  return [
    {
      id: 'T1',
      what: 'batches of 100 through HTTP, blocks/s',
      value: ours,
      beside: bare,
      target: '>= 0.20 of a bare loop',
    },
  ];
}

async function bareLoop(path: string): Promise<number> {
  const database = await openBare(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE bare (rid INTEGER PRIMARY KEY, id TEXT, payload TEXT)');
  const insert = database.prepare('INSERT INTO bare (id, payload) VALUES (?, ?)');
  const rows = blocksOf('bare', BATCH);
  const since = performance.now();
  for (let batch = 0; batch < BATCHES; batch++) {
    database.exec('BEGIN IMMEDIATE');
    for (const { id, payload } of rows) insert.run(id, JSON.stringify(payload));
    database.exec('COMMIT');
  }
  const took = (performance.now() - since) / 1_000;
  database.close();
  return (BATCHES * BATCH) / took;
}

/** T2: single blocks of 32 clients, beside what the disk syncs one after the other. */
export async function singles(): Promise<Row[]> {
  using folder = makeFolder();
  const syncs = syncRate(folder.path('sync'));
  await using served = await serveFile(folder.path('traces.db'));
  for (let client = 0; client < SINGLE_CLIENTS; client++) await served.post('traces', { id: `tr_${client}` });
  const times: number[] = [];
  let next = 0;
  const took = await seconds(() =>
    Promise.all(
      Array.from({ length: SINGLE_CLIENTS }, async (_, client) => {
        while (next < SINGLES) {
          const [block] = blocksOf(`s${next++}`, 1);
          times.push(await seconds(() => served.post(`traces/tr_${client}/blocks`, block)));
        }
      }),
    ),
  );
  const what = `single blocks of ${SINGLE_CLIENTS} clients`;
  return [
    { id: 'T2', what: `${what}, blocks/s`, value: SINGLES / took, beside: syncs, target: ">= 1.5 x the disk's syncs" },
    {
      id: 'T2',
      what: `${what}, p99 in ms`,
      value: 1e3 * quantile(times, 0.99),
      beside: 1e3 * quantile(times, 0.5),
      target: '<= 6 x p50',
    },
  ];
}

function syncRate(path: string): number {
  const file = openSync(path, 'w');
  const line = Buffer.alloc(1024, 'x');
  const count = 500;
  const since = performance.now();
  for (let time = 0; time < count; time++) {
    writeSync(file, line);
    fdatasyncSync(file);
  }
  closeSync(file);
  return count / ((performance.now() - since) / 1_000);
}
