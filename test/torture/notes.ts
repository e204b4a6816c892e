import { readFile } from 'node:fs/promises';
import type { TraceStore } from '../../src/trace/store/trace-store.ts';
import { until } from '../support/until.ts';
import { ORG } from '../trace/store/stores.ts';
import type { Program } from './program.ts';

/** Prints a measurement into the output of the tests. */
export const report = (what: string): void =>
  void process.stderr.write(`torture, Node ${process.versions.node}: ${what}\n`);

/** Reads the blocks that a writer noted as acknowledged, without a last line that is incomplete. */
export async function notesIn(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').slice(0, -1);
}

/** Longer than a recovery of PostgreSQL. */
const DEADLINE_MS = 120_000;

/** Waits until a writer has noted `more` further lines. @throws Error with its output, if it ends before. */
export async function untilNoted(program: Program, notes: string, more: number): Promise<void> {
  const enough = (await notesIn(notes)).length + more;
  const isEnough = async () => {
    if ((await notesIn(notes)).length >= enough) return true;
    if (program.hasEnded()) throw new Error(`a writer has ended: ${await program.end()}`);
    return false;
  };
  await until(isEnough, `${enough} lines of ${notes}`, DEADLINE_MS);
}

/** Returns the ids of all blocks. */
export async function storedIn(store: TraceStore): Promise<string[]> {
  const { items } = await store.traces(ORG, { limit: 100 });
  const traces = await Promise.all(items.map(({ id }) => store.skeletons(ORG, id)));
  return traces.flat().map(({ block }) => block.id);
}
