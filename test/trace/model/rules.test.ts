import { expect, test } from '@jest/globals';
import { BLOCK_ID } from '../../../src/trace/model/index.ts';
import { call, createConversation, createStore, errorSummary, message, result, TRACE, think } from './store.ts';

test('accepts the examples of the document, and builds their tree', () => {
  const store = createStore();

  const posted = store.post({
    blocks: [
      { block_type: 'MESSAGE', ...message({ id: 'tb_msg123' }) },
      { block_type: 'ACT', ...call({ id: 'tb_call123' }) },
      { block_type: 'OBSERVE', ...result() },
      { block_type: 'ACT', ...think() },
    ],
  });

  expect(errorSummary(posted)).toBe('accepted');
  expect(store.rows.map(({ block_type, parent_block_id }) => [block_type, parent_block_id])).toEqual([
    ['MESSAGE', null],
    ['ACT', 'tb_msg123'],
    ['OBSERVE', 'tb_call123'],
    ['ACT', 'tb_msg123'],
  ]);
  expect(store.rows.every(({ id }) => BLOCK_ID.test(id))).toBe(true);
});

const said = (content: unknown) => message({ payload: { role: 'user', content } });
const called = (payload: object) => call({ payload: { name: 'look', arguments: {}, ...payload } });
const resultWith = (payload: object) => result({ payload });

/** Cases by rule: description, block, expected response. */
const CASES: readonly (readonly [string, unknown, string])[] = [
  ['V1 null', null, '422 type'],
  ['V1 a list', [], '422 type'],
  ['V1 an unknown field', message({ reward: 1 }), '422 unknown_field'],
  ['V1 fields of the store', message({ created_at: 0, updated_at: 0 }), '422 read_only read_only'],
  ['V1 the id of a trace', message({ id: 'tr_1' }), '422 id_format'],
  ['V1 no id', message({ id: null }), '422 id_format'],
  ['V1 another trace', message({ trace_id: 'tr_other' }), '422 trace_id_mismatch'],
  ['V1 the same trace', message({ trace_id: TRACE }), 'accepted'],
  ['V2 no sub_type', { payload: {} }, '422 enum'],
  ['V2 lower case', message({ sub_type: 'message' }), '422 enum'],
  ['V2 a name of every object', message({ sub_type: 'constructor' }), '422 enum'],
  ['V2 another lane', message({ block_type: 'ACT' }), '422 block_type_mismatch'],
  ['V3 no payload', message({ payload: null }), '422 type'],
  ['V3 a list as payload', message({ payload: [] }), '422 type'],
  ['V3 anything as extra, metadata and raw', message({ extra: [], metadata: 'a', raw: [0, 'a', null] }), 'accepted'],
  ['V3 null as extra, metadata and raw', message({ extra: null, metadata: null, raw: null }), 'accepted'],
  ['V4 no role', message({ payload: { content: 'a' } }), '422 role'],
  ['V4 a developer', message({ payload: { role: 'developer', content: 'a' } }), '422 role'],
  ['V4 no content', said(undefined), '422 content_empty'],
  ['V4 empty text', said(''), '422 content_empty'],
  ['V4 no parts', said([]), '422 content_empty'],
  ['V4 a number', said(5), '422 type'],
  ['V4 a part without type', said([{ type: 'text' }, { text: 'a' }]), '422 type'],
  ['V4 a part that is text', said(['a']), '422 type'],
  ['V4 white space', said(' '), 'accepted'],
  ['V4 a call as part', said([{ type: 'tool_use', id: 'call_1', name: 'look' }]), 'accepted'],
  ['V4 role and content', message({ payload: {} }), '422 role content_empty'],
  ['V5 no name', called({ name: undefined }), '422 name'],
  ['V5 white space around', called({ name: 'look ' }), '422 name'],
  ['V5 a control character', called({ name: 'lo\u0000ok' }), '422 name'],
  ['V5 257 bytes', called({ name: `${'é'.repeat(128)}a` }), '422 name'],
  ['V5 256 bytes', called({ name: 'é'.repeat(128) }), 'accepted'],
  ['V5 no arguments', called({ arguments: undefined }), '422 arguments_required'],
  ['V5 a list', called({ arguments: [] }), 'accepted'],
  ['V5 null', called({ arguments: null }), 'accepted'],
  ['V5 text of a list', called({ arguments: '[]' }), 'accepted'],
  ['V5 text of a text', called({ arguments: '"a"' }), 'accepted'],
  ['V5 text of no JSON', called({ arguments: '{city: 1}' }), '422 arguments_not_json'],
  ['V5 no text', called({ arguments: '' }), 'accepted'],
  ['V5 text of an object', called({ arguments: ' {"city": "x"} ' }), 'accepted'],
  ['V6 no text', think({ payload: {} }), '422 text_empty'],
  ['V6 empty text', think({ payload: { text: '' } }), '422 text_empty'],
  ['V6 a number', think({ payload: { text: 1 } }), '422 type'],
  ['V7 neither', resultWith({}), '422 output_xor_delta'],
  ['V7 both', resultWith({ output: 1, delta: 'a' }), '422 output_xor_delta'],
  ['V7 both null', resultWith({ output: null, delta: null }), '422 output_xor_delta'],
  ['V7 a lone null as delta', resultWith({ delta: null }), '422 output_xor_delta'],
  ['V7 a lone null as output', resultWith({ output: null }), 'accepted'],
  ['V7 null beside an output', resultWith({ output: false, delta: null }), 'accepted'],
  ['V7 null beside a delta', resultWith({ output: null, delta: '' }), 'accepted'],
  ['V7 an object as delta', resultWith({ delta: {} }), 'accepted'],
  ['V7 a number as delta', resultWith({ delta: 0 }), 'accepted'],
  ['V7 false as delta', resultWith({ delta: false }), 'accepted'],
  ['V7 seq as text', resultWith({ output: 1, seq: '3' }), '422 seq'],
  ['V7 seq below 0', resultWith({ output: 1, seq: -1 }), '422 seq'],
  ['V7 a fraction as seq', resultWith({ output: 1, seq: 0.5 }), '422 seq'],
  ['V7 the largest seq', resultWith({ output: 1, seq: 2 ** 53 - 1 }), 'accepted'],
  ['V7 a larger seq', resultWith({ output: 1, seq: 2 ** 53 }), '422 seq'],
  ['V7 no seq', resultWith({ output: 1, seq: null }), 'accepted'],
  ['V8 an empty call_id', called({ call_id: '' }), '422 call_id'],
  ['V8 a number', called({ call_id: 1 }), '422 call_id'],
  ['V8 null', resultWith({ output: 1, call_id: null }), '422 call_id'],
  ['V8 257 bytes', called({ call_id: `${'€'.repeat(85)}aa` }), '422 call_id'],
  ['V8 256 bytes', called({ call_id: `${'€'.repeat(85)}a` }), 'accepted'],
  ['V9 an integer beyond 2^53', called({ arguments: '{"n": 12345678901234567890}' }), 'accepted'],
  ['V9 one that a double happens to keep', called({ arguments: '{"n": 9007199254740992}' }), 'accepted'],
  ['V9 beyond all doubles', called({ arguments: '{"n": [-1e400]}' }), 'accepted'],
  ['V9 too near to zero', called({ arguments: '{"n": 1e-400}' }), 'accepted'],
  ['V9 an exponent', called({ arguments: '{"n": 6.02e23, "m": -0.5, "z": 0e999}' }), 'accepted'],
  [
    'V9 digits in texts',
    called({ arguments: '{"\\\\": "\\" 12345678901234567890", "12345678901234567890": 1}' }),
    'accepted',
  ],
  ['V10 a parent of a message', message({ parent_block_id: 'tb_msg123' }), '422 parent_forbidden'],
  ['V10 null', message({ parent_block_id: null }), 'accepted'],
  ['V10 no parent', think({ parent_block_id: undefined }), '422 parent_required'],
  ['V10 null as parent', result({ parent_block_id: null }), '422 parent_required'],
  ['V10 another form', call({ parent_block_id: 'msg123' }), '422 parent_format'],
];

test.each(CASES)('applies the rule %s to %j: %s', (_rule, block, expected) => {
  const store = createConversation();

  // JSON has no undefined.
  const posted = store.post(JSON.parse(JSON.stringify(block)));

  expect(errorSummary(posted)).toBe(expected);
  expect(store.rows).toHaveLength(expected === 'accepted' ? 3 : 2);
});

test('stores arguments that are text parsed, and everything else unchanged', () => {
  const store = createConversation();

  store.post(called({ arguments: '{"b": 1, "a": "\\ud83d"}', note: 'kept' }));

  expect(store.rows.at(-1)).toMatchObject({
    payload: { name: 'look', arguments: { b: 1, a: '\ud83d' }, note: 'kept' },
    raw: null,
    extra: null,
  });
});

test('returns all issues of a batch with their paths, and describes the first one', () => {
  const blocks = [message(), message({ payload: { role: 'bot', content: '' } }), think({ payload: { text: 1 } })];

  const { failure } = createConversation().post({ blocks });

  expect(failure).toEqual({
    code: 'VALIDATION',
    http_status: 422,
    message: 'block 1: /payload/role must be system, user or assistant, not "bot" (3 issues)',
    details: {
      issues: [
        { index: 1, path: '/payload/role', rule: 'role', expected: 'system, user or assistant', got: '"bot"' },
        {
          index: 1,
          path: '/payload/content',
          rule: 'content_empty',
          expected: 'text or a list of parts, and not empty',
          got: 'a string',
        },
        { index: 2, path: '/payload/text', rule: 'type', expected: 'text', got: 'an integer' },
      ],
    },
  });
});

test.each([
  ['', {}],
  [' ', {}],
  ['null', null],
  ['[1]', [1]],
  ['"a"', 'a'],
  ['7', 7],
])('stores the arguments %j as %j', (text, value) => {
  const store = createConversation();

  store.post(called({ arguments: text }));

  expect(store.rows.at(-1)?.payload).toEqual({ name: 'look', arguments: value });
});

test('accepts a repeated block whose arguments are text, as text and as their value', () => {
  const store = createConversation();
  const again = (args: unknown) => call({ id: 'tb_again', payload: { name: 'look', arguments: args } });
  store.post(again('[1, "a"]'));

  expect(store.post(again('[1,"a"]')).outcomes).toMatchObject([{ kind: 'replay' }]);
  expect(store.post(again([1, 'a'])).outcomes).toMatchObject([{ kind: 'replay' }]);
  expect(errorSummary(store.post(again('[1]')))).toBe('409 BLOCK_ID_CONFLICT');
});

test.each([
  ['no blocks', { blocks: [] }, '422 batch_size'],
  ['1,001 blocks', { blocks: Array.from({ length: 1001 }, () => message()) }, '422 batch_size'],
  ['blocks that are not a list', { blocks: {} }, '422 type'],
  ['fields next to the blocks', { blocks: [message()], id: 'tb_1' }, '422 unknown_field'],
  ['1,000 blocks', { blocks: Array.from({ length: 1000 }, () => message()) }, 'accepted'],
])('validates the form of a batch: %s', (_name, body, expected) => {
  expect(errorSummary(createStore().post(body))).toBe(expected);
});
