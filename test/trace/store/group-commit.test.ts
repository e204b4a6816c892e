import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { StoreUnavailableError } from '../../../src/trace/model/index.ts';
import type { SqlDriver, SqlReader } from '../../../src/trace/store/sql/driver.ts';
import { createSqlStore } from '../../../src/trace/store/sql/sql-store.ts';
import { openSqlite } from '../../../src/trace/store/sql/sqlite/sqlite-driver.ts';
import { describeUnless } from '../../support/optional.ts';
import { call, codeOf, message, newFolder, ORG, openConversation, post, sqliteMissing } from './stores.ts';

const count = async (reader: SqlReader) => (await reader.query('SELECT * FROM tombstones')).length;
const note = (id: string) => (transaction: SqlReader) =>
  transaction.query('INSERT INTO tombstones (trace_id, org) VALUES (?, ?)', [id, ORG]);

/** Leaves a transaction that cannot be committed. */
const spoil = (transaction: SqlReader) =>
  transaction
    .query('PRAGMA defer_foreign_keys = ON')
    .then(() => transaction.query("INSERT INTO trace_tags (trace_rid, tag) VALUES (999, 'x')"));

describeUnless(sqliteMissing)('writes that wait together', () => {
  test('share a transaction, and each has its own result', async () => {
    await using driver = await open();
    const refused = new Error('not this one');
    const seen: number[] = [];

    const results = await Promise.allSettled([
      driver.write(1, note('tr_1')),
      driver.write(1, async (transaction) => {
        await note('tr_2')(transaction);
        seen.push(await count(transaction));
        throw refused;
      }),
      driver.write(1, note('tr_1')),
      driver.write(1, async (transaction) => {
        seen.push(await count(transaction));
        return 'fine';
      }),
    ]);

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: refused });
    expect(results[3]).toMatchObject({ value: 'fine' });
    // The second job saw the first; the last one saw nothing of the failed ones.
    expect(seen).toEqual([2, 1]);
    expect(await count(driver)).toBe(1);
  });

  test('share statements if they are of one kind, and each has its own result', async () => {
    await using driver = await open();
    const batches: string[][] = [];
    const write = driver.batchWriter<string, string>({
      async runBatch(transaction, ids) {
        batches.push([...ids]);
        if (ids.includes('tr_alone')) return [];
        for (const id of ids) await note(id)(transaction);
        if (ids.includes('tr_bad')) throw new Error('not together');
        return ids.map((value) => ({ status: 'fulfilled', value }));
      },
      async runSingle(transaction, id) {
        await note(id)(transaction);
        if (id === 'tr_bad') throw new Error('not this one');
        return `${id} alone`;
      },
    });

    const values = await Promise.allSettled([
      write('tr_1', 'a', 1),
      write('tr_2', 'b', 1),
      write('tr_3', 'a', 1),
      driver.write(1, note('tr_4')).then(() => 'between'),
      write('tr_5', 'a', 1),
      write('tr_bad', 'b', 1),
      driver.write(1, note('tr_6')).then(() => 'between'),
      write('tr_7', 'a', 1),
      write('tr_alone', 'b', 1),
    ]);

    // A second item with the same key waits for the first.
    expect(batches).toEqual([
      ['tr_1', 'tr_2'],
      ['tr_5', 'tr_bad'],
      ['tr_7', 'tr_alone'],
    ]);
    expect(values.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message))).toEqual([
      'tr_1',
      'tr_2',
      'tr_3 alone',
      'between',
      'tr_5 alone',
      'not this one',
      'between',
      'tr_7 alone',
      'tr_alone alone',
    ]);
    expect(await count(driver)).toBe(8);
  });

  test('of one block to two traces store it once, and only the second one is written alone', async () => {
    await using driver = await open();
    const single: unknown[] = [];
    const batchWriter: SqlDriver['batchWriter'] = ({ runBatch, runSingle }) =>
      driver.batchWriter({
        runBatch,
        runSingle(transaction, item) {
          single.push(item);
          return runSingle(transaction, item);
        },
      });
    const store = createSqlStore({ ...driver, batchWriter }, Date.now);
    const ids = await Promise.all(
      ['one', 'two', 'three'].map(async (name) => (await store.createTrace(ORG, { name })).trace.id),
    );

    const results = await Promise.allSettled(
      ids.map((id, index) => post(store, id, { ...message(), id: index < 2 ? 'tb_shared' : 'tb_other' })),
    );

    expect(results).toMatchObject([
      { status: 'fulfilled' },
      { reason: { body: { code: 'BLOCK_ID_CONFLICT' } } },
      { status: 'fulfilled' },
    ]);
    const counts = await Promise.all(ids.map(async (id) => (await store.blocks(ORG, id)).length));
    expect(counts).toEqual([1, 0, 1]);
    expect(single).toMatchObject([{ id: ids[1] }]);
  });

  test('share it with later writes as long as more arrive', async () => {
    await using driver = await open();

    const first = [driver.write(1, note('tr_1')), driver.write(1, note('tr_2'))];
    await nextTurn();
    const last = driver.write(1, spoil);

    const results = await Promise.allSettled([...first, last]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  test('are rejected if the file is gone when they are committed', async () => {
    await using folder = await newFolder();
    const path = join(folder.path, 'traces.db');
    const driver = await openSqlite({ path });

    const written = driver.write(1, async (transaction) => {
      await note('tr_1')(transaction);
      rmSync(path);
    });

    await expect(written).rejects.toBeInstanceOf(StoreUnavailableError);
    await driver.close();
  });

  test('poll for changes of other processes only while there is a listener', async () => {
    await using driver = await open();
    let watching = 0;
    const watch = () => {
      watching++;
      return () => void watching--;
    };
    const store = createSqlStore({ ...driver, watch }, Date.now);

    const stops = [store.watch(ORG, 'tr_a', () => {}), store.watch(ORG, 'tr_b', () => {})];
    expect(watching).toBe(1);
    for (const stop of stops) stop();

    expect(watching).toBe(0);
  });

  test('all fail if the transaction fails, and later ones succeed', async () => {
    await using driver = await open();

    const results = await Promise.allSettled([
      driver.write(1, note('tr_1')),
      driver.write(1, spoil),
      driver.write(1, async () => {
        throw new Error('a private reason');
      }),
    ]);

    expect(results.map((answer) => answer.status === 'rejected' && answer.reason.message)).toEqual(
      results.map(() => 'FOREIGN KEY constraint failed'),
    );
    expect(await count(driver)).toBe(0);
    await driver.write(1, note('tr_1'));
    expect(await count(driver)).toBe(1);
  });

  test('are invisible to reads before they are on disk, and if they fail', async () => {
    await using driver = await open();
    const reads: Promise<number>[] = [];
    const slowly = async (transaction: SqlReader) => {
      await note(`tr_${reads.length}`)(transaction);
      reads.push(count(driver));
      await nextTurn();
      reads.push(count(driver));
    };

    await driver.write(1, slowly);
    await driver.write(1, async (transaction) => slowly(transaction).then(() => spoil(transaction))).catch(() => {});

    // Otherwise the last two reads would have found two traces.
    expect(await Promise.all(reads)).toEqual([1, 1, 1, 1]);
  });

  test('are rejected while too many bytes are waiting, and accepted afterwards', async () => {
    await using driver = await open({ maxQueuedBytes: 1000 });

    const results = await Promise.allSettled(
      [600, 400, 1].map((bytes, index) => driver.write(bytes, note(`tr_${index}`))),
    );
    const large = await Promise.allSettled([driver.write(5000, note('tr_large'))]);

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(results[2]).toMatchObject({ reason: expect.any(StoreUnavailableError) });
    expect(String(results[2]?.status === 'rejected' && results[2].reason)).toMatch(/1000 of at most 1000 bytes/);
    // A single write may exceed the limit.
    expect(large[0]?.status).toBe('fulfilled');
    expect(await count(driver)).toBe(3);
  });

  test('are on disk before the store is closed', async () => {
    await using folder = await newFolder();
    const path = join(folder.path, 'traces.db');
    const driver = await openSqlite({ path });
    const writes = Array.from({ length: 300 }, (_, index) => driver.write(1, note(`tr_${index}`)));

    await driver.close();

    await Promise.all(writes);
    const again = await openSqlite({ path });
    expect(await count(again)).toBe(300);
    await again.close();
  });

  test.each([1, 2])(
    'return the errors of the rules if another process wrote the same %i times meanwhile',
    async (times) => {
      await using driver = await open();
      const id = await openConversation(createSqlStore(driver, Date.now));
      const late = (unseen: RegExp) => createSqlStore(blindTo(driver, unseen, times), Date.now);

      const taken = late(/SELECT call_key/);
      expect(await codeOf(post(taken, id, call()))).toBe('DUPLICATE_CALL_ID');
      const conflict = late(/FROM block_rows/);
      expect(await codeOf(post(conflict, id, { ...message('other'), id: 'tb_msg123' }))).toBe('BLOCK_ID_CONFLICT');
      const replay = late(/FROM block_rows/);
      expect((await post(replay, id, { ...message(), id: 'tb_msg123' })).isNew).toBe(false);
      const creation = late(/WHERE t\.id = \?$/);
      expect((await creation.createTrace(ORG, { id })).isNew).toBe(false);
    },
  );
});

/** Hides rows in the first transactions, as if another process had written between the read and the write. */
function blindTo(driver: SqlDriver, unseen: RegExp, times: number): SqlDriver {
  let transactions = 0;
  function blind(transaction: SqlReader): SqlReader {
    const isBlind = transactions++ < times;
    const query: SqlReader['query'] = async (sql, params) =>
      isBlind && unseen.test(sql) ? [] : await transaction.query(sql, params);
    return { ...transaction, query };
  }
  return {
    ...driver,
    write: (bytes, work) => driver.write(bytes, (transaction) => work(blind(transaction))),
    batchWriter: ({ runBatch, runSingle }) =>
      driver.batchWriter({
        runBatch: (transaction, items) => runBatch(blind(transaction), items),
        runSingle: (transaction, item) => runSingle(blind(transaction), item),
      }),
  };
}

describeUnless(sqliteMissing)('a full disk', () => {
  test('is reported as overload, loses nothing, and ends when there is space', async () => {
    await using driver = await open();
    const store = createSqlStore(driver, Date.now);
    const id = await openConversation(store);
    const [pages] = await driver.query<{ readonly page_count: number }>('PRAGMA page_count');
    const room = (more: number) => driver.query(`PRAGMA max_page_count = ${Number(pages?.page_count) + more}`);
    await room(50);

    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) => post(store, id, { ...message('a'.repeat(20_000)), id: `tb_${index}` })),
    );

    const acknowledged = results.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.receipts : []));
    const reasons = results.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    expect(reasons.length).toBeGreaterThan(10);
    expect(reasons.every((reason) => reason instanceof StoreUnavailableError && /full/.test(reason.message))).toBe(
      true,
    );
    const stored = async () => (await store.blocks(ORG, id)).map(({ block }) => block.id).slice(2);
    expect(await stored()).toEqual(acknowledged.map((each) => each.id));
    expect(await store.verify()).toEqual([]);

    await room(1000);
    await post(store, id, { ...message('a'.repeat(20_000)), id: 'tb_after' });
    expect(await stored()).toEqual([...acknowledged.map((each) => each.id), 'tb_after']);
    await store.checkWritable();
  });
});

async function open(options: { readonly maxQueuedBytes?: number } = {}): Promise<SqlDriver & AsyncDisposable> {
  const folder = await newFolder();
  const driver = await openSqlite({ ...options, path: join(folder.path, 'traces.db') });
  return {
    ...driver,
    async [Symbol.asyncDispose]() {
      await driver.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
