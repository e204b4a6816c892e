import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { openSqliteStore } from '../../src/trace/store/index.ts';
import { testUnless } from '../support/optional.ts';
import { newFolder, sqliteMissing } from '../trace/store/stores.ts';
import { torn } from './batches.ts';
import { notesIn, report, storedIn, untilNoted } from './notes.ts';
import { start } from './program.ts';

const KILLS = 100;
/** Kills per file: each writer continues the file of the previous one. */
const KILLS_PER_FILE = 10;

testUnless(sqliteMissing)(
  `keeps all acknowledged blocks, and each batch whole, when a process with 32 writers is killed ${KILLS} times`,
  async () => {
    let kills = 0;
    let acknowledgements = 0;
    let unacknowledged = 0;
    while (kills < KILLS) {
      await using folder = await newFolder();
      const [path, notes] = [join(folder.path, 'traces.db'), join(folder.path, 'acknowledged')];
      for (let round = 0; round < KILLS_PER_FILE; round++) {
        await using writer = start('write-until-killed.ts', [path, notes, String(round)]);
        await untilNoted(writer, notes, 1);
        await delay((kills * 37) % 150);
        await writer.kill();
        kills++;

        await using store = await openSqliteStore({ path });
        const stored = await storedIn(store);
        const acknowledged = await notesIn(notes);
        const known = new Set(stored);
        expect(acknowledged.filter((id) => !known.has(id))).toEqual([]);
        expect(torn(stored)).toEqual([]);
        expect(await store.verify()).toEqual([]);
        if (round === KILLS_PER_FILE - 1) {
          acknowledgements += acknowledged.length;
          unacknowledged += stored.length - acknowledged.length;
        }
      }
    }
    report(`${kills} kills: ${acknowledgements} blocks acknowledged, 0 of them missing, ${unacknowledged} more stored`);
    expect(acknowledgements).toBeGreaterThan(KILLS);
  },
);
