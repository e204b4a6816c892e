import { afterEach, expect, test } from '@jest/globals';
import { createMemoryStore, openSqliteStore } from '../../../src/trace/store/index.ts';
import fc, { runs, unicode } from '../../support/fast-check.ts';
import { describeUnless } from '../../support/optional.ts';
import { sqliteMissing } from '../store/stores.ts';
import { closeServers, type createCaller, startServer } from './server.ts';

afterEach(closeServers);

/** Keys and texts that JavaScript, databases or encodings treat specially. */
const hostile = fc.constantFrom(
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'toJSON',
    '__defineGetter__',
    '',
  ],
  ...[
    '\0',
    'a\0b',
    '\ud800',
    '\udc00x',
    '\u2028',
    '\ufeff',
    '"',
    '\\u005f_proto__',
    'length',
    '0',
    '-1',
    '$ref',
    '%',
    '💩',
  ],
);
const text = fc.oneof(hostile, unicode());
const number = fc.oneof(fc.integer(), fc.constantFrom(0.1, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, 2 ** 53));
const { value, record } = fc.letrec<{ value: unknown; record: object; list: unknown[] }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, text, number, fc.boolean(), fc.constant(null), tie('record'), tie('list')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  // `fc.dictionary` would lose `__proto__`; so would an assignment.
  record: fc
    .uniqueArray(fc.tuple(text, tie('value')), { maxLength: 4, selector: ([key]) => key })
    .map((members) => Object.fromEntries(members)),
}));

const trace = fc.record({
  run: fc.constant('r'),
  name: text,
  task_spec: record,
  metadata: record,
  run_info: record,
  rollout_info: record,
  tags: fc.array(
    text.filter((each) => each !== ''),
    { maxLength: 2 },
  ),
});
const some = { raw: value, extra: fc.oneof(record, fc.constant(null)) };
const blocks = fc
  .record({
    message: fc.record({
      sub_type: fc.constant('MESSAGE'),
      payload: fc.record({ role: fc.constant('assistant'), content: text.filter((each) => each !== '') }),
      ...some,
    }),
    calls: fc.array(fc.record({ arguments: record, output: value, ...some }), { maxLength: 3 }),
  })
  .map(({ message, calls }) => [
    { id: 'tb_m', ...message },
    ...calls.flatMap(({ arguments: given, output, ...more }, place) => [
      {
        id: `tb_c${place}`,
        sub_type: 'TOOL_CALL',
        parent_block_id: 'tb_m',
        payload: { name: 'f', call_id: `c${place}`, arguments: given },
        ...more,
      },
      {
        id: `tb_r${place}`,
        sub_type: 'TOOL_RESULT',
        parent_block_id: `tb_c${place}`,
        payload: { output, call_id: `c${place}` },
        ...more,
      },
    ]),
  ]);

type Caller = ReturnType<typeof createCaller>;

async function exported({ url }: { url: string }, format: string): Promise<string> {
  const response = await fetch(`${url}/v1/organizations/default/runs/r/export?format=${format}`);
  return await response.text();
}

/** Removes the times of writing from an export, which differ between stores. */
const comparable = (lines: string): unknown[] =>
  lines
    .trim()
    .split('\n')
    .map((line) =>
      JSON.parse(line, function (this: unknown, key, each: unknown) {
        return ['created_at', 'updated_at', 'finished_at', 'imported'].includes(key) ? undefined : each;
      }),
    );

const imported = (caller: Caller, lines: string, format: string) =>
  caller.send('POST', `import?format=${format}`, lines, { 'Content-Type': 'application/x-ndjson' });

const stores = [
  ['memory', undefined, async () => createMemoryStore()],
  ['SQLite', sqliteMissing, () => openSqliteStore({ path: ':memory:' })],
] as const;

for (const [name, missing, open] of stores) {
  describeUnless(missing)(`a store in ${name}`, () => {
    test.each(['jsonl', 'atif'])(
      'imports all that it accepts and exports as %s',
      async (format) => {
        await fc.assert(
          fc.asyncProperty(trace, blocks, async (input, body) => {
            await using here = await open();
            await using there = await open();
            const [from, to] = [await startServer({ store: here }), await startServer({ store: there })];
            expect((await from.post('traces', { id: 'tr_a', ...input })).status).toBe(201);
            expect((await from.post('traces/tr_a/blocks', { blocks: body })).status).toBe(201);

            const lines = await exported(from, format);
            const { json } = await imported(to, lines, format);

            expect(json).toEqual({ traces: 1, blocks: body.length, replayed: 0, failed_count: 0, failed: [] });
            expect(comparable(await exported(to, 'jsonl'))).toEqual(comparable(await exported(from, 'jsonl')));
            for (const { close } of [from, to]) await close();
          }),
          { numRuns: runs(10), endOnFailure: true },
        );
        expect(Object.prototype).not.toHaveProperty('polluted');
      },
      60_000,
    );
  });
}

const line = (content: unknown) => `${JSON.stringify(content)}\n`;
const message = (id: string, more: object = {}) =>
  line({ block: { id, sub_type: 'MESSAGE', payload: { role: 'user', content: 'x' }, ...more } });

test('imports the valid blocks of a trace, and reports the others by line and id', async () => {
  const { send, get } = await startServer();
  const responses = line({
    block: { id: 'tb_call', sub_type: 'TOOL_CALL', parent_block_id: 'tb_2', payload: { name: 'f', arguments: {} } },
  });
  const text = [
    line({ trace: { id: 'tr_a', block_count: 7 } }),
    message('tb_1'),
    message('tb_2', { reward: 3 }),
    'no JSON\n',
    responses,
    message('tb_1', { extra: { other: true } }),
    message('tb_6'),
    message('tb_7', { trace_id: 'tr_other' }),
    line({ trace: { id: 'tr_b', unknown: 1 } }),
    message('tb_8'),
    line({ trace: { id: 'tr_c' } }),
    message('tb_9', { raw: JSON.parse('{"__proto__":{"polluted":1}}') }),
  ].join('');

  const { json } = await send('POST', 'import?format=jsonl', text, { 'Content-Type': 'application/x-ndjson' });

  expect(json).toMatchObject({ traces: 2, blocks: 3, replayed: 0, failed_count: 7 });
  const reported = json.failed.map(({ line: at, trace_id, block_id, error }: Record<string, { code?: string }>) => [
    at,
    trace_id,
    block_id,
    error?.code,
  ]);
  expect(reported).toEqual([
    [3, 'tr_a', 'tb_2', 'BAD_JSON'],
    [4, 'tr_a', null, 'BAD_JSON'],
    [8, 'tr_a', 'tb_7', 'BAD_JSON'],
    [5, 'tr_a', 'tb_call', 'VALIDATION'],
    [6, 'tr_a', 'tb_1', 'BLOCK_ID_CONFLICT'],
    [1, 'tr_a', null, 'BAD_JSON'],
    [9, 'tr_b', null, 'BAD_JSON'],
  ]);
  expect((await get('traces/tr_a/blocks')).json.blocks.map(({ id }: { id: string }) => id)).toEqual(['tb_1', 'tb_6']);
  expect(JSON.stringify((await get('traces/tr_c/blocks/tb_9')).json.raw)).toBe('{"__proto__":{"polluted":1}}');
});

test('loses no other block if one of thousands is rejected', async () => {
  const { send, get } = await startServer();
  const ids = Array.from({ length: 2_500 }, (_, place) => `tb_${place}`);
  const bad = new Set([0, 1, 999, 1_000, 1_777, 2_499]);
  const text = ids.map((id, place) =>
    bad.has(place)
      ? line({ block: { id, sub_type: 'THINK', parent_block_id: 'tb_none', payload: { text: 'x' } } })
      : message(id),
  );

  const { json } = await send('POST', 'import', line({ trace: { id: 'tr_a' } }) + text.join(''), {
    'Content-Type': 'application/x-ndjson',
  });

  expect(json).toMatchObject({ traces: 1, blocks: 2_494, failed_count: 6 });
  expect(json.failed.map((each: { line: number }) => each.line)).toEqual([...bad].map((place) => place + 2));
  expect((await get('traces/tr_a')).json.block_count).toBe(2_494);
});

test('lists 1,000 failures in a report and counts all', async () => {
  const { send } = await startServer();

  const { json } = await send('POST', 'import?format=jsonl', '{}\n'.repeat(1_500), {
    'Content-Type': 'application/x-ndjson',
  });

  expect([json.failed.length, json.failed_count]).toEqual([1_000, 1_500]);
});
