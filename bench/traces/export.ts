import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { residentBytes } from '../process/proc.ts';
import { blocksOf } from './bodies.ts';
import type { Engine } from './engine.ts';
import { createTraces } from './ingest.ts';
import { quantile, type Served, seconds, serve, together } from './place.ts';
import type { Row } from './row.ts';

const RUN = 'exported';
const OF_A_TRACE = 10_000;
const BATCH = 500;
const WRITERS = 4;
const IDLE_MS = 5_000;
const MEGABYTE = 1024 * 1024;

/** T8: what the export of a run of `count` blocks costs the server in memory, and those who write meanwhile in time. */
export async function exportRun(engine: Engine, count: number): Promise<Row[]> {
  await using database = await engine.create();
  await fill(await serve(database), count);
  // A process that has written all this has grown already.
  await using served = await serve(database);
  await createTraces(served, WRITERS);
  const until = performance.now() + IDLE_MS;
  await writeWhile(served, 'warm', () => performance.now() < until - IDLE_MS / 2);
  const idle = await writeWhile(served, 'idle', () => performance.now() < until);

  const before = residentBytes(served.pid);
  let [most, isOver] = [before, false];
  const look = setInterval(() => {
    most = Math.max(most, residentBytes(served.pid));
  }, 20);
  const url = `${served.url}/v1/organizations/default/runs/${RUN}/export?format=jsonl`;
  const reading = drain(url).finally(() => {
    isOver = true;
  });
  const busy = await writeWhile(served, 'busy', () => !isOver);
  clearInterval(look);
  const { bytes, took } = await reading;
  const ms = (values: readonly number[]) => 1e3 * quantile(values, 0.99);
  const name = `export of ${count.toLocaleString('en')} blocks`;
  return [
    {
      mark: 'T8',
      name: `${name}, MB that the server grows by`,
      better: 'less',
      figures: { store: (most - before) / MEGABYTE },
      atMost: 64,
    },
    {
      mark: 'T8',
      name: 'single blocks during the export, p99 ms',
      better: 'less',
      figures: { store: ms(busy), 'before it': ms(idle) },
      atMost: 2,
    },
    { name: `${name}, MB/s`, better: 'more', figures: { store: bytes / MEGABYTE / took } },
  ];
}

async function fill(served: Served, count: number): Promise<void> {
  for (let at = 0; at < count; at += OF_A_TRACE) {
    const id = `tr_full_${at}`;
    await served.post('traces', { id, run: RUN });
    for (let from = 0; from < Math.min(OF_A_TRACE, count - at); from += BATCH) {
      const blocks = blocksOf(`full${at + from}`, BATCH);
      await served.post(`traces/${id}/blocks`, { blocks });
    }
  }
  await served[Symbol.asyncDispose]();
}

/** How long each block took, in seconds. */
async function writeWhile(served: Served, name: string, goesOn: () => boolean): Promise<readonly number[]> {
  const took: number[] = [];
  await together(WRITERS, goesOn, async (client, turn) => {
    const [block] = blocksOf(`${name}${turn}`, 1);
    took.push(await seconds(() => served.post(`traces/tr_${client}/blocks`, block)));
  });
  return took;
}

/** Reads a whole answer in a thread of its own, so that those who write here are not kept waiting by it. */
async function drain(url: string): Promise<{ readonly bytes: number; readonly took: number }> {
  const worker = new Worker(new URL('./drain.ts', import.meta.url), { workerData: url });
  const [read] = await once(worker, 'message');
  return read;
}
