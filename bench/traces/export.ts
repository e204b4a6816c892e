import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { memoryGrowth } from '../process/proc.ts';
import { percentile } from '../statistics.ts';
import type { Engine } from './engine.ts';
import { sampleBlocks } from './sample-blocks.ts';
import type { RoundContext, StoreRow } from './store-measure.ts';
import { createTraces, runClients, seconds, serve, type TraceServer, times } from './trace-server.ts';

const RUN = 'exported';
const WRITERS = 4;
const IDLE_MS = 5_000;
const SAMPLE_MS = 10;
const MEGABYTE = 1024 * 1024;
/** Memory limit of an export of any size, in megabytes. */
const MAX_GROWTH_MB = 64;

/** T8: memory growth of the server during the export of a run, and latency of concurrent writes. */
export async function exportRun(engine: Engine, round: RoundContext): Promise<StoreRow[]> {
  await using database = await engine.create();
  await using filled = await serve(database);
  await fill(filled, { run: RUN }, round);
  // Starts a new process: one that has written all blocks has already grown.
  await filled[Symbol.asyncDispose]();
  await using server = await serve(database);
  await createTraces(server, WRITERS);
  round.progress('writes before the export');
  const until = performance.now() + IDLE_MS;
  await writeWhile(server, 'warm', () => performance.now() < until - IDLE_MS / 2);
  const before = await writeWhile(server, 'idle', () => performance.now() < until);

  round.progress('the export, with concurrent writes');
  let isDone = false;
  const url = `${server.url}/v1/organizations/default/runs/${RUN}/export?format=jsonl`;
  let exported = { bytes: 0, seconds: Number.NaN };
  let during: readonly number[] = [];
  const growth = await memoryGrowth(server.pid, SAMPLE_MS, async () => {
    const exporting = download(url).finally(() => {
      isDone = true;
    });
    during = await writeWhile(server, 'busy', () => !isDone);
    exported = await exporting;
  });
  const p99Ms = (values: readonly number[]) => 1e3 * percentile(values, 0.99);
  const name = `export of ${round.blocks.toLocaleString('en')} blocks`;
  return [
    {
      mark: 'T8',
      name: `${name}, memory growth MB`,
      better: 'less',
      figures: { store: growth / MEGABYTE },
      atMost: MAX_GROWTH_MB,
    },
    {
      mark: 'T8',
      name: 'single blocks during the export, p99 ms',
      better: 'less',
      figures: { store: p99Ms(during), 'before it': p99Ms(before) },
      atMost: 1.5,
    },
    { name: `${name}, MB/s`, better: 'more', figures: { store: exported.bytes / MEGABYTE / exported.seconds } },
  ];
}

/** @returns the latency of each block in seconds. */
async function writeWhile(
  server: TraceServer,
  name: string,
  shouldContinue: () => boolean,
): Promise<readonly number[]> {
  const latencies: number[] = [];
  await runClients(WRITERS, shouldContinue, async (client, turn) => {
    const [block = {}] = sampleBlocks(`${name}${turn}`, 1);
    latencies.push(await seconds(() => server.post(`traces/tr_${client}/blocks`, block)));
  });
  return latencies;
}

const FORMATS = ['jsonl', 'openai', 'sharegpt', 'atif', 'otlp-json'];

/**
 * T8 for each format: memory growth of a new server during the export of a long trace, after the export of a short one.
 */
export async function formats(engine: Engine, round: RoundContext): Promise<StoreRow[]> {
  await using database = await engine.create();
  await using filled = await serve(database);
  await createTraces(filled, 2);
  await filled.post('traces/tr_1/blocks', { blocks: sampleBlocks('short', 30) });
  await fill(filled, { trace: 'tr_0' }, round);
  const { bytes } = JSON.parse(await filled.get('traces/tr_0')) as { readonly bytes: number };
  await filled[Symbol.asyncDispose]();
  const rows: StoreRow[] = [];
  for (const format of FORMATS) {
    round.progress(`the export as ${format}`);
    await using server = await serve(database);
    const urlOf = (trace: string) => `${server.url}/v1/organizations/default/traces/${trace}/export?format=${format}`;
    await download(urlOf('tr_1'));
    const growth = await memoryGrowth(server.pid, SAMPLE_MS, () => download(urlOf('tr_0')));
    rows.push({
      mark: 'T8',
      name: `a trace of ${(bytes / MEGABYTE).toFixed(0)} MB as ${format}, memory growth MB`,
      better: 'less',
      figures: { store: growth / MEGABYTE },
    });
  }
  const most = Math.max(...rows.map(({ figures }) => figures.store ?? 0));
  const name = 'a long trace in the format that needs most, memory growth MB';
  return [...rows, { mark: 'T8', name, better: 'less', figures: { store: most }, atMost: MAX_GROWTH_MB }];
}

/** Downloads a URL in a worker thread, which does not block the writers of this one. */
async function download(url: string): Promise<{ readonly bytes: number; readonly seconds: number }> {
  const worker = new Worker(new URL('./download-worker.ts', import.meta.url), { workerData: url });
  const [result] = await once(worker, 'message');
  return result;
}

const BLOCKS_PER_TRACE = 10_000;
const BATCH = 500;

/** Writes the blocks of a round: into one existing trace, or into traces of a run with one writer each. */
async function fill(
  server: TraceServer,
  target: { trace: string } | { run: string },
  round: RoundContext,
): Promise<void> {
  const { blocks: count, progress } = round;
  let next = 0;
  let written = 0;
  const write = async (trace: string, from: number, until: number) => {
    for (let start = from; start < until; start += BATCH) {
      await server.post(`traces/${trace}/blocks`, { blocks: sampleBlocks(`full${start}`, BATCH) });
      written += BATCH;
      progress(`${written.toLocaleString('en')} of ${count.toLocaleString('en')} blocks written`);
    }
  };
  await runClients(WRITERS, times(Math.ceil(count / BLOCKS_PER_TRACE)), async () => {
    const from = next;
    next += BLOCKS_PER_TRACE;
    const until = Math.min(count, next);
    if ('trace' in target) return write(target.trace, from, until);
    await server.post('traces', { id: `tr_full_${from}`, run: target.run });
    return write(`tr_full_${from}`, from, until);
  });
}
