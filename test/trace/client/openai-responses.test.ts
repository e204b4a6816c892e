import { describe, expect, it } from '@jest/globals';
import { wrapOpenAI } from '../../../src/trace/client/index.ts';
import { converse, outline } from './providers.ts';

const response = (output: object[], more: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  model: 'gpt-x',
  status: 'completed',
  output,
  usage: { total_tokens: 3 },
  error: null,
  incomplete_details: null,
  ...more,
});
const said = (text: string) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const reasoning = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'first look' }],
  encrypted_content: 'x',
};
const functionCall = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'look',
  arguments: '{"at":1}',
  status: 'completed',
};

describe('responses', () => {
  it('are logged whether the conversation is repeated or kept by the provider', async () => {
    await using stage = await converse(
      wrapOpenAI,
      { body: response([reasoning, said('Looking.'), functionCall]) },
      { body: response([said('A door.')]) },
      { body: response([said('Bye.')]) },
    );
    const input: object[] = [{ role: 'user', content: [{ type: 'input_text', text: 'go' }] }];

    const first = await stage.client.responses.create({ instructions: 'be brief', input });
    input.push(...first.output, { type: 'function_call_output', call_id: 'call_1', output: 'a door' });
    await stage.client.responses.create({ instructions: 'be brief', input });
    await stage.client.responses.create({ previous_response_id: 'resp_2', input: 'bye' });

    const logged = await stage.messages();
    expect(outline(logged)).toEqual([
      ['system', 'be brief'],
      ['user', 'go'],
      ['assistant', 'Looking.', { think: 'first look' }, { look: { at: 1 }, gave: ['a door'] }],
      ['assistant', 'A door.'],
      ['user', 'bye'],
      ['assistant', 'Bye.'],
    ]);
    expect(logged[2]?.extra).toEqual({
      response_id: 'resp_1',
      model: 'gpt-x',
      usage: { total_tokens: 3 },
      status: 'completed',
    });
  });

  it.each([
    ['to its end', true],
    ['cut off', false],
  ])('are logged from a stream that is read %s', async (_, isWhole) => {
    const events = [
      { type: 'response.created', response: response([], { status: 'in_progress' }) },
      { type: 'response.output_item.added', output_index: 0, item: { ...reasoning, summary: [] } },
      { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'first look' },
      { type: 'response.output_item.added', output_index: 1, item: { ...said(''), content: [] } },
      { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'Look' },
      { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'ing.' },
      { type: 'response.output_item.added', output_index: 2, item: { ...functionCall, arguments: '' } },
      { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"at":1}' },
      ...(isWhole
        ? [{ type: 'response.completed', response: response([reasoning, said('Looking.'), functionCall]) }]
        : []),
    ];
    await using stage = await converse(wrapOpenAI, { body: events });

    await stage.client.responses.stream({ input: 'go' });

    const logged = await stage.messages();
    expect(outline(logged)).toEqual([
      ['user', 'go'],
      ['assistant', 'Looking.', { think: 'first look' }, { look: { at: 1 }, gave: [] }],
    ]);
    expect(logged[1]?.extra?.aborted).toBe(isWhole ? undefined : true);
  });

  it('keep what the provider calls by itself, and refusals', async () => {
    const search = {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type: 'search', query: 'doors' },
    };
    const refused = { ...said(''), content: [{ type: 'refusal', refusal: 'no' }] };
    await using stage = await converse(wrapOpenAI, { body: response([search, refused]) });

    await stage.client.responses.create({ input: 'go' });

    expect(outline(await stage.messages())[1]).toEqual(['assistant', [search, { type: 'refusal', refusal: 'no' }]]);
  });
});
