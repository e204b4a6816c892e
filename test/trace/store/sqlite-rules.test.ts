import { expect, test } from '@jest/globals';
import type { TraceStore } from '../../../src/trace/store/trace-store.ts';
import { describeUnless } from '../../support/optional.ts';
import { openFilled } from './filled-database.ts';
import { fillWithOddTexts, ODD_TEXTS } from './odd-texts.ts';
import { call, message, ORG, openConversation, post, result, sqliteMissing } from './stores.ts';

/** Traces tr_test, with a message, two calls and a result, tr_other with a message, and tr_gone, which is deleted. */
async function fill(store: TraceStore): Promise<void> {
  const id = await openConversation(store);
  await post(store, id, { blocks: [result({ output: 1, seq: 0 }), { ...call({}), id: 'tb_plain' }] });
  await store.createTrace(ORG, { id: 'tr_other' });
  await post(store, 'tr_other', { ...message(), id: 'tb_elsewhere' });
  await store.createTrace(ORG, { id: 'tr_gone' });
  await store.deleteTrace(ORG, 'tr_gone');
}

/** Returns SQL for a valid row, with changed columns; values are SQL expressions. */
function block(changes: Readonly<Record<string, string>> = {}): string {
  const row = {
    trace_rid: "(SELECT rid FROM trace_rows WHERE id = 'tr_test')",
    ord: '5',
    id: "'tb_new'",
    org_rid: '1',
    sub_type: "'THINK'",
    parent_block_id: "'tb_msg123'",
    call_id: 'NULL',
    call_key: 'NULL',
    seq: 'NULL',
    is_error: '0',
    bytes: '1',
    created_us: '9000000000000000',
    preview: "''",
    metadata: "'{}'",
    payload: "'{}'",
    ...changes,
  };
  return `INTO block_rows (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).join(', ')})`;
}

/** Fields of the table in the trace data model. */
const FIELDS = `id, trace_id, block_type, sub_type, payload, parent_block_id, metadata, raw, extra, created_at,
  updated_at`;
const MESSAGE = { sub_type: "'MESSAGE'", parent_block_id: 'NULL' };
const CALL = { sub_type: "'TOOL_CALL'", call_id: "'call_2'", call_key: "'call_2'" };
const RESULT = { sub_type: "'TOOL_RESULT'", parent_block_id: "'tb_call123'", call_key: "'call_1'" };
const TRACE_COLUMNS = 'org, org_rid, status, reward_count, block_count, bytes, error_count, created_us, updated_us';

const FORBIDDEN = [
  ['a thought without a parent', block({ parent_block_id: 'NULL' }), /parent/],
  ['a message with a parent', block({ sub_type: "'MESSAGE'" }), /CHECK/],
  ['an unknown sub_type', block({ sub_type: "'NOTE'" }), /parent|CHECK/],
  ['a parent that does not exist', block({ parent_block_id: "'tb_none'" }), /parent/],
  ['a block under itself', block({ parent_block_id: "'tb_new'" }), /parent/],
  ['a parent in another trace', block({ parent_block_id: "'tb_elsewhere'" }), /parent/],
  ['a thought under a call', block({ parent_block_id: "'tb_call123'" }), /parent/],
  ['a call under a call', block({ ...CALL, parent_block_id: "'tb_call123'" }), /parent/],
  ['a result under a message', block({ ...RESULT, parent_block_id: "'tb_msg123'" }), /parent/],
  ['a result with another call_id', block({ ...RESULT, call_id: "'x'", call_key: "'x'" }), /parent/],
  ['a result with another key', block({ ...RESULT, call_key: "'x'" }), /parent/],
  ['a call with another key', block({ ...CALL, call_key: "'x'" }), /CHECK/],
  ['a call without key', block({ ...CALL, call_id: 'NULL', call_key: 'NULL' }), /CHECK/],
  ['a message with a key', block({ ...MESSAGE, call_key: "'x'" }), /CHECK/],
  ['a used call_id', block({ ...CALL, call_id: "'call_1'", call_key: "'call_1'" }), /duplicate/],
  ['the id of another call as call_id', block({ ...CALL, call_id: "'tb_plain'", call_key: "'tb_plain'" }), /duplicate/],
  ['a used seq', block({ ...RESULT, seq: '0' }), /duplicate/],
  ['a seq below 0', block({ ...RESULT, seq: '-1' }), /CHECK/],
  ['a fractional seq', block({ ...RESULT, seq: '0.5' }), /cannot store REAL/],
  ['a used id', block({ id: "'tb_msg123'" }), /duplicate/],
  ['an id of another trace', block({ ...MESSAGE, id: "'tb_elsewhere'" }), /duplicate/],
  ['a used ordinal', block({ ord: '4' }), /order/],
  ['an ordinal after a gap', block({ ord: '6' }), /order/],
  ['no ordinal', block({ ord: 'NULL' }), /order|NOT NULL/],
  ['an earlier time', block({ created_us: '1' }), /order/],
  ['a payload that is not JSON', block({ payload: "'{'" }), /CHECK/],
  ['metadata that is not JSON', block({ ...MESSAGE, metadata: "'x'" }), /CHECK/],
  ['a text as a number', block({ bytes: "'many'" }), /cannot store TEXT/],
  ['a block without a trace', block({ ...MESSAGE, trace_rid: '99', ord: '1' }), /organization/],
  ['a block with the org_rid of another organization', block({ ...MESSAGE, org_rid: '2' }), /organization/],
] as const;

describeUnless(sqliteMissing)('the database of a store', () => {
  test.each([
    ['a thought', block()],
    ['a message', block(MESSAGE)],
    ['a call', block(CALL)],
    ['a call without call_id', block({ ...CALL, call_id: 'NULL', call_key: "'tb_new'" })],
    ['a result', block(RESULT)],
    ['a result with seq and call_id', block({ ...RESULT, seq: '1', call_id: "'call_1'" })],
    [
      'a result that brings the call_id',
      block({ ...RESULT, parent_block_id: "'tb_plain'", call_id: "'x'", call_key: "'x'" }),
    ],
  ])('accepts %s', async (_what, into) => {
    await using filled = await openFilled(fill);

    filled.database.exec(`INSERT ${into}`);

    expect(filled.value('SELECT max(ord) FROM block_rows')).toBe(5);
  });

  test.each(FORBIDDEN)('rejects %s', async (_what, into, rule) => {
    await using filled = await openFilled(fill);

    expect(() => filled.database.exec(`INSERT ${into}`)).toThrow(rule);
    expect(filled.value('SELECT count(*) FROM block_rows')).toBe(5);
  });

  test('rejects them in a shell without foreign keys, and with INSERT OR REPLACE', async () => {
    await using filled = await openFilled(fill);
    filled.database.exec('PRAGMA foreign_keys = OFF; PRAGMA recursive_triggers = OFF');

    for (const [, into] of FORBIDDEN) {
      expect(() => filled.database.exec(`INSERT OR REPLACE ${into}`)).toThrow();
    }

    expect(filled.value('SELECT count(*) FROM block_rows')).toBe(5);
    expect(filled.value("SELECT count(*) FROM block_rows WHERE id = 'tb_new'")).toBe(0);
  });

  test.each([
    ['an update of a payload', "UPDATE block_rows SET payload = '{}'", /never changed/],
    ['an update of extra', "UPDATE block_rows SET extra = NULL WHERE id = 'tb_msg123'", /never changed/],
    ['the deletion of a block', "DELETE FROM block_rows WHERE id = 'tb_plain'", /only with their trace/],
    ['the deletion of all blocks', 'DELETE FROM block_rows', /only with their trace/],
    ['an insert into a view', `INSERT ${block().replace('block_rows', 'trace_blocks')}`, /a view/],
    ['an update of a view', "UPDATE trace_blocks SET payload = '{}'", /a view/],
    ['a deletion from a view', 'DELETE FROM trace_blocks', /a view/],
    ['another parent of a trace', "UPDATE trace_rows SET parent_trace_id = 'tr_x'", /immutable/],
    ['another id of a trace', "UPDATE trace_rows SET id = 'tr_x' WHERE id = 'tr_test'", /immutable/],
    ['another organization of a trace', "UPDATE trace_rows SET org = 'x'", /immutable/],
    ['another run of a trace', "UPDATE trace_rows SET run = 'x'", /immutable/],
    ['another time of a trace', 'UPDATE trace_rows SET created_us = 2', /immutable/],
    ['an unknown status', "UPDATE trace_rows SET status = 'done'", /CHECK/],
    ['a trace with the id of another', trace('tr_test'), /duplicate/],
    ['a trace with the org_rid of another organization', trace('tr_new', 'other'), /organization/],
    ['another name of an organization', "UPDATE organizations SET name = 'x'", /immutable/],
    ['the deletion of an organization', 'DELETE FROM organizations', /never deleted/],
    ['a trace with the id of a deleted one', trace('tr_gone'), /duplicate/],
    ['the replacement of a trace', trace('tr_test').replace('INSERT', 'INSERT OR REPLACE'), /duplicate/],
    ['the deletion of a tombstone', 'DELETE FROM tombstones', /never reused/],
    ['tags that are not JSON', "UPDATE trace_details SET tags = '['", /CHECK/],
  ])('rejects %s', async (_what, sql, rule) => {
    await using filled = await openFilled(fill);

    expect(() => filled.database.exec(sql)).toThrow(rule);
    expect(filled.value('SELECT count(*) FROM block_rows')).toBe(5);
  });

  test('deletes all rows of a trace with it, even without foreign keys', async () => {
    await using filled = await openFilled(fill);

    filled.database.exec("PRAGMA foreign_keys = OFF; DELETE FROM trace_rows WHERE id = 'tr_test'");

    expect(filled.value('SELECT count(*) FROM block_rows')).toBe(1);
    expect(filled.value('SELECT count(*) FROM trace_details')).toBe(1);
    expect(filled.value("SELECT org FROM tombstones WHERE trace_id = 'tr_test'")).toBe(ORG);
    expect(filled.database.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
  });

  test('has every field of the documented table in the views trace_blocks and blocks', async () => {
    await using filled = await openFilled(fill);

    for (const table of ['trace_blocks', 'blocks']) {
      const sql = `SELECT ${FIELDS} FROM ${table} WHERE id = 'tb_call123'`;
      const [row] = filled.database.prepare(sql).all() as Record<string, unknown>[];
      expect(row).toMatchObject({
        id: 'tb_call123',
        trace_id: 'tr_test',
        block_type: 'ACT',
        metadata: '{}',
        raw: null,
      });
      expect(row?.created_at).toMatch(/^20\d\d-.*T.*\.\d{6}Z$/);
      expect(row?.updated_at).toBe(row?.created_at);
    }
  });

  test('replaces NUL and lone surrogates in the JSON of views by U+FFFD', async () => {
    await using filled = await openFilled(fillWithOddTexts);
    const rows = (sql: string) =>
      filled.database
        .prepare(sql)
        .all()
        .map((row) => Object.values(row as object));

    for (const view of ['blocks', 'trace_blocks']) {
      const sql = `SELECT payload ->> '$.content', extra ->> '$.note' FROM ${view} WHERE trace_id = 'tr_odd' ORDER BY ord`;
      expect(rows(sql)).toEqual(ODD_TEXTS.map(([, shown]) => [shown, shown]));
    }
    expect(rows("SELECT metadata ->> '$.note' FROM traces WHERE id = 'tr_odd'")).toEqual([['\uFFFD \uFFFD']]);
  });

  test('derives the block_type from the sub_type', async () => {
    await using filled = await openFilled(fill);

    expect(() => filled.database.exec(`INSERT ${block({ block_type: "'ACT'" })}`)).toThrow(/generated column/);
    expect(filled.value("SELECT block_type FROM block_rows WHERE id = 'tb_call123'")).toBe('ACT');
  });
});

function trace(id: string, org = 'acme'): string {
  return `INSERT INTO trace_rows (id, ${TRACE_COLUMNS}) VALUES ('${id}', '${org}', 1, 'running', 0, 0, 0, 0, 1, 1)`;
}
