import { afterAll, expect, it } from '@jest/globals';
import { openJournal } from 'ors-kit/journal';
import { sleep } from '../../src/core/index.ts';
import { openSqlJournal } from '../../src/journal/open-journal.ts';
import { openPostgres } from '../../src/trace/store/index.ts';
import { describeUnless } from '../support/optional.ts';
import { postgresMissing, startPostgres } from '../trace/store/postgres-server.ts';
import { testForks } from './fork-contract.ts';
import { testJournal } from './journal-contract.ts';
import { testRaces } from './races-contract.ts';
import { testReturns } from './returns-contract.ts';
import { testVersions } from './versions-contract.ts';

const server = postgresMissing === undefined ? await startPostgres() : undefined;
afterAll(async () => server?.[Symbol.asyncDispose]());

describeUnless(postgresMissing)('a journal in a PostgreSQL database', () => {
  if (!server) return;

  const database = {
    newLocation: () => server.newUrl(),
    run: (location: string, sql: string) => server.psql(location, sql),
  };
  it('removes the snapshots of episodes that are removed at the same time', async () => {
    const location = await server.newUrl();
    const driver = await openPostgres({ url: location });
    let areRemoved = false;
    // Transactions of both removals overlap.
    const write: typeof driver.write = (bytes, work) =>
      driver.write(bytes, async (transaction) => {
        const result = await work(transaction);
        if (areRemoved) await sleep(300);
        return result;
      });
    const time = { databaseNow: '0', now: () => 0, sleep, nextWrites: () => sleep(1) };
    await using journal = await openSqlJournal({ ...driver, write }, time, {});
    const episode = { environment: 'lab', task: {}, toolset: undefined, seed: 1, now: 0, secrets: [] };
    const parent = await journal.create({ sid: 'a', owner: undefined, ...episode });
    await parent.begin({ number: 1, taskId: 'call-1', name: 'count', input: {}, now: 0 });
    await parent.end(1, { event: 'end', json: '{}' }, 'state');
    const fork = await parent.fork('b', undefined, () => undefined);

    areRemoved = true;
    await Promise.all([parent.remove(), fork?.journal.remove()]);

    expect(await server.psql(location, 'SELECT count(*) FROM journal_episodes')).toBe('0');
    expect(await server.psql(location, 'SELECT count(*) FROM journal_snapshots')).toBe('0');
  });
  it('names the journal in errors of its database', async () => {
    const location = await server.newUrl();
    await (await openJournal(location)).close();
    await server.psql(location, 'UPDATE trace_store SET version = 99');

    await expect(openJournal(location)).rejects.toThrow(
      'cannot open the journal database: the database has version 99 of the journal tables',
    );
  });
  testVersions(database);
  testJournal(database);
  testForks(database);
  testRaces(database);
  testReturns(database);
});
