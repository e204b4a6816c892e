import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { openSqliteStore } from '../../src/trace/store/sql/index.ts';
import type { TraceStore } from '../../src/trace/store/trace-store.ts';
import { testUnless } from '../support/optional.ts';
import { newFolder, ORG, sqliteMissing } from '../trace/store/stores.ts';
import { type Program, start } from './program.ts';

const KILLS = 100;
/** So often the same file is written on, with what its last writer left behind. */
const ROUNDS_OF_A_FILE = 10;

/** Until something is acknowledged, and then a time of up to 150 ms that differs from round to round. */
async function aMoment(program: Program, notes: string, round: number): Promise<void> {
  const before = (await notesIn(notes)).length;
  while ((await notesIn(notes)).length === before) {
    if (program.hasEnded()) await program.output();
    await delay(5);
  }
  await delay((round * 37) % 150);
}

/** What was acknowledged; a line that was not written whole is none. */
async function notesIn(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').slice(0, -1);
}

async function storedIn(store: TraceStore): Promise<string[]> {
  const { items } = await store.traces(ORG, { limit: 100 });
  const traces = await Promise.all(items.map(({ id }) => store.skeletons(ORG, id)));
  return traces.flat().map(({ block }) => block.id);
}

/** Batches of which some blocks are there and others not. The place in its batch is the end of an id. */
function torn(stored: readonly string[]): string[] {
  const sizes = new Map<string, number>();
  for (const id of stored) {
    const batch = id.slice(0, id.lastIndexOf('_'));
    sizes.set(batch, (sizes.get(batch) ?? 0) + 1);
  }
  return [...sizes].flatMap(([batch, size]) => {
    const [writer = 0, place = 0] = batch.split('_').slice(-2).map(Number);
    return size === 1 + ((writer + place) % 9) ? [] : [batch];
  });
}

testUnless(sqliteMissing)(
  `${KILLS} times a process with 32 writers is killed: all that it acknowledged is there, each batch whole`,
  async () => {
    let kills = 0;
    let acknowledgements = 0;
    let unacknowledged = 0;
    while (kills < KILLS) {
      await using folder = await newFolder();
      const [path, notes] = [join(folder.path, 'traces.db'), join(folder.path, 'acknowledged')];
      for (let round = 0; round < ROUNDS_OF_A_FILE; round++) {
        await using writer = start('write-until-killed.ts', [path, notes, String(round)]);
        await aMoment(writer, notes, kills);
        await writer.kill();
        kills++;

        await using store = await openSqliteStore({ path });
        const stored = await storedIn(store);
        const acknowledged = await notesIn(notes);
        const known = new Set(stored);
        expect(acknowledged.filter((id) => !known.has(id))).toEqual([]);
        expect(torn(stored)).toEqual([]);
        expect(await store.verify()).toEqual([]);
        if (round === ROUNDS_OF_A_FILE - 1) {
          acknowledgements += acknowledged.length;
          unacknowledged += stored.length - acknowledged.length;
        }
      }
    }
    process.stderr.write(
      `${kills} kills: ${acknowledgements} blocks acknowledged, 0 of them missing, ${unacknowledged} more stored\n`,
    );
    expect(acknowledgements).toBeGreaterThan(KILLS);
  },
);
