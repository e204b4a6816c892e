import { expect } from '@jest/globals';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Block, Trace } from '../../../generated/trace.ts';
import type { TraceStore } from '../../../src/trace/store/index.ts';

/** Exporters from the registry, as they are; the first one compresses. */
const exporters = {
  protobuf: (url: string) => new ProtobufExporter({ url, compression: CompressionAlgorithm.GZIP }),
  json: (url: string) => new JsonExporter({ url }),
};

/** Creates a tracer whose spans are sent in one batch by `flush`, or one by one as they end. */
export function startTracer(url: string, format: keyof typeof exporters, resource = {}, isBatched = true) {
  const exporter = exporters[format](`${url}/v1/traces`);
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes(resource),
    spanProcessors: [isBatched ? new BatchSpanProcessor(exporter) : new SimpleSpanProcessor(exporter)],
  });
  return { provider, tracer: provider.getTracer('test'), flush: () => provider.forceFlush() };
}

/** Enables contexts, which connect spans with their parents, for one test. */
export function enableContexts() {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return { [Symbol.dispose]: () => context.disable() };
}

export async function onlyTrace(
  store: TraceStore,
  org = 'default',
): Promise<{ trace: Trace; blocks: readonly Block[] }> {
  const { items } = await store.traces(org, { limit: 10 });
  const [trace] = items;
  expect(items).toHaveLength(1);
  if (!trace) throw new Error('there is no trace');
  const blocks = await store.blocks(org, trace.id);
  return { trace, blocks: blocks.map(({ block }) => block) };
}

/** Blocks in short: role or kind, and content. */
export const outline = (blocks: readonly Block[]) =>
  blocks.map(({ sub_type, payload }) => {
    if (sub_type === 'MESSAGE') return [payload.role, payload.content];
    if (sub_type === 'THINK') return ['think', payload.text];
    return sub_type === 'TOOL_CALL'
      ? ['call', payload.call_id, payload.name, payload.arguments]
      : ['result', payload.call_id, 'output' in payload ? payload.output : undefined];
  });

/** Outline of an agent that asks a tool for the weather. */
export const WEATHER = [
  ['system', 'be brief'],
  ['user', 'weather?'],
  ['assistant', [{ type: 'tool_use', id: 'call_1', name: 'get_weather' }]],
  ['think', 'ask the service'],
  ['call', 'call_1', 'get_weather', { city: 'Bogotá' }],
  ['result', 'call_1', { degrees: 22 }],
  ['assistant', '22 °C'],
];
