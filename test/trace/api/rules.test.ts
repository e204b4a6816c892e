import { afterEach, expect, test } from '@jest/globals';
import { issueKey } from '../../../src/trace/api/index.ts';
import { call, message, result, TRACE, think } from '../model/store.ts';
import { closeServers, createCaller, errorSummary, startConversation, startServer } from './server.ts';

afterEach(closeServers);

const said = (payload: object) => message({ payload: { role: 'user', content: 'x', ...payload } });
const called = (payload: object) => call({ payload: { name: 'f', arguments: {}, ...payload } });
const resultWith = (payload: object) => result({ payload });
const thought = (payload: object) => think({ payload });
const text = (extra: string) => `{"sub_type":"MESSAGE","payload":{"role":"user","content":"x"},${extra}}`;

const REFUSED: Readonly<Record<string, readonly (readonly [body: unknown, expected: string])[]>> = {
  V1: [
    [[], '422 type'],
    ['null', '422 type'],
    ['"text"', '422 type'],
    ['7', '422 type'],
    [{ blocks: {} }, '422 type'],
    [{ blocks: [null] }, '422 type'],
    [{ blocks: [[message()]] }, '422 type'],
    [{ blocks: [message()], id: 'tb_1' }, '422 unknown_field'],
    [message({ foo: 1 }), '422 unknown_field'],
    [text('"__proto__": {}'), '422 unknown_field'],
    [text('"constructor": null'), '422 unknown_field'],
    [message({ created_at: null, updated_at: null }), '422 read_only read_only'],
    [message({ trace_id: 'tr_other' }), '422 trace_id_mismatch'],
    [message({ trace_id: null }), '422 trace_id_mismatch'],
    [message({ id: 'x' }), '422 id_format'],
    [message({ id: `tb_${'x'.repeat(65)}` }), '422 id_format'],
    [message({ id: null }), '422 id_format'],
  ],
  V2: [
    [message({ sub_type: 'message' }), '422 enum'],
    [message({ sub_type: 'toString' }), '422 enum'],
    [message({ sub_type: null }), '422 enum'],
    [{ payload: {} }, '422 enum'],
    [message({ block_type: 'ACT' }), '422 block_type_mismatch'],
    [message({ block_type: 'message' }), '422 block_type_mismatch'],
    [message({ block_type: null }), '422 block_type_mismatch'],
    [think({ block_type: 'MESSAGE' }), '422 block_type_mismatch'],
    [result({ block_type: 'ACT' }), '422 block_type_mismatch'],
  ],
  V3: [
    [{ sub_type: 'MESSAGE' }, '422 type'],
    [message({ payload: null }), '422 type'],
    [message({ payload: [] }), '422 type'],
    [message({ payload: 'x' }), '422 type'],
  ],
  V4: [
    [said({ role: 'tool' }), '422 role'],
    [said({ role: 'User' }), '422 role'],
    [said({ role: null }), '422 role'],
    [said({ content: '' }), '422 content_empty'],
    [said({ content: [] }), '422 content_empty'],
    [said({ content: null }), '422 content_empty'],
    [said({ content: 5 }), '422 type'],
    [said({ content: { type: 'text' } }), '422 type'],
    [said({ content: ['x'] }), '422 type'],
    [said({ content: [{ text: 'x' }] }), '422 type'],
    [said({ content: [{ type: 'text' }, { type: 1 }] }), '422 type'],
  ],
  V5: [
    [called({ name: '' }), '422 name'],
    [called({ name: 5 }), '422 name'],
    [called({ name: ' f' }), '422 name'],
    [called({ name: 'f ' }), '422 name'],
    [called({ name: 'f\ng' }), '422 name'],
    [called({ name: 'f\u007fg' }), '422 name'],
    [called({ name: 'é'.repeat(129) }), '422 name'],
    [call({ payload: { name: 'f' } }), '422 arguments_required'],
    [called({ arguments: 'text' }), '422 arguments_not_json'],
    [called({ arguments: "{'a': 1}" }), '422 arguments_not_json'],
    [called({ arguments: '{"a": NaN}' }), '422 arguments_not_json'],
  ],
  V6: [
    [thought({}), '422 text_empty'],
    [thought({ text: '' }), '422 text_empty'],
    [thought({ text: null }), '422 text_empty'],
    [thought({ text: ['x'] }), '422 type'],
  ],
  V7: [
    [resultWith({}), '422 output_xor_delta'],
    [resultWith({ output: 1, delta: 'x' }), '422 output_xor_delta'],
    [resultWith({ output: null, delta: null }), '422 output_xor_delta'],
    [resultWith({ delta: null }), '422 output_xor_delta'],
    [resultWith({ output: 1, seq: -1 }), '422 seq'],
    [resultWith({ output: 1, seq: 1.5 }), '422 seq'],
    [resultWith({ output: 1, seq: '3' }), '422 seq'],
    [resultWith({ output: 1, seq: true }), '422 seq'],
    [resultWith({ output: 1, seq: 2 ** 53 }), '422 seq'],
  ],
  V8: [
    [called({ call_id: '' }), '422 call_id'],
    [called({ call_id: null }), '422 call_id'],
    [called({ call_id: 7 }), '422 call_id'],
    [called({ call_id: '€'.repeat(86) }), '422 call_id'],
    [resultWith({ output: 1, call_id: '' }), '422 call_id'],
  ],
  V10: [
    [message({ parent_block_id: 'tb_msg123' }), '422 parent_forbidden'],
    [think({ parent_block_id: undefined }), '422 parent_required'],
    [call({ parent_block_id: null }), '422 parent_required'],
    [result({ parent_block_id: 'msg123' }), '422 parent_format'],
    [result({ parent_block_id: 5 }), '422 parent_format'],
  ],
  V11: [
    [think({ parent_block_id: 'tb_none' }), '422 parent_not_in_trace'],
    [think({ parent_block_id: 'tb_other' }), '422 parent_not_in_trace'],
    [think({ id: 'tb_1', parent_block_id: 'tb_1' }), '422 parent_not_in_trace'],
  ],
  V12: [
    [call({ parent_block_id: 'tb_call123' }), '409 PARENT_SUBTYPE_MISMATCH'],
    [think({ parent_block_id: 'tb_call123' }), '409 PARENT_SUBTYPE_MISMATCH'],
    [think({ parent_block_id: 'tb_result' }), '409 PARENT_SUBTYPE_MISMATCH'],
    [result({ parent_block_id: 'tb_msg123' }), '409 PARENT_SUBTYPE_MISMATCH'],
    [result({ parent_block_id: 'tb_result' }), '409 PARENT_SUBTYPE_MISMATCH'],
  ],
  V13: [[resultWith({ call_id: 'call_2', output: 1 }), '422 call_id_mismatch']],
  V14: [
    [call(), '409 DUPLICATE_CALL_ID'],
    [{ blocks: [called({ call_id: 'twice' }), called({ call_id: 'twice' })] }, '409 DUPLICATE_CALL_ID'],
  ],
  V15: [
    [resultWith({ output: 2, seq: 0 }), '409 DUPLICATE_RESULT_SEQ'],
    [resultWith({ delta: 'x', seq: 0, call_id: 'call_1' }), '409 DUPLICATE_RESULT_SEQ'],
    [{ blocks: [resultWith({ delta: 'x', seq: 1 }), resultWith({ output: 1, seq: 1 })] }, '409 DUPLICATE_RESULT_SEQ'],
  ],
  V16: [
    [message({ id: 'tb_msg123', payload: { role: 'user', content: 'other' } }), '409 BLOCK_ID_CONFLICT'],
    [message({ id: 'tb_other' }), '409 BLOCK_ID_CONFLICT'],
    [{ blocks: [message({ id: 'tb_1' }), message({ id: 'tb_1', extra: {} })] }, '409 BLOCK_ID_CONFLICT'],
  ],
};

test.each(Object.keys(REFUSED))('rejects a violation of rule %s with its code, and stores nothing', async (rule) => {
  const { post, write, count } = await startConversation();
  await write(result({ id: 'tb_result', payload: { delta: 'a', seq: 0 } }));
  await post('traces', { id: 'tr_other' });
  await post('traces/tr_other/blocks', message({ id: 'tb_other' }));

  const responses = [];
  for (const [body] of REFUSED[rule] ?? []) responses.push(errorSummary(await write(body)));

  expect(responses).toEqual((REFUSED[rule] ?? []).map(([, expected]) => expected));
  expect(await count()).toBe(3);
});

test.each([
  ['white space as text', said({ content: ' \n' })],
  [
    'parts of any type',
    said({
      content: [
        { type: 'tool_use', id: 'call_2' },
        { type: 'x-own', n: 1 },
      ],
    }),
  ],
  ['unused fields in a payload', said({ seq: 'a', name: null, call_id: 5 })],
  ['any JSON in raw', message({ raw: false })],
  ['a text in extra', message({ extra: 'x' })],
  ['a list in extra', message({ extra: [{ reward: 1 }] })],
  ['an object in metadata', message({ metadata: { a: 1 } })],
  ['a number in metadata', message({ metadata: 0 })],
  ['null in metadata', message({ metadata: null })],
  ['arguments as text', called({ arguments: ' {"a": "1"}' })],
  ['a name of 256 bytes', called({ name: 'é'.repeat(128) })],
  ['a call_id of 256 bytes', called({ call_id: `${'€'.repeat(85)}a` })],
  ['a call without call_id', called({})],
  ['an output that is null', resultWith({ output: null })],
  ['an output that is false', resultWith({ output: false, delta: null })],
  ['a delta beside a null', resultWith({ delta: '', output: null })],
  ['a delta that is a list', resultWith({ delta: [] })],
  ['a delta that is an object', resultWith({ delta: { a: [] } })],
  ['a delta that is a number', resultWith({ delta: 0 })],
  ['arguments that are null', called({ arguments: null })],
  ['arguments that are a list', called({ arguments: [1, null] })],
  ['arguments that are a number', called({ arguments: 5 })],
  ['a seq that is null', resultWith({ output: 1, seq: null })],
  ['the greatest seq', resultWith({ output: 1, seq: Number.MAX_SAFE_INTEGER })],
  ['an id of 64 characters', message({ id: `tb_${'x'.repeat(64)}` })],
  ['the same result without seq again', result()],
])('accepts and keeps %s', async (_what, block) => {
  const { write, read } = await startConversation();
  await write(result());

  const { status, json } = await write(block);

  const { arguments: sent } = block.payload as { readonly arguments?: unknown };
  const stored = typeof sent === 'string' ? { arguments: expect.any(Object) } : {};
  expect([status, json]).toEqual([
    201,
    expect.objectContaining({ ...block, payload: { ...block.payload, ...stored } }),
  ]);
  expect((await read(json.id)).json).toEqual(json);
});

test('a parent in another trace gets the same response as a parent that does not exist', async () => {
  const { post, write } = await startConversation();
  await post('traces', { id: 'tr_other' });
  await post('traces/tr_other/blocks', message({ id: 'tb_there' }));

  const [there, none] = [
    await write(think({ parent_block_id: 'tb_there' })),
    await write(think({ parent_block_id: 'tb_nowhere' })),
  ];

  const without = (id: string, json: unknown) => JSON.parse(JSON.stringify(json).replaceAll(id, 'tb_x'));
  expect(without('tb_there', there.json)).toEqual(without('tb_nowhere', none.json));
});

test('returns the id of the existing block for a conflict', async () => {
  const { write } = await startConversation();
  await write(result({ id: 'tb_r', payload: { output: 1, seq: 4 } }));

  const details = async (body: unknown) => (await write(body)).json.error.details;

  expect(await details(call())).toEqual({ trace_id: TRACE, call_id: 'call_1', existing_block_id: 'tb_call123' });
  expect(await details(resultWith({ delta: 'x', seq: 4 }))).toEqual({
    trace_id: TRACE,
    call_id: 'call_1',
    seq: 4,
    existing_block_id: 'tb_r',
  });
  expect(await details({ blocks: [message(), think({ parent_block_id: 'tb_r' })] })).toEqual({
    index: 1,
    sub_type: 'THINK',
    parent_block_id: 'tb_r',
    parent_sub_type: 'TOOL_RESULT',
    allowed: ['MESSAGE'],
  });
});

test('reports all problems of the shape at once, with their paths', async () => {
  const { write } = await startConversation();

  const { json } = await write({
    blocks: [message(), said({ role: 'tool', content: [{ type: 'a' }, 5] }), called({ name: '', arguments: '{' })],
  });

  expect(json.error.details.issues).toEqual([
    { index: 1, path: '/payload/role', rule: 'role', expected: 'system, user or assistant', got: '"tool"' },
    { index: 1, path: '/payload/content/1', rule: 'type', expected: 'an object with a type', got: 'an integer' },
    expect.objectContaining({ index: 2, path: '/payload/name', rule: 'name', got: '""' }),
    expect.objectContaining({ index: 2, path: '/payload/arguments', rule: 'arguments_not_json' }),
  ]);
});

/** Each request has the error of its stage and those of all later stages. */
test('reports the fault of the first stage that fails: key, media type, JSON, trace, id, shape, size, parent, its kind, call_id, duplicate', async () => {
  const { url, store } = await startServer({ needsKeys: true });
  const { secret } = await issueKey(store, { org: 'acme', name: 'ci', scopes: ['read', 'write'] });
  const nobody = createCaller(url, {}, 'acme');
  const { post, send } = createCaller(url, { 'X-API-Key': secret }, 'acme');
  await post('traces', { id: TRACE });
  await post(`traces/${TRACE}/blocks`, { blocks: [message({ id: 'tb_msg123' }), call({ id: 'tb_call123' })] });
  const large = resultWith({ output: 'x'.repeat(2_097_153) });
  const orphan = think({ parent_block_id: 'tb_none' });
  const misplaced = think({ parent_block_id: 'tb_call123' });
  const mismatched = resultWith({ output: 1, call_id: 'call_2' });
  const links = [call(), mismatched, misplaced, orphan];
  const taken = message({ id: 'tb_msg123', extra: {} });
  const shapeless = { sub_type: 'THINK' };
  const write = (body: unknown, trace = TRACE) => post(`traces/${trace}/blocks`, body);

  const responses = [
    await nobody.post('traces/tr_none/blocks', '{', { 'Content-Type': 'text/plain' }),
    await send('POST', 'traces/tr_none/blocks', '{', { 'Content-Type': 'text/plain' }),
    await write('{', 'tr_none'),
    await write({ blocks: [...links, large, shapeless, taken] }, 'tr_none'),
    await write({ blocks: [...links, large, shapeless, taken] }),
    await write({ blocks: [...links, large, shapeless] }),
    await write({ blocks: [...links, large] }),
    await write({ blocks: links }),
    await write({ blocks: links.slice(0, 3) }),
    await write({ blocks: links.slice(0, 2) }),
    await write({ blocks: links.slice(0, 1) }),
  ];

  expect(responses.map(errorSummary)).toEqual([
    '401 UNAUTHENTICATED',
    '415 UNSUPPORTED_MEDIA_TYPE',
    '400 BAD_JSON',
    '404 TRACE_NOT_FOUND',
    '409 BLOCK_ID_CONFLICT',
    '422 type parent_required',
    '413 PAYLOAD_TOO_LARGE',
    '422 parent_not_in_trace',
    '409 PARENT_SUBTYPE_MISMATCH',
    '422 call_id_mismatch',
    '409 DUPLICATE_CALL_ID',
  ]);
});
