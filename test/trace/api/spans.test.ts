import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { type Attributes, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Block } from '../../../generated/trace.ts';
import { issueKey } from '../../../src/trace/api/index.ts';
import { createMemoryStore } from '../../../src/trace/store/index.ts';
import { openTestStore } from '../store/open-test-store.ts';
import { closeServers, createCaller, startServer } from './server.ts';
import { enableContexts, onlyTrace, outline, startTracer, WEATHER } from './span-tracer.ts';

afterEach(closeServers);

const SYSTEM = [{ type: 'text', content: 'be brief' }];
const QUESTION = { role: 'user', parts: [{ type: 'text', content: 'weather?' }] };
const CALL = {
  role: 'assistant',
  parts: [
    { type: 'reasoning', content: 'ask the service' },
    { type: 'tool_call', id: 'call_1', name: 'get_weather', arguments: { city: 'Bogotá' } },
  ],
  finish_reason: 'tool_call',
};
const RESULT = { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', response: { degrees: 22 } }] };
const ANSWER = { role: 'assistant', parts: [{ type: 'text', content: '22 °C' }], finish_reason: 'stop' };
/** Plays an agent by the GenAI conventions; `pause` is called between its spans. */
async function playWeather(tracer: Tracer, pause: () => Promise<void> = async () => {}) {
  const chat = (input: readonly object[], output: object) => ({
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'some-model',
      'gen_ai.request.temperature': 0.5,
      'gen_ai.system_instructions': JSON.stringify(SYSTEM),
      'gen_ai.input.messages': JSON.stringify(input),
      'gen_ai.output.messages': JSON.stringify([output]),
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 2,
      'app.request': 7,
    },
  });
  await tracer.startActiveSpan('invoke_agent weather', async (root) => {
    root.setAttributes({ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'weather' });
    tracer.startSpan('chat some-model', chat([QUESTION], CALL)).end();
    await pause();
    const execution = tracer.startSpan('execute_tool get_weather', {
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'get_weather',
        'gen_ai.tool.call.id': 'call_1',
        'gen_ai.tool.call.arguments': '{"city":"Bogotá"}',
        'gen_ai.tool.call.result': '{"degrees":22}',
        'ors.reward': 1,
        'app.cache': 'hit',
      },
    });
    execution.end();
    await pause();
    tracer.startSpan('chat some-model', chat([QUESTION, CALL, RESULT], ANSWER)).end();
    await pause();
    root.end();
  });
}

test.each(['protobuf', 'json'] as const)('stores spans of the GenAI conventions, sent as %s', async (format) => {
  using _contexts = enableContexts();
  const { url, store } = await startServer();
  const { tracer, flush } = startTracer(url, format, {
    'service.name': 'app',
    'ors.trace.run': 'r',
    'ors.trace.step': '3',
  });

  await playWeather(tracer);
  await flush();

  const { trace, blocks } = await onlyTrace(store);
  expect(outline(blocks)).toEqual(WEATHER);
  expect(trace).toMatchObject({
    name: 'weather',
    run: 'r',
    step: 3,
    model: 'some-model',
    status: 'finished',
    reward_sum: 1,
    rollout_info: { usage: { input_tokens: 20, output_tokens: 4 } },
    metadata: {
      sampling: { temperature: 0.5 },
      otel: { resource: { 'service.name': 'app' }, spans: [{ name: 'invoke_agent weather' }] },
    },
  });
  expect(blocks[2]).toMatchObject({
    extra: { model: 'some-model', finish_reason: 'tool_call', usage: { input_tokens: 10 } },
    raw: { name: 'chat some-model', attributes: { 'app.request': 7 } },
  });
  expect(blocks[5]).toMatchObject({ extra: { reward: 1 }, raw: { attributes: { 'app.cache': 'hit' } } });
});

test('writes each item once, although spans come one by one, repeatedly and to several servers', async () => {
  using _contexts = enableContexts();
  await using store = createMemoryStore();
  const servers = [await startServer({ store }), await startServer({ store })];
  const sent: Buffer[] = [];
  await using relay = await startRelay(sent);
  const { tracer, flush } = startTracer(relay.url, 'protobuf', {}, false);
  await playWeather(tracer, flush);
  await flush();

  for (const [index, body] of [...sent, ...sent].entries()) {
    const { url } = servers[index % 2] ?? servers[0] ?? { url: '' };
    const headers = { 'Content-Type': 'application/x-protobuf', 'Content-Encoding': 'gzip' };
    const response = await fetch(`${url}/v1/traces`, { method: 'POST', headers, body: new Uint8Array(body) });
    expect([response.status, await response.text()]).toEqual([200, '']);
  }

  const { trace, blocks } = await onlyTrace(store);
  expect(outline(blocks)).toEqual(WEATHER);
  expect(trace.rollout_info).toEqual({ usage: { input_tokens: 20, output_tokens: 4 } });
});

/** Starts a server that keeps the bodies of requests. */
async function startRelay(bodies: Buffer[]) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    bodies.push(Buffer.concat(chunks));
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

test('stores errors of tools and of the agent, and calls that no response has announced', async () => {
  using _contexts = enableContexts();
  const { url, store } = await startServer();
  const { tracer, flush } = startTracer(url, 'json');
  await tracer.startActiveSpan('agent', async (root) => {
    const attributes = { 'openinference.span.kind': 'TOOL', 'tool.name': 'bash', 'input.value': '{"cmd":"ls"}' };
    const failed = tracer.startSpan('bash', { attributes });
    failed.recordException(new Error('no such folder'));
    failed.setStatus({ code: SpanStatusCode.ERROR });
    failed.end();
    root.setStatus({ code: SpanStatusCode.ERROR, message: 'gave up' });
    root.end();
  });

  await flush();

  const { trace, blocks } = await onlyTrace(store);
  expect(outline(blocks)).toEqual([
    ['assistant', [expect.objectContaining({ type: 'tool_use', name: 'bash' })]],
    ['call', expect.any(String), 'bash', { cmd: 'ls' }],
    ['result', expect.any(String), 'no such folder'],
  ]);
  expect(trace).toMatchObject({
    status: 'error',
    error_count: 1,
    metadata: { otel: { spans: [{ error: 'gave up' }] } },
  });
});

test('keeps the conversations of two agents apart', async () => {
  using _contexts = enableContexts();
  const { url, store } = await startServer();
  const { tracer, flush } = startTracer(url, 'protobuf');
  const chat = (...texts: readonly string[]) => {
    const messages = texts.map((content, index) => ({
      role: index % 2 ? 'assistant' : 'user',
      parts: [{ type: 'text', content }],
    }));
    const output = messages.pop();
    tracer
      .startSpan('chat', {
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.input.messages': JSON.stringify(messages),
          'gen_ai.output.messages': JSON.stringify([output]),
        },
      })
      .end();
  };
  await tracer.startActiveSpan('agent', async (root) => {
    chat('plan', 'ask a helper');
    // Another conversation with a message of the first one.
    chat('help', 'ask a helper', 'continue', 'done');
    chat('plan', 'ask a helper', 'continue', 'ok');
    root.end();
  });

  await flush();

  const { blocks } = await onlyTrace(store);
  expect(outline(blocks).map(([role, content]) => `${role}: ${content}`)).toEqual([
    ...['user: plan', 'assistant: ask a helper'],
    ...['user: help', 'assistant: ask a helper', 'user: continue', 'assistant: done'],
    ...['user: continue', 'assistant: ok'],
  ]);
  expect(blocks.map(({ extra }) => (extra as { thread?: number }).thread ?? 0)).toEqual([0, 0, 1, 1, 1, 1, 0, 0]);
});

/** Plays an agent that calls the agent `researcher` as a tool, which calls the tool `summarize` with requests of its own. */
async function playAgents(tracer: Tracer, pause: () => Promise<void> = async () => {}) {
  const inside = async (name: string, attributes: Attributes, work: () => Promise<void>) => {
    await tracer.startActiveSpan(name, { attributes }, async (span) => {
      await work();
      span.end();
    });
    await pause();
  };
  const agent = (name: string) => ({ 'openinference.span.kind': 'AGENT', 'agent.name': name });
  const tool = (id: string, name: string) => ({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.id': id,
    'gen_ai.tool.call.arguments': '{}',
    'gen_ai.tool.call.result': '"done"',
    // The agent that calls the tool.
    'gen_ai.agent.name': 'caller',
  });
  const chat = async (...messages: readonly object[]) => {
    const output = messages.at(-1);
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': JSON.stringify(messages.slice(0, -1)),
      'gen_ai.output.messages': JSON.stringify([output]),
    };
    await inside('chat', attributes, async () => {});
  };
  const says = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });
  const calls = (id: string, name: string) => ({
    role: 'assistant',
    parts: [{ type: 'tool_call', id, name, arguments: {} }],
  });
  const result = (id: string) => ({ role: 'tool', parts: [{ type: 'tool_call_response', id, response: 'done' }] });

  await inside('planner', agent('planner'), async () => {
    await chat(says('user', 'plan'), calls('call_1', 'research'));
    await inside('research', tool('call_1', 'research'), () =>
      inside('researcher', agent('researcher'), () =>
        inside('turn', {}, async () => {
          await chat(says('user', 'find it'), calls('call_2', 'summarize'));
          await inside('summarize', tool('call_2', 'summarize'), () =>
            chat(says('user', 'shorten it'), says('assistant', 'short')),
          );
          await chat(
            ...[says('user', 'find it'), calls('call_2', 'summarize'), result('call_2')],
            says('assistant', 'found'),
          );
        }),
      ),
    );
    await chat(says('user', 'plan'), calls('call_1', 'research'), result('call_1'), says('assistant', 'ok'));
  });
}

/** Agents of `playAgents` by thread; a tool has no name of an agent. */
const AGENTS = { 1: { name: 'researcher', parent: 0 }, 2: { name: 'summarize', parent: 1 } };

test('names the agents of conversations by the spans around them, and says which agent has called them', async () => {
  using _contexts = enableContexts();
  const { url, store } = await startServer();
  const { tracer, flush } = startTracer(url, 'protobuf');

  await playAgents(tracer);
  await flush();

  const { trace, blocks } = await onlyTrace(store);
  const messages = blocks.filter(({ sub_type }) => sub_type === 'MESSAGE');
  const threadOf = ({ extra }: Block) => (extra as { thread?: number }).thread ?? 0;
  expect(messages.map(threadOf)).toEqual([0, 0, 1, 1, 2, 2, 1, 0]);
  expect(trace).toMatchObject({ name: 'planner', metadata: { threads: AGENTS } });
});

test('names agents if each span arrives alone, at another server, and keeps names that were set', async () => {
  using _contexts = enableContexts();
  await using store = createMemoryStore();
  const sent: Buffer[] = [];
  await using relay = await startRelay(sent);
  const { tracer, flush } = startTracer(relay.url, 'protobuf', {}, false);
  await playAgents(tracer, flush);
  await flush();

  for (const [index, body] of sent.entries()) {
    // A server that has none of the trace in memory.
    const { url } = await startServer({ store });
    const headers = { 'Content-Type': 'application/x-protobuf', 'Content-Encoding': 'gzip' };
    await fetch(`${url}/v1/traces`, { method: 'POST', headers, body: new Uint8Array(body) });
    const { trace } = await onlyTrace(store);
    const named = { ...trace.metadata, threads: { 2: { name: 'shortener' } } };
    if (index === 1) await store.updateTrace('default', trace.id, { metadata: named });
  }

  const { trace } = await onlyTrace(store);
  expect(trace.metadata.threads).toEqual({ ...AGENTS, 2: { name: 'shortener', parent: 1 } });
});

test('stores spans that contain each other', async () => {
  const { url, store } = await startServer();
  const { send } = createCaller(url);
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const chat = (spanId: string, parentSpanId: string, content: string) => ({
    ...{ traceId: '0af7651916cd43dd8448eb211c80319c', spanId, parentSpanId, name: 'chat' },
    ...{ startTimeUnixNano: '1000000', endTimeUnixNano: '2000000' },
    attributes: [
      text('gen_ai.operation.name', 'chat'),
      text('gen_ai.input.messages', JSON.stringify([{ role: 'user', parts: [{ type: 'text', content }] }])),
    ],
  });
  const [one, other] = ['00f067aa0ba902b7', '00f067aa0ba902b8'];

  const spans = [chat(one, other, 'a'), chat(other, one, 'b')];
  await send('POST', '/v1/traces', JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));

  const { trace, blocks } = await onlyTrace(store);
  expect(outline(blocks)).toEqual([
    ['user', 'a'],
    ['user', 'b'],
  ]);
  expect(trace.metadata.threads).toBeUndefined();
});

test('restores the conversation of an export of this package', async () => {
  const source = await startServer();
  const { url, store } = await startServer();
  await source.post('traces', { id: 'tr_1', run: 'r', step: 2, metadata: { tools: [{ name: 'f', description: '' }] } });
  const message = (id: string, role: string, content: string) => ({
    id,
    sub_type: 'MESSAGE',
    payload: { role, content },
  });
  const blocks = [
    message('tb_1', 'user', 'continue'),
    message('tb_2', 'assistant', 'ok'),
    { id: 'tb_3', sub_type: 'THINK', parent_block_id: 'tb_2', payload: { text: 'hm' } },
    {
      id: 'tb_4',
      sub_type: 'TOOL_CALL',
      parent_block_id: 'tb_2',
      payload: { call_id: 'c', name: 'f', arguments: { a: 1 } },
    },
    { id: 'tb_5', sub_type: 'TOOL_RESULT', parent_block_id: 'tb_4', payload: { output: 7 }, extra: { reward: 0.5 } },
    message('tb_6', 'user', 'continue'),
    message('tb_7', 'assistant', 'ok'),
    message('tb_8', 'user', 'bye'),
  ];
  await source.post('traces/tr_1/blocks', { blocks });
  const exported = await fetch(`${source.url}/v1/organizations/default/traces/tr_1/export?format=otlp-json`);

  const { send } = createCaller(url);
  await send('POST', '/v1/traces', await exported.text());

  const found = await onlyTrace(store);
  const [first, second, ...others] = outline(found.blocks);
  expect([first, second]).toEqual([
    ['user', 'continue'],
    ['assistant', 'ok'],
  ]);
  expect(others).toEqual([
    ['think', 'hm'],
    ['call', 'c', 'f', { a: 1 }],
    ['result', 'c', 7],
    ['user', 'continue'],
    ['assistant', 'ok'],
    ['user', 'bye'],
  ]);
  expect(found.trace).toMatchObject({ run: 'r', step: 2, reward_sum: 0.5, metadata: { tools: [{ name: 'f' }] } });
});

test('keeps long attributes of other spans as blobs', async () => {
  const { url, store, get } = await startServer();
  const { tracer, flush } = startTracer(url, 'protobuf');
  const text = 'é'.repeat(1000);
  const attributes = { 'openinference.span.kind': 'RETRIEVER', 'input.value': 'short', 'output.value': text };

  tracer.startSpan('retrieve', { attributes }).end();
  await flush();

  const { trace } = await onlyTrace(store);
  const { spans } = trace.metadata.otel as { spans: { attributes: Record<string, { $blob: string }> }[] };
  expect(spans[0]?.attributes).toMatchObject({ 'input.value': 'short', 'output.value': { bytes: 2002 } });
  const blob = await get(`blobs/${spans[0]?.attributes['output.value']?.$blob}`);
  expect(blob.json).toBe(text);
});

test('stores nothing of a trace without spans of agents', async () => {
  const { url, store } = await startServer();
  const { tracer, flush } = startTracer(url, 'protobuf');

  tracer.startSpan('GET /', { attributes: { 'http.request.method': 'GET', 'ors.operation': 'listTools' } }).end();
  await flush();

  expect((await store.traces('default', { limit: 1 })).items).toEqual([]);
});

test('stores spans in the organization of the API key', async () => {
  const store = await openTestStore();
  const { url } = await startServer({ store, needsKeys: true });
  const { secret } = await issueKey(store, { org: 'lab', name: 'app', scopes: ['read', 'write'] });
  const exporter = new ProtobufExporter({ url: `${url}/v1/traces`, headers: { 'X-API-Key': secret } });
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

  provider
    .getTracer('test')
    .startSpan('chat', { attributes: { 'gen_ai.operation.name': 'chat' } })
    .end();
  await provider.forceFlush();

  const { trace } = await onlyTrace(store, 'lab');
  expect(trace).toMatchObject({ block_count: 0, metadata: { otel: { spans: [{ name: 'chat' }] } } });
  await store.close();
});

test.each([
  ['not a message', 'application/x-protobuf', '\n\u0005a', 400],
  ['not JSON', 'application/json', '{', 400],
  ['another type', 'text/plain', '{}', 415],
  ['no spans', 'application/json', '{}', 200],
])('responds to a body that is %s', async (_what, type, body, status) => {
  const { url } = await startServer();
  const { send } = createCaller(url);

  const response = await send('POST', '/v1/traces', body, { 'Content-Type': type });

  expect(response.status).toBe(status);
});

test('reports spans without ids as rejected', async () => {
  const { url } = await startServer();
  const { send } = createCaller(url);
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: '0', spanId: '1', name: 'x' }] }] }] };

  const { json } = await send('POST', '/v1/traces', body);

  expect(json).toEqual({ partialSuccess: { rejectedSpans: '1', errorMessage: 'spans need a trace id and a span id' } });
});
