import { expect, test } from '@jest/globals';
import type { FormatName } from '../../../src/trace/formats/index.ts';
import { call, message, result } from '../model/store.ts';
import { exported, exportedLine, rowsOf, sourceOf } from './sources.ts';

const terminal_tool = { name: 'submit', description: 'Grades the answer.', arg: 'answer' };
const source = (...blocks: readonly object[]) =>
  sourceOf(rowsOf(...blocks), { metadata: { tools: [{ name: 'look' }], terminal_tool } });

const say = (id: string, role: string, content: string) => message({ id, payload: { role, content } });
const makeCall = (id: string, parent: string, name: string, args: object) => [
  call({ id, parent_block_id: parent, payload: { call_id: id, name, arguments: args } }),
  result({ parent_block_id: id, payload: { call_id: id, output: `result of ${name}` } }),
];

const graded = () =>
  source(
    say('tb_u', 'user', 'How many?'),
    say('tb_a', 'assistant', 'Let me look.'),
    ...makeCall('tb_look', 'tb_a', 'look', {}),
    say('tb_b', 'assistant', 'There are 3.'),
    ...makeCall('tb_submit', 'tb_b', 'submit', { answer: 'There are 3.' }),
  );

test('exports the final message of the model as its last turn, without the call that graded it', async () => {
  const { messages } = await exportedLine('openai', graded());
  const { conversations } = await exportedLine('sharegpt', graded());

  expect(messages.slice(2)).toEqual([
    { role: 'tool', tool_call_id: 'tb_look', content: 'result of look' },
    { role: 'assistant', content: 'There are 3.' },
  ]);
  expect(conversations.at(-1)).toEqual({ from: 'gpt', value: 'There are 3.' });
  expect(JSON.stringify([messages, conversations])).not.toContain('submit');
});

test.each<[string, object, string]>([
  ['a text', { answer: '3' }, '3'],
  ['another value', { answer: 3 }, '3'],
  ['nothing', {}, ''],
])('exports %s that only the terminal tool got as a message of the model', async (_, args, text) => {
  const recorded = () => source(say('tb_u', 'user', 'How many?'), ...makeCall('tb_submit', 'tb_u', 'submit', args));

  const { messages } = await exportedLine('openai', recorded());
  const { conversations } = await exportedLine('sharegpt', recorded());

  expect(messages.slice(1)).toEqual([{ role: 'assistant', content: text }]);
  expect(conversations.slice(1)).toEqual([{ from: 'gpt', value: text }]);
});

test.each<[FormatName]>([['jsonl'], ['atif'], ['otlp-json']])('keeps the graded call in %s', async (format) => {
  expect(await exported(format, graded())).toContain('submit');
});
