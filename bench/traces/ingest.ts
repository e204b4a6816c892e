import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { percentile } from '../statistics.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import type { BareRow, Database, Engine } from './engine.ts';
import { sampleBlocks } from './sample-blocks.ts';
import type { RoundContext, StoreRow } from './store-measure.ts';
import { createTraces, runClients, type ServerMode, seconds, serve, times } from './trace-server.ts';

const BATCH = 100;
const BATCHES = 150;
const CLIENTS = 8;
const SINGLE_CLIENTS = 32;
/** Minimum ratios to bare inserts of the same durability, with concurrent writers and with a single one. */
const MIN_BATCHES = { parallel: 0.3, single: 0.25 };
const MIN_SINGLES = 0.5;

const bareRows = (count: number): BareRow[] =>
  sampleBlocks('bare', count).map(({ id, payload }) => ({ id, payload: JSON.stringify(payload) }));

/** T1: batches of 100 over HTTP, relative to bare inserts into the same engine with the same durability. */
export async function batches(engine: Engine): Promise<StoreRow[]> {
  await using database = await engine.create();
  const bare = await database.insertBare(bareRows(BATCH), BATCHES, engine.isParallel ? CLIENTS : 1);
  await using server = await serve(database);
  await createTraces(server, CLIENTS);
  const write = (name: string) =>
    runClients(CLIENTS, times(BATCHES), (client, turn) =>
      server.post(`traces/tr_${client}/blocks`, { blocks: sampleBlocks(`${name}${turn}`, BATCH) }),
    );
  await write('warm');
  const duration = await seconds(() => write('b'));
  const perSecond = (time: number) => (BATCH * BATCHES) / time;
  return [
    {
      mark: 'T1',
      name: 'batches of 100 over HTTP, blocks/s',
      better: 'more',
      figures: { store: perSecond(duration), 'bare inserts': perSecond(bare) },
      atLeast: engine.isParallel ? MIN_BATCHES.parallel : MIN_BATCHES.single,
    },
  ];
}

/**
 * T2: single blocks from 32 clients, relative to sequential syncs of the disk, and to bare inserts by as many writers.
 */
export async function singles(engine: Engine, { blocks, progress }: RoundContext): Promise<StoreRow[]> {
  progress('bare inserts');
  const syncs = syncRate();
  await using database = await engine.create();
  const bare = blocks / (await database.insertBare(bareRows(1), blocks, SINGLE_CLIENTS));
  progress('the store');
  const { rate, latencies } = await writeSingles(database, blocks);
  const what = `single blocks from ${SINGLE_CLIENTS} clients`;
  const row = { name: `${what}, blocks/s`, better: 'more', mark: 'T2' } as const;
  const percentiles = { store: 1e3 * percentile(latencies, 0.99), p50: 1e3 * percentile(latencies, 0.5) };
  return [
    { ...row, figures: { store: rate, 'disk syncs': syncs }, atLeast: 1.5 },
    {
      ...row,
      name: `${what}, relative to bare inserts`,
      figures: { store: rate, 'as many bare writers': bare },
      ...(engine.isParallel && { atLeast: MIN_SINGLES }),
    },
    ...(engine.isParallel ? [] : [{ ...row, ...(await groupCommitRow(engine, rate, blocks)) }]),
    { mark: 'T2', name: `${what}, p99 ms`, better: 'less', figures: percentiles, atMost: 6 },
  ];
}

/** Compares group commit with the same server that commits each request in its own transaction. */
async function groupCommitRow(
  engine: Engine,
  rate: number,
  blocks: number,
): Promise<Pick<StoreRow, 'name' | 'figures' | 'atLeast'>> {
  await using database = await engine.create();
  const separate = await writeSingles(database, blocks, 'separate');
  return {
    name: `single blocks from ${SINGLE_CLIENTS} clients, with group commit`,
    figures: { store: rate, 'a transaction each': separate.rate },
    atLeast: 2.5,
  };
}

/** @returns the acknowledged blocks per second, and the latency of each in seconds. */
async function writeSingles(database: Database, blocks: number, mode: ServerMode = '') {
  await using server = await serve(database, mode);
  await createTraces(server, SINGLE_CLIENTS);
  const latencies: number[] = [];
  const write = (name: string) =>
    runClients(SINGLE_CLIENTS, times(blocks), async (client, turn) => {
      const [block = {}] = sampleBlocks(`${name}${turn}`, 1);
      latencies.push(await seconds(() => server.post(`traces/tr_${client}/blocks`, block)));
    });
  await write('warm');
  latencies.length = 0;
  const duration = await seconds(() => write('s'));
  return { rate: blocks / duration, latencies };
}

function syncRate(): number {
  using folder = createTemporaryFolder();
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

const SIZED_BLOCKS = 10_000;

/** Bytes of a block in the database with all indexes, relative to the bytes of the block. */
export async function size(engine: Engine): Promise<StoreRow[]> {
  await using database = await engine.create();
  const server = await serve(database);
  await createTraces(server, 1);
  for (let start = 0; start < SIZED_BLOCKS; start += 500) {
    await server.post('traces/tr_0/blocks', { blocks: sampleBlocks(`size${start}`, 500) });
  }
  const { bytes } = JSON.parse(await server.get('traces/tr_0')) as { readonly bytes: number };
  await server[Symbol.asyncDispose]();
  const figures = { store: (await database.bytes()) / SIZED_BLOCKS, 'the block': bytes / SIZED_BLOCKS };
  return [{ name: 'database bytes per block', better: 'less', figures }];
}
