import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { serveTraces } from '../../../src/trace/api/index.ts';
import { StoreUnavailableError } from '../../../src/trace/model/index.ts';
import { openPostgresStore, openSqliteStore } from '../../../src/trace/store/index.ts';
import type { TraceStore } from '../../../src/trace/store/trace-store.ts';
import { describeUnless } from '../../support/optional.ts';
import { until } from '../../support/until.ts';
import { postgresMissing, startPostgres } from './postgres-server.ts';
import { message, newFolder, ORG, post, sqliteMissing } from './stores.ts';

const server = postgresMissing === undefined ? await startPostgres() : undefined;

afterAll(async () => server?.[Symbol.asyncDispose]());

/** The files of a database in a separate folder. */
async function newDatabase() {
  const folder = await newFolder();
  mkdirSync(join(folder.path, 'data'));
  const path = join(folder.path, 'data', 'traces.db');
  return { path, aside: join(folder.path, 'aside'), [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const WAYS: readonly (readonly [string, (path: string, aside: string) => void])[] = [
  ['the file is removed', (path) => rmSync(path)],
  ['all files are removed', (path) => ['', '-wal', '-shm'].map((suffix) => rmSync(path + suffix))],
  ['its write-ahead log is removed', (path) => rmSync(`${path}-wal`)],
  ['its shared memory is removed', (path) => rmSync(`${path}-shm`)],
  ['its folder is removed', (path) => rmSync(join(path, '..'), { recursive: true })],
  [
    'its folder is replaced by a file',
    (path) => [rmSync(join(path, '..'), { recursive: true }), writeFileSync(join(path, '..'), '')],
  ],
  ['the file is renamed', (path, aside) => renameSync(path, aside)],
  ['another file is moved over it', (path, aside) => [writeFileSync(aside, ''), renameSync(aside, path)]],
];

const refused = {
  name: 'StoreUnavailableError',
  retryAfterSeconds: 30,
  message: expect.stringMatching(/traces\.db, its -wal or its -shm was removed or replaced/),
};

describeUnless(sqliteMissing)('a SQLite store', () => {
  test.each(WAYS)('acknowledges no write after %s', async (_what, take) => {
    await using database = await newDatabase();
    await using store = await openSqliteStore({ path: database.path });
    await store.createTrace(ORG, { id: 'tr_a' });
    let isTaken = false;
    const after: string[] = [];
    const before: string[] = [];
    const errors: unknown[] = [];
    const write = async (writer: number) => {
      for (let count = 0; count < 200 && errors.length < 8; count++) {
        const id = `tb_${writer}_${count}`;
        await post(store, 'tr_a', { ...message(), id }).then(
          () => (isTaken ? after : before).push(id),
          (error: unknown) => errors.push(error),
        );
      }
    };
    const writing = Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
    await until(() => before.length >= 20 || errors.length > 0, '20 writes');
    expect(errors).toEqual([]);

    take(database.path, database.aside);
    isTaken = true;
    await writing;

    expect(after).toEqual([]);
    expect(errors.length).toBeGreaterThanOrEqual(8);
    for (const error of errors) expect(error).toMatchObject(refused);
    // Blocks that were stored can still be read.
    const read = (await store.blocks(ORG, 'tr_a')).map(({ block }) => block.id);
    expect(read).toEqual(expect.arrayContaining(before));
  });

  test('rejects all writes after its file is gone, even if the file comes back', async () => {
    await using database = await newDatabase();
    await using store = await openSqliteStore({ path: database.path });
    await store.createTrace(ORG, { id: 'tr_a' });

    renameSync(database.path, database.aside);
    const writes: (() => Promise<unknown>)[] = [
      () => store.createTrace(ORG, { id: 'tr_b' }),
      () => store.updateTrace(ORG, 'tr_a', { name: 'x' }),
      () => store.deleteTrace(ORG, 'tr_a'),
      () => post(store, 'tr_a', message()),
      () => store.putBlob(ORG, { sha256: 'a', media_type: 'text/plain', data: new Uint8Array() }),
      () => store.addKey({ org: ORG, name: 'n', scopes: [], sha256: 'b' }),
      () => store.receiveEvents(ORG, 'tr_a', [{ id: 'e', index: 0, text: '{}' }]),
      () => store.checkWritable(),
      async () => store.backup?.(`${database.path}.copy`),
    ];
    for (const write of writes) await expect(write()).rejects.toMatchObject(refused);
    renameSync(database.aside, database.path);
    for (const write of writes) await expect(write()).rejects.toMatchObject(refused);
    await store.close();

    await using again = await openSqliteStore({ path: database.path });
    await post(again, 'tr_a', message());
    expect((await again.totals()).traces).toBe(1);
  });

  test('answers writes with 503 over HTTP after its file is gone, and still answers reads', async () => {
    await using database = await newDatabase();
    await using store = await openSqliteStore({ path: database.path });
    await store.createTrace('default', { id: 'tr_a' });
    await using running = await serveTraces({ store, port: 0 });
    const traces = `${running.url}/v1/organizations/default/traces`;

    rmSync(database.path);

    const write = await fetch(traces, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
    const { error } = (await write.json()) as { error: { code: string; message: string } };
    expect([write.status, write.headers.get('retry-after'), error.code]).toEqual([503, '30', 'OVERLOADED']);
    expect(error.message).toContain('restart the server');
    expect((await fetch(`${running.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${traces}/tr_a/export`)).status).toBe(200);
  });
});

describeUnless(postgresMissing)('a PostgreSQL store', () => {
  const psql = async (url: string, sql: string) => await server?.psql(url, sql);

  async function expectRefusals(store: TraceStore, expected: RegExp): Promise<void> {
    const writes = [
      () => store.createTrace(ORG, {}),
      () => post(store, 'tr_a', message()),
      () => store.checkWritable(),
    ];
    for (const write of writes) {
      const error = await write().then(
        () => 'stored',
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(StoreUnavailableError);
      expect(String(error)).toMatch(expected);
    }
  }

  test.each([
    ['its tables are dropped', 'DROP TABLE trace_rows CASCADE', /tables do not exist any more/],
    ['its identity is dropped', 'DROP TABLE trace_store', /tables do not exist any more/],
    ['its identity is deleted', 'DELETE FROM trace_store', /was replaced/],
    ['its schema is dropped', 'DROP SCHEMA %s CASCADE', /tables do not exist any more/],
  ])('stores nothing after %s', async (_what, sql, expected) => {
    const url = (await server?.newUrl()) ?? '';
    await using store = await openPostgresStore({ url });
    await store.createTrace(ORG, { id: 'tr_a' });

    await psql(url, sql.replace('%s', url.slice(url.lastIndexOf('%3D') + 3)));

    await expectRefusals(store, expected);
  });

  test('stores nothing in another store that replaces it', async () => {
    const url = (await server?.newUrl()) ?? '';
    const schema = url.slice(url.lastIndexOf('%3D') + 3);
    await using store = await openPostgresStore({ url });
    await store.createTrace(ORG, { id: 'tr_a' });

    await psql(url, `DROP SCHEMA ${schema} CASCADE; CREATE SCHEMA ${schema}`);
    await using other = await openPostgresStore({ url });
    await other.createTrace(ORG, { id: 'tr_a' });

    await expectRefusals(store, /was replaced/);
    expect(await other.totals()).toMatchObject({ traces: 1, blocks: 0 });
  });

  test('stores nothing after its database is dropped', async () => {
    const home = (await server?.newUrl()) ?? '';
    await psql(home, 'CREATE DATABASE dropped');
    await using store = await openPostgresStore({
      url: home.replace('/postgres?', '/dropped?').replace(/&options.*/, ''),
    });
    await store.createTrace(ORG, { id: 'tr_a' });

    await psql(home, 'DROP DATABASE dropped WITH (FORCE)');

    await expectRefusals(store, /do not exist any more|is not available/);
  });
});
