import { blocksOf } from './bodies.ts';
import { type Served, times, together } from './place.ts';
import type { Round } from './round.ts';

export const OF_A_TRACE = 10_000;
const BATCH = 500;
const WRITERS = 4;

/** Writes the blocks of a round: into one trace that is there, or into traces of a run, each of which is one writer's. */
export async function fill(served: Served, where: { trace: string } | { run: string }, round: Round): Promise<void> {
  const { blocks: count, progress } = round;
  let next = 0;
  let written = 0;
  const write = async (trace: string, from: number, until: number) => {
    for (let at = from; at < until; at += BATCH) {
      await served.post(`traces/${trace}/blocks`, { blocks: blocksOf(`full${at}`, BATCH) });
      written += BATCH;
      progress(`${written.toLocaleString('en')} of ${count.toLocaleString('en')} blocks written`);
    }
  };
  await together(WRITERS, times(Math.ceil(count / OF_A_TRACE)), async () => {
    const from = next;
    next += OF_A_TRACE;
    const until = Math.min(count, next);
    if ('trace' in where) return write(where.trace, from, until);
    await served.post('traces', { id: `tr_full_${from}`, run: where.run });
    return write(`tr_full_${from}`, from, until);
  });
}
