import { memoryGrowth } from '../process/proc.ts';
import { median } from '../statistics.ts';
import type { Database, Engine } from './engine.ts';
import { sampleBlocks } from './sample-blocks.ts';
import type { RoundContext, StoreRow } from './store-measure.ts';
import { seconds, serve, serveRows, type TraceServer } from './trace-server.ts';

const MEGABYTE = 1024 * 1024;

/**
 * T3 and T4: a trace of 10,000 blocks as a tree, as skeletons, and by page. They are compared with a server that only
 * sends the same rows as JSON, because the cost of HTTP is not a part of how a trace is read. The cost of the rows
 * without HTTP is reported too.
 */
export async function reads(engine: Engine, { blocks, progress }: RoundContext): Promise<StoreRow[]> {
  await using database = await engine.create();
  await using server = await serve(database);
  await server.post('traces', { id: 'tr_long' });
  for (let start = 0; start < blocks; start += 500) {
    await server.post('traces/tr_long/blocks', { blocks: sampleBlocks(`r${start}`, 500) });
  }
  progress('reads in turns');
  await using rows = await serveRows(database);
  const page = (after: number) => server.get(`traces/tr_long/blocks?limit=200&after=${after}`);
  const durations = await measureInTurns({
    rows: () => database.readRows(),
    rowsOverHttp: () => rows.get(),
    tree: () => readTree(server, 'all'),
    skeletons: () => readTree(server, 'skeleton'),
    firstPage: () => page(0),
    lastPage: () => page(blocks - 200),
  });
  const delay = await longestDelay(server);
  const memory = await memoryRow(database);
  const ms = (name: keyof typeof durations) => 1e3 * durations[name];
  const row = (mark: string, name: string, figures: StoreRow['figures'], atMost: number): StoreRow => ({
    mark,
    name: `${name}, ms`,
    better: 'less',
    figures,
    atMost,
  });
  const baseline = { 'its rows as JSON over HTTP': ms('rowsOverHttp') };
  return [
    row('T3', `a trace of ${blocks.toLocaleString('en')} blocks as a tree`, { store: ms('tree'), ...baseline }, 1.2),
    row('T3', 'longest event-loop delay of the server while it is read', { store: delay }, 25),
    memory,
    row('T4', 'the same without payloads', { store: ms('skeletons'), ...baseline }, 0.5),
    row('T4', 'the last page of 200', { store: ms('lastPage'), 'the first page': ms('firstPage') }, 1.5),
    {
      name: 'the rows as JSON, without the store, ms',
      better: 'neither',
      figures: { 'over HTTP': ms('rowsOverHttp'), 'without HTTP': ms('rows') },
    },
  ];
}

const DELAY_READS = 5;

/** Measures the longest event-loop delay of a warm server during several reads of the tree, in milliseconds. */
async function longestDelay(server: TraceServer): Promise<number> {
  await server.longestDelay();
  for (let read = 0; read < DELAY_READS; read++) await readTree(server, 'all');
  return await server.longestDelay();
}

/** Measures the memory growth of a new server that has read a short tree, and then reads the long one. */
async function memoryRow(database: Database): Promise<StoreRow> {
  await using server = await serve(database);
  await server.get('traces/tr_long/blocks.stitched?limit=20');
  let bytes = 0;
  const growth = await memoryGrowth(server.pid, 10, async () => {
    bytes = await readTree(server, 'all');
  });
  return {
    mark: 'T3',
    name: 'memory growth of a new server that reads it, MB',
    better: 'less',
    figures: { store: growth / MEGABYTE, 'its responses': bytes / MEGABYTE },
    atMost: 3,
  };
}

const ROUNDS = 9;
const WARM_UP_ROUNDS = 6;

/** Runs each work in turn, because the speed of the machine changes. @returns the median of each in seconds. */
async function measureInTurns<Name extends string>(
  works: Readonly<Record<Name, () => unknown>>,
): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(works) as Name[];
  const durations = new Map(names.map((name): [Name, number[]] => [name, []]));
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    for (const [name, list] of durations) list.push(await seconds(works[name]));
  }
  const medians = [...durations].map(([name, list]) => [name, median(list.slice(WARM_UP_ROUNDS))]);
  // `fromEntries` loses the type of the keys.
  return Object.fromEntries(medians) as Record<Name, number>;
}

/** Reads all pages of a tree. @returns the number of bytes of the responses. */
async function readTree(server: TraceServer, fields: string): Promise<number> {
  let cursor = '';
  let bytes = 0;
  do {
    const text = await server.get(`traces/tr_long/blocks.stitched?limit=100000&fields=${fields}${cursor}`);
    // The text is ASCII.
    bytes += text.length;
    const next = /"next_cursor":"([^"]+)"\}\}$/.exec(text)?.[1];
    cursor = next === undefined ? '' : `&cursor=${next}`;
  } while (cursor !== '');
  return bytes;
}

const TRACES = 100_000;

/** T10: the requests of the viewer's page of a run, with 100,000 traces that have about a hundred different rewards. */
export async function runPage(engine: Engine): Promise<StoreRow[]> {
  await using database = await engine.create();
  await using server = await serve(database);
  for (let start = 0; start < TRACES; start += 1000) {
    await Promise.all(
      Array.from({ length: 1000 }, async (_, index) => {
        const number = start + index;
        const task = Math.floor(number / 8);
        const id = `tr_${number}`;
        await server.post('traces', { id, run: 'run', step: task % 100, task_index: task, environment: 'bench' });
        const payload = { role: 'assistant', content: 'An answer.' };
        const extra = { reward: ((number * 37) % 101) / 100 };
        await server.post(`traces/${id}/blocks`, { sub_type: 'MESSAGE', payload, extra });
      }),
    );
  }
  const paths = ['runs/run/stats', 'groups?run=run&limit=100', 'traces?run=run&limit=100', 'runs'];
  const durations = await measureInTurns(Object.fromEntries(paths.map((path) => [path, () => server.get(path)])));
  return paths.map((path) => ({
    mark: 'T10',
    name: `${path}, ms`,
    better: 'less',
    figures: { store: 1e3 * (durations[path] ?? Number.NaN) },
    atMost: 100,
  }));
}
