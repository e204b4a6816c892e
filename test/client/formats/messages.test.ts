import { expect, test } from '@jest/globals';
import {
  formatPrompt,
  formatResults,
  type ToolCallResult,
  type ToolFormat,
} from '../../../src/client/formats/index.ts';
import type { Block } from '../../../src/protocol/index.ts';
import { image, text } from '../../../src/protocol/index.ts';

const prompt: Block[] = [text('Look:', { secret: true }), image('AAAA', 'image/jpg')];

test('converts a prompt of text and image to a user message in each format', () => {
  expect(formatPrompt(prompt, 'openai')).toEqual({
    role: 'user',
    content: [
      { type: 'text', text: 'Look:' },
      { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,AAAA' } },
    ],
  });
  expect(formatPrompt(prompt, 'openrouter')).toEqual(formatPrompt(prompt, 'openai'));
  expect(formatPrompt(prompt, 'openai-responses')).toEqual({
    role: 'user',
    content: [
      { type: 'input_text', text: 'Look:' },
      { type: 'input_image', image_url: 'data:image/jpeg;base64,AAAA', detail: 'auto' },
    ],
  });
  expect(formatPrompt(prompt, 'anthropic')).toEqual({
    role: 'user',
    content: [
      { type: 'text', text: 'Look:' },
      { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AAAA' } },
    ],
  });
  expect(formatPrompt(prompt, 'google')).toEqual({
    role: 'user',
    parts: [{ text: 'Look:' }, { inlineData: { mimeType: 'image/jpeg', data: 'AAAA' } }],
  });
  expect(formatPrompt(prompt, 'mcp')).toEqual([
    { role: 'user', content: { type: 'text', text: 'Look:' } },
    { role: 'user', content: { type: 'image', data: 'AAAA', mimeType: 'image/jpeg' } },
  ]);
});

test('converts a prompt without images to a string for OpenAI', () => {
  expect(formatPrompt([text('One.'), text('Two.')], 'openai')).toEqual({ role: 'user', content: 'One.\nTwo.' });
});

test('shows a block of an unknown type as JSON', () => {
  const sound = { type: 'sound', data: 'AAAA' } as unknown as Block;

  expect(formatPrompt([sound], 'google')).toEqual({
    role: 'user',
    parts: [{ text: '{"type":"sound","data":"AAAA"}' }],
  });
});

const answers: ToolCallResult[] = [
  { call: { id: 'call_1', name: 'move' }, blocks: [text('You see'), image('AAAA'), text('a wall.')] },
  { call: { id: 'call_2', name: 'jump' }, blocks: [text('Too high')], isError: true },
  { call: { id: 'call_3', name: 'look' }, blocks: [image('BBBB')] },
];

test('openai: puts images after the messages of the tools, which refer to them', () => {
  expect(formatResults(answers, 'openai')).toEqual([
    { role: 'tool', tool_call_id: 'call_1', content: 'You see\n[image 1]\na wall.' },
    { role: 'tool', tool_call_id: 'call_2', content: 'Too high' },
    { role: 'tool', tool_call_id: 'call_3', content: '[image 2]' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'image 1, from the tool move:' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        { type: 'text', text: 'image 2, from the tool look:' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,BBBB' } },
      ],
    },
  ]);
  expect(formatResults(answers, 'openrouter')).toEqual(formatResults(answers, 'openai'));
});

test('openai-responses: keeps images in the output', () => {
  expect(formatResults(answers.slice(1), 'openai-responses')).toEqual([
    { type: 'function_call_output', call_id: 'call_2', output: 'Too high' },
    {
      type: 'function_call_output',
      call_id: 'call_3',
      output: [{ type: 'input_image', image_url: 'data:image/png;base64,BBBB', detail: 'auto' }],
    },
  ]);
});

test('anthropic: puts all results into one message, and marks errors', () => {
  const picture = (data: string) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } });

  expect(formatResults(answers, 'anthropic')).toEqual([
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'call_1',
          content: [{ type: 'text', text: 'You see' }, picture('AAAA'), { type: 'text', text: 'a wall.' }],
        },
        { type: 'tool_result', tool_use_id: 'call_2', content: [{ type: 'text', text: 'Too high' }], is_error: true },
        { type: 'tool_result', tool_use_id: 'call_3', content: [picture('BBBB')] },
      ],
    },
  ]);
});

test('anthropic: removes blank text, and shows a placeholder', () => {
  const call = { id: 'a', name: 'run' };
  const blank = [text(' \n'), text('')];
  const nothing = [{ type: 'text', text: '(no text)' }];

  const [message] = formatResults(
    [
      { call, blocks: [...blank, text('Done.')] },
      { call, blocks: blank },
      { call, blocks: [], isError: true },
    ],
    'anthropic',
  );

  expect(message?.content).toEqual([
    { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'Done.' }] },
    { type: 'tool_result', tool_use_id: 'a', content: nothing },
    { type: 'tool_result', tool_use_id: 'a', content: nothing, is_error: true },
  ]);
});

test.each([[[]], [[text('')]], [[text(' \n'), text('')]]])(
  'a prompt of %j gives no message that is empty',
  (blocks) => {
    expect(formatPrompt(blocks, 'anthropic')).toEqual({ role: 'user', content: [{ type: 'text', text: '(no text)' }] });
    expect(formatPrompt(blocks, 'google')).toEqual({ role: 'user', parts: [{ text: '(no text)' }] });
    expect(formatPrompt(blocks, 'openai-responses')).toEqual({
      role: 'user',
      content: [{ type: 'input_text', text: '(no text)' }],
    });
    expect(typeof formatPrompt(blocks, 'openai').content).toBe('string');
  },
);

test('removes blank text next to an image', () => {
  expect(formatPrompt([text(''), image('AAAA')], 'google')).toEqual({
    role: 'user',
    parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
  });
});

test('google: puts images after the results, in one content', () => {
  expect(formatResults(answers, 'google')).toEqual([
    {
      role: 'user',
      parts: [
        { functionResponse: { id: 'call_1', name: 'move', response: { output: 'You see\n[image 1]\na wall.' } } },
        { functionResponse: { id: 'call_2', name: 'jump', response: { error: 'Too high' } } },
        { functionResponse: { id: 'call_3', name: 'look', response: { output: '[image 2]' } } },
        { text: 'image 1, from the tool move:' },
        { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
        { text: 'image 2, from the tool look:' },
        { inlineData: { mimeType: 'image/png', data: 'BBBB' } },
      ],
    },
  ]);
});

test('mcp: returns one result per call', () => {
  expect(formatResults(answers, 'mcp')).toEqual([
    {
      content: [
        { type: 'text', text: 'You see' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'text', text: 'a wall.' },
      ],
    },
    { content: [{ type: 'text', text: 'Too high' }], isError: true },
    { content: [{ type: 'image', data: 'BBBB', mimeType: 'image/png' }] },
  ]);
});

test.each<[ToolFormat, number]>([
  ['openai', 0],
  ['openai-responses', 0],
  ['anthropic', 0],
  ['google', 0],
  ['mcp', 0],
])('%s: returns no messages for no results', (format, count) => {
  expect(formatResults([], format)).toHaveLength(count);
});

test('rejects a call without id, except for Gemini and MCP', () => {
  const answer: ToolCallResult = { call: { name: 'move' }, blocks: [text('Done.')] };

  expect(formatResults([answer], 'google')).toEqual([
    { role: 'user', parts: [{ functionResponse: { name: 'move', response: { output: 'Done.' } } }] },
  ]);
  expect(formatResults([answer], 'mcp')).toHaveLength(1);
  for (const format of ['openai', 'openai-responses', 'anthropic', 'openrouter'] as const) {
    expect(() => formatResults([answer], format)).toThrow('the call of move has no id');
  }
});

test('rejects an image that Anthropic does not accept, with the accepted types', () => {
  expect(() => formatPrompt([image('AAAA', 'image/svg+xml')], 'anthropic')).toThrow(
    'expected one of image/jpeg, image/png, image/gif, image/webp, got image/svg+xml',
  );
});

test('rejects an unknown format', () => {
  expect(() => formatPrompt([], 'claude' as ToolFormat)).toThrow('unknown format "claude"');
});
