import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import { afterEach, expect, test } from '@jest/globals';
import { context, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { generateText, stepCountIs, tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import OpenAI from 'openai';
import { z } from 'zod';
import type { Block, Trace } from '../../../generated/trace.ts';
import { issueKey } from '../../../src/trace/api/index.ts';
import { createMemoryStore, type TraceStore } from '../../../src/trace/store/index.ts';
import { startProvider } from '../client/provider-server.ts';
import { openTestStore } from '../store/open-test-store.ts';
import { OPENAI_AGENTS_SPANS } from './openai-agents-spans.ts';
import { closeServers, createCaller, startServer } from './server.ts';

afterEach(closeServers);

/** Exporters from the registry, as they are; the first one compresses. */
const exporters = {
  protobuf: (url: string) => new ProtobufExporter({ url, compression: CompressionAlgorithm.GZIP }),
  json: (url: string) => new JsonExporter({ url }),
};

/** Creates a tracer whose spans are sent in one batch by `flush`, or one by one as they end. */
function startTracer(url: string, format: keyof typeof exporters, resource = {}, isBatched = true) {
  const exporter = exporters[format](`${url}/v1/traces`);
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes(resource),
    spanProcessors: [isBatched ? new BatchSpanProcessor(exporter) : new SimpleSpanProcessor(exporter)],
  });
  return { provider, tracer: provider.getTracer('test'), flush: () => provider.forceFlush() };
}

/** Enables contexts, which connect spans with their parents, for one test. */
function enableContexts() {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return { [Symbol.dispose]: () => context.disable() };
}

/** Instruments the client of OpenAI for one test; the package does not restore all methods itself. */
function instrumentOpenAI(tracerProvider: BasicTracerProvider) {
  const prototypes = [OpenAI.Chat.Completions, OpenAI.Completions, OpenAI.Embeddings, OpenAI.Responses].map(
    ({ prototype }) => [prototype, Object.getOwnPropertyDescriptor(prototype, 'create')] as const,
  );
  const instrumentation = new OpenAIInstrumentation({ tracerProvider });
  instrumentation.manuallyInstrument(OpenAI);
  return {
    [Symbol.dispose]() {
      instrumentation.disable();
      for (const [prototype, create] of prototypes) if (create) Object.defineProperty(prototype, 'create', create);
    },
  };
}

async function onlyTrace(store: TraceStore, org = 'default'): Promise<{ trace: Trace; blocks: readonly Block[] }> {
  const { items } = await store.traces(org, { limit: 10 });
  const [trace] = items;
  expect(items).toHaveLength(1);
  if (!trace) throw new Error('there is no trace');
  const blocks = await store.blocks(org, trace.id);
  return { trace, blocks: blocks.map(({ block }) => block) };
}

/** Blocks in short: role or kind, and content. */
const outline = (blocks: readonly Block[]) =>
  blocks.map(({ sub_type, payload }) => {
    if (sub_type === 'MESSAGE') return [payload.role, payload.content];
    if (sub_type === 'THINK') return ['think', payload.text];
    return sub_type === 'TOOL_CALL'
      ? ['call', payload.call_id, payload.name, payload.arguments]
      : ['result', payload.call_id, 'output' in payload ? payload.output : undefined];
  });

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
const WEATHER = [
  ['system', 'be brief'],
  ['user', 'weather?'],
  ['assistant', [{ type: 'tool_use', id: 'call_1', name: 'get_weather' }]],
  ['think', 'ask the service'],
  ['call', 'call_1', 'get_weather', { city: 'Bogotá' }],
  ['result', 'call_1', { degrees: 22 }],
  ['assistant', '22 °C'],
];

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

test('stores the telemetry of the AI SDK', async () => {
  using _contexts = enableContexts();
  const { url, store } = await startServer();
  const { tracer, flush } = startTracer(url, 'protobuf');
  const outputs = [
    [
      { type: 'reasoning', text: 'ask the service' },
      { type: 'tool-call', toolCallId: 'call_1', toolName: 'get_weather', input: '{"city":"Bogotá"}' },
    ],
    [{ type: 'text', text: '22 °C' }],
  ];
  const usage = {
    inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 4, text: 4, reasoning: 0 },
  };
  const model = new MockLanguageModelV3({
    modelId: 'mock',
    // The content of a response is a union of many types.
    doGenerate: async () =>
      ({ content: outputs.shift(), finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] }) as never,
  });

  await generateText({
    model,
    system: 'be brief',
    prompt: 'weather?',
    tools: {
      get_weather: tool({ inputSchema: z.object({ city: z.string() }), execute: async () => ({ degrees: 22 }) }),
    },
    stopWhen: stepCountIs(3),
    experimental_telemetry: { isEnabled: true, tracer },
  });
  await flush();

  const { trace, blocks } = await onlyTrace(store);
  expect(outline(blocks)).toEqual(WEATHER);
  expect(trace).toMatchObject({ model: 'mock', status: 'finished', metadata: { tools: [{ name: 'get_weather' }] } });
  expect(trace.rollout_info).toMatchObject({ usage: { input_tokens: 6, output_tokens: 8 } });
});

test('stores spans of OpenInference, with images', async () => {
  using _contexts = enableContexts();
  const { url, store } = await startServer();
  const { provider, tracer, flush } = startTracer(url, 'json', {}, false);
  const call = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Bogotá"}' } };
  const completions = [{ content: null, tool_calls: [call] }, { content: '22 °C' }].map((message) => ({
    id: 'chatcmpl_1',
    object: 'chat.completion',
    model: 'some-model',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', ...message } }],
    usage: { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 },
  }));
  await using openai = await startProvider(completions.map((json) => ({ json })));
  using _instrumented = instrumentOpenAI(provider);
  const client = new OpenAI({ apiKey: 'sk-test', baseURL: openai.url });
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } } as const;
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: 'be brief' },
    { role: 'user', content: [{ type: 'text', text: 'weather?' }, image] },
  ];
  const tools = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } } as const];

  await tracer.startActiveSpan('run', async (root) => {
    await client.chat.completions.create({ model: 'some-model', temperature: 0, messages, tools });
    messages.push({ role: 'assistant', content: null, tool_calls: [call as never] });
    messages.push({ role: 'tool', tool_call_id: 'call_1', content: '22' });
    await client.chat.completions.create({ model: 'some-model', messages, tools });
    root.end();
  });
  await flush();

  const { trace, blocks } = await onlyTrace(store);
  expect(outline(blocks)).toEqual([
    ['system', 'be brief'],
    [
      'user',
      [
        { type: 'text', text: 'weather?' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ],
    ],
    ['assistant', [{ type: 'tool_use', id: 'call_1', name: 'get_weather' }]],
    ['call', 'call_1', 'get_weather', { city: 'Bogotá' }],
    ['result', 'call_1', '22'],
    ['assistant', '22 °C'],
  ]);
  expect(trace).toMatchObject({
    name: 'run',
    model: 'some-model',
    metadata: { sampling: { temperature: 0 }, tools: [{ name: 'get_weather' }] },
    rollout_info: { usage: { input_tokens: 10, output_tokens: 12, total_tokens: 22 } },
  });
});

test('stores spans of the OpenAI Agents SDK', async () => {
  const { url, store } = await startServer();
  const headers = { 'Content-Type': 'application/x-protobuf', 'Content-Encoding': 'gzip' };

  const body = Buffer.from(OPENAI_AGENTS_SPANS, 'base64');
  await fetch(`${url}/v1/traces`, { method: 'POST', headers, body: new Uint8Array(body) });

  const { trace, blocks } = await onlyTrace(store);
  expect(outline(blocks)).toEqual([
    ['system', 'be brief'],
    ['user', 'weather?'],
    ['assistant', [{ type: 'tool_use', id: 'call_1', name: 'get_weather' }]],
    ['call', 'call_1', 'get_weather', { city: 'Bogota' }],
    ['result', 'call_1', '22'],
    ['assistant', '22 C'],
  ]);
  expect(trace).toMatchObject({
    name: 'Agent workflow',
    model: 'some-model',
    status: 'finished',
    rollout_info: { usage: { input_tokens: 10, output_tokens: 12 } },
    metadata: {
      otel: { spans: [{ name: 'turn' }, { name: 'turn' }, { name: 'weather' }, { name: 'Agent workflow' }] },
    },
  });
});

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
    chat('help', 'ok');
    chat('plan', 'ask a helper', 'go on', 'ok');
    root.end();
  });

  await flush();

  const { blocks } = await onlyTrace(store);
  expect(outline(blocks).map(([role, content]) => `${role}: ${content}`)).toEqual([
    ...['user: plan', 'assistant: ask a helper', 'user: help', 'assistant: ok', 'user: go on', 'assistant: ok'],
  ]);
  expect(blocks.map(({ extra }) => (extra as { thread?: number }).thread ?? 0)).toEqual([0, 0, 1, 1, 0, 0]);
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
    message('tb_1', 'user', 'go on'),
    message('tb_2', 'assistant', 'ok'),
    { id: 'tb_3', sub_type: 'THINK', parent_block_id: 'tb_2', payload: { text: 'hm' } },
    {
      id: 'tb_4',
      sub_type: 'TOOL_CALL',
      parent_block_id: 'tb_2',
      payload: { call_id: 'c', name: 'f', arguments: { a: 1 } },
    },
    { id: 'tb_5', sub_type: 'TOOL_RESULT', parent_block_id: 'tb_4', payload: { output: 7 }, extra: { reward: 0.5 } },
    message('tb_6', 'user', 'go on'),
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
    ['user', 'go on'],
    ['assistant', 'ok'],
  ]);
  expect(others).toEqual([
    ['think', 'hm'],
    ['call', 'c', 'f', { a: 1 }],
    ['result', 'c', 7],
    ['user', 'go on'],
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

  tracer.startSpan('GET /', { attributes: { 'http.request.method': 'GET' } }).end();
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
