import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { blocksOf } from './bodies.ts';
import type { Database, Engine } from './engine.ts';
import { makeFolder } from './folder.ts';
import { type How, quantile, type Served, seconds, serve, times, together } from './place.ts';
import type { Round } from './round.ts';
import type { Row } from './row.ts';

const BATCH = 100;
const BATCHES = 150;
const CLIENTS = 8;
const SINGLE_CLIENTS = 32;
/** Of a bare loop of the same durability, in a database that many write into at once. */
const OF_BARE = 0.5;
/** Of a loop of one writer, where rules alone leave a third, and what was hoped for. */
const OF_ONE_BARE = { atLeast: 0.2, stretch: 0.3 };

/** T1: batches of 100 through HTTP, beside a bare loop of the same engine with the same durability. */
export async function batches(engine: Engine): Promise<Row[]> {
  await using database = await engine.create();
  const rows = blocksOf('bare', BATCH).map(({ id, payload }) => ({ id, payload: JSON.stringify(payload) }));
  const bare = await database.writeBare(rows, BATCHES, engine.isParallel ? CLIENTS : 1);
  await using served = await serve(database);
  await createTraces(served, CLIENTS);
  const write = (name: string) =>
    together(CLIENTS, times(BATCHES), (client, turn) =>
      served.post(`traces/tr_${client}/blocks`, { blocks: blocksOf(`${name}${turn}`, BATCH) }),
    );
  await write('warm');
  const took = await seconds(() => write('b'));
  const perSecond = (time: number) => (BATCH * BATCHES) / time;
  return [
    {
      mark: 'T1',
      name: 'batches of 100 through HTTP, blocks/s',
      better: 'more',
      figures: { store: perSecond(took), 'a bare loop': perSecond(bare) },
      ...(engine.isParallel ? { atLeast: OF_BARE } : OF_ONE_BARE),
    },
  ];
}

/** T2: single blocks of 32 clients, beside what the disk syncs one after the other, and a bare loop of as many writers. */
export async function singles(engine: Engine, { blocks, progress }: Round): Promise<Row[]> {
  progress('bare writes');
  const syncs = syncRate();
  const rows = blocksOf('bare', 1).map(({ id, payload }) => ({ id, payload: JSON.stringify(payload) }));
  await using database = await engine.create();
  const bare = blocks / (await database.writeBare(rows, blocks, SINGLE_CLIENTS));
  progress('the store');
  const { rate, took } = await writeSingles(database, blocks);
  const what = `single blocks of ${SINGLE_CLIENTS} clients`;
  const row = { name: `${what}, blocks/s`, better: 'more', mark: 'T2' } as const;
  const percentiles = { store: 1e3 * quantile(took, 0.99), p50: 1e3 * quantile(took, 0.5) };
  return [
    { ...row, figures: { store: rate, "the disk's syncs": syncs }, atLeast: 1.5 },
    {
      ...row,
      name: `${what}, once more`,
      figures: { store: rate, 'as many bare writers': bare },
      ...(engine.isParallel && { atLeast: OF_BARE }),
    },
    ...(engine.isParallel ? [] : [{ ...row, ...(await besideApart(engine, rate, blocks)) }]),
    { mark: 'T2', name: `${what}, p99 ms`, better: 'less', figures: percentiles, atMost: 6 },
  ];
}

/** The same server with the same rules, but that each request is a transaction of its own. */
async function besideApart(
  engine: Engine,
  rate: number,
  blocks: number,
): Promise<Pick<Row, 'name' | 'figures' | 'atLeast'>> {
  await using database = await engine.create();
  const apart = await writeSingles(database, blocks, 'apart');
  return {
    name: `single blocks of ${SINGLE_CLIENTS} clients, which share transactions`,
    figures: { store: rate, 'a transaction each': apart.rate },
    atLeast: 2.5,
  };
}

/** How many blocks a second are acknowledged, and how many seconds each takes. */
async function writeSingles(database: Database, blocks: number, how: How = '') {
  await using served = await serve(database, how);
  await createTraces(served, SINGLE_CLIENTS);
  const took: number[] = [];
  const write = (name: string) =>
    together(SINGLE_CLIENTS, times(blocks), async (client, turn) => {
      const [block = {}] = blocksOf(`${name}${turn}`, 1);
      took.push(await seconds(() => served.post(`traces/tr_${client}/blocks`, block)));
    });
  await write('warm');
  took.length = 0;
  const whole = await seconds(() => write('s'));
  return { rate: blocks / whole, took };
}

export async function createTraces(served: Served, count: number): Promise<void> {
  for (let client = 0; client < count; client++) await served.post('traces', { id: `tr_${client}` });
}

function syncRate(): number {
  using folder = makeFolder();
  const file = openSync(folder.path('sync'), 'w');
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

const SIZED = 10_000;

/** What a block takes in the database with all its indexes, beside its own bytes. */
export async function size(engine: Engine): Promise<Row[]> {
  await using database = await engine.create();
  const served = await serve(database);
  await createTraces(served, 1);
  for (let at = 0; at < SIZED; at += 500) {
    await served.post('traces/tr_0/blocks', { blocks: blocksOf(`size${at}`, 500) });
  }
  const { bytes } = JSON.parse(await served.get('traces/tr_0')) as { readonly bytes: number };
  await served[Symbol.asyncDispose]();
  const value = (await database.bytes()) / SIZED;
  return [{ name: 'database bytes of a block', better: 'less', figures: { store: value, 'its own': bytes / SIZED } }];
}
