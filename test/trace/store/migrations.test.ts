import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { openPostgresStore, openSqliteStore } from '../../../src/trace/store/sql/index.ts';
import { migrations as postgresMigrations } from '../../../src/trace/store/sql/postgres/migrations/index.ts';
import { loadEngine } from '../../../src/trace/store/sql/sqlite/load-engine.ts';
import { migrations as sqliteMigrations } from '../../../src/trace/store/sql/sqlite/migrations/index.ts';
import type { TraceStore } from '../../../src/trace/store/trace-store.ts';
import { describeUnless } from '../../support/optional.ts';
import { postgresMissing, startPostgres } from './postgres-server.ts';
import { codeOf, LIMITS, message, newFolder, sqliteMissing } from './stores.ts';

const EMPTY = createHash('sha256').digest('hex');

const server = postgresMissing === undefined ? await startPostgres() : undefined;

afterAll(async () => server?.[Symbol.asyncDispose]());

const TRACE =
  'id, org, run, status, reward_sum, reward_last, reward_max, reward_count, block_count, bytes, error_count';
const BLOCK =
  'trace_rid, ord, id, sub_type, parent_block_id, call_id, call_key, seq, name, role, reward, is_error, bytes, preview, metadata';

/**
 * SQL for the rows of an organization as both engines stored them before ids were separate for each tenant: a trace
 * with a message, a call and its result, a pending event, the answer to an idempotency key, a deleted trace, a blob and
 * a key.
 */
const rowsOf = (org: string, noBytes: string) => `
INSERT INTO trace_rows (${TRACE}, created_us, updated_us)
  VALUES ('tr_${org}', '${org}', 'r', 'running', 0.5, 0.5, 0.5, 1, 3, 127, 0, 1, 12);
INSERT INTO trace_details (trace_rid, input_key, task_spec, tags, metadata, run_info, rollout_info)
  SELECT rid, 'x', NULL, '["t"]', '{}', '{"a":1}', '{}' FROM trace_rows WHERE org = '${org}';
INSERT INTO trace_tags (trace_rid, tag) SELECT rid, 't' FROM trace_rows WHERE org = '${org}';
INSERT INTO trace_blocks (${BLOCK}, payload, created_us)
  SELECT rid, 1, 'tb_${org}_m', 'MESSAGE', NULL, NULL, NULL, NULL, NULL, 'user', NULL, 0, 33, 'hello', '{}',
    '{"role":"user","content":"hello"}', 2 FROM trace_rows WHERE org = '${org}';
INSERT INTO trace_blocks (${BLOCK}, payload, created_us)
  SELECT rid, 2, 'tb_${org}_c', 'TOOL_CALL', 'tb_${org}_m', 'c', 'c', NULL, 'look', NULL, NULL, 0, 44, 'look()', '{}',
    '{"call_id":"c","name":"look","arguments":{}}', 3 FROM trace_rows WHERE org = '${org}';
INSERT INTO trace_blocks (${BLOCK}, payload, extra, created_us)
  SELECT rid, 3, 'tb_${org}_r', 'TOOL_RESULT', 'tb_${org}_c', 'c', 'c', 0, NULL, NULL, 0.5, 0, 66, 'x', '{}',
    '{"call_id":"c","output":"x","seq":0}', '{"reward":0.5}', 12 FROM trace_rows WHERE org = '${org}';
INSERT INTO idempotency (trace_rid, key, body_sha256, appended, expires_us)
  SELECT rid, 'k', 's', '{"isBatch":false,"isNew":true,"receipts":[]}', 9000000000000000 FROM trace_rows WHERE org = '${org}';
INSERT INTO rollout_events (trace_rid, id, place, text) SELECT rid, 'e', 0, '{}' FROM trace_rows WHERE org = '${org}';
INSERT INTO tombstones (trace_id, org) VALUES ('tr_${org}_gone', '${org}');
INSERT INTO tombstones (trace_id, org) VALUES ('tr_${org}_former', 'former of ${org}');
INSERT INTO blobs (org, sha256, media_type, data) VALUES ('${org}', '${EMPTY}', 'text/plain', ${noBytes});
INSERT INTO api_keys (id, org, name, scopes, sha256, created_at) VALUES ('key_${org}', '${org}', 'n', '["read"]', '${org}', '2020');
`;

/** Expects that the store has the rows of `rowsOf` for each organization, and that each may use the ids of others. */
async function expectUpgraded(store: TraceStore, orgs: readonly string[]): Promise<void> {
  for (const org of orgs) {
    const id = `tr_${org}`;
    expect(await store.trace(org, id)).toMatchObject({ run: 'r', tags: ['t'], block_count: 3, run_info: { a: 1 } });
    const blocks = await store.blocks(org, id);
    expect(blocks.map(({ block }) => block.id)).toEqual(['m', 'c', 'r'].map((kind) => `tb_${org}_${kind}`));
    expect(await store.children(org, id, [`tb_${org}_c`], 9)).toMatchObject([{ id: `tb_${org}_r` }]);
    expect((await store.findBlocks(org, { name: 'look', limit: 9 })).items).toHaveLength(2);
    expect((await store.pendingEvents(org, id)).events).toHaveLength(1);
    const repeated = { body: {}, limits: LIMITS, idempotency: { key: 'k', bodySha256: 's' } };
    expect(await store.append(org, id, repeated)).toMatchObject({ isNew: false });
    expect(await codeOf(store.trace(org, `${id}_gone`))).toBe('TRACE_DELETED');
    expect(await codeOf(store.createTrace(`former of ${org}`, { id: `${id}_former` }))).toBe('TRACE_DELETED');
    expect(await store.blob(org, EMPTY)).toMatchObject({ media_type: 'text/plain' });
    expect(await store.findKey(org)).toMatchObject({ id: `key_${org}`, org });
  }
  for (const org of [...orgs, 'new']) {
    for (const other of orgs.filter((each) => each !== org)) {
      for (const id of [`tr_${other}`, `tr_${other}_gone`])
        expect(await store.createTrace(org, { id })).toMatchObject({ isNew: true });
      const blocks = ['m', 'c'].map((kind) => ({ ...message(`of ${org}`), id: `tb_${other}_${kind}` }));
      expect(await store.append(org, `tr_${other}`, { body: { blocks }, limits: LIMITS })).toMatchObject({
        isNew: true,
      });
      expect(await store.block(org, `tr_${other}`, `tb_${other}_c`)).toMatchObject({ sub_type: 'MESSAGE' });
      await store.deleteTrace(org, `tr_${other}`);
      expect(await store.block(other, `tr_${other}`, `tb_${other}_c`)).toMatchObject({ sub_type: 'TOOL_CALL' });
    }
  }
  expect(await store.verify()).toEqual([]);
}

const SEVERAL = ['acme', 'other', 'third'];
/** Only the last migration depends on how many organizations there are. */
const casesOf = (migrations: readonly string[]) => [
  ...migrations.slice(1).map((_, place) => [place + 1, SEVERAL] as const),
  ...[[], ['acme']].map((orgs) => [migrations.length - 1, orgs] as const),
];

describe('a database of an older version keeps its contents and separates the ids of each organization', () => {
  describeUnless(sqliteMissing)('in SQLite', () => {
    test.each(casesOf(sqliteMigrations))('version %i with the organizations %j', async (version, orgs) => {
      await using folder = await newFolder();
      const path = join(folder.path, 'traces.db');
      const database = loadEngine().open(path);
      for (const sql of [...sqliteMigrations.slice(0, version), ...orgs.map((org) => rowsOf(org, "x''"))])
        database.exec(sql);
      database.exec(`PRAGMA user_version = ${version}`);
      database.close();

      await using store = await openSqliteStore({ path });

      await expectUpgraded(store, orgs);
      const after = loadEngine().open(path);
      const schemaOf = (from: typeof after) =>
        from.prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name").all();
      const fresh = join(folder.path, 'fresh.db');
      await (await openSqliteStore({ path: fresh })).close();
      const made = loadEngine().open(fresh);
      expect(schemaOf(after)).toEqual(schemaOf(made));
      expect(after.prepare('PRAGMA user_version').all()).toEqual([{ user_version: sqliteMigrations.length }]);
      after.close();
      made.close();
    });
  });

  describeUnless(postgresMissing)('in PostgreSQL', () => {
    test.each(casesOf(postgresMigrations))('version %i with the organizations %j', async (version, orgs) => {
      const url = (await server?.newUrl()) ?? '';
      const psql = async (sql: string) => await server?.psql(url, sql);
      const old = [...postgresMigrations.slice(0, version), ...orgs.map((org) => rowsOf(org, "''"))];
      await psql(`${old.join('')} UPDATE trace_store SET version = ${version}`);

      await using store = await openPostgresStore({ url });

      await expectUpgraded(store, orgs);
      expect(
        await psql(
          "SELECT version, to_regclass('calls_by_name'), to_regproc('check_block'), to_regproc('org_of') FROM trace_store",
        ),
      ).toBe(`${postgresMigrations.length}|calls_by_name||`);
      if (orgs.length === 0) return;
      const afterAGap = `INSERT INTO trace_blocks (trace_rid, ord, id, org_rid, sub_type, is_error, bytes, created_us, preview, metadata, payload)
        SELECT rid, 9, 'tb_x', org_rid, 'MESSAGE', 0, 2, 9000000000000000, '', '{}', '{}' FROM trace_rows LIMIT 1`;
      await expect(psql(afterAGap)).rejects.toThrow('order');
    });
  });
});
