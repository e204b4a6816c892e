import { expect, test } from '@jest/globals';
import type { BlockQuery, TraceStore } from '../../../../src/trace/store/trace-store.ts';
import { traceValidator } from '../../../support/validators.ts';

import {
  call,
  codeOf,
  LIMITS,
  message,
  type OpenStore,
  ORG,
  openConversation,
  post,
  result,
  think,
} from '../stores.ts';
import { openOnce } from './open-once.ts';

const DAY_MS = 24 * 3600 * 1000;

/** The trace tr_test with these blocks after those of `openConversation`, and tr_other with the block tb_elsewhere. */
const fillWith = (blocks: readonly object[]) => async (store: TraceStore) => {
  await post(store, await openConversation(store), { blocks });
  await store.createTrace(ORG, { id: 'tr_other' });
  await post(store, 'tr_other', { ...message(), id: 'tb_elsewhere' });
};

function nested(levels: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

export function testBlocks(open: OpenStore): void {
  const openForRules = openOnce(open, fillWith([result({ output: 1, seq: 0 }), { ...call({}), id: 'tb_plain' }]));
  const openForQueries = openOnce(
    open,
    fillWith([message('b'), think(), result({ output: 1, call_id: 'call_1' }), call({ call_id: 'call_2' })]),
  );

  test('returns a block as it was written, with the fields that the store adds', async () => {
    await using store = await open({ now: () => 1_700_000_000_000 });
    const id = await openConversation(store);
    const written = {
      ...result({ output: null, seq: 0, own: [1.5, '\ud800', '\0'] }, { reward: 0.5 }),
      raw: [{ a: 1 }],
    };

    const { receipts, isBatch, isNew, block: returned } = await post(store, id, written, { metadata: { key: 'k' } });

    const [receipt] = receipts;
    const block = await store.block(ORG, id, receipt?.id ?? '');
    expect({ isBatch, isNew, replayed: receipt?.replayed }).toEqual({ isBatch: false, isNew: true, replayed: false });
    expect(block).toEqual({
      ...written,
      id: receipt?.id,
      trace_id: id,
      block_type: 'OBSERVE',
      metadata: { key: 'k' },
      created_at: '2023-11-14T22:13:20.000003Z',
      updated_at: '2023-11-14T22:13:20.000003Z',
    });
    expect(returned).toEqual(block);
    expect(receipt?.created_at).toBe(block.created_at);
    expect((await store.blocks(ORG, id)).map(({ ord, block: each }) => [ord, each.id])).toEqual([
      [1, 'tb_msg123'],
      [2, 'tb_call123'],
      [3, block.id],
    ]);
  });

  test('assigns increasing times to blocks, even if the clock is set back', async () => {
    const times = [5000, 5000, 4000, 4000, 6000, 100].map((time) => 1_700_000_000_000 + time);
    await using store = await open({ now: () => times.shift() ?? 0 });
    await store.createTrace(ORG, { id: 'tr_a' });

    for (let count = 0; count < 5; count++) await post(store, 'tr_a', { blocks: [message(), message()] });

    const created = (await store.blocks(ORG, 'tr_a')).map(({ block }) => block.created_at);
    expect(created).toHaveLength(10);
    expect([...new Set(created)].sort()).toEqual(created);
    expect((await store.trace(ORG, 'tr_a')).updated_at).toBe(created.at(-1));
  });

  test('writes a batch completely or not at all', async () => {
    await using store = await open();
    const id = await openConversation(store);
    const before = await store.trace(ORG, id);

    const refused = await codeOf(post(store, id, { blocks: [message(), result({ output: 1, delta: 'a' })] }));
    const refusedLate = await codeOf(post(store, id, { blocks: [message(), think('a'), call()] }));

    expect([refused, refusedLate]).toEqual(['VALIDATION', 'DUPLICATE_CALL_ID']);
    expect(await store.blocks(ORG, id)).toHaveLength(2);
    expect(await store.trace(ORG, id)).toEqual(before);
  });

  test.each([
    ['shape', { sub_type: 'MESSAGE' }, 'VALIDATION'],
    ['size', message('a'.repeat(65_537)), 'PAYLOAD_TOO_LARGE'],
    ['parent', { ...think(), parent_block_id: 'tb_none' }, 'VALIDATION'],
    ['kind of the parent', { ...think(), parent_block_id: 'tb_call123' }, 'PARENT_SUBTYPE_MISMATCH'],
    ['call_id of the parent', result({ output: 1, call_id: 'call_2' }), 'VALIDATION'],
    ['call_id', call(), 'DUPLICATE_CALL_ID'],
    ['call_id that is the id of a call without one', call({ call_id: 'tb_plain' }), 'DUPLICATE_CALL_ID'],
    ['seq', result({ output: 1, seq: 0 }), 'DUPLICATE_RESULT_SEQ'],
    ['seq with the call_id', result({ delta: 'a', seq: 0, call_id: 'call_1' }), 'DUPLICATE_RESULT_SEQ'],
    ['id', { ...message('other'), id: 'tb_msg123' }, 'BLOCK_ID_CONFLICT'],
    ['id of another trace', { ...message(), id: 'tb_elsewhere' }, 'BLOCK_ID_CONFLICT'],
    ['parent in another trace', { ...think(), parent_block_id: 'tb_elsewhere' }, 'VALIDATION'],
    ['body that is not an object', [], 'VALIDATION'],
  ])('rejects a wrong %s and stores nothing', async (_what, body, expected) => {
    const store = await openForRules();

    expect(await codeOf(post(store, 'tr_test', body))).toBe(expected);
    expect(await store.blocks(ORG, 'tr_test')).toHaveLength(4);
    expect(await store.verify()).toEqual([]);
  });

  test('accepts a body of 1,000 levels, and rejects deeper and circular ones', async () => {
    await using store = await open();
    const id = await openConversation(store);
    const block = (levels: number) => ({ ...message(), raw: nested(levels - 1) });
    const circular: Record<string, unknown> = message();
    circular.raw = circular;

    const accepted = await post(store, id, block(1_000));

    expect((await store.block(ORG, id, accepted.receipts[0]?.id ?? '')).raw).toEqual(nested(999));
    for (const body of [block(1_001), { blocks: [block(999)] }, block(5_000), nested(100_000), circular]) {
      for (const options of [{}, { bytes: 1 }, { isDryRun: true }]) {
        await expect(post(store, id, body, options)).rejects.toMatchObject({
          body: { code: 'VALIDATION', details: { issues: [{ path: '', rule: 'depth' }] } },
        });
      }
    }
    expect(await store.blocks(ORG, id)).toHaveLength(3);
  });

  test('distinguishes call_ids that differ only in characters that databases cannot store', async () => {
    await using store = await open();
    const id = await openConversation(store);
    const ids = ['\ud800', '\ud801', '\ufffd', '"\ud800"', '\0', 'a', 'a\0', '"a"'];

    for (const call_id of ids) await post(store, id, call({ call_id }));

    const again = ids.map((call_id) => codeOf(post(store, id, call({ call_id }))));
    expect(await Promise.all(again)).toEqual(ids.map(() => 'DUPLICATE_CALL_ID'));
    const found = await Promise.all(ids.map((call_id) => store.blocks(ORG, id, { call_id })));
    expect(found.map((blocks) => blocks.length)).toEqual(ids.map(() => 1));
  });

  test('returns the first receipt for a block that is stored already', async () => {
    await using store = await open();
    const id = await openConversation(store);
    const block = { ...think(), id: 'tb_think' };
    const first = await post(store, id, block);

    const again = await post(store, id, block);
    const mixed = await post(store, id, {
      blocks: [message(), block, { ...think('b'), id: 'tb_b' }, { ...think('b'), id: 'tb_b' }],
    });

    expect(again).toEqual({ isBatch: false, isNew: false, receipts: [{ ...first.receipts[0], replayed: true }] });
    expect(mixed.isNew).toBe(true);
    expect(mixed.receipts.map(({ replayed }) => replayed)).toEqual([false, true, false, true]);
    expect(mixed.receipts[3]?.created_at).toBe(mixed.receipts[2]?.created_at);
    expect(await store.blocks(ORG, id)).toHaveLength(5);
  });

  test('writes a block once for 64 concurrent writers', async () => {
    await using store = await open();
    const id = await openConversation(store);

    const results = await Promise.all(
      Array.from({ length: 64 }, () => post(store, id, { ...message(), id: 'tb_same' })),
    );

    expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(results.map(({ receipts }) => receipts[0]?.created_at)).size).toBe(1);
    expect(await store.blocks(ORG, id)).toHaveLength(3);
  });

  test('accepts a call_id once for 64 concurrent writers', async () => {
    await using store = await open();
    const id = await openConversation(store);

    const results = await Promise.allSettled(
      Array.from({ length: 64 }, () => post(store, id, call({ call_id: 'call_2' }))),
    );

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await store.verify()).toEqual([]);
  });

  test('repeats the first response to an idempotency key for 24 hours', async () => {
    let now = 1_700_000_000_000;
    await using store = await open({ now: () => now });
    const id = await openConversation(store);
    const options = { idempotency: { key: 'k', bodySha256: 'a' } };
    const first = await post(store, id, { blocks: [message(), message()] }, options);

    const again = await post(store, id, { blocks: [message(), message()] }, options);
    const other = await codeOf(post(store, id, message(), { idempotency: { key: 'k', bodySha256: 'b' } }));
    now += DAY_MS;
    const late = await post(store, id, { blocks: [message(), message()] }, options);

    expect(again).toEqual({ ...first, isNew: false });
    expect(other).toBe('IDEMPOTENCY_MISMATCH');
    expect(late.isNew).toBe(true);
    expect(await store.blocks(ORG, id)).toHaveLength(6);
  });

  test('stores no copy of the block with the response to an idempotency key', async () => {
    await using store = await open();
    const id = await openConversation(store);
    const options = { idempotency: { key: 'k', bodySha256: 'a' } };

    const { block, ...first } = await post(store, id, message(), options);

    expect(block?.payload).toEqual(message().payload);
    expect(await post(store, id, message(), options)).toEqual({ ...first, isNew: false });
  });

  test('scopes an idempotency key to its trace, and does not use it for a rejected request', async () => {
    await using store = await open();
    const id = await openConversation(store);
    await store.createTrace(ORG, { id: 'tr_other' });
    const options = { idempotency: { key: 'k', bodySha256: 'a' } };

    const refused = await codeOf(post(store, id, call(), options));
    const first = await post(store, id, message(), options);
    const other = await post(store, 'tr_other', message(), options);

    expect([refused, first.isNew, other.isNew]).toEqual(['DUPLICATE_CALL_ID', true, true]);
  });

  test('a dry run returns the outcome of the write and stores nothing', async () => {
    await using store = await open();
    const id = await openConversation(store);
    const before = await store.trace(ORG, id);
    const options = { isDryRun: true, idempotency: { key: 'k', bodySha256: 'a' } };

    const answer = await post(store, id, { blocks: [message(), message()] }, options);
    const refused = await codeOf(post(store, id, call(), options));

    expect(answer.receipts).toHaveLength(2);
    expect(refused).toBe('DUPLICATE_CALL_ID');
    expect(await store.trace(ORG, id)).toEqual(before);
    expect((await post(store, id, message(), { idempotency: { key: 'k', bodySha256: 'b' } })).isNew).toBe(true);
  });

  test('enforces the limits of the request', async () => {
    await using store = await open();
    const id = await openConversation(store);

    const refused = await codeOf(post(store, id, message('ab'), { limits: { ...LIMITS, message: 1 } }));

    expect(refused).toBe('PAYLOAD_TOO_LARGE');
  });

  test('keeps the counters of a trace equal to the sums over its blocks', async () => {
    await using store = await open();
    const id = await openConversation(store);
    const before = await store.trace(ORG, id);
    expect(before).toMatchObject({ block_count: 2, reward_sum: null, reward_count: 0, error_count: 0 });

    await post(store, id, {
      blocks: [
        result({ output: { ok: false, error: 'no' } }, { reward: 2 }),
        result({ output: 1 }, { reward: -0.5, tool_error: true }),
        result({ output: { ok: true } }, { reward: '3' }),
        { ...message(), extra: { reward: 1.25, tool_error: true } },
      ],
    });

    const trace = await store.trace(ORG, id);
    const bytes = (await store.skeletons(ORG, id)).map(({ block }) => block.bytes);
    expect(trace).toMatchObject({
      block_count: 6,
      reward_sum: 2.75,
      reward_last: 1.25,
      reward_max: 2,
      reward_count: 3,
    });
    expect(trace).toMatchObject({ error_count: 2, bytes: bytes.reduce((sum, each) => sum + each, 0) });
    expect(bytes[4]).toBe(Buffer.byteLength('{"output":{"ok":true}}{"reward":"3"}'));
    expect(await store.totals()).toEqual({ traces: 1, blocks: 6, blobs: 0, bytes: trace.bytes });
  });

  test('clamps the sum of rewards to the range of numbers', async () => {
    await using store = await open();
    const id = await openConversation(store);

    await post(store, id, { blocks: Array.from({ length: 3 }, () => result({ output: 1 }, { reward: 1e308 })) });

    expect((await store.trace(ORG, id)).reward_sum).toBe(Number.MAX_VALUE);
  });

  test('returns skeletons without the content', async () => {
    await using store = await open();
    const id = await openConversation(store);
    await post(store, id, {
      blocks: [
        message([{ type: 'image' }, { type: 'text', text: 'b' }, { type: 'text', text: 'c' }]),
        think(`${'💩'.repeat(119)}éé`),
        call({ call_id: '\ud800' }),
        result({ output: { blocks: [{ type: 'text', text: 'seen' }], reward: 1 } }, { reward: 1 }),
        result({ output: { ok: false, error: 'broken' }, seq: 4, call_id: 'call_1' }),
        result({ delta: ['a'] }),
        { ...message('d'), extra: { thread: '"1"' } },
        { ...message('e'), extra: { thread: 2 } },
        { ...message('f'), extra: { thread: 0 } },
      ],
    });

    const skeletons = (await store.skeletons(ORG, id, { after: 2 })).map(({ block }) => block);

    expect(skeletons.every((each) => traceValidator('BlockSkeleton')(each))).toBe(true);
    expect(skeletons).toMatchObject([
      { block_type: 'MESSAGE', role: 'user', name: null, preview: 'b\nc', call_id: null, parent_block_id: null },
      { sub_type: 'THINK', role: null, preview: `${'💩'.repeat(119)}é`, parent_block_id: 'tb_msg123' },
      { name: 'get_weather', call_id: '\ud800', preview: '{"city":"bogotá"}', is_error: false },
      { preview: 'seen', reward: 1, seq: null, is_error: false },
      { preview: 'broken', reward: null, seq: 4, call_id: 'call_1', is_error: true },
      { preview: '["a"]', parent_block_id: 'tb_call123' },
      { preview: 'd', thread: '"1"' },
      { preview: 'e', thread: '2' },
      { preview: 'f' },
    ]);
    expect(skeletons.map((each) => 'thread' in each)).toEqual([...Array(6).fill(false), true, true, false]);
  });

  test.each([
    ['no filter', {}, [1, 2, 3, 4, 5, 6]],
    ['an exclusive lower bound', { after: 4 }, [5, 6]],
    ['an exclusive upper bound', { before: 3 }, [1, 2]],
    ['both bounds', { after: 2, before: 5 }, [3, 4]],
    ['a limit', { limit: 2 }, [1, 2]],
    ['a limit of 0', { limit: 0 }, []],
    ['a block_type', { block_type: 'ACT' }, [2, 4, 6]],
    ['a sub_type', { sub_type: 'TOOL_CALL' }, [2, 6]],
    ['a sub_type, bound and limit', { sub_type: 'TOOL_CALL', after: 2, limit: 1 }, [6]],
    ['a call_id', { call_id: 'call_1' }, [2, 5]],
    ['a parent', { parent: 'tb_msg123' }, [2, 4, 6]],
    ['a bound past the end', { after: 100 }, []],
    ['ids', { ids: ['tb_call123', 'tb_none', 'tb_msg123', 'tb_call123'] }, [1, 2]],
    ['ids and a sub_type', { ids: ['tb_call123', 'tb_msg123'], sub_type: 'TOOL_CALL' }, [2]],
    ['ids, a bound and a limit', { ids: ['tb_call123', 'tb_msg123'], after: 1, limit: 1 }, [2]],
    ['ids of another trace', { ids: ['tb_elsewhere'] }, []],
    ['an empty list of ids', { ids: [] }, []],
  ] as const)('reads blocks by %s', async (_what, query, expected) => {
    const store = await openForQueries();

    expect((await store.blocks(ORG, 'tr_test', query)).map(({ ord }) => ord)).toEqual(expected);
    expect((await store.texts(ORG, 'tr_test', query)).map(({ ord }) => ord)).toEqual(expected);
    expect((await store.skeletons(ORG, 'tr_test', query)).map(({ ord }) => ord)).toEqual(expected);
  });

  test('reads long traces completely and in order', async () => {
    await using store = await open();
    const id = await openConversation(store);
    for (let batch = 0; batch < 3; batch++) {
      await post(store, id, { blocks: Array.from({ length: 500 }, (_, place) => message(`${batch} ${place}`)) });
    }

    const blocks = await store.blocks(ORG, id);
    const page = await store.blocks(ORG, id, { after: 100, limit: 450 });

    expect(blocks.map(({ ord }) => ord)).toEqual(Array.from({ length: 1502 }, (_, place) => place + 1));
    expect(page).toEqual(blocks.slice(100, 550));
    expect(await store.verify()).toEqual([]);
  });

  test('returns as many blocks as fit into the byte limit, and at least one', async () => {
    await using store = await open();
    await store.createTrace(ORG, { id: 'tr_test' });
    const blocks = Array.from({ length: 300 }, (_, place) => message(String(place).padStart(9_000, 'x')));
    await post(store, 'tr_test', { blocks });
    const [
      {
        block: { bytes: each },
      } = { block: { bytes: 0 } },
    ] = await store.skeletons(ORG, 'tr_test');
    const count = async (bytes: number, query: BlockQuery = {}) => {
      const found = await store.blocks(ORG, 'tr_test', { ...query, bytes });
      expect(await store.texts(ORG, 'tr_test', { ...query, bytes })).toHaveLength(found.length);
      expect(await store.skeletons(ORG, 'tr_test', { ...query, bytes })).toHaveLength(found.length);
      expect(found.map(({ ord }) => ord)).toEqual(found.map((_, place) => (query.after ?? 0) + place + 1));
      return found.length;
    };

    expect([await count(0), await count(each - 1), await count(2 * each - 1)]).toEqual([1, 1, 1]);
    expect([await count(2 * each), await count(3 * each - 1), await count(150 * each)]).toEqual([2, 2, 150]);
    expect([await count(299 * each), await count(300 * each), await count(999 * each)]).toEqual([299, 300, 300]);
    expect(await count(250 * each, { limit: 170, after: 10 })).toBe(170);
    expect([await count(0, { after: 299 }), await count(0, { after: 300 }), await count(each, { limit: 0 })]).toEqual([
      1, 0, 0,
    ]);
  });

  test('does not find a block that is not in the trace, even if another trace has it', async () => {
    await using store = await open();
    const id = await openConversation(store);
    await store.createTrace(ORG, { id: 'tr_other' });
    await post(store, 'tr_other', { ...message(), id: 'tb_elsewhere' });

    const codes = await Promise.all(['tb_none', 'tb_elsewhere'].map((block) => codeOf(store.block(ORG, id, block))));

    expect(codes).toEqual(['BLOCK_NOT_FOUND', 'BLOCK_NOT_FOUND']);
  });
}
