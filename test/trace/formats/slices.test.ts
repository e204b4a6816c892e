import { expect, test } from '@jest/globals';
import type { Block } from '../../../generated/trace.ts';
import { restoreTrace } from '../../../src/trace/fit/index.ts';
import { exportFormats, type FormatName, type TraceSource } from '../../../src/trace/formats/index.ts';
import {
  createBatchedTraceReader,
  createMemoryTraceReader,
  forEachBatch,
  type StoredBlock,
} from '../../../src/trace/model/index.ts';
import fc, { runs } from '../../support/fast-check.ts';
import { history } from '../model/histories.ts';
import { call, message, result, think } from '../model/store.ts';
import { exported, rowsOf, sourceOf } from './sources.ts';

/** Creates the source of a trace that reads at most `size` blocks at a time; by default, all of them. */
function sourceIn(rows: readonly Block[], size = Number.POSITIVE_INFINITY): TraceSource {
  return {
    ...sourceOf(rows),
    async restored() {
      const held = createMemoryTraceReader(rows);
      const max = { blocks: size, bytes: Number.POSITIVE_INFINITY };
      const sliced = createBatchedTraceReader(held.layout, max, async (ords) => {
        expect(ords.length).toBeLessThanOrEqual(size);
        const blocks: StoredBlock[] = [];
        await forEachBatch(held.read(ords), (block) => {
          blocks.push(block);
        });
        return blocks;
      });
      return restoreTrace(Number.isFinite(size) ? sliced : held, async () => undefined);
    },
  };
}

/** Exports a trace in every format, read in batches of `size` blocks. */
const reported = (rows: readonly Block[], size?: number) =>
  Promise.all(Object.keys(exportFormats).map((name) => exported(name as FormatName, sourceIn(rows, size))));

test('exports the same text however few blocks of a trace are in memory at a time', async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.integer({ min: 1, max: 4 }), async (rows, size) => {
      expect(await reported(rows, size)).toEqual(await reported(rows));
    }),
    { numRuns: runs(25) },
  );
});

test('joins pieces into one text or one value, whatever was written between them', async () => {
  const pieces = { parts: 2, media_type: 'application/json' };
  const rows = rowsOf(
    message({ id: 'tb_msg123', payload: { role: 'assistant', content: 'I look.' } }),
    think({ payload: { text: 'two ', part: 0, parts: 2 } }),
    call({ id: 'tb_call123' }),
    result({ payload: { delta: '{"a":', seq: 0, ...pieces } }),
    think({ payload: { text: 'cities', part: 1, parts: 2 } }),
    result({ payload: { delta: '[1]}', seq: 1, ...pieces }, extra: { reward: 0.5 } }),
    think({ payload: { text: 'lost', part: 0, parts: 2 } }),
  );

  const line = JSON.parse(await exported('openai', sourceIn(rows, 1)));

  expect(line.messages).toMatchObject([
    { role: 'assistant', content: 'I look.', reasoning_content: 'two cities', tool_calls: [{ id: 'call_1' }] },
    { role: 'tool', content: '{"a":[1]}' },
  ]);
  expect(await reported(rows, 1)).toEqual(await reported(rows));
});

test('reads no piece of a thought for another thought, however many pieces claim to be the last', async () => {
  const rows = rowsOf(
    message({ id: 'tb_msg123', payload: { role: 'assistant', content: 'I look.' } }),
    ...Array.from({ length: 100 }, () => think({ payload: { text: 'so', part: 1, parts: 2 } })),
  );
  const held = createMemoryTraceReader(rows);
  let count = 0;
  const whole = await restoreTrace(
    {
      ...held,
      read(ords) {
        const read = [...ords];
        count += read.length;
        return held.read(read);
      },
    },
    async () => undefined,
  );

  const line = JSON.parse(await exported('openai', { ...sourceOf(rows), restored: async () => whole }));

  expect(line.messages[0].reasoning_content).toBe(Array(100).fill('so').join('\n\n'));
  expect(count).toBeLessThan(4 * rows.length);
});

test('exports the images of results after all results of a turn, in the order of calls', async () => {
  const shown = (data: string) => ({ output: { blocks: [{ type: 'image', data, mimeType: 'image/png' }] } });
  const rows = rowsOf(
    message({ id: 'tb_msg123', payload: { role: 'assistant', content: 'I look.' } }),
    ...['a', 'b'].map((id) => call({ id: `tb_${id}`, payload: { call_id: id, name: 'look', arguments: {} } })),
    ...['a', 'b'].map((id) => result({ parent_block_id: `tb_${id}`, payload: { call_id: id, ...shown(`AAA${id}`) } })),
  );

  const line = JSON.parse(await exported('openai', sourceIn(rows, 1)));

  const images = line.messages.at(-1).content.map(({ image_url }: { image_url: { url: string } }) => image_url.url);
  expect(line.messages.map(({ role }: { role: string }) => role)).toEqual(['assistant', 'tool', 'tool', 'user']);
  expect(images).toEqual(['data:image/png;base64,AAAa', 'data:image/png;base64,AAAb']);
});

test('joins pieces of a result that each claim to be the only one, as if its author had streamed them', async () => {
  const rows = rowsOf(
    message({ id: 'tb_msg123', payload: { role: 'assistant', content: 'I look.' } }),
    call({ id: 'tb_call123' }),
    ...[0, 1].map((seq) => result({ payload: { delta: `${seq}`, seq, parts: 1 } })),
  );

  const line = JSON.parse(await exported('openai', sourceIn(rows)));

  expect(line.messages[1]).toMatchObject({ role: 'tool', content: '01' });
});
