import { cpuMicroseconds } from '../process/proc.ts';
import { blocksOf } from './bodies.ts';
import type { Engine } from './engine.ts';
import { median, type Served, seconds, serve } from './place.ts';
import type { Round } from './round.ts';
import type { Row } from './row.ts';

const BATCH = 500;
const OF_A_TRACE = 10_000;
const WRITERS = 4;
const RUNS = 100;
const ROUNDS = 5;
/** Where a look is taken, as parts of the whole. */
const LOOKS = [0.01, 0.1, 0.25, 0.5, 0.75, 1];

const APPENDED = 'appended, blocks/s';

/** What a database of many blocks takes to write into and to read from while it grows to `count` of them: a curve of each. */
export async function growth(engine: Engine, { blocks: count, progress }: Round): Promise<Row[]> {
  await using database = await engine.create();
  await using served = await serve(database);
  const curves = new Map<string, Record<string, number>>();
  let written = 0;
  for (const part of LOOKS) {
    const until = Math.max(OF_A_TRACE, Math.round((part * count) / OF_A_TRACE) * OF_A_TRACE);
    if (until <= written) continue;
    progress(`${written.toLocaleString('en')} of ${count.toLocaleString('en')} blocks written`);
    const spent = cpuMicroseconds(served.pid);
    const took = await seconds(() => write(served, written, until));
    const blocks = until - written;
    written = until;
    const found: [string, number][] = [
      [APPENDED, blocks / took],
      ['appended, CPU us/block', (cpuMicroseconds(served.pid) - spent) / blocks],
      ...(await readAll(served, until)),
    ];
    for (const [name, value] of found) curves.set(name, { ...curves.get(name), [sizeText(until)]: value });
  }
  return [...curves].map(([name, figures]) => ({ name, better: name === APPENDED ? 'more' : 'less', figures }));
}

const sizeText = (blocks: number): string => `${(blocks / 1e6).toLocaleString('en')} million`;

/** Traces of ten thousand blocks each, some at a time. */
async function write(served: Served, from: number, until: number): Promise<void> {
  let next = from;
  const writeTraces = async () => {
    while (next < until) {
      const at = next;
      next += OF_A_TRACE;
      await served.post('traces', { id: idAt(at), run: runAt(at), step: (at / OF_A_TRACE) % 100 });
      for (let place = 0; place < OF_A_TRACE; place += BATCH) {
        await served.post(`traces/${idAt(at)}/blocks`, { blocks: blocksOf(`g${at + place}`, BATCH) });
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writeTraces));
}

const idAt = (at: number): string => `tr_grown_${at}`;
const runAt = (at: number): string => `run${(at / OF_A_TRACE) % RUNS}`;

/** What each reading of the trace that is newest takes: on the clock, and of the server's CPU. */
async function readAll(served: Served, blocks: number): Promise<[string, number][]> {
  const at = blocks - OF_A_TRACE;
  const trace = `traces/${idAt(at)}`;
  const paths = {
    'the first page of 200': `${trace}/blocks?limit=200`,
    'the last page of 200': `${trace}/blocks?limit=200&after=${OF_A_TRACE - 200}`,
    'a page of outlines as a tree': `${trace}/blocks.stitched?limit=500&fields=skeleton`,
    'a trace as a tree': `${trace}/blocks.stitched?limit=100000`,
    'the runs': 'runs',
    'the traces of a run': `traces?run=${runAt(at)}&limit=100`,
    'the numbers of a run': `runs/${runAt(at)}/stats`,
  };
  const found: [string, number][] = [];
  for (const [what, path] of Object.entries(paths)) {
    const took: number[] = [];
    const spent: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const before = cpuMicroseconds(served.pid);
      took.push(await seconds(() => served.get(path)));
      spent.push(cpuMicroseconds(served.pid) - before);
    }
    found.push([`${what}, ms`, 1e3 * median(took.slice(1))], [`${what}, CPU ms`, median(spent.slice(1)) / 1e3]);
  }
  return found;
}
