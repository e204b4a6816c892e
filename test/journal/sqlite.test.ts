import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { openSqlite } from '../../src/trace/store/index.ts';
import { testForks } from './fork-contract.ts';
import { testJournal } from './journal-contract.ts';

describe('a journal in a SQLite file', () => {
  let folder: string;
  let count = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ors-journal-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const database = {
    newLocation: async () => join(folder, `${++count}.db`),
    async run(location: string, sql: string) {
      const driver = await openSqlite({ path: location });
      const rows = await driver.write(1, (transaction) => transaction.query(sql));
      await driver.close();
      return rows;
    },
  };
  testJournal(database);
  testForks(database);
});
