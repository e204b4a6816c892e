import { createHash, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { JSONValue } from '../../../generated/trace.ts';
import type { TraceClientOptions } from '../../../src/trace/client/index.ts';
import { readTraceLimits } from '../../../src/trace/model/index.ts';
import fc, { runs, unicode } from '../../support/fast-check.ts';
import { connect, type Store, startStore } from './store-and-proxy.ts';

const MB = 1024 * 1024;
/** Text with characters of one to four bytes. */
const text = (bytes: number) => 'aä€😀'.repeat(Math.ceil(bytes / 10)).slice(0, bytes);

type Log = (trace: ReturnType<ReturnType<typeof connect>['createTrace']>) => void;

async function logged(store: Store, log: Log, limits: TraceClientOptions['limits'] = {}) {
  const traces = connect(store.url, { limits });
  const trace = traces.createTrace();
  log(trace);
  const report = await traces.flush();
  const whole = await traces.readTrace(trace.id);
  await traces.close();
  expect(report.failed).toEqual([]);
  return { whole, blocks: await store.blocks(trace.id), stitched: await store.stitched(trace.id) };
}

describe('content that is too large for a block', () => {
  it('stores a prompt of 200 KB as a reference to its text', async () => {
    await using store = await startStore();
    const prompt = text(200_000);

    const { whole, blocks } = await logged(store, (trace) => trace.logMessage({ role: 'user', content: prompt }));

    const bytes = Buffer.from(prompt);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(blocks[0]?.payload.content).toEqual([
      {
        type: 'text_ref',
        sha256,
        media_type: 'text/plain',
        bytes: bytes.length,
        preview: expect.stringMatching(/^aä€/),
      },
    ]);
    expect(whole.messages[0]?.payload.content === prompt).toBe(true);
    expect(Buffer.from((await store.store.blob('default', sha256))?.data ?? []).equals(bytes)).toBe(true);
  });

  it('stores an image of 1 MB as a reference, and keeps the parts around it', async () => {
    await using store = await startStore();
    const image = randomBytes(MB);
    const content = [
      { type: 'text', text: 'what is this?' },
      { type: 'image', data: image.toString('base64'), mimeType: 'image/png', detail: null },
      { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' },
    ];

    const { whole, blocks } = await logged(store, (trace) => trace.logMessage({ role: 'user', content }));

    const sha256 = createHash('sha256').update(image).digest('hex');
    expect(blocks[0]?.payload.content).toEqual([
      content[0],
      { type: 'image_ref', sha256, mimeType: 'image/png', bytes: MB, detail: null },
      content[2],
    ]);
    const stored = await store.store.blob('default', sha256);
    expect(stored?.media_type).toBe('image/png');
    expect(Buffer.from(stored?.data ?? []).equals(image)).toBe(true);
    expect(isDeepStrictEqual(whole.messages[0]?.payload.content, content)).toBe(true);
  });

  it('splits reasoning of 100 KB into several thoughts, in order', async () => {
    await using store = await startStore();
    const reasoning = text(100_000);

    const { whole, blocks } = await logged(store, (trace) => {
      const { id } = trace.logMessage({ role: 'assistant', content: 'so' });
      trace.logThink({ parent_block_id: id, payload: { text: reasoning }, extra: { model: 'm' } });
      trace.logThink({ parent_block_id: id, payload: { text: 'and short' } });
    });

    const pieces = blocks.filter(({ sub_type }) => sub_type === 'THINK').map(({ payload }) => String(payload.text));
    expect(pieces.slice(0, -1).join('') === reasoning).toBe(true);
    expect(Math.max(...pieces.map((piece) => Buffer.byteLength(piece)))).toBeLessThanOrEqual(32 * 1024);
    expect(whole.messages[0]?.thinks.map(({ payload }) => payload.text.length)).toEqual([reasoning.length, 9]);
    expect(whole.messages[0]?.thinks[0]).toMatchObject({ extra: { model: 'm' } });
    expect(whole.messages[0]?.child_order).toEqual(whole.messages[0]?.thinks.map(({ id }) => id));
  });

  const few = { toolResult: 60_000 };

  it.each<[string, JSONValue, TraceClientOptions['limits']]>([
    ['a text of 5 MB', text(5 * MB), {}],
    ['a text of control characters', '\u0001'.repeat(200_000), few],
    ['an ORS output', { blocks: [{ type: 'text', text: text(300_000) }], reward: 1, finished: true }, few],
    ['a list', Array.from({ length: 10_000 }, (_, index) => ({ index, ä: '😀' })), few],
  ])('splits a tool result above the limit that is %s into deltas that assemble to it', async (_, output, limits) => {
    await using store = await startStore();
    const log: Log = (trace) => {
      const { id } = trace.logMessage({ role: 'assistant', content: 'so' });
      const call = trace.logAct({ parent_block_id: id, payload: { call_id: 'c', name: 'read', arguments: {} } });
      trace.logObserve({ parent_block_id: call.id, payload: { call_id: 'c', output }, extra: { reward: 2 } });
    };

    const { whole, blocks, stitched } = await logged(store, log, limits);

    const results = blocks.filter(({ sub_type }) => sub_type === 'TOOL_RESULT');
    expect(results.length).toBeGreaterThan(2);
    expect(results.map(({ payload }) => payload.seq)).toEqual(results.map((__, index) => index));
    const assembled = stitched.messages[0]?.tool_calls[0]?.assembled;
    expect(isDeepStrictEqual(assembled, { state: 'complete', value: output, gaps: [] })).toBe(true);
    const result = whole.messages[0]?.tool_calls[0]?.assembled;
    expect(result?.state).toBe('complete');
    expect(JSON.stringify(result?.value) === JSON.stringify(output)).toBe(true);
    expect(whole.trace).toMatchObject({ reward_sum: 2, reward_count: 1 });
  });

  it('stores references for a result of 3 MB that closes a stream, arguments of 300 KB and raw of 2 MB', async () => {
    await using store = await startStore();
    const big = { text: text(300_000) };
    const output = { text: text(3 * MB) };
    const raw = { response: text(2 * MB) };

    const { whole, blocks } = await logged(store, (trace) => {
      const { id } = trace.logMessage({ role: 'assistant', content: 'so', raw });
      const call = trace.logAct({ parent_block_id: id, payload: { call_id: 'c', name: 'read', arguments: big } });
      trace.logObserve({ parent_block_id: call.id, payload: { call_id: 'c', delta: 'begin', seq: 0 } });
      trace.logObserve({ parent_block_id: call.id, payload: { call_id: 'c', output } });
    });

    const reference = {
      $blob: expect.stringMatching(/^[0-9a-f]{64}$/),
      media_type: 'application/json',
      bytes: expect.any(Number),
    };
    expect(blocks).toMatchObject([
      { raw: reference },
      { payload: { arguments: reference } },
      { payload: { delta: 'begin' } },
      { payload: { output: reference } },
    ]);
    const [message] = whole.messages;
    expect(message?.raw).toEqual(raw);
    expect(message?.tool_calls[0]?.payload.arguments).toEqual(big);
    expect(message?.tool_calls[0]?.assembled).toEqual({ state: 'complete', value: output, gaps: [] });
  });

  it("is rejected with oversize: 'throw', and never split or cut", async () => {
    await using store = await startStore();
    await using traces = connect(store.url, { oversize: 'throw' });
    const trace = traces.createTrace();
    const message = trace.logMessage({ role: 'user', content: 'x'.repeat(64 * 1024) });
    const long = 'x'.repeat(3 * MB);

    const large = [
      trace.logMessage({ role: 'user', content: long }),
      trace.logThink({ parent_block_id: message.id, payload: { text: long } }),
      trace.logAct({ parent_block_id: message.id, payload: { name: 'read', arguments: { long } } }),
    ];
    const call = trace.logAct({ parent_block_id: message.id, payload: { call_id: 'c', name: 'read', arguments: {} } });
    large.push(trace.logObserve({ parent_block_id: call.id, payload: { call_id: 'c', output: long } }));
    const image = [{ type: 'image', data: 'aGVs'.repeat(5_000), mimeType: 'image/png' }];
    const small = trace.logMessage({ role: 'user', content: image, raw: { long } });
    const { acknowledged, failed } = await traces.flush();

    expect(failed.map(({ id, error }) => [id, error.code, error.status, error.details.field])).toEqual([
      [large[0]?.id, 'PAYLOAD_TOO_LARGE', 413, 'content'],
      [large[1]?.id, 'PAYLOAD_TOO_LARGE', 413, 'text'],
      [large[2]?.id, 'PAYLOAD_TOO_LARGE', 413, 'arguments'],
      [large[3]?.id, 'PAYLOAD_TOO_LARGE', 413, 'output'],
    ]);
    expect(failed[3]?.error).toMatchObject({
      message: 'tool_result output exceeds 2MB limit',
      details: { sub_type: 'TOOL_RESULT', limit_bytes: 2 * MB, actual_bytes: 3 * MB, trace_id: trace.id },
    });
    expect(acknowledged).toBe(3);
    const blocks = await store.blocks(trace.id);
    expect(blocks.map(({ id }) => id)).toEqual([message.id, call.id, small.id]);
    expect(blocks[2]).toMatchObject({ payload: { content: image }, raw: { long } });
  });

  it('respects other limits of the store, and keeps values exactly at the limit unchanged', async () => {
    await using store = await startStore();
    const { message } = readTraceLimits({});
    await using traces = connect(store.url, { limits: { message: 1000 } });
    const trace = traces.createTrace();

    const { whole, blocks } = await logged(store, (each) => {
      each.logMessage({ role: 'user', content: 'x'.repeat(message) });
      each.logMessage({ role: 'user', content: 'x'.repeat(message + 1) });
    });
    trace.logMessage({ role: 'user', content: 'x'.repeat(1001) });
    await traces.flush();

    expect(blocks.map(({ payload }) => typeof payload.content)).toEqual(['string', 'object']);
    expect(whole.messages.map(({ payload }) => payload.content.length)).toEqual([message, message + 1]);
    expect((await store.blocks(trace.id))[0]?.payload.content).toMatchObject([{ type: 'text_ref', bytes: 1001 }]);
  });

  it('is restored exactly, for any content', async () => {
    await using store = await startStore();
    await using traces = connect(store.url, {
      limits: { message: 600, think: 50, toolArguments: 300, toolResult: 100 },
    });
    const unit = unicode({ minLength: 1, maxLength: 30 });
    const long = fc.tuple(unit, fc.integer({ min: 1, max: 1000 })).map(([piece, times]) => piece.repeat(times));
    const half = fc.constantFrom('\ud83d', '\ude00', '').chain((lone) => long.map((each) => lone + each));
    const part = fc.record({ type: fc.constantFrom('text', 'other'), text: half }, { requiredKeys: ['type'] });
    const image = fc.uint8Array({ minLength: 1, maxLength: 20_000 }).map((bytes) => ({
      type: 'image',
      data: Buffer.from(bytes).toString('base64'),
      mimeType: 'image/png',
    }));
    const content = fc.oneof(half, fc.array(fc.oneof(part, image), { minLength: 1, maxLength: 40 }));

    await fc.assert(
      fc.asyncProperty(
        content,
        half,
        fc.dictionary(unit, half),
        fc.jsonValue(),
        async (said, thought, args, output) => {
          const trace = traces.createTrace();
          const { id } = trace.logMessage({ role: 'assistant', content: said });
          trace.logThink({ parent_block_id: id, payload: { text: thought } });
          const call = trace.logAct({ parent_block_id: id, payload: { name: 'look', arguments: args } });
          trace.logObserve({ parent_block_id: call.id, payload: { output: [output, output, thought] as JSONValue } });
          const { failed } = await trace.flush();
          const { messages } = await traces.readTrace(trace.id);
          expect(failed).toEqual([]);
          expect(messages).toHaveLength(1);
          expect(messages[0]?.payload.content).toEqual(JSON.parse(JSON.stringify(said)));
          expect(messages[0]?.thinks.map(({ payload }) => payload.text)).toEqual([thought]);
          expect(messages[0]?.tool_calls[0]?.payload.arguments).toEqual(JSON.parse(JSON.stringify(args)));
          const expected = JSON.parse(JSON.stringify([output, output, thought]));
          expect(messages[0]?.tool_calls[0]?.assembled).toMatchObject({ state: 'complete', value: expected });
        },
      ),
      { numRuns: runs(15) },
    );
  });
});
