import { expect, test } from '@jest/globals';
import fc, { runs } from '../../support/fast-check.ts';
import { history } from '../model/histories.ts';
import { message } from '../model/store.ts';
import { exportedLine, rowsOf, sourceOf } from './sources.ts';
import { weather } from './weather.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, string>> }[];
  readonly status: { readonly code?: number };
}

async function spansOf(...source: Parameters<typeof sourceOf> | []): Promise<readonly Span[]> {
  const { resourceSpans } = await exportedLine('otlp-json', source.length === 0 ? weather() : sourceOf(...source));
  return resourceSpans[0].scopeSpans[0].spans;
}

/** Returns attributes by name, with JSON texts parsed. */
const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, ...others } }) => [
      key,
      stringValue === undefined ? others : /^[[{]/.test(stringValue) ? JSON.parse(stringValue) : stringValue,
    ]),
  );

test('exports a trace as a root span with a child span per turn and call', async () => {
  const [root, ...children] = await spansOf();

  expect(root?.name).toBe('invoke_agent');
  expect(children.map(({ name }) => name)).toEqual([
    ...['chat gpt-5', 'execute_tool get_weather', 'execute_tool get_weather'],
    ...['chat gpt-5', 'execute_tool wait', 'chat gpt-5'],
  ]);
  expect(
    children.every(({ parentSpanId, traceId }) => parentSpanId === root?.spanId && traceId === root?.traceId),
  ).toBe(true);
});

test('exports times as strings of nanoseconds with microsecond precision', async () => {
  const [root, , call] = await spansOf();

  expect(root?.startTimeUnixNano).toBe('1740830400000000000');
  expect(root?.endTimeUnixNano).toBe('1740830409000001000');
  expect([call?.startTimeUnixNano, call?.endTimeUnixNano]).toEqual(['1740830400000003000', '1740830400000005000']);
});

test('exports the attributes of a trace in its span', async () => {
  const [root] = await spansOf();

  expect(root && attributesOf(root)).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.request.model': 'gpt-5',
    'ors.trace.environment': 'weather',
    'ors.trace.task_index': { intValue: '3' },
    'ors.trace.task_spec': { city: 'bogotá' },
    'ors.trace.reward_sum': { doubleValue: 1 },
    'gen_ai.tool.definitions': [{ type: 'function' }, { type: 'function' }],
  });
});

test('exports the messages since the previous turn and the response in the span of a turn', async () => {
  const [, first, , , second, , third] = (await spansOf()).map(attributesOf);

  const picture = { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'iVBORw==' };
  expect(first?.['gen_ai.input.messages']).toEqual([
    { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] },
    { role: 'user', parts: [{ type: 'text', content: "what's the weather?" }, picture] },
  ]);
  expect(first?.['gen_ai.output.messages']).toEqual([
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', content: 'two cities' },
        { type: 'tool_call', id: 'call_1', name: 'get_weather', arguments: { city: 'bogotá' } },
        { type: 'tool_call', id: 'tb_c2', name: 'get_weather', arguments: { city: 'lima' } },
      ],
      finish_reason: 'tool_call',
    },
  ]);
  expect(second?.['gen_ai.input.messages']).toEqual([
    {
      role: 'tool',
      parts: [{ type: 'tool_call_response', id: 'call_1', response: [{ type: 'text', content: '22°C' }, picture] }],
    },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'tb_c2', response: 'cloudy' }] },
  ]);
  expect(third).toMatchObject({
    'gen_ai.output.messages': [{ parts: [{ type: 'text', content: '22°C and cloudy.' }], finish_reason: 'stop' }],
    'ors.block.extra': { tokens: 5 },
  });
});

test('exports arguments, result and reward in the span of a call, and a failed call as an error', async () => {
  const spans = await spansOf();
  const [, , good, , , failed] = spans.map(attributesOf);

  expect(good).toMatchObject({
    'gen_ai.tool.name': 'get_weather',
    'gen_ai.tool.call.id': 'call_1',
    'gen_ai.tool.call.arguments': { city: 'bogotá' },
    'gen_ai.tool.call.result': { metadata: { hidden: true } },
    'ors.reward': { doubleValue: 0 },
  });
  expect(failed).toMatchObject({ 'error.type': 'tool_error', 'ors.reward': { doubleValue: 1 } });
  expect(spans.map(({ status }) => status.code)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    2,
    undefined,
  ]);
});

test('exports messages without a response in the span of the trace', async () => {
  const [root, ...others] = await spansOf(rowsOf(message()));

  expect(others).toEqual([]);
  expect(root && attributesOf(root)['gen_ai.input.messages']).toMatchObject([{ role: 'user' }]);
});

test('replaces unpaired surrogates, which UTF-8 cannot encode', async () => {
  const half = { payload: { role: 'assistant', content: 'a\ud83d' } };

  const [, chat] = await spansOf(rowsOf(message(half)));

  expect(chat && attributesOf(chat)['gen_ai.output.messages']).toMatchObject([{ parts: [{ content: 'a\ufffd' }] }]);
});

test('exports unique and repeatable hex ids, and no span that ends before it starts', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (rows) => {
      const spans = await spansOf(rows);

      const ids = spans.map(({ spanId }) => spanId);
      expect(new Set(ids).size).toBe(ids.length);
      expect((await spansOf(rows)).map(({ spanId }) => spanId)).toEqual(ids);
      for (const { traceId, spanId, startTimeUnixNano, endTimeUnixNano } of spans) {
        expect([traceId, spanId].join(' ')).toMatch(/^[0-9a-f]{32} [0-9a-f]{16}$/);
        expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
      }
    }),
    { numRuns: runs(60) },
  );
});
