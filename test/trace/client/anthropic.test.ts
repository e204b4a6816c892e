import { describe, expect, it } from '@jest/globals';
import { wrapAnthropic } from '../../../src/trace/client/index.ts';
import { converse, outline } from './providers.ts';

const message = (content: object[], more: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-x',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 4 },
  ...more,
});
const thinking = { type: 'thinking', thinking: 'let me see', signature: 'sig' };
const toolUse = (id: string, input: object) => ({ type: 'tool_use', id, name: 'look', input });

describe('messages of Anthropic', () => {
  it('are logged each once, with thinking, parallel calls and results', async () => {
    const turn = [thinking, { type: 'redacted_thinking', data: 'x' }, { type: 'text', text: 'I look.' }].concat(
      toolUse('toolu_1', { at: 'door' }) as never,
      toolUse('toolu_2', { at: 'wall' }) as never,
    );
    await using stage = await converse(
      wrapAnthropic,
      { body: message(turn, { stop_reason: 'tool_use' }) },
      { body: message([{ type: 'text', text: 'A door.' }]) },
    );
    const system = [{ type: 'text', text: 'be brief', cache_control: { type: 'ephemeral' } }];
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGVsbG8=' } };
    const question = { type: 'text', text: 'see', cache_control: { type: 'ephemeral' } };

    const first = await stage.client.messages.create({
      system,
      messages: [{ role: 'user', content: [image, question] }],
    });
    const results = [
      { type: 'tool_result', tool_use_id: 'toolu_2', content: 'no wall', is_error: true },
      { type: 'tool_result', tool_use_id: 'toolu_1', content: [image] },
      { type: 'text', text: 'and now?', cache_control: { type: 'ephemeral' } },
    ];
    await stage.client.beta.messages.create({
      system: 'be brief',
      messages: [
        // Its mark of the cache has moved on.
        { role: 'user', content: [image, { type: 'text', text: 'see' }] },
        { role: 'assistant', content: first.content },
        { role: 'user', content: results },
      ],
    });

    const logged = await stage.messages();
    const shown = { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' };
    expect(outline(logged)).toEqual([
      ['system', 'be brief'],
      ['user', [shown, { type: 'text', text: 'see' }]],
      [
        'assistant',
        'I look.',
        { think: 'let me see' },
        { look: { at: 'door' }, gave: [[shown]] },
        { look: { at: 'wall' }, gave: ['no wall'] },
      ],
      ['user', 'and now?'],
      ['assistant', 'A door.'],
    ]);
    expect(logged[2]?.tool_calls[1]?.tool_results[0]?.extra).toEqual({ tool_error: true });
    expect(logged[2]?.raw).toMatchObject({ response: { content: turn } });
    expect(logged[2]?.extra).toMatchObject({
      stop_reason: 'tool_use',
      usage: { output_tokens: 4 },
      response_id: 'msg_1',
    });
  });

  const events = [
    {
      type: 'message_start',
      message: message([], { stop_reason: null, usage: { input_tokens: 3, output_tokens: 1 } }),
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'let me ' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'see' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'ping' },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'I look.' } },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'content_block_start',
      index: 2,
      content_block: { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
    },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '' } },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"at":' } },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '1}' } },
    { type: 'content_block_stop', index: 2 },
    {
      type: 'content_block_start',
      index: 3,
      content_block: { type: 'tool_use', id: 'toolu_2', name: 'go', input: {} },
    },
    { type: 'content_block_stop', index: 3 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ];

  it('are logged from a stream that is read to its end', async () => {
    await using stage = await converse(wrapAnthropic, { body: events });

    const seen = await stage.client.messages.stream({ messages: [{ role: 'user', content: 'go' }] });

    expect(seen).toEqual(events);
    const logged = await stage.messages();
    expect(outline(logged)[1]).toEqual([
      'assistant',
      'I look.',
      { think: 'let me see' },
      { look: { at: 1 }, gave: [] },
      { go: {}, gave: [] },
    ]);
    expect(logged[1]?.extra).toEqual({
      response_id: 'msg_1',
      model: 'claude-x',
      stop_reason: 'tool_use',
      usage: { input_tokens: 3, output_tokens: 9 },
    });
  });

  it('are logged from a stream that breaks, as far as it came', async () => {
    await using stage = await converse(wrapAnthropic, { body: events.slice(0, 13), breaks: true });

    const reading = stage.client.messages.stream({ messages: [{ role: 'user', content: 'go' }] });

    await expect(reading).rejects.toThrow('the connection broke');
    const logged = await stage.messages();
    expect(outline(logged)[1]).toEqual([
      'assistant',
      'I look.',
      { think: 'let me see' },
      { look: { $invalid_json: '{"at":' }, gave: [] },
    ]);
    expect(logged[1]?.extra).toMatchObject({ aborted: true });
  });

  it('that are refused or empty are logged as they are', async () => {
    await using stage = await converse(wrapAnthropic, { body: message([], { stop_reason: 'refusal' }) });

    await stage.client.messages.create({ messages: [{ role: 'user', content: 'go' }] });

    const logged = await stage.messages();
    expect(outline(logged)[1]).toEqual(['assistant', [{ type: 'text', text: '' }]]);
    expect(logged[1]?.extra).toMatchObject({ stop_reason: 'refusal' });
  });
});
