import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { openSqliteStore } from '../../src/trace/store/index.ts';
import { testUnless } from '../support/optional.ts';
import { newFolder, sqliteMissing } from '../trace/store/stores.ts';
import { report } from './notes.ts';
import { start } from './program.ts';

const GB = 1e9;
/** Blocks in a batch of `write-much.ts`. */
const BATCH = 50;
/** Blocks of `write-again.ts`. */
const AGAIN = 10;

const sizeOf = async (path: string): Promise<number> => (await stat(path)).size;
const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(3)} s`;

testUnless(sqliteMissing).each(['in the file', 'in the log'])(
  'accepts writes again after a kill with 1 GB %s, and keeps all acknowledged blocks',
  async (where) => {
    await using folder = await newFolder();
    const path = join(folder.path, 'traces.db');
    await using writer = start('write-much.ts', [path, String(GB), where]);
    const filling = performance.now();
    const acknowledged = Number(await writer.line());
    const filled = performance.now() - filling;
    await delay(70);
    await writer.kill();
    const [file, log] = [await sizeOf(path), await sizeOf(`${path}-wal`)];

    const starting = performance.now();
    await using again = start('write-again.ts', [path]);
    const { opened, until, blocks } = JSON.parse(await again.end());
    const all = performance.now() - starting;

    await using store = await openSqliteStore({ path });
    const verifying = performance.now();
    expect(await store.verify()).toEqual([]);
    report(
      `1 GB ${where}: written in ${inSeconds(filled)}; file ${file}, log ${log} bytes; after the kill open in ${inSeconds(opened)}, ` +
        `first write acknowledged after ${inSeconds(until[0])}, tenth after ${inSeconds(until.at(-1))}, ` +
        `with the start and end of the process ${inSeconds(all)}; verified in ${inSeconds(performance.now() - verifying)}`,
    );
    expect(blocks - AGAIN).toBeGreaterThanOrEqual(acknowledged);
    expect((blocks - AGAIN) % BATCH).toBe(0);
    expect(file + log).toBeGreaterThan(GB);
  },
);
