import { expect, test } from '@jest/globals';
import { importFormats } from '../../../src/trace/formats/index.ts';
import fc, { runs } from '../../support/fast-check.ts';
import { exported, imported } from './sources.ts';
import { weather } from './weather.ts';

const GOOD = '{"trace": {"id": "tr_good"}}\n';
const message = (raw: string) =>
  `{"block": {"sub_type": "MESSAGE", "payload": {"role": "user", "content": "x"}, "raw": ${raw}}}`;
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test.each<[string, string, string]>([
  ['JSON of 100,000 levels', message(nested(100_000)), 'more than 520 levels'],
  ['a list', '[1]', 'not an object'],
  ['half a line', '{"block": ', 'the line is not JSON'],
  ['NaN, as Python writes it', message('NaN'), 'the line is not JSON'],
  ['a NUL', '\u0000', 'the line is not JSON'],
])('reports %s without crashing', async (_what, line, reason) => {
  const items = await imported(`{"trace": {"id": "tr_bad"}}\n${line}\n${GOOD}`);

  expect(items).toMatchObject([
    { line: 2, trace_id: 'tr_bad', reason: expect.stringContaining(reason) },
    { line: 1, trace: { id: 'tr_bad' }, blocks: [] },
    { line: 3, trace: { id: 'tr_good' } },
  ]);
});

test.each(['{"__proto__":{"polluted":true}}', '{"\\u005f_proto__":1}', '{"constructor":{"prototype":{"polluted":1}}}'])(
  'imports a key that is special in JavaScript like any other: %s',
  async (raw) => {
    const [item] = await imported(`${GOOD}${message(raw)}`);

    expect(JSON.stringify(item?.blocks?.[0]?.raw)).toBe(JSON.stringify(JSON.parse(raw)));
    expect(Object.prototype).not.toHaveProperty('polluted');
  },
);

test('imports a block with the maximum number of levels', async () => {
  const [item] = await imported(`${GOOD}${message(nested(511))}`);

  expect(JSON.stringify(item?.blocks?.[0]?.raw)).toBe(nested(511));
});

test('reports invalid UTF-8 as a problem of its line', async () => {
  const text = new TextEncoder();
  const items = await imported([
    text.encode(GOOD),
    Uint8Array.of(0x7b, 0xff, 0x0a),
    text.encode(GOOD.replace('good', 'two')),
  ]);

  expect(items).toMatchObject([
    { line: 2, reason: 'the line is not UTF-8' },
    { line: 1, trace: { id: 'tr_good' } },
    { line: 3, trace: { id: 'tr_two' } },
  ]);
});

test('does not continue a truncated character in the next line', async () => {
  const [item] = await imported([Uint8Array.of(0xc3), '\n', Uint8Array.of(0xa9, 0x0a)]);

  expect(item).toMatchObject({ line: 1, reason: 'the line is not UTF-8' });
});

const limits = { lineBytes: 200, traceBytes: 500 };

test('drops a line that is too long, however it is split', async () => {
  const long = message(`"${'x'.repeat(300)}"`);
  const text = `${GOOD}${long}\n${GOOD}`;

  for (const chunks of [[text], [...text], [new TextEncoder().encode(text)]]) {
    const items = await imported(chunks, 'jsonl', limits);

    expect(items).toMatchObject([
      { line: 2, trace_id: 'tr_good', reason: expect.stringContaining('longer than 200 bytes') },
      { line: 1, trace: { id: 'tr_good' } },
      { line: 3, trace: { id: 'tr_good' } },
    ]);
  }
});

test('reports a trace that is too large, and skips the rest of it', async () => {
  const items = await imported(`${GOOD}${`${message('1')}\n`.repeat(9)}${GOOD}`, 'jsonl', limits);

  expect(items).toMatchObject([
    { line: 7, trace_id: 'tr_good', reason: expect.stringContaining('more than 500 bytes') },
    { line: 11, trace: { id: 'tr_good' } },
  ]);
});

test('reports a trial that is too large, and reads the next one', async () => {
  const prompt = '{"type": "openreward_prompt", "environment_prompt": "go"}\n';
  const noise = `{"type": "noise", "text": "${'x'.repeat(100)}"}\n`;

  const items = await imported(`${prompt}${noise.repeat(9)}${prompt}`, 'firehorse', limits);

  expect(items.map(({ line, reason }) => [line, reason?.slice(0, 22)])).toEqual([
    [5, 'the lines of the trace'],
    [11, undefined],
  ]);
});

test('continues after an indented document that is too long or ends too early', async () => {
  const line = `  "${'x'.repeat(90)}": 1,\n`;

  expect(await imported(`{\n${line.repeat(5)}  "a": 1\n}\n${GOOD}`, 'auto', limits)).toMatchObject([
    { line: 1, reason: expect.stringContaining('longer than 200 bytes') },
    { line: 9, trace: { id: 'tr_good' } },
  ]);
  expect(await imported(`{\n  "a": 1,\n${GOOD}`)).toMatchObject([
    { line: 1, reason: 'the line is not JSON' },
    { line: 3, trace: { id: 'tr_good' } },
  ]);
});

test('reports lines before the first one of a known format', async () => {
  const items = await imported(`\ufeff\n\r\n{"a": 1}\n${GOOD}`);

  expect(items).toMatchObject([
    { line: 3, reason: expect.stringContaining('not of a known format') },
    { line: 4, trace: { id: 'tr_good' } },
  ]);
});

test('returns no items for empty input', async () => {
  for (const format of importFormats) expect(await imported('', format)).toEqual([]);
});

test('reports any damage to an export, or is not affected by it', async () => {
  const texts = await Promise.all([exported('jsonl', weather()), exported('atif', weather())]);
  const damage = fc.record({
    text: fc.constantFrom(...texts),
    place: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat(40),
    insert: fc.string(),
  });
  await fc.assert(
    fc.asyncProperty(damage, async ({ text, place, length, insert }) => {
      const start = Math.floor(place * text.length);

      const items = await imported(`${text.slice(0, start)}${insert}${text.slice(start + length)}`);

      for (const item of items) expect(item.reason === undefined ? item.trace : item.line).toBeDefined();
    }),
    { numRuns: runs(300) },
  );
});

test('reads or reports any lines of JSON objects, in every format', async () => {
  const types = fc.constantFrom(
    ...[
      'system',
      'user',
      'assistant',
      'tool_call',
      'tool_result',
      'tool_results',
      'item.completed',
      'openreward_summary',
    ],
  );
  const event = fc.record(
    {
      type: types,
      content: fc.jsonValue(),
      message: fc.oneof(fc.jsonValue(), fc.record({ id: fc.constant('m'), content: fc.array(fc.jsonValue()) })),
      raw: fc.jsonValue(),
      item: fc.record({
        type: fc.constantFrom('mcp_tool_call', 'reasoning'),
        text: fc.jsonValue(),
        result: fc.jsonValue(),
      }),
      tool_name: fc.jsonValue(),
      tool_call_id: fc.jsonValue(),
      arguments: fc.jsonValue(),
      reward: fc.jsonValue(),
    },
    { requiredKeys: ['type'] },
  );
  const step = fc.record(
    {
      source: fc.constantFrom('user', 'agent', 'system'),
      message: fc.jsonValue(),
      tool_calls: fc.jsonValue(),
      observation: fc.jsonValue(),
      extra: fc.jsonValue(),
    },
    { requiredKeys: ['source'] },
  );
  const document = fc.record({
    schema_version: fc.constant('ATIF-v1.4'),
    steps: fc.array(step),
    agent: fc.jsonValue(),
    extra: fc.jsonValue(),
  });
  const line = fc.oneof(event, document, fc.record({ trace: fc.jsonValue() }), fc.record({ block: fc.jsonValue() }));
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.constantFrom(...importFormats), async (lines, format) => {
      const items = await imported(lines.map((each) => JSON.stringify(each)).join('\n'), format);

      for (const { reason } of items) expect(typeof reason === 'string' ? reason : 'none').not.toBe('');
    }),
    { numRuns: runs(300) },
  );
});
