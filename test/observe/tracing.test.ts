import { expect, test } from '@jest/globals';
import { context, propagation, type SpanStatus, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { defineEnvironment, type Environment } from 'ors-kit';
import { serve } from 'ors-kit/server';
import { call, create, request, start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { hostByMessages } from '../support/loopback.ts';
import { until } from '../support/until.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

/** Sets up OpenTelemetry as programs do, until it is disposed of. */
function opentelemetry() {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const spans = () => exporter.getFinishedSpans();
  return {
    spans,
    named: (name: string) => spans().find((span) => span.name === name) as ReadableSpan,
    [Symbol.dispose]() {
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}

const idOf = (span: ReadableSpan) => span.spanContext().spanId;
const parentOf = (span: ReadableSpan) => span.parentSpanContext?.spanId;

test.each([[true], [false]])(
  'records requests and the work that they start as spans of one trace (direct: %p)',
  async (direct) => {
    using telemetry = opentelemetry();
    await using server = await start(lab().environment, { fastPath: direct });
    const sid = await create(server);

    await call(server, sid, 'echo', { text: 'a' });
    await request(server, 'POST', '/delete', { sid });
    await until(() => telemetry.spans().length === 6);

    const [creation, calling, deletion] = ['/create', '/{env_name}/call', '/delete'].map((route) =>
      telemetry.named(`POST ${route}`),
    ) as [ReadableSpan, ReadableSpan, ReadableSpan];
    expect(parentOf(telemetry.named('setup'))).toBe(idOf(creation));
    expect(parentOf(telemetry.named('call echo'))).toBe(idOf(calling));
    expect(parentOf(telemetry.named('teardown'))).toBe(idOf(deletion));
    expect(calling.attributes).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'http.route': '/{env_name}/call',
      'ors.environment': 'lab',
      'ors.operation': 'callTool',
      'ors.session.id': sid,
    });
    expect(telemetry.named('call echo').attributes).toEqual({
      'ors.environment': 'lab',
      'ors.outcome': 'ok',
      'ors.session.id': sid,
      'ors.tool': 'echo',
      'ors.waited_ms': expect.any(Number),
    });
  },
);

test('continues the trace of a client', async () => {
  using telemetry = opentelemetry();
  await using server = await start(lab().environment);

  const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
  await request(server, 'GET', '/health', { headers });
  await until(() => telemetry.spans().length === 1);

  const [span] = telemetry.spans();
  expect(span?.spanContext().traceId).toBe(TRACE);
  expect(span?.parentSpanContext).toMatchObject({ spanId: PARENT, isRemote: true });
});

test.each([
  ['directly', true],
  ['through Express', false],
  ['into a worker', true],
])('makes the spans of a tool children of the span of its call, sent %s', async (way, direct) => {
  using telemetry = opentelemetry();
  await using server = await serve(way === 'into a worker' ? await hostByMessages([searching()]) : [searching()], {
    port: 0,
    fastPath: direct,
  });
  const sid = await create(server);

  const concurrent = ['a', 'b', 'c'].map((query) =>
    call(server, sid, 'search', { query }, { environment: 'searching' }),
  );
  await Promise.all(concurrent);
  await until(() => telemetry.spans().filter(({ name }) => name === 'POST /{env_name}/call').length === 3);

  const calls = telemetry.spans().filter(({ name }) => name === 'call search');
  const inner = telemetry.spans().filter(({ name }) => name === 'lookup');
  expect(new Set(inner.map(parentOf))).toEqual(new Set(calls.map(idOf)));
  expect(new Set(calls.map(parentOf)).size).toBe(3);
});

function searching(): Environment {
  return defineEnvironment({
    name: 'searching',
    splits: { train: [{}] },
    prompt: () => '',
    tools: {
      search: {
        description: 'Search.',
        run: async () => {
          await new Promise((resolve) => setImmediate(resolve));
          trace.getTracer('author').startSpan('lookup').end();
          return { text: 'found' };
        },
      },
    },
  });
}

test('records errors in the spans, without secrets', async () => {
  using telemetry = opentelemetry();
  const failing = defineEnvironment({
    name: 'failing',
    splits: { train: [{}] },
    setup: ({ secrets }) => ({ secrets }),
    prompt: () => '',
    tools: {
      crash: {
        description: 'Fail.',
        run: ({ state }) => {
          throw Object.assign(new Error(`refused ${state.secrets.key}`), { config: state.secrets });
        },
      },
    },
  });
  await using server = await start(failing);
  const sid = await create(server, { task_spec: {}, secrets: { key: 'CANARY-1' } });

  await call(server, sid, 'crash', { text: 'CANARY-2' }, { environment: 'failing' });
  await request(server, 'GET', '/CANARY-3?key=CANARY-4', { headers: { 'X-API-Key': 'CANARY-5' } });
  await until(() => telemetry.spans().length === 5);

  const status: SpanStatus = { code: SpanStatusCode.ERROR, message: 'Error: refused [secret]' };
  expect(telemetry.named('call crash').status).toEqual(status);
  expect(telemetry.named('call crash').attributes).toMatchObject({ 'ors.outcome': 'error' });
  const told = telemetry.spans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
  expect(JSON.stringify(told)).not.toContain('CANARY');
});

test('works without spans if OpenTelemetry is not set up', async () => {
  await using server = await start(lab().environment);
  const sid = await create(server);

  const { result } = await call(server, sid, 'echo', { text: 'a' });

  expect(result.output.blocks[0].text).toBe('a');
});
