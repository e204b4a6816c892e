import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openJournal } from 'ors-kit/journal';
import type { EpisodeJournal } from 'ors-kit/server';
import { deferred, sleep } from '../../src/core/index.ts';
import { openSqlJournal } from '../../src/journal/open-journal.ts';
import { openSqlite } from '../../src/trace/store/index.ts';
import { call, create, request, start } from '../support/client.ts';
import { testForks } from './fork-contract.ts';
import { testJournal } from './journal-contract.ts';
import { testRaces } from './races-contract.ts';
import { testReturns } from './returns-contract.ts';
import { CREATE, heldWalk, walk } from './servers.ts';
import { testVersions } from './versions-contract.ts';

describe('a journal in a SQLite file', () => {
  let folder: string;
  let count = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ors-journal-'));
    const driver = await openSqlite({ path: join(folder, 'empty.db') });
    await driver.close();
  });
  afterAll(() => rm(folder, { recursive: true }));

  const database = {
    /** Copies a file with the tables of a trace store, which take 20 ms to create; those of the journal are missing. */
    async newLocation() {
      const location = join(folder, `${++count}.db`);
      await copyFile(join(folder, 'empty.db'), location);
      return location;
    },
    async run(location: string, sql: string) {
      const driver = await openSqlite({ path: location });
      const rows = await driver.write(1, (transaction) => transaction.query(sql));
      await driver.close();
      return rows;
    },
  };
  const EPISODE = { environment: 'lab', task: {}, toolset: undefined, seed: 1, now: 0, secrets: [] };
  const KEY = { sid: 'a', owner: undefined };
  /** Opens an asynchronous journal with one episode. @param before runs before each later write. */
  async function openAsync(before: () => Promise<unknown>) {
    const driver = await openSqlite({ path: ':memory:' });
    let isCreated = false;
    const write: typeof driver.write = async (bytes, work) => {
      if (isCreated) await before();
      return driver.write(bytes, work);
    };
    const time = { databaseNow: '0', now: () => 0, sleep, nextWrites: () => sleep(1) };
    const journal = await openSqlJournal({ ...driver, write }, time, { mode: 'async' });
    const created = await journal.create({ ...KEY, ...EPISODE });
    isCreated = true;
    return { journal, created };
  }
  const begin = (created: EpisodeJournal, number: number) =>
    created.begin({ number, taskId: `call-${number}`, name: 'count', input: {}, now: 0 });
  const end = (created: EpisodeJournal, number: number) =>
    created.end(number, { event: 'end', json: `{"n":${number}}` }, `state ${number}`);
  const outcome = (number: number) => ({ event: 'end', json: `{"n":${number}}` });
  it('stores the asynchronous writes of a moment in one transaction, in the order in which calls ended', async () => {
    let writes = 0;
    const { journal, created } = await openAsync(async () => {
      writes++;
    });
    await using _ = journal;
    await begin(created, 1);
    await begin(created, 2);
    await end(created, 2);
    await end(created, 1);
    await begin(created, 3);
    await created.flush();
    const transactions = writes;

    const resumed = await journal.resume(KEY);

    expect(transactions).toBe(1);
    expect(resumed?.calls.map((call) => call.outcome)).toEqual([outcome(1), outcome(2), undefined]);
    expect(resumed?.snapshot).toBe('state 1');
  });
  it('stores asynchronous writes in their order, although the database may run them in any', async () => {
    let writes = 0;
    const started = deferred();
    // The second write would overtake the first.
    const { journal, created } = await openAsync(async () => {
      started.resolve();
      if (++writes === 1) await sleep(50);
    });
    await using _ = journal;
    await begin(created, 1);
    await started.promise;
    await end(created, 1);
    await created.flush();

    const resumed = await journal.resume(KEY);

    expect(resumed?.calls.map((call) => call.outcome)).toEqual([outcome(1)]);
  });
  it('stores nothing after an asynchronous write that failed', async () => {
    let writes = 0;
    const started = deferred();
    const { journal, created } = await openAsync(async () => {
      started.resolve();
      if (++writes > 1) return;
      await sleep(20);
      throw new Error('the database is not available');
    });
    await using _ = journal;
    await begin(created, 1);
    await started.promise;
    await end(created, 1);
    await begin(created, 2);
    await end(created, 2);

    await expect(created.flush()).rejects.toThrow('not available');
    await expect(begin(created, 3)).rejects.toThrow('not available');

    const resumed = await journal.resume(KEY);
    expect([resumed?.calls, resumed?.snapshot]).toEqual([[], undefined]);
  });
  it('names the journal in errors of its database', async () => {
    const text = join(folder, 'text.db');
    await writeFile(text, 'This is a text and no database.'.repeat(100));
    const newer = await database.newLocation();
    await database.run(newer, 'PRAGMA user_version = 99');

    await expect(openJournal(text)).rejects.toThrow(
      new RegExp(`^cannot open the journal database ${text}: .*; pass the file of a journal database`),
    );
    await expect(openJournal(newer)).rejects.toThrow('version 99 of the journal tables');
  });
  it('stores what waits before it closes', async () => {
    const location = await database.newLocation();
    const journal = await openJournal(location, { mode: 'async' });
    const created = await journal.create({ ...KEY, ...EPISODE });
    await begin(created, 1);
    await end(created, 1);

    await journal.close();

    const calls = await database.run(location, 'SELECT number, ended FROM journal_calls');
    expect(calls).toEqual([{ number: 1, ended: 1 }]);
  });
  it('stores what waits for a running transaction before it closes', async () => {
    const location = await database.newLocation();
    const driver = await openSqlite({ path: location });
    const started = deferred();
    let isSlow = false;
    const write: typeof driver.write = async (bytes, work) => {
      if (isSlow) {
        started.resolve();
        await sleep(50);
      }
      return driver.write(bytes, work);
    };
    const time = { databaseNow: '0', now: () => 0, sleep, nextWrites: () => sleep(1) };
    const journal = await openSqlJournal({ ...driver, write }, time, { mode: 'async' });
    const created = await journal.create({ ...KEY, ...EPISODE });
    isSlow = true;
    await begin(created, 1);
    await started.promise;
    await end(created, 1);

    await journal.close();

    const calls = await database.run(location, 'SELECT number, ended FROM journal_calls');
    expect(calls).toEqual([{ number: 1, ended: 1 }]);
  });
  it('forks an episode with more calls than a function can have arguments', async () => {
    const driver = await openSqlite({ path: ':memory:' });
    await using journal = await openSqlJournal(
      driver,
      { databaseNow: '0', now: () => 0, sleep, nextWrites: () => sleep(1) },
      {},
    );
    const created = await journal.create({ ...KEY, ...EPISODE });
    await driver.query(
      `INSERT INTO journal_calls (owner, sid, number, call, outcome, ended)
       WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 200000)
       SELECT '', 'a', n, '{"taskId":"call"}', 'r{}', n FROM numbers`,
    );

    const forked = await created.fork('b', undefined, () => undefined);

    expect(forked?.calls).toHaveLength(200_000);
  });
  it('sends nothing from memory after its lease has ended, until it has renewed it and still has the episode', async () => {
    const location = await database.newLocation();
    let now = 0;
    let writes = 0;
    const { write, ...driver } = await openSqlite({ path: location });
    const counted: typeof write = (bytes, work) => {
      writes++;
      return write(bytes, work);
    };
    // Longer than the test, so that no timer renews it.
    const leaseMs = 3_600_000;
    const pass = async () => {
      now += leaseMs / 10;
      await sleep(1);
    };
    const time = { databaseNow: '0', now: () => now, sleep: pass, nextWrites: () => sleep(1) };
    await using paused = await openSqlJournal({ ...driver, write: counted }, time, { leaseMs });
    await using other = await openJournal(location);
    await using one = await start(walk(), { journal: paused });
    const held = heldWalk();
    await using two = await start(held.environment, { journal: other });
    const [kept, taken] = [await create(one, CREATE), await create(one, CREATE)];
    const { taskId, json } = await call(one, taken, 'step', { by: 1 });
    const ping = async (sid: string) => (await request(one, 'POST', '/ping', { sid })).status;
    const repeat = () => call(one, taken, 'step', { by: 1 }, { taskId });
    writes = 0;
    expect([await ping(taken), (await repeat()).json, writes]).toEqual([200, json, 0]);
    // By the clock of the database, the lease has ended. A server does not release an episode during a call.
    await call(two, taken, 'step', { by: 1 });
    const waiting = call(two, taken, 'wait');
    await held.waitsFor(1);

    now = leaseMs;

    await expect(repeat()).rejects.toThrow('503');
    expect(await ping(taken)).toBe(503);
    expect(await ping(kept)).toBe(200);
    writes = 0;
    expect([await ping(kept), writes]).toEqual([200, 0]);
    held.open();
    await waiting;
  });
  testVersions(database);
  testJournal(database);
  testForks(database);
  testRaces(database);
  testReturns(database);
});
