import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import { afterEach, expect, test } from '@jest/globals';
import type { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { generateText, stepCountIs, tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import OpenAI from 'openai';
import { z } from 'zod';
import { startProvider } from '../client/provider-server.ts';
import { OPENAI_AGENTS_SPANS } from './openai-agents-spans.ts';
import { closeServers, startServer } from './server.ts';
import { enableContexts, onlyTrace, outline, startTracer, WEATHER } from './span-tracer.ts';

afterEach(closeServers);

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
    // Spans that are sent one by one can overtake each other.
    await flush();
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
      otel: { spans: ['turn', 'turn', 'weather', 'Agent workflow', 'Agent workflow'].map((name) => ({ name })) },
    },
  });
});
