import { execFile } from 'node:child_process';
import { copyFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { openSqliteStore } from '../../../src/trace/store/index.ts';
import { loadEngine } from '../../../src/trace/store/sql/sqlite/engine.ts';
import type { TraceStore } from '../../../src/trace/store/trace-store.ts';
import { ORS } from '../../support/command.ts';
import { describeUnless, testUnless } from '../../support/optional.ts';
import { until, withDeadline } from '../../support/until.ts';
import { openFilled } from './filled-database.ts';
import { message, newFolder, ORG, openConversation, post, result, sqliteMissing } from './stores.ts';

/** The SHA-256 of the bytes 1 and 2. */
const BLOB = 'a12871fee210fb8619291eaea194581cbd2531e4b23759d225f6806923f63222';

const run = promisify(execFile);
const shellMissing = await run('sqlite3', ['--version']).then(
  () => sqliteMissing,
  () => 'the sqlite3 shell is not installed',
);

async function fill(store: TraceStore): Promise<void> {
  const id = await openConversation(store);
  await post(store, id, {
    blocks: [result({ output: 'é💩' }, { reward: 0.5 }), result({ delta: 'a', seq: 0 }, { reward: 1 })],
  });
  await post(store, id, message('\ud800\0'), { idempotency: { key: 'k', bodySha256: 'a' } });
  await store.updateTrace(ORG, id, { status: 'finished', name: 'a name' });
  await store.putBlob(ORG, { sha256: BLOB, media_type: 'image/png', data: new Uint8Array([1, 2]) });
}

const threadMissing =
  sqliteMissing ??
  (loadEngine().checkpointWal ? undefined : 'the package libsql cannot checkpoint in a thread; Node 22.13 can');

/** Keeps a read open until the returned function is called: later writes stay in the WAL meanwhile. */
function readOn(path: string): () => void {
  const reader = loadEngine().open(path);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM trace_rows').all();
  return () => reader.close();
}

async function writeMegabytes(store: TraceStore, id: string, count: number): Promise<void> {
  const megabyte = Array.from({ length: 100 }, () => message('a'.repeat(10_000)));
  for (let written = 0; written < count; written++) await post(store, id, { blocks: megabyte });
}

/** Creates a file as a killed process leaves it: `megabytes` of a hundred messages each are only in the WAL. */
async function fileWithLog(folder: string, megabytes: number): Promise<string> {
  const [path, copy] = [join(folder, 'traces.db'), join(folder, 'left.db')];
  await using store = await openSqliteStore({ path });
  const id = await openConversation(store);
  const end = readOn(path);
  await writeMegabytes(store, id, megabytes);
  await copyFile(path, copy);
  await copyFile(`${path}-wal`, `${copy}-wal`);
  end();
  return copy;
}

/** Everything that one organization can read. */
const contents = async (store: TraceStore) => ({
  traces: await store.traces(ORG, { limit: 10 }),
  blocks: await store.blocks(ORG, 'tr_test'),
  skeletons: await store.skeletons(ORG, 'tr_test'),
  totals: await store.totals(),
});

describeUnless(sqliteMissing)('a SQLite file', () => {
  test('has the same contents when it is opened again', async () => {
    await using folder = await newFolder();
    const path = join(folder.path, 'traces.db');
    const first = await openSqliteStore({ path });
    await fill(first);
    const before = await contents(first);
    await first.close();

    await using second = await openSqliteStore({ path });

    expect(await contents(second)).toEqual(before);
    expect(
      (await post(second, 'tr_test', message('\ud800\0'), { idempotency: { key: 'k', bodySha256: 'a' } })).isNew,
    ).toBe(false);
    expect(await second.verify()).toEqual([]);
  });

  test('can be opened by several stores at the same time, while it is created', async () => {
    await using folder = await newFolder();
    const path = join(folder.path, 'traces.db');

    const stores = await Promise.all(Array.from({ length: 8 }, () => openSqliteStore({ path })));

    await Promise.all(stores.map((store, index) => store.createTrace(ORG, { id: `tr_${index}` })));
    expect((await stores[0]?.totals())?.traces).toBe(8);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('stores a block once if several stores write it, and returns that to all of them', async () => {
    await using folder = await newFolder();
    const path = join(folder.path, 'traces.db');
    const stores = await Promise.all(Array.from({ length: 4 }, () => openSqliteStore({ path })));
    const [first, second] = stores;
    if (!first || !second) throw new Error('no stores');
    const id = await openConversation(first);
    const notified = new Promise<void>((resolve) => {
      second.watch(ORG, id, resolve);
    });

    const results = await Promise.all(
      stores.flatMap((store) => Array.from({ length: 16 }, () => post(store, id, { ...message(), id: 'tb_same' }))),
    );

    expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await second.blocks(ORG, id)).toHaveLength(3);
    // By its own writes, or by a poll for those of others.
    await withDeadline(notified, 'a notification of the block');
    await Promise.all(stores.map((store) => store.close()));
  });

  test('notifies listeners of writes by another process', async () => {
    await using folder = await newFolder();
    const path = join(folder.path, 'traces.db');
    await using reader = await openSqliteStore({ path });
    await using writer = await openSqliteStore({ path });
    const id = await openConversation(reader);
    const notified = new Promise<void>((resolve) => {
      reader.watch(ORG, id, resolve);
    });

    await post(writer, id, message());

    await withDeadline(notified, 'a notification of the block');
    expect(await reader.blocks(ORG, id)).toHaveLength(3);
  });

  test('is backed up completely during writes', async () => {
    await using folder = await newFolder();
    const copy = join(folder.path, 'copy.db');
    await using store = await openSqliteStore({ path: join(folder.path, 'traces.db') });
    const id = await openConversation(store);
    for (let batch = 0; batch < 20; batch++) {
      await post(store, id, { blocks: Array.from({ length: 100 }, () => message('a'.repeat(10_000))) });
    }
    const progress: [number, number][] = [];
    let isDone = false;
    let written = 2002;

    const backup = store.backup?.(copy, (done, all) => progress.push([done, all]));
    const copied = withDeadline(Promise.resolve(backup), 'the end of the copy').finally(() => (isDone = true));
    while (!isDone) written += (await post(store, id, message())).receipts.length;
    await copied;

    await using other = await openSqliteStore({ path: copy });
    expect(await other.verify()).toEqual([]);
    const copiedBlocks = await other.blocks(ORG, id);
    expect(copiedBlocks.length).toBeGreaterThanOrEqual(2002);
    expect(copiedBlocks).toEqual((await store.blocks(ORG, id)).slice(0, copiedBlocks.length));
    expect(await store.blocks(ORG, id)).toHaveLength(written);
    // libsql copies in one step.
    expect(progress.length > 1).toBe(loadEngine().backup !== undefined);
    await expect(store.backup?.(copy)).rejects.toThrow(`${copy} is there already`);
  });

  test('is opened without a checkpoint of a long WAL, which the first write does', async () => {
    await using folder = await newFolder();
    const path = await fileWithLog(folder.path, 10);
    const { size } = await stat(path);

    await using store = await openSqliteStore({ path });
    const opened = (await stat(path)).size;
    expect(await store.blocks(ORG, 'tr_test')).toHaveLength(1002);
    await post(store, 'tr_test', message());

    expect(opened).toBe(size);
    expect((await stat(path)).size).toBeGreaterThan(10_000_000);
  });

  testUnless(threadMissing).each([
    ['no process is writing', 0],
    ['another process writes immediately', 5],
  ])('has a very long WAL checkpointed by a thread if %s', async (_when, count) => {
    await using folder = await newFolder();
    const path = await fileWithLog(folder.path, 70);
    const log = (await stat(`${path}-wal`)).size;

    await using store = await openSqliteStore({ path });
    for (let round = 0; round < count; round++) await post(store, 'tr_test', message());
    await until(async () => (await stat(path)).size > 70_000_000);
    for (let round = 0; round < 5; round++) await post(store, 'tr_test', message());

    expect(log).toBeGreaterThan(70_000_000);
    expect(await store.blocks(ORG, 'tr_test')).toHaveLength(7007 + count);
    expect(await store.verify()).toEqual([]);
  });

  testUnless(threadMissing)('has a WAL that grew during a read checkpointed by a thread afterwards', async () => {
    await using folder = await newFolder();
    const path = join(folder.path, 'traces.db');
    await using store = await openSqliteStore({ path });
    const id = await openConversation(store);
    const end = readOn(path);
    await writeMegabytes(store, id, 70);
    // It checks once a second, and finds a reader.
    await delay(1_500);
    await post(store, id, message());
    const before = (await stat(path)).size;
    end();

    await until(async () => (await stat(path)).size > 70_000_000);
    // After a complete checkpoint the next write restarts the log and truncates it.
    await until(async () => {
      await post(store, id, message());
      return (await stat(`${path}-wal`)).size <= 64 * 1024 * 1024;
    });

    expect(before).toBeLessThan(10_000_000);
    expect(await store.verify()).toEqual([]);
  });

  testUnless(threadMissing)('is closed without an error by a command while a thread checkpoints its WAL', async () => {
    await using folder = await newFolder();
    const path = await fileWithLog(folder.path, 70);
    const [program = '', ...args] = ORS;

    const { stdout, stderr } = await run(program, [...args, 'traces', 'ls', '--db', path]);

    // The traces belong to another organization.
    expect(stdout).toContain('no traces');
    expect(stderr).toBe('');
  });

  test('is not opened if it belongs to another program or is not a database', async () => {
    await using folder = await newFolder();
    const text = join(folder.path, 'text.db');
    await writeFile(text, 'This is a text and no database.'.repeat(100));
    await using foreign = await openFilled(async () => {});
    foreign.database.exec('PRAGMA user_version = 0');

    await expect(openSqliteStore({ path: text })).rejects.toThrow(
      `cannot open the trace database ${text}: file is not`,
    );
    await expect(openSqliteStore({ path: foreign.path })).rejects.toThrow(/is the database of another program/);
    await expect(openSqliteStore({ path: join(folder.path, 'no', 'x.db') })).rejects.toThrow(/cannot open the trace/);
  });

  test.each([1, 3, 99, -1])('is not opened if it has the unknown version %i', async (version) => {
    await using filled = await openFilled(fill);
    filled.database.exec(`PRAGMA user_version = ${version}`);

    await expect(openSqliteStore({ path: filled.path })).rejects.toThrow(`has version ${version} of the trace tables`);
  });

  test('is written at most once a second by checks whether it is writable', async () => {
    await using folder = await newFolder();
    const path = join(folder.path, 'traces.db');
    let time = 1_700_000_000_000;
    await using store = await openSqliteStore({ path, now: () => time });
    const database = loadEngine().open(path);
    // Changes with each commit of another connection.
    const version = () => database.prepare('PRAGMA data_version').all()[0];
    const before = version();

    await Promise.all(Array.from({ length: 20 }, () => store.checkWritable()));
    const first = version();
    time += 999;
    for (let count = 0; count < 20; count++) await store.checkWritable();
    const withinSecond = version();
    time += 1;
    await store.checkWritable();
    const later = version();
    time -= 3_600_000;
    await store.checkWritable();
    const setBack = version();
    database.close();

    expect(first).not.toEqual(before);
    expect(withinSecond).toEqual(first);
    expect(later).not.toEqual(first);
    expect(setBack).not.toEqual(later);
  });

  test('has no backup in memory', async () => {
    await using store = await openSqliteStore({ path: ':memory:' });

    expect(store.backup).toBeUndefined();
    await store.checkWritable();
  });

  test('has views of blocks, traces and rewards', async () => {
    await using filled = await openFilled(fill);
    const rows = (sql: string) => filled.database.prepare(sql).all();

    const [trace] = rows('SELECT * FROM traces');
    const blocks = rows('SELECT * FROM blocks ORDER BY ord');
    const rewards = rows('SELECT ord, reward, reward_until_then FROM rewards ORDER BY ord');

    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(trace).toMatchObject({
      id: 'tr_test',
      name: 'a name',
      reward_sum: 1.5,
      created_at: time,
      finished_at: time,
    });
    expect(blocks[2]).toMatchObject({
      trace_id: 'tr_test',
      block_type: 'OBSERVE',
      payload: '{"output":"é💩"}',
      created_at: time,
    });
    expect(rewards.map((row) => Object.values(row as object))).toEqual([
      [3, 0.5, 0.5],
      [4, 1, 1.5],
    ]);
  });

  test.each([
    [
      'a payload',
      'UPDATE block_rows SET payload = \'{"role":"bot"}\' WHERE ord = 1',
      /tb_msg123 of tr_test breaks a rule: /,
    ],
    ['a parent', "UPDATE block_rows SET parent_block_id = 'tb_call123' WHERE ord = 4", undefined],
    ['the ordinal of a block', 'UPDATE block_rows SET ord = 9 WHERE ord = 5', /has ordinal 9 after 4 blocks/],
    [
      'the time of a block',
      'UPDATE block_rows SET created_us = 5 WHERE ord = 5',
      /was written at 1970-.*, not after 2/,
    ],
    ['a counter', 'UPDATE trace_rows SET block_count = 4', /block_count 4, and its blocks result in 5/],
    ['a reward', 'UPDATE trace_rows SET reward_sum = 9', /tr_test has reward_sum 9, and its blocks result in 1.5/],
    [
      'a reference',
      "PRAGMA foreign_keys = OFF; UPDATE block_rows SET parent_block_id = 'tb_no' WHERE ord = 3",
      /a reference to a missing row/,
    ],
    ['a blob', "UPDATE blobs SET data = x'00'", /the blob a12.* has the SHA-256 6e34/],
  ])('detects that another program changed %s', async (_what, sql, expected) => {
    await using filled = await openFilled(fill);
    await using before = await openSqliteStore({ path: filled.path });
    expect(await before.verify()).toEqual([]);
    filled.database.exec('DROP TRIGGER blocks_are_immutable');
    filled.database.exec(sql);

    const problems = await before.verify();

    if (expected) expect(problems.join('\n')).toMatch(expected);
    else expect(problems).toEqual([]);
  });
});

testUnless(shellMissing)('is valid for the sqlite3 shell', async () => {
  await using filled = await openFilled(fill);

  const { stdout } = await run('sqlite3', [
    '-readonly',
    filled.path,
    'PRAGMA integrity_check; PRAGMA foreign_key_check; PRAGMA journal_mode; PRAGMA user_version;' +
      "SELECT count(*), sum(bytes) FROM blocks; SELECT json_extract(payload, '$.output') FROM blocks WHERE ord = 3;",
  ]);

  expect(stdout.trim().split('\n')).toEqual(['ok', 'wal', '7', expect.stringMatching(/^5\|\d+$/), 'é💩']);
});
