import { createHmac } from 'node:crypto';
import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it, test } from '@jest/globals';
import { expectTypeOf } from 'expect-type';
import OpenAI from 'openai';
import { wrapAnthropic, wrapOpenAI } from '../../../src/trace/client/index.ts';
import { eventsOf, message, toolUse } from './anthropic-fixtures.ts';
import { chunk, completion, response, said, toolCall } from './openai-fixtures.ts';
import { type ProviderResponse, startProvider } from './provider-server.ts';
import { anthropic, openAI } from './providers.ts';
import { connect, startStore } from './store-and-proxy.ts';

const go = { role: 'user', content: 'go' } as const;
const ask = { model: 'gpt-x', messages: [go] };
const claude = { model: 'claude-x', max_tokens: 100, messages: [go] };

const answered = { json: completion({ content: 'hello' }) };
const called = { json: completion({ tool_calls: [toolCall('call_1', 'add', '{"n":1}')] }, 'tool_calls') };
const chunks = [chunk({ role: 'assistant', content: 'once ' }), chunk({ content: 'upon' }), chunk({}, 'stop')];
const refusal = (status: number) => ({ json: { error: { message: 'no', type: 'some_error', code: 'x' } }, status });
const spoken = message([{ type: 'text', text: 'hello' }, toolUse('toolu_1', 'add', { n: 1 })]);

async function collect(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const collected: unknown[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

type Script<Client> = readonly [
  name: string,
  answers: readonly ProviderResponse[],
  run: (client: Client) => Promise<unknown>,
];

const scriptsOfOpenAI: readonly Script<OpenAI>[] = [
  ['an answer', [answered], (client) => client.chat.completions.create(ask)],
  [
    'a stream',
    [{ events: chunks }],
    async (client) => collect(await client.chat.completions.create({ ...ask, stream: true })),
  ],
  [
    'a stream that is cut off',
    [{ events: chunks, ending: 'cut' }],
    async (client) => collect(await client.chat.completions.create({ ...ask, stream: true })),
  ],
  [
    'a stream that is read twice',
    [{ events: chunks }],
    async (client) => {
      const stream = await client.chat.completions.create({ ...ask, stream: true });
      return [await collect(stream), await collect(stream)];
    },
  ],
  [
    'a stream for two readers',
    [{ events: chunks }],
    async (client) => {
      const [left, right] = (await client.chat.completions.create({ ...ask, stream: true })).tee();
      return [await collect(left), await collect(right)];
    },
  ],
  [
    'a stream as lines',
    [{ events: chunks }],
    async (client) => {
      const stream = await client.chat.completions.create({ ...ask, stream: true });
      return new Response(stream.toReadableStream() as ReadableStream).text();
    },
  ],
  ['a refused request', [refusal(400)], (client) => client.chat.completions.create(ask)],
  ['a refused key', [refusal(401)], (client) => client.chat.completions.create(ask).withResponse()],
  [
    'a request that fails again and again',
    [refusal(500), refusal(500)],
    (client) => client.withOptions({ maxRetries: 1 }).chat.completions.create(ask),
  ],
  ['no request at all', [answered], (client) => client.chat.completions.create(ask, { signal: AbortSignal.abort() })],
  [
    'an answer with its response',
    [answered],
    async (client) => {
      const { data, response: bare, request_id } = await client.chat.completions.create(ask).withResponse();
      return [data, bare.status, request_id, (data as { _request_id?: string })._request_id];
    },
  ],
  [
    'a bare response',
    [answered],
    async (client) => {
      const bare = await client.chat.completions.create(ask).asResponse();
      return [
        bare.status,
        Object.keys(bare),
        bare.url.split('/').pop(),
        await bare.clone().json(),
        await bare.json(),
        bare.bodyUsed,
      ];
    },
  ],
  [
    'promises in a chain',
    [answered, refusal(400)],
    async (client) => {
      const noted: unknown[] = [];
      await client.chat.completions
        .create(ask)
        .finally(() => noted.push('over'))
        .then(({ id }) => noted.push(id));
      await client.chat.completions.create(ask).catch(({ status }) => noted.push(status));
      return noted;
    },
  ],
  [
    'parsed responses',
    [{ json: response([said('hello')]) }],
    (client) => client.responses.parse({ model: 'gpt-x', input: 'go' }),
  ],
  [
    'the events of a helper',
    [{ events: chunks }],
    async (client) => {
      const noted: unknown[] = [];
      const stream = client.chat.completions.stream(ask);
      for (const name of ['connect', 'content', 'chunk', 'message', 'finalContent', 'end'] as const) {
        stream.on(name, (...args: unknown[]) => void noted.push([name, args]));
      }
      await stream.done();
      return noted;
    },
  ],
  [
    'a helper that is aborted',
    [{ events: chunks.slice(0, 1), ending: 'open' }],
    async (client) => {
      const stream = client.chat.completions.stream(ask);
      stream.on('chunk', () => stream.abort());
      return stream.finalChatCompletion();
    },
  ],
  [
    'tools that a helper runs',
    [called, answered],
    async (client) => {
      const parameters = { type: 'object', properties: {} };
      const add = { name: 'add', function: (given: string) => given, description: 'Adds.', parameters };
      const runner = client.chat.completions.runTools({ ...ask, tools: [{ type: 'function', function: add }] });
      return [await runner.finalContent(), runner.messages];
    },
  ],
  ['pages', [{ json: { object: 'list', data: [{ id: 'gpt-x' }] } }], (client) => collect(client.models.list())],
  [
    'an operation that is not watched',
    [{ json: { data: [], model: 'e' } }],
    (client) => client.post('/embeddings', { body: { input: 'a' } }),
  ],
  [
    'a webhook, for which a resource has private fields',
    [],
    async (client) => {
      const time = String(Math.floor(Date.now() / 1000));
      const key = Buffer.from('some-secret');
      const signature = createHmac('sha256', key).update(`wh_1.${time}.{"a":1}`).digest('base64');
      const headers = { 'webhook-id': 'wh_1', 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
      return client.webhooks.unwrap('{"a":1}', headers, `whsec_${key.toString('base64')}`);
    },
  ],
  [
    'the client itself',
    [],
    async (client) => {
      client.organization = 'org-1';
      const [chat, post] = [client.chat, client.post];
      const same = [client.chat === chat, client.post === post, chat.completions instanceof OpenAI.Chat.Completions];
      return [
        client instanceof OpenAI,
        (client as object).constructor === OpenAI,
        same,
        client.baseURL.split('/').pop(),
        client.organization,
        Object.keys(client).sort(),
      ];
    },
  ],
];

const scriptsOfAnthropic: readonly Script<Anthropic>[] = [
  ['an answer', [{ json: spoken }], (client) => client.messages.create(claude)],
  [
    'a stream',
    [{ events: eventsOf(spoken) }],
    async (client) => collect(await client.messages.create({ ...claude, stream: true })),
  ],
  [
    'a stream that is cut off',
    [{ events: eventsOf(spoken).slice(0, 4), ending: 'cut' }],
    async (client) => collect(await client.messages.create({ ...claude, stream: true })),
  ],
  ['a refused request', [refusal(400)], (client) => client.beta.messages.create(claude)],
  ['a helper', [{ events: eventsOf(spoken) }], (client) => client.messages.stream(claude).finalMessage()],
  [
    'the events of a helper',
    [{ events: eventsOf(spoken) }],
    async (client) => {
      const noted: unknown[] = [];
      const stream = client.messages.stream(claude);
      for (const name of ['connect', 'text', 'inputJson', 'contentBlock', 'message', 'end'] as const) {
        stream.on(name, (...args: unknown[]) => void noted.push([name, args]));
      }
      await stream.done();
      return [noted, stream.request_id];
    },
  ],
  [
    'counted tokens',
    [{ json: { input_tokens: 3 } }],
    (client) => client.messages.countTokens({ model: 'claude-x', messages: [go] }),
  ],
  [
    'a thread',
    [{ json: spoken }, { events: eventsOf(spoken) }],
    async (client) => {
      const thread = client.beta.messages.thread({ model: 'claude-x', max_tokens: 100 });
      const result = {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '1' }],
      } as const;
      return [await thread.send(go), await thread.stream(result as never).finalMessage(), thread.messages];
    },
  ],
  [
    'the client itself',
    [],
    async (client) => [
      client instanceof Anthropic,
      (client as object).constructor === Anthropic,
      client.openTelemetry,
      client.baseURL.split(':')[0],
    ],
  ],
];

/** Returns the result of a script, and the requests that the provider received. */
async function outcomeOf<Client>(connectTo: (url: string) => Client, [, answers, run]: Script<Client>) {
  await using provider = await startProvider(answers);
  const value = await run(connectTo(provider.url)).catch((error: Error & { status?: number; requestID?: string }) => {
    const { name, message: said, status, requestID, cause } = error;
    return { name, constructor: error.constructor.name, said, status, requestID, cause: String(cause) };
  });
  const received = provider.received.map(({ path, headers: { host, ...headers }, body }) => ({ path, headers, body }));
  return { value, kind: value?.constructor?.name, received };
}

describe.each([
  ...scriptsOfOpenAI.map((script) => ['OpenAI', openAI, wrapOpenAI, script] as const),
  ...scriptsOfAnthropic.map((script) => ['Anthropic', anthropic, wrapAnthropic, script] as const),
])('a client of %s', (_, connectTo, wrap, script) => {
  it(`is the same when it is wrapped: ${script[0]}`, async () => {
    await using store = await startStore();
    await using traces = connect(store.url);
    const plain = await outcomeOf(connectTo as never, script as Script<object>);

    const wrapped = await outcomeOf(
      (url) => wrap(connectTo(url) as never, traces.createTrace()),
      script as Script<object>,
    );

    expect(wrapped).toEqual(plain);
    expect(traces.reported).toEqual([]);
  });
});

test('keeps the types of a wrapped client and its responses', () => {
  const traces = connect('http://127.0.0.1:1');
  const trace = traces.trace('tr_x');

  const client = wrapOpenAI(new OpenAI({ apiKey: 'x' }), trace);
  const other = wrapAnthropic(new Anthropic({ apiKey: 'x' }), trace);

  expectTypeOf(client).toEqualTypeOf<OpenAI>();
  expectTypeOf(other).toEqualTypeOf<Anthropic>();
  expectTypeOf(client.chat.completions.create).toEqualTypeOf<OpenAI['chat']['completions']['create']>();
  expectTypeOf(other.messages.stream).toEqualTypeOf<Anthropic['messages']['stream']>();
  expect([client, other].map((each) => each instanceof OpenAI)).toEqual([true, false]);
});
