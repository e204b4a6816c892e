import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openJournal } from 'ors-kit/journal';
import { sleep } from '../../src/core/index.ts';
import { openSqlJournal } from '../../src/journal/open-journal.ts';
import { openSqlite } from '../../src/trace/store/index.ts';
import { call, create, request, start } from '../support/client.ts';
import { testForks } from './fork-contract.ts';
import { testJournal } from './journal-contract.ts';
import { testRaces } from './races-contract.ts';
import { CREATE, heldWalk, walk } from './servers.ts';

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
    const time = { databaseNow: '0', now: () => 0, sleep };
    const journal = await openSqlJournal({ ...driver, write }, time, { mode: 'async' });
    const created = await journal.create({ ...KEY, ...EPISODE });
    isCreated = true;
    return { journal, created };
  }
  it('stores asynchronous writes in their order, although the database may run them in any', async () => {
    let writes = 0;
    // Each write overtakes the one before.
    const { journal, created } = await openAsync(() => sleep(Math.max(0, 50 - 10 * writes++)));
    await using _ = journal;
    await created.begin({ number: 1, taskId: 'call-1', name: 'count', input: {}, now: 0 });
    await created.end(1, { event: 'end', json: '{}' }, undefined);
    await created.flush();

    const resumed = await journal.resume(KEY);

    expect(resumed?.calls.map(({ outcome }) => outcome)).toEqual([{ event: 'end', json: '{}' }]);
  });
  it('stores nothing after an asynchronous write that failed', async () => {
    let writes = 0;
    const { journal, created } = await openAsync(async () => {
      if (++writes === 1) throw new Error('the database is not available');
    });
    await using _ = journal;
    for (const number of [1, 2]) {
      await created.begin({ number, taskId: `call-${number}`, name: 'count', input: {}, now: 0 });
      await created.end(number, { event: 'end', json: '{}' }, `state ${number}`);
    }

    await expect(created.flush()).rejects.toThrow('not available');

    const resumed = await journal.resume(KEY);
    expect([resumed?.calls, resumed?.snapshot]).toEqual([[], undefined]);
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
    const time = { databaseNow: '0', now: () => now, sleep: pass };
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
  testJournal(database);
  testForks(database);
  testRaces(database);
});
