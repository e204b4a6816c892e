import { afterAll, expect, test } from '@jest/globals';
import { openPostgresStore } from '../../../src/trace/store/index.ts';
import type { TraceStore } from '../../../src/trace/store/trace-store.ts';
import { describeUnless } from '../../support/optional.ts';
import { fillWithOddTexts, ODD_TEXTS } from './odd-texts.ts';
import { postgresMissing, startPostgres } from './postgres-server.ts';
import { call, message, ORG, openConversation, post, result } from './stores.ts';

const server = postgresMissing === undefined ? await startPostgres() : undefined;

afterAll(async () => server?.[Symbol.asyncDispose]());

/** Traces tr_test, with a message, two calls and a result, tr_other with a message, and tr_gone, which is deleted. */
async function fill(store: TraceStore): Promise<void> {
  const id = await openConversation(store);
  await post(store, id, { blocks: [result({ output: 1, seq: 0 }), { ...call({}), id: 'tb_plain' }] });
  await store.createTrace(ORG, { id: 'tr_other' });
  await post(store, 'tr_other', { ...message(), id: 'tb_elsewhere' });
  await store.createTrace(ORG, { id: 'tr_gone' });
  await store.deleteTrace(ORG, 'tr_gone');
}

/** Creates a database that a store has filled and closed, and runs SQL in it on another connection. */
async function openFilled(fillStore = fill) {
  const url = (await server?.newUrl()) ?? '';
  const store = await openPostgresStore({ url });
  await fillStore(store);
  await store.close();
  return { run: async (sql: string) => (await server?.psql(url, sql)) ?? '' };
}

let filled: ReturnType<typeof openFilled> | undefined;

/** Opens one database for all tests that leave it unchanged. */
function openUnchanged(): ReturnType<typeof openFilled> {
  filled ??= openFilled();
  return filled;
}

/** Returns SQL for valid rows, each with changed columns; values are SQL expressions. */
function block(...all: readonly Readonly<Record<string, string>>[]): string {
  const rows = (all.length === 0 ? [{}] : all).map(rowOf);
  const values = rows.map((row) => `(${Object.values(row).join(', ')})`);
  return `INSERT INTO block_rows (${Object.keys(rowOf()).join(', ')}) VALUES ${values.join(', ')}`;
}

function rowOf(changes: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return {
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
}

const SECOND = { ord: '6', id: "'tb_second'", created_us: '9000000000000001' };
const MESSAGE = { sub_type: "'MESSAGE'", parent_block_id: 'NULL' };
const CALL = { sub_type: "'TOOL_CALL'", call_id: "'call_2'", call_key: "'call_2'" };
const RESULT = { sub_type: "'TOOL_RESULT'", parent_block_id: "'tb_call123'", call_key: "'call_1'" };

const trace = (id: string, org = 'acme') =>
  `INSERT INTO trace_rows (id, org, org_rid, status, reward_count, block_count, bytes, error_count, created_us, updated_us)
   VALUES ('${id}', '${org}', 1, 'running', 0, 0, 0, 0, 1, 1)`;

describeUnless(postgresMissing)('the PostgreSQL database of a store', () => {
  test('accepts rows that follow the rules', async () => {
    const { run } = await openUnchanged();
    const allowed = [
      {},
      MESSAGE,
      CALL,
      { ...CALL, call_id: 'NULL', call_key: "'tb_new'" },
      RESULT,
      { ...RESULT, seq: '1', call_id: "'call_1'" },
      { ...RESULT, parent_block_id: "'tb_plain'", call_id: "'x'", call_key: "'x'" },
    ];

    for (const changes of allowed) await run(`BEGIN; ${block(changes)}; ROLLBACK`);
    await run(`BEGIN; ${block(MESSAGE, { ...SECOND, parent_block_id: "'tb_new'" })}; ROLLBACK`);

    expect(await run('SELECT count(*) FROM block_rows')).toBe('5');
  });

  test.each([
    ['a thought without a parent', block({ parent_block_id: 'NULL' }), /check/],
    ['a message with a parent', block({ sub_type: "'MESSAGE'" }), /check/],
    ['an unknown sub_type', block({ sub_type: "'NOTE'" }), /parent|check/],
    ['a parent that does not exist', block({ parent_block_id: "'tb_none'" }), /parent/],
    ['a block under itself', block({ parent_block_id: "'tb_new'" }), /parent/],
    [
      'a parent that comes later in the statement',
      block({ parent_block_id: "'tb_second'" }, { ...MESSAGE, ...SECOND }),
      /parent/,
    ],
    ['a later block with an earlier time in the statement', block({}, { ...SECOND, created_us: '1' }), /order/],
    ['a block after a gap in the statement', block({}, { ...SECOND, ord: '7' }), /order/],
    ['a parent in another trace', block({ parent_block_id: "'tb_elsewhere'" }), /parent/],
    ['a call under a call', block({ ...CALL, parent_block_id: "'tb_call123'" }), /parent/],
    ['a result under a message', block({ ...RESULT, parent_block_id: "'tb_msg123'" }), /parent/],
    ['a result with another call_id', block({ ...RESULT, call_id: "'x'", call_key: "'x'" }), /parent/],
    ['a call with another key', block({ ...CALL, call_key: "'x'" }), /check/],
    ['a message with a key', block({ ...MESSAGE, call_key: "'x'" }), /check/],
    ['a used call_id', block({ ...CALL, call_id: "'call_1'", call_key: "'call_1'" }), /duplicate/],
    ['a used seq', block({ ...RESULT, seq: '0' }), /duplicate/],
    ['a seq below 0', block({ ...RESULT, seq: '-1' }), /check/],
    ['a used id', block({ id: "'tb_msg123'" }), /duplicate/],
    ['an id of another trace', block({ ...MESSAGE, id: "'tb_elsewhere'" }), /duplicate/],
    ['a used ordinal', block({ ord: '4' }), /block_rows_pkey/],
    ['an ordinal after a gap', block({ ord: '6' }), /order/],
    ['no ordinal', block({ ord: 'NULL' }), /not-null/],
    ['an earlier time', block({ created_us: '1' }), /order/],
    ['a payload that is not JSON', block({ payload: "'{'" }), /json/],
    ['a block with the org_rid of another organization', block({ ...MESSAGE, org_rid: '2' }), /foreign key/],
    ['a block without a trace', block({ ...MESSAGE, trace_rid: '99', ord: '1' }), /foreign key/],
    ['an update of a payload', "UPDATE block_rows SET payload = '{}'", /never changed/],
    ['an update of extra', "UPDATE block_rows SET extra = NULL WHERE id = 'tb_msg123'", /never changed/],
    ['the deletion of a block', "DELETE FROM block_rows WHERE id = 'tb_plain'", /only with their trace/],
    ['the deletion of all blocks', 'TRUNCATE block_rows', /only with their trace/],
    ['the deletion of everything', 'TRUNCATE trace_rows CASCADE', /immutable/],
    ['an insert into a view', block().replace('block_rows', 'trace_blocks'), /cannot insert into view/],
    ['an update of a view', "UPDATE trace_blocks SET payload = '{}'", /cannot update view/],
    ['a deletion from a view', 'DELETE FROM trace_blocks', /cannot delete from view/],
    ['another parent of a trace', "UPDATE trace_rows SET parent_trace_id = 'tr_x'", /immutable/],
    ['another id of a trace', "UPDATE trace_rows SET id = 'tr_x' WHERE id = 'tr_test'", /immutable/],
    ['another organization of a trace', "UPDATE trace_rows SET org = 'x'", /immutable/],
    ['an unknown status', "UPDATE trace_rows SET status = 'done'", /check/],
    ['a trace with the id of another', trace('tr_test'), /duplicate/],
    ['a trace with the org_rid of another organization', trace('tr_new', 'other'), /organization/],
    ['another name of an organization', "UPDATE organizations SET name = 'x'", /immutable/],
    ['the deletion of an organization', 'DELETE FROM organizations', /immutable/],
    ['a trace with the id of a deleted one', trace('tr_gone'), /duplicate/],
    ['the deletion of a tombstone', 'DELETE FROM tombstones', /never reused/],
    ['tags that are not JSON', "UPDATE trace_details SET tags = '['", /json/],
  ])('rejects %s', async (_what, sql, rule) => {
    const { run } = await openUnchanged();

    await expect(run(sql)).rejects.toThrow(rule);
    expect(await run('SELECT count(*) FROM block_rows')).toBe('5');
  });

  test('deletes all rows of a trace with it', async () => {
    const { run } = await openFilled();

    await run("DELETE FROM trace_rows WHERE id = 'tr_test'");

    expect(await run('SELECT (SELECT count(*) FROM block_rows), (SELECT count(*) FROM trace_details)')).toBe('1|1');
    expect(await run("SELECT org FROM tombstones WHERE trace_id = 'tr_test'")).toBe(ORG);
  });

  test('has every field of the documented table in the views trace_blocks and blocks', async () => {
    const { run } = await openUnchanged();
    const fields = `id, trace_id, block_type, sub_type, parent_block_id, metadata::text, raw::text, extra::text,
      payload::json->>'name', created_at = updated_at`;

    for (const table of ['trace_blocks', 'blocks']) {
      const row = await run(`SELECT ${fields} FROM ${table} WHERE id = 'tb_call123'`);
      expect(row).toBe('tb_call123|tr_test|ACT|TOOL_CALL|tb_msg123|{}|||get_weather|t');
    }
  });

  test('replaces NUL and lone surrogates in the JSON of views by U+FFFD', async () => {
    const { run } = await openFilled(fillWithOddTexts);

    for (const view of ['blocks', 'trace_blocks']) {
      const list = `json_agg(json_build_array(payload::jsonb ->> 'content', extra::json ->> 'note') ORDER BY ord)`;
      const shown = await run(`SELECT ${list}::text FROM ${view} WHERE trace_id = 'tr_odd'`);
      expect(JSON.parse(shown)).toEqual(ODD_TEXTS.map(([, text]) => [text, text]));
    }
    expect(await run("SELECT metadata ->> 'note' FROM traces WHERE id = 'tr_odd'")).toBe('\uFFFD \uFFFD');
  });

  test('adds rewards in a view that a double cannot hold', async () => {
    const { run } = await openFilled(async (store) => {
      await store.createTrace(ORG, { id: 'tr_big' });
      const blocks = ['tb_1', 'tb_2'].map((id) => ({ ...message(), id, extra: { reward: 1.7e308 } }));
      await post(store, 'tr_big', { blocks });
    });

    expect(await run('SELECT reward_until_then FROM rewards ORDER BY ord')).toBe('1.7e+308\n1.7976931348623157e+308');
  });

  test('has views', async () => {
    const { run } = await openUnchanged();

    const sql = "SELECT ord, id, block_type, payload->>'name' FROM blocks WHERE trace_id = 'tr_test' ORDER BY ord";
    const rows = (await run(sql)).split('\n');

    expect(rows[1]).toBe('2|tb_call123|ACT|get_weather');
    expect(rows).toHaveLength(4);
    expect(await run("SELECT block_count, status, tags FROM traces WHERE id = 'tr_test'")).toBe('4|running|[]');
  });
});
