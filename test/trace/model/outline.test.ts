import { expect, test } from '@jest/globals';
import type { Block } from '../../../generated/trace.ts';
import { jsonTextBytes, threadName, toSkeleton } from '../../../src/trace/model/index.ts';
import fc, { unicode } from '../../support/fast-check.ts';

const of = (sub_type: Block['sub_type'], payload: object, extra: object | null = null): Block =>
  ({ id: 'tb_1', parent_block_id: null, created_at: '0', raw: null, sub_type, payload, extra }) as Block;

const message = (content: unknown) => of('MESSAGE', { role: 'user', content });
const reference = { type: 'text_ref', sha256: 'ab', media_type: 'text/plain', bytes: 90_000 };

test.each([
  ['a text', message('as it is'), 'as it is'],
  ['parts', message([{ type: 'text', text: 'one' }, { type: 'image' }, { type: 'text', text: 'two' }]), 'one\ntwo'],
  ['a text that is stored separately', message([{ ...reference, preview: 'It begins so' }]), 'It begins so'],
  ['parts that have no text', message([{ type: 'image', data: 'aGk=' }, { type: 'tool_use' }]), '[image, tool_use]'],
  ['parts that do not say what they are', message([{ type: 'image' }, 3]), '[{"type":"image"},3]'],
  ['pictures', of('TOOL_RESULT', { output: { blocks: [{ type: 'image', data: 'aGk=' }] } }), '[image]'],
  ['120 characters', message([{ type: 'text', text: '😀'.repeat(200) }]), '😀'.repeat(120)],
  ['half a character', of('THINK', { text: 'half \ud800 of it' }), 'half \ufffd of it'],
  ['arguments', of('TOOL_CALL', { name: 'bash', arguments: { command: 'ls' } }), '{"command":"ls"}'],
  ['an error', of('TOOL_RESULT', { output: { ok: false, error: 'no such file' } }), 'no such file'],
  ['blocks', of('TOOL_RESULT', { output: { blocks: [{ type: 'text', text: 'done' }], reward: 1 } }), 'done'],
  ['a piece', of('TOOL_RESULT', { delta: 'piece', seq: 3 }), 'piece'],
  ['null', of('TOOL_RESULT', { output: null }), 'null'],
])('returns the start of the text as preview of a block: %s', (_name, block, preview) => {
  expect(toSkeleton(block).preview).toBe(preview);
});

test.each([
  ['a thought', of('THINK', { text: 'x', seq: 2 }, { reward: -0.5 }), { seq: 2, reward: -0.5, is_error: false }],
  ['a call', of('TOOL_CALL', { call_id: 'c', name: 'bash', arguments: {} }), { call_id: 'c', name: 'bash' }],
  ['a message', message('x'), { role: 'user', call_id: null, seq: null, name: null, reward: null }],
  ['a failed result', of('TOOL_RESULT', { output: { ok: false } }), { is_error: true }],
  [
    'a marked result',
    of('TOOL_RESULT', { output: 1 }, { tool_error: true, reward: 'x' }),
    { is_error: true, reward: null },
  ],
  ['an invalid seq', of('THINK', { text: 'x', seq: 0.5 }), { seq: null }],
])('returns the fields of a skeleton: %s', (_name, block, fields) => {
  expect(toSkeleton(block)).toMatchObject(fields);
});

test.each([
  ['a name', 'researcher', 'researcher'],
  ['a number', 2, '2'],
  ['the longest name', 'a'.repeat(128), 'a'.repeat(128)],
  ['the main agent', 0, undefined],
  ['a fraction', 1.5, undefined],
  ['an empty name', '', undefined],
  ['a name that is too long', 'a'.repeat(129), undefined],
  ['half a character', '\ud800', undefined],
  ['an object', {}, undefined],
])('returns the agent of a block: %s', (_name, thread, expected) => {
  const found = toSkeleton(of('MESSAGE', { role: 'user', content: 'x' }, { thread }));

  expect(found.thread).toBe(expected);
  expect('thread' in found).toBe(expected !== undefined);
});

test.each([
  ['its name', '1', 'researcher'],
  ['its number without a name', '2', 'agent 2'],
  ['the thread if that is a text', 'critic', 'critic'],
  ['the thread of an inherited field', 'constructor', 'constructor'],
])('names an agent by %s', (_name, thread, expected) => {
  const metadata = { threads: { 1: { name: 'researcher' }, 2: { parent: 1 } } };

  expect(threadName({ metadata }, thread)).toBe(expected);
  expect(threadName({ metadata: { threads: 'x' } }, 'critic')).toBe('critic');
});

test('counts the same bytes of a block on every platform', () => {
  fc.assert(
    fc.property(unicode(), fc.option(unicode()), (payload, raw) => {
      const texts = { payload, raw, extra: null };

      expect(jsonTextBytes(texts)).toBe(jsonTextBytes(texts, Buffer.byteLength));
    }),
  );
});
