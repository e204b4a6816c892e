import { expect, test } from '@jest/globals';
import { exportFormats, importTracesFrom } from '../../../src/trace/formats/index.ts';
import { canonicalContent } from '../../../src/trace/model/index.ts';
import fc, { runs } from '../../support/fast-check.ts';
import { traceValidator } from '../../support/validators.ts';

import { history } from '../model/histories.ts';
import { message, TRACE } from '../model/store.ts';
import { chunkSizes, cutBytes, exported, imported, rowsOf, sourceOf, trace } from './sources.ts';
import { weather } from './weather.ts';

const contentsOf = (blocks: readonly unknown[]) => blocks.map((block) => canonicalContent(block, TRACE));

/** Removes the fields that the store adds to a block. */
const written = ({ metadata: _m, created_at: _c, updated_at: _u, ...block }: object & Record<string, unknown>) => block;

test('imports every exported history with the same ids, content and order, however the bytes are split', async () => {
  await fc.assert(
    fc.asyncProperty(history, chunkSizes, async (rows, sizes) => {
      const text = await exported('jsonl', sourceOf(rows));

      const [item, ...others] = await imported(cutBytes(text, sizes));

      expect(others).toEqual([]);
      expect(item?.reason).toBeUndefined();
      expect(item?.trace?.id).toBe(TRACE);
      expect(contentsOf(item?.blocks ?? [])).toEqual(contentsOf(rows.map((row) => written({ ...row }))));
      expect(item?.blocks?.every((block) => traceValidator('BlockInput')(block))).toBe(true);
    }),
    { numRuns: runs(60) },
  );
});

test('reads characters whose bytes come one by one', async () => {
  const payload = { role: 'user', content: 'é€😀' };
  const text = await exported('jsonl', sourceOf(rowsOf(message({ payload }))));

  const [item] = await imported(Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte)));

  expect(item?.blocks).toMatchObject([{ payload }]);
});

test('imports all fields that a client can set, with the original times in the metadata', async () => {
  const parts = { tags: ['x'], metadata: { note: 'kept' }, run_info: { lr: 0.5 }, task_key: '0'.repeat(64) };

  const [item] = await imported(await exported('jsonl', sourceOf([], parts)));

  const { id, name, run, environment, variant, split, task_index, task_spec, group_id, step, rollout_index } = trace();
  const { model, status, rollout_info } = trace();
  expect(item?.trace).toEqual({
    ...{ id, name, run, environment, variant, split, task_index, task_spec, group_id, step, rollout_index },
    ...{ model, status, rollout_info, tags: ['x'], run_info: { lr: 0.5 } },
    metadata: {
      note: 'kept',
      imported: { created_at: '2025-03-01T12:00:00.000000Z', finished_at: '2025-03-01T12:00:09.000001Z' },
    },
  });
  expect(traceValidator('TraceInput')(item?.trace)).toBe(true);
});

test('keeps the original times of a trace that was imported before', async () => {
  const metadata = { imported: { created_at: '2020-01-01T00:00:00.000000Z' } };

  const [item] = await imported(await exported('jsonl', sourceOf([], { metadata })));

  expect(item?.trace?.metadata).toEqual(metadata);
});

test('imports several traces, each with its line', async () => {
  const one = await exported('jsonl', sourceOf([]));
  const text = `${await exported('jsonl', weather())}\n${one.replaceAll(TRACE, 'tr_other')}`;

  const items = await imported(text, 'jsonl');

  expect(items.map(({ line, trace: given, blocks }) => [line, given?.id, blocks?.length])).toEqual([
    [1, TRACE, 11],
    [14, 'tr_other', 0],
  ]);
});

test('keeps lone surrogates', async () => {
  const half = rowsOf(message({ raw: '\ud83d', payload: { role: 'user', content: '\udc00' } }));

  const [item] = await imported(await exported('jsonl', sourceOf(half)));

  expect(item?.blocks?.[0]).toMatchObject({ raw: '\ud83d', payload: { content: '\udc00' } });
});

const TRACE_LINE = `{"trace": {"id": "tr_a"}}`;
const block = (id: string, more = '') =>
  `{"block": {"id": "tb_${id}", "sub_type": "MESSAGE", "payload": {"role": "user", "content": "x"}${more}}}`;
const GOOD = `{"trace": {"id": "tr_good", "block_count": 1}}\n${block('g')}`;

test.each<[string, string, number, string | null, string, string[]]>([
  ['a block before any trace', block('1'), 1, null, 'the block has no trace before it', []],
  ['a line of another kind', '{"event": 1}', 1, null, 'one key, trace, block or score', []],
  ['two things in one line', `{"trace": {"id": "tr_a"}, "block": {}}`, 1, null, 'one key, trace, block or score', []],
  ['a trace that is not an object', '{"trace": []}', 1, null, 'the trace must be an object', []],
  ['a field that traces do not have', '{"trace": {"id": "tr_a", "nmae": "x"}}', 1, 'tr_a', 'unknown field nmae', []],
  ['a field of a wrong type', '{"trace": {"id": "tr_a", "step": -1}}', 1, 'tr_a', '/step must be >= 0', []],
  [
    'a broken block',
    `${TRACE_LINE}\n${block('1')}\n${block('2', ', "reward": 3')}\n${block('3')}`,
    3,
    'tr_a',
    '/reward must be one of',
    ['tb_1', 'tb_3'],
  ],
  [
    'a block of another trace',
    `${TRACE_LINE}\n${block('1', ', "trace_id": "tr_b"')}\n${block('2')}`,
    2,
    'tr_a',
    'another trace than tr_a',
    ['tb_2'],
  ],
  [
    'a line that is not JSON',
    `${TRACE_LINE}\n${block('1')}\n{"bl\n${block('2')}`,
    3,
    'tr_a',
    'the line is not JSON',
    ['tb_1', 'tb_2'],
  ],
  [
    'a missing block',
    `{"trace": {"id": "tr_a", "block_count": 3}}\n${block('1')}`,
    1,
    'tr_a',
    'only 1 of its 3 blocks',
    ['tb_1'],
  ],
])('reports the line of %s and imports everything else', async (_what, text, line, id, reason, kept) => {
  const items = await imported(`${text}\n${GOOD}`, 'jsonl');

  const problems = items.filter((item) => item.reason !== undefined);
  expect(problems).toMatchObject([{ line, trace_id: id, reason: expect.stringContaining(reason) }]);
  const traces = items.filter((item) => item.trace !== undefined);
  expect(traces.at(-1)?.trace?.id).toBe('tr_good');
  expect(traces.slice(0, -1).flatMap(({ blocks = [] }) => blocks.map((each) => each.id))).toEqual(kept);
});

test('accepts a trace that is followed by a broken line', async () => {
  const items = await imported(`${GOOD}\nbroken\n${block('lost')}`, 'jsonl');

  expect(items.map(({ line, trace: given, reason }) => [line, given?.id, reason])).toEqual([
    [1, 'tr_good', undefined],
    [3, undefined, 'the line is not JSON'],
    [4, undefined, 'the block has no trace before it'],
  ]);
});

test('writes an endless export while it is read', async () => {
  const texts = rowsOf(message()).map((row) => JSON.stringify(row));
  const endless = { ...sourceOf([]), texts: () => forEver(texts) };
  const lines: string[] = [];

  for await (const line of exportFormats.jsonl.write(endless)) if (lines.push(line) === 100) break;

  expect(lines).toHaveLength(100);
});

test('yields a trace when the next one starts', async () => {
  const items = importTracesFrom(forEver(`${GOOD}\n`), 'jsonl');

  expect((await items.next()).value).toMatchObject({ line: 1, trace: { id: 'tr_good' } });
  expect((await items.next()).value).toMatchObject({ line: 3 });
  await items.return(undefined);
});

async function* forEver<T>(value: T | undefined): AsyncGenerator<T> {
  while (value !== undefined) yield value;
}
