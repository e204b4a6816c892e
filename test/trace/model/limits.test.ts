import { describe, expect, test } from '@jest/globals';
import { readTraceLimits, requestTooLarge } from '../../../src/trace/model/index.ts';
import { call, createConversation, errorSummary, message, result, TRACE, think } from './store.ts';

test('uses the documented limits without environment variables', () => {
  expect(readTraceLimits({})).toEqual({
    message: 65_536,
    think: 32_768,
    toolArguments: 262_144,
    toolResult: 2_097_152,
    request: 16_777_216,
  });
});

test('reads each limit from its variable', () => {
  const env = {
    LIMIT_MSG_BYTES: '1',
    LIMIT_THINK_BYTES: '2',
    LIMIT_TOOL_ARGS_BYTES: '3',
    LIMIT_TOOL_RESULT_BYTES: '4',
    LIMIT_REQUEST_BYTES: '25',
  };

  expect(readTraceLimits(env)).toEqual({ message: 1, think: 2, toolArguments: 3, toolResult: 4, request: 25 });
});

const VARIABLES = [
  'LIMIT_MSG_BYTES',
  'LIMIT_THINK_BYTES',
  'LIMIT_TOOL_ARGS_BYTES',
  'LIMIT_TOOL_RESULT_BYTES',
  'LIMIT_REQUEST_BYTES',
];
const BAD = ['', '0', '-1', '1.5', '64k', '1e3', '0x10', ' 1', '1\n', 'Infinity', '9007199254740992'];

test.each(VARIABLES.flatMap((name) => BAD.map((value) => [name, value] as const)))('rejects %s=%j', (name, value) => {
  expect(() => readTraceLimits({ [name]: value })).toThrow(`invalid ${name}: expected a positive integer of bytes`);
});

test.each(VARIABLES.slice(0, 4))('raises the request limit with %s, unless it is set', (name) => {
  expect(readTraceLimits({ [name]: '3000000' }).request).toBe(18_000_001);
  expect(readTraceLimits({ [name]: '3000000', LIMIT_REQUEST_BYTES: '20000000' }).request).toBe(20_000_000);
  expect(readTraceLimits({ [name]: '1000' }).request).toBe(16_777_216);
});

test('rejects a request limit that the largest field would exceed when escaped', () => {
  expect(() => readTraceLimits({ LIMIT_THINK_BYTES: '3000000', LIMIT_REQUEST_BYTES: '16777216' })).toThrow(
    'invalid LIMIT_REQUEST_BYTES: expected at least 18000001, got 16777216; LIMIT_THINK_BYTES is 3000000',
  );
  expect(readTraceLimits({ LIMIT_THINK_BYTES: '3000000', LIMIT_REQUEST_BYTES: '18000001' }).think).toBe(3_000_000);
});

const LIMIT = 1000;
const ENV = {
  LIMIT_MSG_BYTES: '1000',
  LIMIT_THINK_BYTES: '1000',
  LIMIT_TOOL_ARGS_BYTES: '1000',
  LIMIT_TOOL_RESULT_BYTES: '1000',
};

/** Each limited field: a block with a text in it, and the JSON around the text, if any. */
const FIELDS = [
  ['content', (content: string) => message({ payload: { role: 'user', content } }), undefined],
  [
    'content',
    (text: string) => message({ payload: { role: 'user', content: [{ type: 'text', text }] } }),
    '[{"type":"text","text":""}]',
  ],
  ['text', (text: string) => think({ payload: { text } }), undefined],
  ['arguments', (text: string) => call({ payload: { name: 'a', arguments: { text } } }), '{"text":""}'],
  [
    'arguments',
    (text: string) => call({ payload: { name: 'a', arguments: JSON.stringify({ text }, null, 4) } }),
    '{"text":""}',
  ],
  ['output', (output: string) => result({ payload: { output } }), undefined],
  ['output', (text: string) => result({ payload: { output: { text } } }), '{"text":""}'],
  ['delta', (delta: string) => result({ payload: { delta } }), undefined],
  ['delta', (text: string) => result({ payload: { delta: [text] } }), '[""]'],
] as const;

/** Characters with their bytes as bare text and within JSON. */
const CHARACTERS = [
  ['a', 1, 1],
  ['é', 2, 2],
  ['€', 3, 3],
  ['😀', 4, 4],
  ['"', 1, 2],
  ['\n', 1, 2],
  ['\u0000', 1, 6],
  ['\u2028', 3, 3],
  ['\ud83d', 3, 6],
] as const;

describe.each(FIELDS)('%s, case %#', (field, block, around) => {
  test.each(CHARACTERS)('accepts %j up to the limit, and not a byte more', (character, bare, inJson) => {
    const room = LIMIT - (around?.length ?? 0);
    const size = around === undefined ? bare : inJson;
    const textOf = (bytes: number) => character.repeat(Math.floor(bytes / size)) + 'a'.repeat(bytes % size);
    const store = createConversation(ENV);

    const [under, exact, over] = [room - 1, room, room + 1].map((bytes) => store.post(block(textOf(bytes))));

    expect([under, exact].map((posted) => posted && errorSummary(posted))).toEqual(['accepted', 'accepted']);
    expect(over?.failure).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      details: { field, limit_bytes: LIMIT, actual_bytes: LIMIT + 1 },
    });
  });
});

test('returns the documented error for a result that is too large', () => {
  const { failure } = createConversation().post(result({ payload: { output: 'x'.repeat(3_987_654) } }));

  expect(failure).toEqual({
    code: 'PAYLOAD_TOO_LARGE',
    http_status: 413,
    message: 'tool_result output exceeds 2MB limit',
    details: {
      sub_type: 'TOOL_RESULT',
      field: 'output',
      limit_bytes: 2_097_152,
      actual_bytes: 3_987_654,
      trace_id: TRACE,
      parent_block_id: 'tb_call123',
    },
  });
});

test.each([
  [{}, 'message content exceeds 64KB limit'],
  [{ LIMIT_MSG_BYTES: '65537' }, 'message content exceeds 65537 bytes limit'],
  [{ LIMIT_MSG_BYTES: '1048576' }, 'message content exceeds 1MB limit'],
])('returns for %j the message %j', (env, expected) => {
  const { failure } = createConversation(env).post(
    message({ payload: { role: 'user', content: 'x'.repeat(2_000_000) } }),
  );

  expect(failure?.message).toBe(expected);
});

test('returns the index of a block that is too large, and writes nothing of the batch', () => {
  const store = createConversation(ENV);
  const blocks = [
    message(),
    think({ payload: { text: 'x'.repeat(1001) } }),
    think({ payload: { text: 'x'.repeat(1002) } }),
  ];

  const { failure } = store.post({ blocks });

  expect(failure?.details).toMatchObject({ index: 1, sub_type: 'THINK', actual_bytes: 1001 });
  expect(store.rows).toHaveLength(2);
});

test('returns no block for a request that is too large', () => {
  expect(requestTooLarge(TRACE, 16_777_216, null)).toMatchObject({
    http_status: 413,
    message: 'request body exceeds 16MB limit',
    details: { sub_type: null, field: 'request_body', actual_bytes: null, parent_block_id: null },
  });
});

test('limits other fields only by the size of the request', () => {
  const long = 'x'.repeat(100_000);

  const posted = createConversation(ENV).post(
    message({ payload: { role: 'user', content: 'hi', note: long }, raw: long, extra: { long } }),
  );

  expect(errorSummary(posted)).toBe('accepted');
});
