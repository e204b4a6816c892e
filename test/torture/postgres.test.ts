import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { openPostgresStore } from '../../src/trace/store/index.ts';
import { testUnless } from '../support/optional.ts';
import { postgresMissing, startPostgres } from '../trace/store/postgres-server.ts';
import { newFolder } from '../trace/store/stores.ts';
import { torn } from './batches.ts';
import { type Way, ways } from './kill-postgres.ts';
import { notesIn, report, storedIn, untilNoted } from './notes.ts';
import { type Program, start } from './program.ts';

const KILLS = 104;
const WAYS: readonly Way[] = ['immediately', 'postmaster', 'everything', 'connection'];
/** A writing process is killed too at every Nth kill of the server. */
const WRITER_DIES_EACH = 3;
/** Acknowledgements of each process between two kills. */
const BETWEEN = 20;

/** Three processes with sixteen writers each: two run throughout, and the third is killed and restarted. */
function startWriters(url: string, folder: string) {
  const notesOf = (name: string) => join(folder, name);
  const startOne = (name: string, life = '') => start('write-into-postgres.ts', [url, notesOf(name), name, life]);
  const lasting = ['a', 'b'].map((name) => ({ notes: notesOf(name), program: startOne(name) }));
  const mortal = { notes: notesOf('c'), program: startOne('c', '0'), deaths: 0 };
  return {
    lasting,
    mortal,
    untilNoted: (more: number) =>
      Promise.all([...lasting, mortal].map(({ program, notes }) => untilNoted(program, notes, more))),
    async replace(): Promise<void> {
      const { program } = mortal;
      mortal.program = startOne('c', String(++mortal.deaths));
      await program.kill();
    },
    async [Symbol.asyncDispose]() {
      for (const { program } of [...lasting, mortal]) await program.kill();
    },
  };
}

const refusalsOf = async (program: Program): Promise<{ readonly refused: number; readonly doubtful: number }> =>
  JSON.parse(await program.end());

testUnless(postgresMissing)(
  `keeps all acknowledged blocks of 48 writers in three processes, while PostgreSQL and they are killed ${KILLS} times`,
  async () => {
    await using server = await startPostgres();
    await using folder = await newFolder();
    const url = await server.newUrl();
    await (await openPostgresStore({ url })).close();
    await using writers = startWriters(url, folder.path);
    const { lasting, mortal } = writers;

    for (let kill = 0; kill < KILLS; kill++) {
      await writers.untilNoted(BETWEEN);
      await delay((kill * 37) % 150);
      const death = kill % WRITER_DIES_EACH === 0 ? writers.replace() : undefined;
      await ways[WAYS[kill % WAYS.length] ?? 'immediately'](server, url);
      await death;
    }
    await writers.untilNoted(BETWEEN);
    await mortal.program.kill();
    const ends = await Promise.all(lasting.map(({ program }) => refusalsOf(program)));

    await using store = await openPostgresStore({ url });
    const stored = await storedIn(store);
    const known = new Set(stored);
    const acknowledged = (await Promise.all(lasting.map(({ notes }) => notesIn(notes)))).flat();
    const acknowledgedByKilled = await notesIn(mortal.notes);
    const idsOf = (lines: readonly string[]) => lines.map((line) => line.split(' ')[1] ?? '');
    const missing = idsOf([...acknowledged, ...acknowledgedByKilled]).filter((id) => !known.has(id));
    const refused = ends.map((each) => each.refused);
    report(
      `PostgreSQL killed ${KILLS} times, processes that write ${mortal.deaths + 1} times: ` +
        `${acknowledged.length + acknowledgedByKilled.length} blocks acknowledged, ${missing.length} of them missing, ` +
        `${stored.length - acknowledged.length - acknowledgedByKilled.length} more stored; by those that lived on: ${JSON.stringify(ends)}`,
    );
    expect(missing).toEqual([]);
    expect(known.size).toBe(stored.length);
    expect(torn(stored)).toEqual([]);
    // The surviving processes know the outcome of each block.
    expect(idsOf(acknowledged).sort()).toEqual(stored.filter((id) => !id.startsWith('tb_c')).sort());
    // Rejected writes were not stored: their repetitions were new.
    expect([...acknowledged, ...acknowledgedByKilled].filter((line) => line.startsWith('again'))).toEqual([]);
    expect(await store.verify()).toEqual([]);
    expect(Math.min(...refused)).toBeGreaterThan(KILLS);
  },
);
