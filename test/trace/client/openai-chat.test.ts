import { describe, expect, it } from '@jest/globals';
import { wrapOpenAI } from '../../../src/trace/client/index.ts';
import { converse, outline } from './providers.ts';
import { watchRejections } from './stage.ts';

const completion = (message: object, finish_reason = 'stop') => ({
  body: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-x',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: null, refusal: null, ...message },
        finish_reason,
        logprobs: null,
      },
    ],
    usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
  },
});

const toolCall = (id: string, name: string, given: string) => ({
  id,
  type: 'function',
  function: { name, arguments: given },
});

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'gpt-x',
  choices: [{ index: 0, delta, finish_reason, logprobs: null }],
});

describe('chat completions', () => {
  it('are logged each message once, with calls, reasoning and results', async () => {
    const calls = [toolCall('call_a', 'look', '{"at":"door"}'), toolCall('call_b', 'look', '{"at":"wall"}')];
    await using stage = await converse(
      wrapOpenAI,
      completion({ tool_calls: calls, reasoning_content: 'two things' }, 'tool_calls'),
      completion({ content: 'A door and a wall.' }),
    );
    const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }];
    const messages: object[] = [
      { role: 'developer', content: 'be brief' },
      { role: 'user', content: [{ type: 'text', text: 'look around' }] },
    ];

    const first = await stage.client.chat.completions.create({ model: 'gpt-x', messages, tools, temperature: 1 });
    messages.push(first.choices[0].message);
    messages.push({ role: 'tool', tool_call_id: 'call_b', content: 'a wall' });
    messages.push({ role: 'tool', tool_call_id: 'call_a', content: [{ type: 'text', text: 'a door' }] });
    const second = await stage.client.chat.completions.create({ model: 'gpt-x', messages, tools });
    messages.push(second.choices[0].message, { role: 'user', content: 'thanks' });

    expect(stage.requests).toHaveLength(2);
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
        { look: { at: 'door' }, gave: ['a door'] },
        { look: { at: 'wall' }, gave: ['a wall'] },
      ],
      ['assistant', 'A door and a wall.'],
    ]);
    expect(logged[0]?.extra).toEqual({ provider_role: 'developer' });
    expect(logged[2]?.raw).toMatchObject({ request: { temperature: 1, tools }, response: { id: 'chatcmpl-1' } });
    expect(logged[3]?.raw).toMatchObject({ request: { model: 'gpt-x' } });
    expect(JSON.stringify(logged[3]?.raw)).not.toMatch(/be brief|parameters/);
    expect(logged[3]?.extra).toMatchObject({ finish_reason: 'stop', usage: { total_tokens: 12 }, model: 'gpt-x' });
  });

  it('log what is new where a conversation was shortened, and the same text when it is said again', async () => {
    const done = () => completion({ content: 'ok' });
    await using stage = await converse(wrapOpenAI, done(), done(), done());
    const go = { role: 'user', content: 'continue' };
    const ok = { role: 'assistant', content: 'ok' };
    const ask = (...messages: object[]) => stage.client.chat.completions.create({ messages });

    await ask({ role: 'system', content: 'long' }, go);
    await ask({ role: 'system', content: 'long' }, go, ok, go);
    await ask({ role: 'system', content: 'short' }, ok, go, ok, go);

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

  it('log a request that failed once when it is made again', async () => {
    await using stage = await converse(wrapOpenAI, new Error('429'), completion({ content: 'hello' }));
    const messages = [{ role: 'user', content: 'hi' }];

    await expect(stage.client.chat.completions.create({ messages })).rejects.toThrow('429');
    await stage.client.chat.completions.create({ messages });

    expect(outline(await stage.messages())).toEqual([
      ['user', 'hi'],
      ['assistant', 'hello'],
    ]);
  });

  it('keep images, refusals, several choices, custom tools and broken arguments', async () => {
    const { body } = completion({
      refusal: 'no',
      tool_calls: [toolCall('c1', 'look', '{"at": '), toolCall('c3', ' look\n', '{}')],
    });
    const custom = { id: 'c2', type: 'custom', custom: { name: 'shell', input: 'ls' } };
    const second = {
      index: 1,
      message: { role: 'assistant', content: '', tool_calls: [custom] },
      finish_reason: 'stop',
    };
    await using stage = await converse(wrapOpenAI, { body: { ...body, choices: [...body.choices, second] } });

    await stage.client.chat.completions.create({
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
        { look: { $invalid_json: '{"at": ' }, gave: [] },
        { unnamed: {}, gave: [] },
      ],
      ['assistant', [{ type: 'tool_use', id: 'c2', name: 'shell' }], { shell: { input: 'ls' }, gave: [] }],
    ]);
  });

  it('keep calls apart to which a server gives the same id, or none, with the result of each', async () => {
    const answer = (given: string) => completion({ tool_calls: [toolCall('', 'look', given)] }, 'tool_calls');
    await using stage = await converse(
      wrapOpenAI,
      answer('{"n":1}'),
      answer('{"n":2}'),
      completion({ content: 'done' }),
    );
    const messages: object[] = [{ role: 'user', content: 'go' }];

    for (const result of ['one', 'two']) {
      const { choices } = await stage.client.chat.completions.create({ messages });
      messages.push(choices[0].message, { role: 'tool', tool_call_id: '', content: result });
    }
    await stage.client.chat.completions.create({ messages });

    expect(outline(await stage.messages()).slice(1, 3)).toEqual([
      ['assistant', [{ type: 'tool_use', id: 'look', name: 'look' }], { look: { n: 1 }, gave: ['one'] }],
      ['assistant', [{ type: 'tool_use', id: 'look#2', name: 'look' }], { look: { n: 2 }, gave: ['two'] }],
    ]);
  });

  it('leave a stream as it is, and log it when it is over', async () => {
    const chunks = [
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'I ' }),
      chunk({ content: 'look.' }),
      chunk({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'look', arguments: '' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"at":' } }] }),
      chunk({ tool_calls: [{ index: 1, id: 'c2', type: 'function', function: { name: 'go', arguments: '{}' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '"door"}' } }] }),
      chunk({}, 'tool_calls'),
      { ...chunk({}), choices: [], usage: { total_tokens: 9 } },
    ];
    await using stage = await converse(wrapOpenAI, { body: chunks });

    const stream = await stage.client.chat.completions.create({
      messages: [{ role: 'user', content: 'go' }],
      stream: true,
    });
    const seen: unknown[] = [];
    for await (const each of stream) seen.push(each);

    expect(seen).toEqual(chunks);
    expect(stream.constructor.name).toBe('Stream');
    const logged = await stage.messages();
    expect(outline(logged)).toEqual([
      ['user', 'go'],
      ['assistant', 'I look.', { look: { at: 'door' }, gave: [] }, { go: {}, gave: [] }],
    ]);
    expect(logged[1]?.extra).toEqual({
      response_id: 'chatcmpl-1',
      model: 'gpt-x',
      usage: { total_tokens: 9 },
      finish_reason: 'tool_calls',
    });
  });

  it.each(['left early', 'aborted', 'broken'])('log what came of a stream that is %s', async (how) => {
    using watch = watchRejections();
    const chunks = [
      chunk({ content: 'Once upon' }),
      chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'look', arguments: '{"a' } }] }),
    ];
    await using stage = await converse(wrapOpenAI, {
      body: how === 'broken' ? chunks : [...chunks, chunk({ content: 'never' })],
      breaks: true,
    });

    const stream = await stage.client.chat.completions.create({
      messages: [{ role: 'user', content: 'go' }],
      stream: true,
    });
    const reading = (async () => {
      let count = 0;
      for await (const _ of stream) {
        if (++count < 2) continue;
        if (how === 'left early') break;
        if (how === 'aborted') stream.controller.abort();
      }
    })();

    if (how === 'broken') await expect(reading).rejects.toThrow('the connection broke');
    else await reading;
    const logged = await stage.messages();
    expect(outline(logged)[1]).toEqual(['assistant', 'Once upon', { look: { $invalid_json: '{"a' }, gave: [] }]);
    expect(logged[1]?.extra).toMatchObject({ aborted: true });
    expect(watch.rejections).toEqual([]);
  });

  it('are logged once when helpers make them, and not when the bare response is asked for', async () => {
    await using stage = await converse(
      wrapOpenAI,
      completion({ content: 'parsed' }),
      { body: [chunk({ content: 'streamed' }, 'stop')] },
      completion({ content: 'bare' }),
    );
    const { completions } = stage.client.chat;

    const parsed = await completions.parse({ messages: [{ role: 'user', content: 'a' }] });
    const items = await completions.stream({ messages: [{ role: 'user', content: 'b' }] });
    const response = await completions.create({ messages: [{ role: 'user', content: 'c' }] }).asResponse();

    expect(parsed).toMatchObject({ parsed: true, choices: [{ message: { content: 'parsed' } }] });
    expect(items).toHaveLength(1);
    expect((await response.json()).choices[0].message.content).toBe('bare');
    expect(stage.client.key).toBe('private');
    expect(outline(await stage.messages()).map(([, content]) => content)).toEqual([
      'a',
      'parsed',
      'b',
      'streamed',
      'c',
    ]);
  });
});
