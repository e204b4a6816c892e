import { expect, test } from '@jest/globals';
import type { Message } from 'ors-kit';
import {
  flattenMessages,
  OutputError,
  plainPrompt,
  promptMessages,
  serializeMessages,
} from '../../src/protocol/index.ts';

const text = (value: string) => ({ type: 'text' as const, text: value });
const one = (role: string, ...blocks: unknown[]) => [{ role, blocks }];

const rich: Message[] = [
  { role: 'system', blocks: [text('Be brief.')] },
  { role: 'user', blocks: [text('Where is order 7?')] },
  {
    role: 'assistant',
    blocks: [
      { type: 'reasoning', text: 'check the carrier', signature: 'c2ln' },
      { type: 'tool_call', id: 'c1', name: 'lookup', input: { id: '7' } },
    ],
  },
  {
    role: 'user',
    blocks: [{ type: 'tool_result', tool_call_id: 'c1', blocks: [text('stalled')] }, text('hurry')],
  },
];

test('adds every nullable field, in the order of the wire', () => {
  expect(JSON.stringify(serializeMessages(rich, 'messages'))).toBe(
    '[{"role":"system","blocks":[{"text":"Be brief.","detail":null,"type":"text"}],"detail":null},' +
      '{"role":"user","blocks":[{"text":"Where is order 7?","detail":null,"type":"text"}],"detail":null},' +
      '{"role":"assistant","blocks":[' +
      '{"text":"check the carrier","signature":"c2ln","detail":null,"type":"reasoning"},' +
      '{"id":"c1","name":"lookup","input":{"id":"7"},"detail":null,"type":"tool_call"}],"detail":null},' +
      '{"role":"user","blocks":[' +
      '{"tool_call_id":"c1","blocks":[{"text":"stalled","detail":null,"type":"text"}],"is_error":false,"detail":null,' +
      '"type":"tool_result"},{"text":"hurry","detail":null,"type":"text"}],"detail":null}]',
  );
});

test.each([
  ['a text', 'assistant', { text: 'a' }, 'text'],
  ['reasoning with a signature', 'assistant', { text: 'a', signature: 's' }, 'reasoning'],
  ['an image', 'user', { data: 'AAAA', mimeType: 'image/png' }, 'image'],
  ['a call', 'assistant', { id: 'c', name: 'n', input: {} }, 'tool_call'],
  ['a result', 'user', { tool_call_id: 'c', blocks: [{ text: 'a' }], detail: null }, 'tool_result'],
])('recognizes %s without a type by its fields', (_what, role, block, type) => {
  expect(serializeMessages(one(role, block), 'm')[0]?.blocks[0]?.type).toBe(type);
});

test('accepts what the order of messages does not forbid: no messages, no blocks, results without calls', () => {
  const odd = [
    { role: 'assistant', blocks: [] },
    { role: 'user', blocks: [{ type: 'tool_result', tool_call_id: 'none', blocks: [] }] },
  ];

  expect(serializeMessages([], 'm')).toEqual([]);
  expect(serializeMessages(odd, 'm')).toHaveLength(2);
});

const call = { type: 'tool_call', id: 'c', name: 'n', input: {} };
const result = { type: 'tool_result', tool_call_id: 'c', blocks: [] };
const reasoning = { type: 'reasoning', text: 'a' };

test.each([
  ['no list', 'x', 'm is a string; it must be an array of messages'],
  ['a text as message', ['x'], 'm[0] is a string; it must be a message { role, blocks }'],
  ['an unknown role', one('tool'), 'm[0].role must be system, user or assistant'],
  ['an inherited role', one('constructor'), 'm[0].role must be system, user or assistant'],
  ['no blocks', [{ role: 'user' }], 'm[0].blocks is undefined; it must be an array of blocks'],
  ['an unknown type', one('user', { type: 'video' }), 'm[0].blocks[0].type must be one of text, image, tool_result'],
  ['no type and no fields', one('user', {}), 'm[0].blocks[0].type must be one of text, image, tool_result'],
  ['reasoning of the user', one('user', reasoning), 'm[0].blocks[0] is a reasoning block, but role user allows'],
  ['a call of the user', one('user', call), 'm[0].blocks[0] is a tool_call block, but role user allows only'],
  ['a result of the assistant', one('assistant', result), 'is a tool_result block, but role assistant allows only'],
  ['a result of the system', one('system', result), 'is a tool_result block, but role system allows only text'],
  ['reasoning of the system', one('system', reasoning), 'is a reasoning block, but role system allows only'],
  ['reasoning in a result', one('user', { ...result, blocks: [reasoning] }), 'm[0].blocks[0].blocks[0] is a reasoning'],
  ['an input that is a text', one('assistant', { ...call, input: '{}' }), 'm[0].blocks[0].input is a string; it must'],
  ['no input', one('assistant', { ...call, input: null }), 'm[0].blocks[0].input is null; it must be an object'],
  ['no id', one('assistant', { ...call, id: undefined }), 'm[0].blocks[0].id is undefined; it must be a string'],
  ['an error that is a text', one('user', { ...result, is_error: 'no' }), 'm[0].blocks[0].is_error is a string'],
  [
    'a detail that is a list',
    [{ role: 'user', blocks: [], detail: [] }],
    'm[0].detail is an array; it must be a plain',
  ],
  ['an image that is not base64', one('user', { type: 'image', data: '?', mimeType: 'image/png' }), 'is not base64'],
])('rejects %s, with its place', (_what, messages, problem) => {
  expect(() => serializeMessages(messages, 'm')).toThrow(OutputError);
  expect(() => serializeMessages(messages, 'm')).toThrow(problem);
});

test('accepts any image if it is asked to', () => {
  const image = { type: 'image', data: 'https://example.org/a.png', mimeType: 'image' };

  expect(serializeMessages(one('user', image), 'm', { anyImage: true })[0]?.blocks).toEqual([
    { data: 'https://example.org/a.png', mimeType: 'image', detail: null, type: 'image' },
  ]);
});

test('flattens one message of the user to its blocks', () => {
  const blocks = [
    { text: 'a', detail: { lang: 'en' }, type: 'text' as const },
    { data: 'AAAA', mimeType: 'image/png', detail: null, type: 'image' as const },
  ];

  expect(flattenMessages(promptMessages(blocks))).toEqual(blocks);
  expect(flattenMessages(promptMessages([]))).toEqual([]);
});

test('flattens a conversation to headers, texts and the blocks of results', () => {
  const texts = flattenMessages(serializeMessages(rich, 'm')).map((block) => [
    block.type === 'text' ? block.text : block.mimeType,
    block.detail,
  ]);

  expect(texts).toEqual([
    ['[system]', { role: 'system' }],
    ['Be brief.', null],
    ['[user]', { role: 'user' }],
    ['Where is order 7?', null],
    ['[assistant]', { role: 'assistant' }],
    ['<think>check the carrier</think>', { type: 'reasoning' }],
    ['[tool_call lookup] {"id": "7"}', { type: 'tool_call', id: 'c1' }],
    ['[user]', { role: 'user' }],
    ['[tool_result]', { type: 'tool_result', tool_call_id: 'c1' }],
    ['stalled', null],
    ['hurry', null],
  ]);
});

test.each([
  ['no messages', [], []],
  ['one message of the assistant', one('assistant', text('a')), ['[assistant]', 'a']],
  ['one message of the user with a result', one('user', result), ['[user]', '[tool_result]']],
  [
    'a failed result with an image',
    one('user', { ...result, is_error: true, blocks: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }),
    ['[user]', '[tool_result (error)]', 'image/png'],
  ],
])('flattens %s', (_what, messages, texts) => {
  const blocks = flattenMessages(serializeMessages(messages, 'm'));

  expect(blocks.map((block) => (block.type === 'text' ? block.text : block.mimeType))).toEqual(texts);
});

test('finds the prompt of a conversation that is one message of the user with text and images', () => {
  expect(plainPrompt(promptMessages([text('a')]))).toEqual([text('a')]);
  expect(plainPrompt(promptMessages([]))).toEqual([]);
  expect(plainPrompt([])).toBeUndefined();
  expect(plainPrompt([...promptMessages([text('a')]), { role: 'assistant', blocks: [text('b')] }])).toBeUndefined();
  expect(plainPrompt([{ role: 'system', blocks: [text('a')] }])).toBeUndefined();
  expect(plainPrompt(rich.slice(3))).toBeUndefined();
});
