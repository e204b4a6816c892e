import { describe, expect, it } from '@jest/globals';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources';
import { chunk, completion, toolCall } from './openai-fixtures.ts';
import { converseWithOpenAI, outline } from './providers.ts';
import { watchRejections } from './store-and-proxy.ts';

const model = 'gpt-x';
const go = { role: 'user', content: 'go' } as const;
const tools: ChatCompletionTool[] = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }];

describe('chat completions', () => {
  it('logs each message once, with calls, reasoning and results', async () => {
    const calls = [toolCall('call_a', 'look', '{"at":"door"}'), toolCall('call_b', 'look', '{"at":"wall"}')];
    const answer = completion({ tool_calls: calls, reasoning_content: 'two things' }, 'tool_calls');
    await using stage = await converseWithOpenAI({ json: answer }, { json: completion({ content: 'A door.' }) });
    const messages: ChatCompletionMessageParam[] = [
      { role: 'developer', content: 'be brief' },
      { role: 'user', content: [{ type: 'text', text: 'look around' }] },
    ];

    const first = await stage.client.chat.completions.create({ model, messages, tools, temperature: 1 });
    messages.push(first.choices[0]?.message as ChatCompletionMessageParam);
    messages.push({ role: 'tool', tool_call_id: 'call_b', content: 'a wall' });
    messages.push({ role: 'tool', tool_call_id: 'call_a', content: [{ type: 'text', text: 'a door' }] });
    const second = await stage.client.chat.completions.create({ model, messages, tools });
    // Changes of the messages after the request must not affect the log.
    messages.push(second.choices[0]?.message as ChatCompletionMessageParam, { role: 'user', content: 'thanks' });
    messages[0] = { role: 'system', content: 'changed' };

    expect(stage.received).toHaveLength(2);
    const logged = await stage.messages();
    expect(outline(logged)).toEqual([
      ['system', 'be brief'],
      ['user', 'look around'],
      [
        'assistant',
        [
          { type: 'tool_use', id: 'call_a', name: 'look' },
          { type: 'tool_use', id: 'call_b', name: 'look' },
        ],
        { think: 'two things' },
        { look: { at: 'door' }, outputs: ['a door'] },
        { look: { at: 'wall' }, outputs: ['a wall'] },
      ],
      ['assistant', 'A door.'],
    ]);
    expect(logged[0]?.extra).toEqual({ provider_role: 'developer' });
    expect(logged[2]?.raw).toEqual({ request: { model, tools, temperature: 1 }, response: answer });
    expect(logged[3]?.raw).toEqual({ request: { model }, response: completion({ content: 'A door.' }) });
    expect(logged[3]?.extra).toMatchObject({ finish_reason: 'stop', usage: { total_tokens: 12 }, model });
  });

  it('logs new messages of a shortened conversation, and a repeated text again', async () => {
    const done = { json: completion({ content: 'ok' }) };
    await using stage = await converseWithOpenAI(done, done, done);
    const again = { role: 'user', content: 'continue' } as const;
    const ok = { role: 'assistant', content: 'ok' } as const;
    const send = (...messages: ChatCompletionMessageParam[]) =>
      stage.client.chat.completions.create({ model, messages });

    await send({ role: 'system', content: 'long' }, again);
    await send({ role: 'system', content: 'long' }, again, ok, again);
    await send({ role: 'system', content: 'short' }, ok, again, ok, again);

    expect(outline(await stage.messages()).map(([role, content]) => `${role}: ${content}`)).toEqual([
      'system: long',
      'user: continue',
      'assistant: ok',
      'user: continue',
      'assistant: ok',
      'system: short',
      'user: continue',
      'assistant: ok',
    ]);
  });

  it.each([
    ['the package', 1],
    ['the caller', 0],
  ])('logs a failed request once if it is repeated by %s', async (_, maxRetries) => {
    const busy = { json: { error: { message: 'busy' } }, status: 429, headers: { 'retry-after-ms': '1' } };
    await using stage = await converseWithOpenAI(busy, { json: completion({ content: 'hello' }) });
    const { completions } = stage.client.withOptions({ maxRetries }).chat;
    const send = () => completions.create({ model, messages: [go] });

    await send().catch(send);

    expect(stage.received).toHaveLength(2);
    expect(outline(await stage.messages())).toEqual([
      ['user', 'go'],
      ['assistant', 'hello'],
    ]);
  });

  it('keeps images, refusals, several choices, custom tools and broken arguments', async () => {
    const broken = [toolCall('c1', 'look', '{"at": '), toolCall('c3', ' look\n', '{}')];
    const { choices, ...body } = completion({ refusal: 'no', tool_calls: broken });
    const custom = { id: 'c2', type: 'custom', custom: { name: 'shell', input: 'ls' } };
    const message = { role: 'assistant', content: '', tool_calls: [custom] };
    const second = { index: 1, message, finish_reason: 'stop' };
    await using stage = await converseWithOpenAI({ json: { ...body, choices: [...choices, second] } });

    await stage.client.chat.completions.create({
      model,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'see' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,aGVsbG8=', detail: 'low' } },
            { type: 'image_url', image_url: { url: 'https://x/y.png' } },
          ],
        },
      ],
      n: 2,
    });

    expect(outline(await stage.messages())).toEqual([
      [
        'user',
        [
          { type: 'text', text: 'see' },
          { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' },
          { type: 'image_url', image_url: { url: 'https://x/y.png' } },
        ],
      ],
      [
        'assistant',
        [{ type: 'refusal', refusal: 'no' }],
        { look: { $invalid_json: '{"at": ' }, outputs: [] },
        { unnamed: {}, outputs: [] },
      ],
      ['assistant', [{ type: 'tool_use', id: 'c2', name: 'shell' }], { shell: { input: 'ls' }, outputs: [] }],
    ]);
  });

  it('separates calls with the same id or none, with the result of each', async () => {
    const answer = (given: string) => ({
      json: completion({ tool_calls: [toolCall('', 'look', given)] }, 'tool_calls'),
    });
    const done = { json: completion({ content: 'done' }) };
    await using stage = await converseWithOpenAI(answer('{"n":1}'), answer('{"n":2}'), done);
    const messages: ChatCompletionMessageParam[] = [go];

    for (const result of ['one', 'two']) {
      const { choices } = await stage.client.chat.completions.create({ model, messages });
      messages.push(choices[0]?.message as ChatCompletionMessageParam);
      messages.push({ role: 'tool', tool_call_id: '', content: result });
    }
    await stage.client.chat.completions.create({ model, messages });

    expect(outline(await stage.messages()).slice(1, 3)).toEqual([
      ['assistant', [{ type: 'tool_use', id: 'look', name: 'look' }], { look: { n: 1 }, outputs: ['one'] }],
      ['assistant', [{ type: 'tool_use', id: 'look#2', name: 'look' }], { look: { n: 2 }, outputs: ['two'] }],
    ]);
  });
});

describe('streams of chat completions', () => {
  const usage = { prompt_tokens: 4, completion_tokens: 5, total_tokens: 9 };
  const logprobs = (token: string) => ({ content: [{ token, logprob: -0.5, bytes: null, top_logprobs: [] }] });
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    chunk({ reasoning_content: 'hm' }),
    chunk({ content: 'Ich ' }, null, { logprobs: logprobs('Ich ') }),
    chunk({ content: 'höre 🔔.' }, null, { logprobs: logprobs('höre 🔔.') }),
    chunk({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'look', arguments: '' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"at":' } }] }),
    chunk({ tool_calls: [{ index: 1, id: 'c2', type: 'custom', custom: { name: 'shell', input: 'l' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '"door"}' } }] }),
    chunk({ tool_calls: [{ index: 1, custom: { input: 's' } }] }),
    chunk({}, 'tool_calls'),
    { ...chunk({}), choices: [], usage },
  ];

  it('logs a complete stream like the same response without a stream', async () => {
    await using stage = await converseWithOpenAI({ events: chunks });

    const stream = await stage.client.chat.completions.create({ model, messages: [go], stream: true });
    const seen: unknown[] = [];
    for await (const each of stream) seen.push(each);

    expect(seen).toEqual(chunks);
    const logged = await stage.messages();
    expect(outline(logged)).toEqual([
      ['user', 'go'],
      [
        'assistant',
        'Ich höre 🔔.',
        { think: 'hm' },
        { look: { at: 'door' }, outputs: [] },
        { shell: { input: 'ls' }, outputs: [] },
      ],
    ]);
    expect(logged[1]?.extra).toEqual({ response_id: 'chatcmpl-1', model, usage, finish_reason: 'tool_calls' });
    expect(logged[1]?.raw).toEqual({
      request: { model, stream: true },
      response: {
        ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model, usage },
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: 'Ich höre 🔔.',
              reasoning_content: 'hm',
              tool_calls: [
                toolCall('c1', 'look', '{"at":"door"}'),
                { id: 'c2', type: 'custom', custom: { name: 'shell', input: 'ls' } },
              ],
            },
            logprobs: { content: [...logprobs('Ich ').content, ...logprobs('höre 🔔.').content] },
            finish_reason: 'tool_calls',
          },
        ],
      },
    });
  });

  it('logs calls of a server that sends no index and their names only once', async () => {
    const call = (parts: object) => chunk({ tool_calls: [parts] });
    await using stage = await converseWithOpenAI({
      events: [
        call({ id: 'c1', function: { name: 'look', arguments: '{"at":' } }),
        call({ function: { arguments: '1}' } }),
        call({ id: 'c2', function: { name: 'look', arguments: '{"at":2}' } }),
        chunk({}, 'stop'),
      ],
    });

    const stream = await stage.client.chat.completions.create({ model, messages: [go], stream: true });
    for await (const _ of stream);

    expect(outline(await stage.messages())[1]?.slice(2)).toEqual([
      { look: { at: 1 }, outputs: [] },
      { look: { at: 2 }, outputs: [] },
    ]);
  });

  it.each(['left early', 'aborted', 'aborted by a signal', 'cut off'])(
    'logs a stream that is %s as far as it was received',
    async (how) => {
      using watch = watchRejections();
      const call = { index: 0, id: 'c', function: { name: 'look', arguments: '{"a' } };
      const events = [chunk({ content: 'Once upon' }), chunk({ tool_calls: [call] })];
      await using stage = await converseWithOpenAI({ events, ending: how === 'cut off' ? 'cut' : 'open' });
      const { signal, abort } = ((controller) => ({ signal: controller.signal, abort: () => controller.abort() }))(
        new AbortController(),
      );

      const stream = await stage.client.chat.completions.create({ model, messages: [go], stream: true }, { signal });
      const reading = (async () => {
        let count = 0;
        for await (const _ of stream) {
          if (++count < 2) continue;
          if (how === 'left early') break;
          if (how === 'aborted') stream.controller.abort();
          if (how === 'aborted by a signal') abort();
        }
      })();

      if (how === 'cut off') await expect(reading).rejects.toThrow('terminated');
      else await reading;
      await stage.gone;
      const logged = await stage.messages();
      expect(outline(logged)[1]).toEqual(['assistant', 'Once upon', { look: { $invalid_json: '{"a' }, outputs: [] }]);
      expect(logged[1]?.extra).toMatchObject({ aborted: true });
      expect(watch.rejections).toEqual([]);
    },
  );

  it('logs nothing for a stream that ends before its first event', async () => {
    await using stage = await converseWithOpenAI({ events: [], ending: 'open' });

    const stream = await stage.client.chat.completions.create({ model, messages: [go], stream: true });
    setImmediate(() => stream.controller.abort());
    for await (const _ of stream);

    expect(outline(await stage.messages())).toEqual([['user', 'go']]);
  });
});
