import { describe, expect, it } from '@jest/globals';
import type { ResponseInput, ResponseInputItem } from 'openai/resources/responses/responses';
import { ownProperty } from '../../../src/core/index.ts';
import { functionCall, response, said } from './openai-fixtures.ts';
import { converseWithOpenAI, outline } from './providers.ts';

const model = 'gpt-x';
const reasoning = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'first look' }],
  encrypted_content: 'x',
};
const call = functionCall('look', '{"at":1}');
const result = (call_id: string, output: string): ResponseInputItem => ({
  type: 'function_call_output',
  call_id,
  output,
});

describe('responses', () => {
  it('logs each item once if the conversation is repeated', async () => {
    const answer = response([reasoning, said('Looking.'), call]);
    await using stage = await converseWithOpenAI({ json: answer }, { json: response([said('A door.')]) });
    const image = { type: 'input_image', image_url: 'data:image/png;base64,aGVsbG8=', detail: 'auto' } as const;
    const input: ResponseInput = [{ role: 'user', content: [{ type: 'input_text', text: 'go' }, image] }];

    const first = await stage.client.responses.create({ model, instructions: 'be brief', input });
    input.push(...(first.output as ResponseInput), result('call_1', 'a door'));
    const second = await stage.client.responses.create({ model, instructions: 'be brief', input });

    expect(second.output_text).toBe('A door.');
    const logged = await stage.messages();
    expect(outline(logged)).toEqual([
      ['system', 'be brief'],
      [
        'user',
        [
          { type: 'text', text: 'go' },
          { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' },
        ],
      ],
      ['assistant', 'Looking.', { think: 'first look' }, { look: { at: 1 }, outputs: ['a door'] }],
      ['assistant', 'A door.'],
    ]);
    expect(logged[2]?.raw).toEqual({ request: { model }, response: answer });
    expect(logged[2]?.extra).toEqual({
      response_id: 'resp_1',
      model,
      usage: { total_tokens: 3 },
      status: 'completed',
    });
  });

  it.each([{ previous_response_id: 'resp_1' }, { conversation: 'conv_1' }])(
    'logs every item if the provider stores the conversation: %j',
    async (kept) => {
      const yes = { json: response([said('yes')]) };
      const busy = { json: { error: { message: 'busy' } }, status: 429 };
      await using stage = await converseWithOpenAI({ json: response([call]) }, yes, busy, yes, yes);
      const send = (input: string | ResponseInput, more: object = kept) =>
        stage.client.responses.create({ model, instructions: 'be brief', input, ...more });

      await send('sure?', {});
      await send([result('call_1', 'a door')]);
      await send('sure?').catch(() => send('sure?'));
      await send('sure?', { ...kept, instructions: 'be long' });

      expect(outline(await stage.messages())).toEqual([
        ['system', 'be brief'],
        ['user', 'sure?'],
        ['assistant', [{ type: 'tool_use', id: 'call_1', name: 'look' }], { look: { at: 1 }, outputs: ['a door'] }],
        ['assistant', 'yes'],
        ['user', 'sure?'],
        ['assistant', 'yes'],
        ['system', 'be long'],
        ['user', 'sure?'],
        ['assistant', 'yes'],
      ]);
    },
  );

  it('keeps actions of the provider, delegated actions, and refusals', async () => {
    const search = {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type: 'search', query: 'doors' },
    };
    const request = { type: 'mcp_approval_request', id: 'mcpr_1', name: 'open', arguments: '{}', server_label: 's' };
    const shell = {
      type: 'shell_call',
      id: 'sh_1',
      call_id: 'call_2',
      status: 'completed',
      action: { commands: ['ls'] },
    };
    const click = {
      type: 'computer_call',
      id: 'cu_1',
      call_id: 'call_3',
      status: 'completed',
      action: { type: 'click' },
    };
    const refused = { ...said(''), content: [{ type: 'refusal', refusal: 'no' }] };
    const output = [search, request, shell, click, refused];
    await using stage = await converseWithOpenAI({ json: response(output) }, { json: response([said('ok')]) });
    const stdout = [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } }];
    const screenshot = { type: 'computer_screenshot', image_url: 'https://x/y.png' };
    const approval = { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true };
    const answers = [
      { type: 'shell_call_output', call_id: 'call_2', output: stdout },
      { type: 'computer_call_output', call_id: 'call_3', output: screenshot },
      approval,
    ];

    await stage.client.responses.create({ model, input: 'go' });
    await stage.client.responses.create({ model, input: [...output, ...answers] as ResponseInput });

    expect(outline(await stage.messages()).slice(1)).toEqual([
      [
        'assistant',
        [search, request, { type: 'refusal', refusal: 'no' }],
        { shell: { action: { commands: ['ls'] } }, outputs: [stdout] },
        { computer: { action: { type: 'click' } }, outputs: [screenshot] },
      ],
      ['user', [approval]],
      ['assistant', 'ok'],
    ]);
  });

  it('logs the results of calls that the provider carried out', async () => {
    const shell = {
      type: 'shell_call',
      id: 'sh_1',
      call_id: 'call_2',
      status: 'completed',
      action: { commands: ['ls'] },
    };
    const listed = { type: 'shell_call_output', id: 'so_1', call_id: 'call_2', output: [{ stdout: 'a' }] };
    const output = [shell, listed, said('An a.')];
    await using stage = await converseWithOpenAI({ json: response(output) }, { json: response([said('Bye.')]) });

    await stage.client.responses.create({ model, input: 'go' });
    await stage.client.responses.create({
      model,
      input: [...output, { role: 'user', content: 'bye' }] as ResponseInput,
    });

    expect(outline(await stage.messages()).slice(1)).toEqual([
      ['assistant', 'An a.', { shell: { action: { commands: ['ls'] } }, outputs: [[{ stdout: 'a' }]] }],
      ['user', 'bye'],
      ['assistant', 'Bye.'],
    ]);
  });

  it('logs calls of the beta namespace', async () => {
    await using stage = await converseWithOpenAI({ json: response([said('hello')]) });

    await stage.client.beta.responses.create({ model, input: 'go' });

    expect(outline(await stage.messages())).toEqual([
      ['user', 'go'],
      ['assistant', 'hello'],
    ]);
  });
});

describe('streams of responses', () => {
  const whole = response([reasoning, said('Looking.'), call]);
  const events = [
    { type: 'response.created', response: response([], { status: 'in_progress' }) },
    { type: 'response.output_item.added', output_index: 0, item: { ...reasoning, summary: [] } },
    { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'first look' },
    { type: 'response.output_item.added', output_index: 1, item: { ...said(''), content: [] } },
    { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'Look' },
    { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'ing.' },
    { type: 'response.output_item.added', output_index: 2, item: { ...call, arguments: '' } },
    { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"at":1}' },
  ];
  const completed = { type: 'response.completed', response: whole };
  const failure = { type: 'error', code: 'server_error', message: 'sorry', param: null };

  it.each([
    ['to its end', [...events, completed], 'whole', { status: 'completed' }],
    ['cut off', events, 'cut', { aborted: true }],
    [
      'to an error',
      [...events, failure],
      'whole',
      { aborted: true, error: { code: 'server_error', message: 'sorry' } },
    ],
  ] as const)('are logged from a stream that is read %s', async (_, sent, ending, extra) => {
    await using stage = await converseWithOpenAI({ events: sent, ending });

    const seen: object[] = [];
    const stream = await stage.client.responses.create({ model, input: 'go', stream: true });
    const reading = (async () => {
      for await (const event of stream) seen.push(event);
    })();

    // Version 7 of the package throws the error of a stream, and version 6 returns it.
    const isThrown = sent.at(-1) === failure && (await reading.catch(() => true));
    if (ending === 'cut') await expect(reading).rejects.toThrow('terminated');
    else if (!isThrown) await reading;
    expect(seen).toEqual(isThrown ? events : sent);
    const logged = await stage.messages();
    expect(outline(logged)).toEqual([
      ['user', 'go'],
      ['assistant', 'Looking.', { think: 'first look' }, { look: { at: 1 }, outputs: [] }],
    ]);
    expect(logged[1]?.extra).toMatchObject(extra);
    expect(ownProperty(logged[1]?.extra, 'aborted')).toBe('aborted' in extra ? true : undefined);
  });
});
