import { copyFile, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { openSqliteStore } from '../../src/trace/store/index.ts';
import { testUnless } from '../support/optional.ts';
import { message, newFolder, ORG, post, sqliteMissing } from '../trace/store/stores.ts';

const CUTS = 60;

type Damage = (log: string, from: number, to: number) => Promise<void>;

/** Removes the end of the log, which never reached the disk. */
const cut: Damage = async (log, from) => {
  await using file = await open(log, 'r+');
  await file.truncate(from);
};

/** Corrupts a page of the log. */
const blur: Damage = async (log, from, to) => {
  await using file = await open(log, 'r+');
  await file.write(Buffer.alloc(Math.min(700, to - from), 0x5a), 0, undefined, from);
};

testUnless(sqliteMissing)(
  `keeps synced blocks, and whole batches of the rest, when the end of the log is damaged ${CUTS} times`,
  async () => {
    await using folder = await newFolder();
    const path = join(folder.path, 'traces.db');
    await using store = await openSqliteStore({ path });
    await store.createTrace(ORG, { id: 'tr_a' });
    const write = async (batches: number) => {
      for (let batch = 0; batch < batches; batch++) {
        await post(store, 'tr_a', { blocks: Array.from({ length: 5 }, () => message('a'.repeat(500))) });
      }
    };
    await write(10);
    const safe = (await stat(`${path}-wal`)).size;
    await write(10);
    const size = (await stat(`${path}-wal`)).size;
    expect(size).toBeGreaterThan(safe);

    const counts = new Set<number>();
    for (let round = 0; round < CUTS; round++) {
      const copy = join(folder.path, `copy-${round}.db`);
      await copyFile(path, copy);
      await copyFile(`${path}-wal`, `${copy}-wal`);
      const place = safe + Math.floor(((size - safe - 1) * round) / (CUTS - 1));
      await (round % 2 === 0 ? cut : blur)(`${copy}-wal`, place, size);

      await using torn = await openSqliteStore({ path: copy });
      const blocks = await torn.blocks(ORG, 'tr_a');
      expect(blocks.length).toBeGreaterThanOrEqual(50);
      expect(blocks.length % 5).toBe(0);
      expect(blocks).toEqual((await store.blocks(ORG, 'tr_a')).slice(0, blocks.length));
      expect(await torn.verify()).toEqual([]);
      await post(torn, 'tr_a', message());
      counts.add(blocks.length);
    }
    // Otherwise nothing was cut.
    expect(counts.size).toBeGreaterThan(5);
  },
);
