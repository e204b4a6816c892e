import { blocksOf } from './bodies.ts';
import type { Engine } from './engine.ts';
import { median, type Served, seconds, serve } from './place.ts';
import type { Row } from './row.ts';

const BLOCKS = 10_000;
const ROUNDS = 9;

/** T3 and T4: a trace of 10,000 blocks whole, as a skeleton, and by pages, beside reading its rows and nothing else. */
export async function reads(engine: Engine): Promise<Row[]> {
  await using database = await engine.create();
  await using served = await serve(database);
  await served.post('traces', { id: 'tr_long' });
  for (let at = 0; at < BLOCKS; at += 500) {
    await served.post('traces/tr_long/blocks', { blocks: blocksOf(`r${at}`, 500) });
  }
  const floor = await rounds(() => database.readRows());
  const stitched = await rounds(() => wholeTree(served, 'all'));
  const skeleton = await rounds(() => wholeTree(served, 'skeleton'));
  const page = (after: number) => rounds(() => served.get(`traces/tr_long/blocks?limit=200&after=${after}`));
  const [first, last] = [await page(0), await page(BLOCKS - 200)];
  const ms = (value: number) => 1e3 * value;
  return [
    {
      id: 'T3',
      what: 'stitched, 10,000 blocks, ms',
      value: ms(stitched),
      beside: ms(floor),
      target: '<= 1.2 x the rows as JSON',
    },
    { id: 'T4', what: 'skeleton, ms', value: ms(skeleton), beside: ms(floor), target: '<= 0.5 x the rows as JSON' },
    { id: 'T4', what: 'the last page of 200, ms', value: ms(last), beside: ms(first), target: '<= 1.5 x the first' },
  ];
}

/** The median, after one round that does not count. */
async function rounds(work: () => unknown): Promise<number> {
  const took: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) took.push(await seconds(work));
  return median(took.slice(1));
}

/** As many requests as the pages of a tree. */
async function wholeTree(served: Served, fields: string): Promise<void> {
  let cursor = '';
  do {
    const text = await served.get(`traces/tr_long/blocks.stitched?limit=100000&fields=${fields}${cursor}`);
    const next = /"next_cursor":"([^"]+)"\}\}$/.exec(text)?.[1];
    cursor = next === undefined ? '' : `&cursor=${next}`;
  } while (cursor !== '');
}

const TRACES = 100_000;

/** T10: what a page of a run reads, with 100,000 traces. */
export async function runPage(engine: Engine): Promise<Row[]> {
  await using database = await engine.create();
  await using served = await serve(database);
  for (let at = 0; at < TRACES; at += 1000) {
    await Promise.all(
      Array.from({ length: 1000 }, (_, index) => {
        const task = Math.floor((at + index) / 8);
        return served.post('traces', { run: 'run', step: task % 100, task_index: task, environment: 'bench' });
      }),
    );
  }
  const paths = ['runs/run/stats', 'groups?run=run&limit=100', 'traces?run=run&limit=100', 'runs'];
  const rows: Row[] = [];
  for (const path of paths) {
    const value = 1e3 * (await rounds(() => served.get(path)));
    rows.push({ id: 'T10', what: `${path}, ms`, value, beside: 100, target: '<= 100 ms' });
  }
  return rows;
}
