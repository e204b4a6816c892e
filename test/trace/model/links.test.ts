import { expect, test } from '@jest/globals';
import { checkAppendRequest, createPendingBlocks, readTraceLimits } from '../../../src/trace/model/index.ts';
import { call, createConversation, createStore, errorSummary, message, result, TRACE, think } from './store.ts';

const called = (payload: object, parts: object = {}) =>
  call({ payload: { name: 'look', arguments: {}, ...payload }, ...parts });
const resultWith = (payload: object, parts: object = {}) => result({ payload: { output: 1, ...payload }, ...parts });

test.each([
  ['V11 a call under nothing', called({}, { parent_block_id: 'tb_none' }), '422 parent_not_in_trace'],
  ['V11 a thought under nothing', think({ parent_block_id: 'tb_none' }), '422 parent_not_in_trace'],
  ['V11 a block under itself', think({ id: 'tb_self', parent_block_id: 'tb_self' }), '422 parent_not_in_trace'],
  ['V12 a call under a call', called({}, { parent_block_id: 'tb_call123' }), '409 PARENT_SUBTYPE_MISMATCH'],
  ['V12 a thought under a call', think({ parent_block_id: 'tb_call123' }), '409 PARENT_SUBTYPE_MISMATCH'],
  ['V12 a result under a message', resultWith({}, { parent_block_id: 'tb_msg123' }), '409 PARENT_SUBTYPE_MISMATCH'],
  ['V13 the call_id of the call', resultWith({ call_id: 'call_1' }), 'accepted'],
  ['V13 another call_id', resultWith({ call_id: 'call_2' }), '422 call_id_mismatch'],
  ['V13 no call_id', resultWith({}), 'accepted'],
  ['V14 a call_id once more', called({ call_id: 'call_1' }), '409 DUPLICATE_CALL_ID'],
  ['V14 another call_id', called({ call_id: 'call_2' }), 'accepted'],
  ['V14 calls without call_id', { blocks: [called({}), called({})] }, 'accepted'],
  ['V15 a seq twice', { blocks: [resultWith({ seq: 0 }), resultWith({ seq: 0 })] }, '409 DUPLICATE_RESULT_SEQ'],
  [
    'V15 a seq of a delta and of an output',
    { blocks: [resultWith({ seq: 0 }), result({ payload: { delta: 'a', seq: 0 } })] },
    '409 DUPLICATE_RESULT_SEQ',
  ],
  [
    'V15 a seq with and without call_id',
    { blocks: [resultWith({ seq: 0 }), resultWith({ seq: 0, call_id: 'call_1' })] },
    '409 DUPLICATE_RESULT_SEQ',
  ],
  ['V15 no seq', { blocks: [resultWith({}), resultWith({ seq: null }), resultWith({ seq: 1 })] }, 'accepted'],
  [
    'V15 a seq of two calls',
    {
      blocks: [
        resultWith({ seq: 0 }),
        called({}, { id: 'tb_c2' }),
        resultWith({ seq: 0 }, { parent_block_id: 'tb_c2' }),
      ],
    },
    'accepted',
  ],
])('returns the documented response for %s', (_rule, body, expected) => {
  const store = createConversation();

  expect(errorSummary(store.post(body))).toBe(expected);
  expect(store.rows.length > 2).toBe(expected === 'accepted');
});

test('returns the documented details of conflicts', () => {
  const store = createConversation();
  store.post(resultWith({ seq: 7 }, { id: 'tb_result' }));

  const failures = [
    think({ parent_block_id: 'tb_call123' }),
    called({ call_id: 'call_1' }),
    resultWith({ seq: 7 }),
  ].map((body) => store.post(body).failure);

  expect(failures.map((failure) => failure?.details)).toEqual([
    { sub_type: 'THINK', parent_block_id: 'tb_call123', parent_sub_type: 'TOOL_CALL', allowed: ['MESSAGE'] },
    { trace_id: TRACE, call_id: 'call_1', existing_block_id: 'tb_call123' },
    { trace_id: TRACE, call_id: 'call_1', seq: 7, existing_block_id: 'tb_result' },
  ]);
});

test('returns the same error for a parent in another trace and a missing one', () => {
  const known = createPendingBlocks();
  known.add({
    id: 'tb_elsewhere',
    trace_id: 'tr_other',
    block_type: 'MESSAGE',
    sub_type: 'MESSAGE',
    payload: { role: 'user', content: 'hi' },
    parent_block_id: null,
    raw: null,
    extra: null,
  });
  const post = (body: unknown) =>
    checkAppendRequest(body, { traceId: TRACE, limits: readTraceLimits({}), known }).failure;

  const [there, nowhere] = ['tb_elsewhere', 'tb_nowherexx'].map((parent) => post(think({ parent_block_id: parent })));

  expect(JSON.stringify(there).replaceAll('tb_elsewhere', 'tb_nowherexx')).toBe(JSON.stringify(nowhere));
  expect(post(message({ id: 'tb_elsewhere', payload: { role: 'user', content: 'hi' } }))?.code).toBe(
    'BLOCK_ID_CONFLICT',
  );
});

test('accepts only earlier blocks of a batch as parents', () => {
  const blocks = [think({ parent_block_id: 'tb_m' }), message({ id: 'tb_m' })];

  expect(createStore().post({ blocks }).failure?.details).toMatchObject({
    issues: [{ index: 0, rule: 'parent_not_in_trace' }],
  });
  expect(errorSummary(createStore().post({ blocks: blocks.toReversed() }))).toBe('accepted');
});

test('treats the same block with the same id as a replay, and writes it once', () => {
  const store = createConversation();
  const sent = called({ call_id: 'call_2', arguments: '{"b": 1, "a": 2}' }, { id: 'tb_again' });
  const same = {
    ...called({ arguments: { a: 2, b: 1 }, call_id: 'call_2' }),
    id: 'tb_again',
    block_type: 'ACT',
    trace_id: TRACE,
    raw: null,
    extra: null,
  };
  store.post(sent);

  const again = [sent, same, { blocks: [message(), same, sent] }].map((body) =>
    store.post(body).outcomes?.map(({ kind }) => kind),
  );

  expect(again).toEqual([['replay'], ['replay'], ['new', 'replay', 'replay']]);
  expect(store.rows.filter(({ id }) => id === 'tb_again')).toHaveLength(1);
});

test.each([
  ['another text', think({ id: 'tb_t', payload: { text: 'b' } })],
  ['another extra', think({ id: 'tb_t', payload: { text: 'a' }, extra: {} })],
  ['another parent', think({ id: 'tb_t', payload: { text: 'a' }, parent_block_id: 'tb_m2' })],
  ['another kind', message({ id: 'tb_t' })],
  ['an invalid block', { id: 'tb_t' }],
  ['a batch with the id twice', { blocks: [message({ id: 'tb_new' }), think({ id: 'tb_new' })] }],
])('rejects %s with an existing id as a conflict', (_name, body) => {
  const store = createConversation();
  store.post(think({ id: 'tb_t', payload: { text: 'a' } }));

  expect(errorSummary(store.post(body))).toBe('409 BLOCK_ID_CONFLICT');
  expect(store.rows).toHaveLength(3);
});

/** One broken rule of each stage, in the order of the stages. */
const STAGES = [
  ['409 BLOCK_ID_CONFLICT', message({ id: 'tb_call123' })],
  ['422 role', message({ payload: { role: 'bot', content: 'a' } })],
  ['413 PAYLOAD_TOO_LARGE', message({ payload: { role: 'user', content: 'a'.repeat(70_000) } })],
  ['422 parent_not_in_trace', think({ parent_block_id: 'tb_none' })],
  ['409 PARENT_SUBTYPE_MISMATCH', think({ parent_block_id: 'tb_call123' })],
  ['422 call_id_mismatch', resultWith({ call_id: 'call_2' })],
  ['409 DUPLICATE_CALL_ID', called({ call_id: 'call_1' })],
] as const;

test.each(STAGES.map(([expected], place) => [expected, place] as const))(
  'reports %s before all later stages, at any position in a batch',
  (expected, place) => {
    const blocks = STAGES.slice(place).map(([, block]) => block);

    expect(errorSummary(createConversation().post({ blocks }))).toBe(expected);
    expect(errorSummary(createConversation().post({ blocks: blocks.toReversed() }))).toBe(expected);
  },
);
