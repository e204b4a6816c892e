import { cpuMicroseconds } from '../process/proc.ts';
import { median } from '../statistics.ts';
import type { Engine } from './engine.ts';
import { sampleBlocks } from './sample-blocks.ts';
import type { RoundContext, StoreRow } from './store-measure.ts';
import { seconds, serve, type TraceServer } from './trace-server.ts';

const BATCH = 500;
const BLOCKS_PER_TRACE = 10_000;
const WRITERS = 4;
const RUNS = 100;
const READS = 5;
/** Sizes at which costs are measured, as parts of the final size. */
const SIZES = [0.01, 0.1, 0.25, 0.5, 0.75, 1];

const APPENDED = 'appended, blocks/s';

/** Measures the cost of writes and reads while a database grows to `count` blocks: a row of costs by size for each. */
export async function growth(engine: Engine, { blocks: count, progress }: RoundContext): Promise<StoreRow[]> {
  await using database = await engine.create();
  await using server = await serve(database);
  const curves = new Map<string, Record<string, number>>();
  let written = 0;
  for (const part of SIZES) {
    const until = Math.max(BLOCKS_PER_TRACE, Math.round((part * count) / BLOCKS_PER_TRACE) * BLOCKS_PER_TRACE);
    if (until <= written) continue;
    progress(`${written.toLocaleString('en')} of ${count.toLocaleString('en')} blocks written`);
    const cpuBefore = cpuMicroseconds(server.pid);
    const duration = await seconds(() => write(server, written, until));
    const blocks = until - written;
    written = until;
    const costs: [string, number][] = [
      [APPENDED, blocks / duration],
      ['appended, CPU us/block', (cpuMicroseconds(server.pid) - cpuBefore) / blocks],
      ...(await readAll(server, until)),
    ];
    for (const [name, value] of costs) curves.set(name, { ...curves.get(name), [sizeText(until)]: value });
  }
  return [...curves].map(([name, figures]) => ({ name, better: name === APPENDED ? 'more' : 'less', figures }));
}

const sizeText = (blocks: number): string => `${(blocks / 1e6).toLocaleString('en')} million`;

/** Writes traces of 10,000 blocks, one per writer at a time. */
async function write(server: TraceServer, from: number, until: number): Promise<void> {
  let next = from;
  const writeTraces = async () => {
    while (next < until) {
      const start = next;
      next += BLOCKS_PER_TRACE;
      const step = (start / BLOCKS_PER_TRACE) % 100;
      await server.post('traces', { id: traceAt(start), run: runAt(start), step });
      for (let offset = 0; offset < BLOCKS_PER_TRACE; offset += BATCH) {
        await server.post(`traces/${traceAt(start)}/blocks`, { blocks: sampleBlocks(`g${start + offset}`, BATCH) });
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writeTraces));
}

const traceAt = (start: number): string => `tr_grown_${start}`;
const runAt = (start: number): string => `run${(start / BLOCKS_PER_TRACE) % RUNS}`;

/** Measures the reads of the newest trace and its run: wall time, and CPU time of the server. */
async function readAll(server: TraceServer, blocks: number): Promise<[string, number][]> {
  const start = blocks - BLOCKS_PER_TRACE;
  const trace = `traces/${traceAt(start)}`;
  const paths = {
    'the first page of 200': `${trace}/blocks?limit=200`,
    'the last page of 200': `${trace}/blocks?limit=200&after=${BLOCKS_PER_TRACE - 200}`,
    'a page of skeletons as a tree': `${trace}/blocks.stitched?limit=500&fields=skeleton`,
    'a trace as a tree': `${trace}/blocks.stitched?limit=100000`,
    'the runs': 'runs',
    'the traces of a run': `traces?run=${runAt(start)}&limit=100`,
    'the statistics of a run': `runs/${runAt(start)}/stats`,
  };
  const costs: [string, number][] = [];
  for (const [what, path] of Object.entries(paths)) {
    const durations: number[] = [];
    const cpu: number[] = [];
    for (let round = 0; round <= READS; round++) {
      const before = cpuMicroseconds(server.pid);
      durations.push(await seconds(() => server.get(path)));
      cpu.push(cpuMicroseconds(server.pid) - before);
    }
    costs.push([`${what}, ms`, 1e3 * median(durations.slice(1))], [`${what}, CPU ms`, median(cpu.slice(1)) / 1e3]);
  }
  return costs;
}
