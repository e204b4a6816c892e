import { blocksOf } from './bodies.ts';
import type { Database, Engine } from './engine.ts';
import { grownBy } from './grown-by.ts';
import { median, type Served, seconds, serve, serveRows } from './place.ts';
import type { Round } from './round.ts';
import type { Row } from './row.ts';

const MEGABYTE = 1024 * 1024;

/**
 * T3 and T4: a trace of 10,000 blocks whole, as a skeleton, and by pages. Beside them stands another server that sends its
 * rows as JSON and does nothing else, for what HTTP takes of both sides is no part of how a trace is read; what the rows
 * take without it is told too.
 */
export async function reads(engine: Engine, { blocks, progress }: Round): Promise<Row[]> {
  await using database = await engine.create();
  await using served = await serve(database);
  await served.post('traces', { id: 'tr_long' });
  for (let at = 0; at < blocks; at += 500) {
    await served.post('traces/tr_long/blocks', { blocks: blocksOf(`r${at}`, 500) });
  }
  progress('reads in turns');
  await using rows = await serveRows(database);
  const page = (after: number) => served.get(`traces/tr_long/blocks?limit=200&after=${after}`);
  const took = await inTurns({
    rows: () => database.readRows(),
    floor: () => rows.get(),
    stitched: () => wholeTree(served, 'all'),
    skeleton: () => wholeTree(served, 'skeleton'),
    first: () => page(0),
    last: () => page(blocks - 200),
  });
  const stall = await stallOf(served);
  const memory = await memoryOf(database);
  const ms = (name: keyof typeof took) => 1e3 * took[name];
  const row = (mark: string, name: string, figures: Row['figures'], atMost: number): Row => ({
    mark,
    name: `${name}, ms`,
    better: 'less',
    figures,
    atMost,
  });
  const beside = { 'its rows as JSON by HTTP': ms('floor') };
  return [
    row('T3', `a trace of ${blocks.toLocaleString('en')} blocks as a tree`, { store: ms('stitched'), ...beside }, 1.2),
    row('T3', 'the longest in which nothing else ran while it was read', { store: stall }, 25),
    memory,
    row('T4', 'the same without payloads', { store: ms('skeleton'), ...beside }, 0.5),
    row('T4', 'the last page of 200', { store: ms('last'), 'the first': ms('first') }, 1.5),
    {
      name: 'the rows as JSON by HTTP, without the store, ms',
      better: 'neither',
      figures: { 'by HTTP': ms('floor'), 'without HTTP': ms('rows') },
    },
  ];
}

const STALL_ROUNDS = 5;

/** The longest stall of a warm server while the tree is read again and again, in milliseconds. */
async function stallOf(served: Served): Promise<number> {
  await served.longestStall();
  for (let round = 0; round < STALL_ROUNDS; round++) await wholeTree(served, 'all');
  return await served.longestStall();
}

/** By how much a server grows that has read a short tree, and then reads the long one for the first time. */
async function memoryOf(database: Database): Promise<Row> {
  await using fresh = await serve(database);
  await fresh.get('traces/tr_long/blocks.stitched?limit=20');
  let bytes = 0;
  const grown = await grownBy(fresh.pid, async () => {
    bytes = await wholeTree(fresh, 'all');
  });
  return {
    mark: 'T3',
    name: 'MB that a fresh server grows by for it',
    better: 'less',
    figures: { store: grown / MEGABYTE, 'its answers': bytes / MEGABYTE },
    atMost: 3,
  };
}

const ROUNDS = 9;
/** Until the server's code is compiled; that of the rows is from the start. */
const WARM_ROUNDS = 6;

/** The median of each work in seconds, after rounds that do not count. They take turns: a machine is not always as fast. */
async function inTurns<Name extends string>(
  works: Readonly<Record<Name, () => unknown>>,
): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(works) as Name[];
  const took = names.map((): number[] => []);
  for (let round = 0; round < WARM_ROUNDS + ROUNDS; round++) {
    for (const [place, name] of names.entries()) took[place]?.push(await seconds(works[name]));
  }
  return Object.fromEntries(
    names.map((name, place) => [name, median(took[place]?.slice(WARM_ROUNDS) ?? [])]),
  ) as Record<Name, number>;
}

/** As many requests as the pages of a tree. @returns how many bytes they are answered with. */
async function wholeTree(served: Served, fields: string): Promise<number> {
  let [cursor, bytes] = ['', 0];
  do {
    const text = await served.get(`traces/tr_long/blocks.stitched?limit=100000&fields=${fields}${cursor}`);
    // All of it is ASCII.
    bytes += text.length;
    const next = /"next_cursor":"([^"]+)"\}\}$/.exec(text)?.[1];
    cursor = next === undefined ? '' : `&cursor=${next}`;
  } while (cursor !== '');
  return bytes;
}

const TRACES = 100_000;

/** T10: what a page of a run reads, with 100,000 traces that have some hundred different rewards. */
export async function runPage(engine: Engine): Promise<Row[]> {
  await using database = await engine.create();
  await using served = await serve(database);
  for (let at = 0; at < TRACES; at += 1000) {
    await Promise.all(
      Array.from({ length: 1000 }, async (_, index) => {
        const number = at + index;
        const task = Math.floor(number / 8);
        const id = `tr_${number}`;
        await served.post('traces', { id, run: 'run', step: task % 100, task_index: task, environment: 'bench' });
        const payload = { role: 'assistant', content: 'An answer.' };
        const extra = { reward: ((number * 37) % 101) / 100 };
        await served.post(`traces/${id}/blocks`, { sub_type: 'MESSAGE', payload, extra });
      }),
    );
  }
  const paths = ['runs/run/stats', 'groups?run=run&limit=100', 'traces?run=run&limit=100', 'runs'];
  const took = await inTurns(Object.fromEntries(paths.map((path) => [path, () => served.get(path)])));
  return paths.map((path) => ({
    mark: 'T10',
    name: `${path}, ms`,
    better: 'less',
    figures: { store: 1e3 * (took[path] ?? Number.NaN) },
    atMost: 100,
  }));
}
