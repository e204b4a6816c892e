import { blocksOf } from './bodies.ts';
import { drainBeside } from './drain-beside.ts';
import type { Engine } from './engine.ts';
import { fill } from './fill.ts';
import { grownBy } from './grown-by.ts';
import { createTraces } from './ingest.ts';
import { quantile, type Served, seconds, serve, together } from './place.ts';
import type { Round } from './round.ts';
import type { Row } from './row.ts';

const RUN = 'exported';
const WRITERS = 4;
const IDLE_MS = 5_000;
const MEGABYTE = 1024 * 1024;
/** Megabytes that an export may take, however much there is. */
const AT_MOST = 64;

/** T8: what the export of a run costs the server in memory, and those who write meanwhile in time. */
export async function exportRun(engine: Engine, round: Round): Promise<Row[]> {
  await using database = await engine.create();
  await using filled = await serve(database);
  await fill(filled, { run: RUN }, round);
  // A process that has written all this has grown already.
  await filled[Symbol.asyncDispose]();
  await using served = await serve(database);
  await createTraces(served, WRITERS);
  round.progress('writes before the export');
  const until = performance.now() + IDLE_MS;
  await writeWhile(served, 'warm', () => performance.now() < until - IDLE_MS / 2);
  const idle = await writeWhile(served, 'idle', () => performance.now() < until);

  round.progress('the export, and writes during it');
  let isOver = false;
  const url = `${served.url}/v1/organizations/default/runs/${RUN}/export?format=jsonl`;
  let read = { bytes: 0, took: Number.NaN };
  let busy: readonly number[] = [];
  const grown = await grownBy(served.pid, async () => {
    const reading = drainBeside(url).finally(() => {
      isOver = true;
    });
    busy = await writeWhile(served, 'busy', () => !isOver);
    read = await reading;
  });
  const ms = (values: readonly number[]) => 1e3 * quantile(values, 0.99);
  const name = `export of ${round.blocks.toLocaleString('en')} blocks`;
  return [
    {
      mark: 'T8',
      name: `${name}, MB that the server grows by`,
      better: 'less',
      figures: { store: grown / MEGABYTE },
      atMost: AT_MOST,
    },
    {
      mark: 'T8',
      name: 'single blocks during the export, p99 ms',
      better: 'less',
      figures: { store: ms(busy), 'before it': ms(idle) },
      atMost: 2,
    },
    { name: `${name}, MB/s`, better: 'more', figures: { store: read.bytes / MEGABYTE / read.took } },
  ];
}

/** How long each block took, in seconds. */
async function writeWhile(served: Served, name: string, goesOn: () => boolean): Promise<readonly number[]> {
  const took: number[] = [];
  await together(WRITERS, goesOn, async (client, turn) => {
    const [block = {}] = blocksOf(`${name}${turn}`, 1);
    took.push(await seconds(() => served.post(`traces/tr_${client}/blocks`, block)));
  });
  return took;
}

const FORMATS = ['jsonl', 'openai', 'sharegpt', 'atif', 'otlp-json'];

/** T8 for each format: what the export of one long trace costs a fresh server that has exported a short one. */
export async function formats(engine: Engine, round: Round): Promise<Row[]> {
  await using database = await engine.create();
  await using filled = await serve(database);
  await createTraces(filled, 2);
  await filled.post('traces/tr_1/blocks', { blocks: blocksOf('short', 30) });
  await fill(filled, { trace: 'tr_0' }, round);
  const { bytes } = JSON.parse(await filled.get('traces/tr_0')) as { readonly bytes: number };
  await filled[Symbol.asyncDispose]();
  const rows: Row[] = [];
  for (const format of FORMATS) {
    round.progress(`the export as ${format}`);
    await using served = await serve(database);
    const urlOf = (trace: string) => `${served.url}/v1/organizations/default/traces/${trace}/export?format=${format}`;
    await drainBeside(urlOf('tr_1'));
    const grown = await grownBy(served.pid, () => drainBeside(urlOf('tr_0')));
    rows.push({
      mark: 'T8',
      name: `a trace of ${(bytes / MEGABYTE).toFixed(0)} MB as ${format}, MB that the server grows by`,
      better: 'less',
      figures: { store: grown / MEGABYTE },
      atMost: AT_MOST,
    });
  }
  return rows;
}
