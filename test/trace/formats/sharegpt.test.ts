import { expect, test } from '@jest/globals';
import fc, { runs } from '../../support/fast-check.ts';
import { history } from '../model/histories.ts';
import { message } from '../model/store.ts';
import { exported, exportedLine, rowsOf, sourceOf } from './sources.ts';
import { weather } from './weather.ts';

test('exports a trace as a conversation with alternating sides, up to the last message of the model', async () => {
  const { conversations, tools } = await exportedLine('sharegpt', weather());

  expect(conversations).toEqual([
    { from: 'system', value: 'Be brief.' },
    { from: 'human', value: "what's the weather?\n[image: image/png]" },
    {
      from: 'function_call',
      value:
        '<think>\ntwo cities\n</think>\n\n' +
        '[{"name":"get_weather","arguments":{"city":"bogotá"}},{"name":"get_weather","arguments":{"city":"lima"}}]',
    },
    { from: 'observation', value: '22°C\n[image: image/png]\ncloudy' },
    { from: 'function_call', value: '{"name":"wait","arguments":{}}' },
    { from: 'observation', value: "Tool 'wait' failed: too late" },
    { from: 'gpt', value: '22°C and cloudy.' },
  ]);
  expect(JSON.parse(tools)).toMatchObject([{ name: 'get_weather', parameters: { type: 'object' } }, { name: 'wait' }]);
});

const say = (role: string, content: string) => message({ payload: { role, content } });

test.each<[string, readonly object[], readonly (readonly [string, string])[]]>([
  [
    'one side twice',
    [say('user', 'a'), say('user', 'b'), say('assistant', 'c')],
    [
      ['human', 'a\n\nb'],
      ['gpt', 'c'],
    ],
  ],
  [
    'the system in the middle',
    [say('user', 'a'), say('assistant', 'b'), say('system', 'c'), say('user', 'd'), say('assistant', 'e')],
    [
      ['human', 'a'],
      ['gpt', 'b'],
      ['human', 'c\n\nd'],
      ['gpt', 'e'],
    ],
  ],
  [
    'the model twice',
    [say('user', 'a'), say('assistant', 'b'), say('assistant', 'c')],
    [
      ['human', 'a'],
      ['gpt', 'b'],
      ['human', ''],
      ['gpt', 'c'],
    ],
  ],
  [
    'the model first',
    [say('assistant', 'a')],
    [
      ['human', ''],
      ['gpt', 'a'],
    ],
  ],
  [
    'a question at the end',
    [say('user', 'a'), say('assistant', 'b'), say('user', 'c')],
    [
      ['human', 'a'],
      ['gpt', 'b'],
    ],
  ],
  [
    'a late system message',
    [say('user', 'a'), say('system', 'b'), say('assistant', 'c')],
    [
      ['human', 'a\n\nb'],
      ['gpt', 'c'],
    ],
  ],
  [
    'two system messages',
    [say('system', 'a'), say('system', 'b'), say('user', 'c'), say('assistant', 'd')],
    [
      ['system', 'a\n\nb'],
      ['human', 'c'],
      ['gpt', 'd'],
    ],
  ],
  [
    'no answer',
    [say('system', 'a'), say('user', 'b')],
    [
      ['system', 'a'],
      ['human', 'b'],
    ],
  ],
])('brings %s into the order that LLaMA-Factory expects', async (_what, blocks, expected) => {
  const { conversations } = await exportedLine('sharegpt', sourceOf(rowsOf(...blocks)));

  expect(conversations.map(({ from, value }: Record<string, string>) => [from, value])).toEqual(expected);
});

test('exports text beside a call before it', async () => {
  const blocks = [
    message({ id: 'tb_m', payload: { role: 'assistant', content: 'I look.' } }),
    { sub_type: 'TOOL_CALL', parent_block_id: 'tb_m', payload: { name: 'look', arguments: {} } },
  ];

  const { conversations } = await exportedLine('sharegpt', sourceOf(rowsOf(...blocks)));

  expect(conversations[1].value).toBe('<think>\nI look.\n</think>\n\n{"name":"look","arguments":{}}');
});

test('exports no conversation for a trace without messages', async () => {
  expect(await exported('sharegpt', sourceOf([]))).toBe('');
});

/** Expects a conversation that SharegptDatasetConverter of LLaMA-Factory accepts; it skips others. */
function isTaken(conversation: readonly { readonly from: string }[]): boolean {
  const messages = conversation[0]?.from === 'system' ? conversation.slice(1) : conversation;
  const tags = [
    ['human', 'observation'],
    ['gpt', 'function_call'],
  ];
  return messages.length % 2 === 0 && messages.every(({ from }, index) => tags[index % 2]?.includes(from));
}

test('exports every history with a response in the expected order, with calls as JSON', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (rows) => {
      const text = await exported('sharegpt', sourceOf(rows));
      if (text === '') return;
      const { conversations } = JSON.parse(text);

      const responses = conversations.filter(({ from }: Message) => from === 'gpt' || from === 'function_call');
      expect(isTaken(conversations)).toBe(responses.length > 0);
      for (const { from, value } of responses) {
        if (from === 'function_call') JSON.parse(value.replace(/^<think>\n.*?\n<\/think>\n\n/s, ''));
      }
    }),
    { numRuns: runs(100) },
  );
});

interface Message {
  readonly from: string;
  readonly value: string;
}
