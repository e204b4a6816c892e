import { join } from 'node:path';
import { expect } from '@jest/globals';
import { openSqliteStore } from '../../src/trace/store/index.ts';
import { testUnless } from '../support/optional.ts';
import { newFolder, ORG, sqliteMissing } from '../trace/store/stores.ts';
import { report } from './notes.ts';
import { start } from './program.ts';

testUnless(sqliteMissing)(
  'lets one of three processes write each block when all write the same blocks to one file',
  async () => {
    await using folder = await newFolder();
    const path = join(folder.path, 'traces.db');
    const programs = ['a', 'b', 'c'].map((name) => start('write-the-same.ts', [path, name]));

    const written = (await Promise.all(programs.map((program) => program.end()))).map((text) => JSON.parse(text));

    await using store = await openSqliteStore({ path });
    const stored = (await store.blocks(ORG, 'tr_shared')).map(({ block }) => block.id);
    expect(stored).toHaveLength(200);
    expect(written.flat().sort()).toEqual(stored.sort());
    expect(await store.verify()).toEqual([]);
    report(`three processes: ${written.map((each) => each.length).join(', ')} blocks written first`);
  },
);
