import { afterEach, expect, test } from '@jest/globals';
import type { BlockReceipt } from '../../../generated/trace.ts';
import { call, message, result, TRACE, think } from '../model/store.ts';
import { allBlocks, closeServers, errorSummary, startConversation, startServer } from './server.ts';

afterEach(closeServers);

test('returns the stored block for a write of one block', async () => {
  const { write, read } = await startConversation();

  const { status, json } = await write(result({ id: 'tb_r', extra: { reward: 1 } }));

  expect(status).toBe(201);
  expect(json).toEqual({
    ...result({ id: 'tb_r', extra: { reward: 1 } }),
    trace_id: TRACE,
    block_type: 'OBSERVE',
    raw: null,
    metadata: {},
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    updated_at: json.created_at,
  });
  expect((await read('tb_r')).json).toEqual(json);
});

test('assigns an id to a block without one', async () => {
  const { write, read } = await startConversation();

  const { json } = await write(think());

  expect(json.id).toMatch(/^tb_[0-9a-hjkmnp-tv-z]{26}$/);
  expect((await read(json.id)).json).toEqual(json);
});

test('returns a receipt for each block of a batch, in order', async () => {
  const { write, read } = await startConversation();

  const { status, json } = await write({ blocks: [message({ id: 'tb_1' }), think(), result({ id: 'tb_3' })] });

  expect([status, json.count]).toEqual([201, 3]);
  expect(json.blocks.map(({ id, replayed }: BlockReceipt) => [id, replayed])).toEqual([
    ['tb_1', false],
    [expect.stringMatching(/^tb_/), false],
    ['tb_3', false],
  ]);
  for (const { id, created_at } of json.blocks) expect((await read(id)).json.created_at).toBe(created_at);
});

test('accepts an earlier block of the same batch as parent, and rejects a later one', async () => {
  const { write, count } = await startConversation();
  const parts = [
    message({ id: 'tb_m' }),
    call({ id: 'tb_c', parent_block_id: 'tb_m', payload: { name: 'f', arguments: {} } }),
    result({ parent_block_id: 'tb_c', payload: { output: 1 } }),
  ];

  const forwards = await write({ blocks: parts });
  const backwards = await write({
    blocks: [result({ parent_block_id: 'tb_y' }), call({ id: 'tb_y', payload: { name: 'f', arguments: {} } })],
  });

  expect(forwards.status).toBe(201);
  expect([errorSummary(backwards), backwards.json.error.details.issues[0].index]).toEqual([
    '422 parent_not_in_trace',
    0,
  ]);
  expect(await count()).toBe(5);
});

test.each([1, 1000])('writes a batch of %i blocks', async (length) => {
  const { write, get, count } = await startConversation();
  const ids = Array.from({ length }, (_, index) => `tb_${index}`);
  const blocks = ids.map((id) => message({ id }));

  expect((await write({ blocks })).json.count).toBe(length);
  expect(await count()).toBe(length + 2);
  expect((await allBlocks(get, TRACE)).slice(2).map(({ id }) => id)).toEqual(ids);
});

test.each([0, 1001])('rejects a batch of %i blocks', async (length) => {
  const { write, count } = await startConversation();

  expect(errorSummary(await write({ blocks: Array.from({ length }, () => message()) }))).toBe('422 batch_size');
  expect(await count()).toBe(2);
});

test.each([
  ['422 role', message({ payload: { role: 'tool', content: 'x' } })],
  ['413 PAYLOAD_TOO_LARGE', message({ payload: { role: 'user', content: 'x'.repeat(65_537) } })],
  ['422 parent_not_in_trace', think({ parent_block_id: 'tb_none' })],
  ['409 PARENT_SUBTYPE_MISMATCH', think({ parent_block_id: 'tb_call123' })],
  ['409 DUPLICATE_CALL_ID', call()],
  ['409 BLOCK_ID_CONFLICT', message({ id: 'tb_msg123', payload: { role: 'user', content: 'other' } })],
])('writes nothing of a batch whose last block is rejected: %s', async (expected, last) => {
  const { write, get } = await startConversation();
  const before = (await get(`traces/${TRACE}`)).json;

  const refused = await write({ blocks: [message({ id: 'tb_1' }), message(), last] });

  expect(errorSummary(refused)).toBe(expected);
  const { details } = refused.json.error;
  if (expected !== '409 BLOCK_ID_CONFLICT') expect(details.index ?? details.issues[0].index).toBe(2);
  expect((await get(`traces/${TRACE}`)).json).toEqual(before);
  expect(errorSummary(await get(`traces/${TRACE}/blocks/tb_1`))).toBe('404 BLOCK_NOT_FOUND');
});

test('a dry run returns the outcome of the write and stores nothing', async () => {
  const { post, get } = await startConversation();
  const before = (await get(`traces/${TRACE}`)).json;
  const dryRun = (body: unknown, more = {}) => post(`traces/${TRACE}/blocks?dry_run=true`, body, more);

  const one = await dryRun(message({ id: 'tb_1' }), { 'Idempotency-Key': 'k' });
  const two = await dryRun({ blocks: [message({ id: 'tb_2' }), think({ parent_block_id: 'tb_2' })] });

  expect([one.status, one.json]).toEqual([200, { valid: true, count: 1 }]);
  expect([two.status, two.json]).toEqual([200, { valid: true, count: 2 }]);
  expect(errorSummary(await dryRun(call()))).toBe('409 DUPLICATE_CALL_ID');
  expect(errorSummary(await post('traces/tr_none/blocks?dry_run=true', message()))).toBe('404 TRACE_NOT_FOUND');
  expect((await get(`traces/${TRACE}`)).json).toEqual(before);
  expect((await post(`traces/${TRACE}/blocks`, message(), { 'Idempotency-Key': 'k' })).status).toBe(201);
});

test('answers a repeated block with 200 and the stored block, however its JSON is written', async () => {
  const { write, count } = await startConversation();
  const block = call({ id: 'tb_c', payload: { call_id: 'c2', name: 'f', arguments: { a: 1, b: [null] } } });
  const first = await write(block);

  const again = [
    await write(block),
    await write({ ...block, payload: { ...block.payload, arguments: '{ "b": [null], "a": 1.0 }' }, raw: null }),
    await write({ extra: null, block_type: 'ACT', trace_id: TRACE, ...block }),
  ];

  expect(first.status).toBe(201);
  for (const { status, json } of again) expect([status, json]).toEqual([200, first.json]);
  expect(await count()).toBe(3);
});

test('rejects the id of a block with any other content and in any other trace', async () => {
  const { write, post } = await startConversation();
  await post('traces', { id: 'tr_other' });
  await write(message({ id: 'tb_1', raw: { a: 1 } }));

  const conflicts = [
    await write(message({ id: 'tb_1', raw: { a: 2 } })),
    await write(message({ id: 'tb_1' })),
    await write(message({ id: 'tb_1', raw: { a: 1 }, extra: {} })),
    await post('traces/tr_other/blocks', message({ id: 'tb_1', raw: { a: 1 } })),
  ];

  expect(conflicts.map(errorSummary)).toEqual(Array(4).fill('409 BLOCK_ID_CONFLICT'));
  for (const { json } of conflicts) expect(json.error.details).toEqual({ id: 'tb_1' });
});

test('writes the new blocks of a batch and marks the existing ones in the receipts', async () => {
  const { write } = await startConversation();
  await write(message({ id: 'tb_1' }));
  const blocks = [message({ id: 'tb_0' }), message({ id: 'tb_1' }), message({ id: 'tb_0' })];

  const first = await write({ blocks });
  const second = await write({ blocks });

  const replayed = (json: { blocks: BlockReceipt[] }) => json.blocks.map((each) => each.replayed);
  expect([first.status, replayed(first.json)]).toEqual([201, [false, true, true]]);
  expect([second.status, replayed(second.json)]).toEqual([200, [true, true, true]]);
});

test('returns the same response for the same Idempotency-Key and body, and writes once', async () => {
  const { write, count } = await startConversation();
  const one = { 'Idempotency-Key': 'one' };
  const many = { 'Idempotency-Key': 'many' };

  const [first, again] = [await write(message(), one), await write(message(), one)];
  const [batch, batchAgain] = [await write({ blocks: [think()] }, many), await write({ blocks: [think()] }, many)];

  expect([first.status, again.status]).toEqual([201, 200]);
  expect(again.json).toEqual(first.json);
  expect([batch.status, batchAgain.status]).toEqual([201, 200]);
  expect(batchAgain.json.blocks[0].id).toBe(batch.json.blocks[0].id);
  expect(await count()).toBe(4);
});

test('rejects an Idempotency-Key with another body, and frees the key after a rejected request', async () => {
  const { write, count } = await startConversation();
  const key = { 'Idempotency-Key': 'k' };

  expect(errorSummary(await write(call(), key))).toBe('409 DUPLICATE_CALL_ID');
  expect((await write(message(), key)).status).toBe(201);
  const other = await write(think(), key);

  expect([errorSummary(other), other.json.error.details]).toEqual([
    '422 IDEMPOTENCY_MISMATCH',
    { idempotency_key: 'k' },
  ]);
  expect(await count()).toBe(3);
});

test.each([
  ['the same id', message({ id: 'tb_1' }), {}, 200],
  ['the same call_id', call({ payload: { call_id: 'c', name: 'f', arguments: {} } }), {}, 409],
  ['the same seq', result({ payload: { delta: 'x', seq: 0 } }), {}, 409],
  ['the same Idempotency-Key', message(), { 'Idempotency-Key': 'k' }, 200],
])('writes one of 64 concurrent posts with %s', async (_what, block, headers, others) => {
  const { write, count } = await startConversation();

  const responses = await Promise.all(Array.from({ length: 64 }, () => write(block, headers)));

  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses).toEqual([201, ...Array(63).fill(others)].sort());
  expect(await count()).toBe(3);
});

test('filters blocks by type, sub type, call and parent', async () => {
  const { write, get } = await startConversation();
  await write({ blocks: [think(), result(), result({ payload: { delta: 'a', seq: 0 } }), message({ id: 'tb_2' })] });
  const kinds = async (query: string) =>
    (await get(`traces/${TRACE}/blocks?${query}`)).json.blocks.map(({ sub_type }: { sub_type: string }) => sub_type);

  expect(await kinds('')).toEqual(['MESSAGE', 'TOOL_CALL', 'THINK', 'TOOL_RESULT', 'TOOL_RESULT', 'MESSAGE']);
  expect(await kinds('block_type=ACT')).toEqual(['TOOL_CALL', 'THINK']);
  expect(await kinds('sub_type=MESSAGE')).toEqual(['MESSAGE', 'MESSAGE']);
  expect(await kinds('call_id=call_1')).toEqual(['TOOL_CALL', 'TOOL_RESULT']);
  expect(await kinds('parent=tb_call123')).toEqual(['TOOL_RESULT', 'TOOL_RESULT']);
  expect(await kinds('parent=tb_msg123&block_type=ACT&sub_type=THINK')).toEqual(['THINK']);
  expect(await kinds('after=4')).toEqual(['TOOL_RESULT', 'MESSAGE']);
  expect(await kinds('before=2')).toEqual(['MESSAGE']);
  expect(await kinds('after=1&before=3')).toEqual(['TOOL_CALL']);
  expect(await kinds('after=3&before=3')).toEqual([]);
  expect(await kinds('call_id=none')).toEqual([]);
});

test.each([
  [1, 20],
  [7, 100],
  [100, 250],
  [1000, 250],
])('returns in pages of %i each of %i blocks once, filtered or not', async (limit, count) => {
  const { write, get } = await startConversation();
  const blocks = Array.from({ length: count }, (_, index) => (index % 3 ? message({ id: `tb_${index}` }) : think()));
  await write({ blocks });

  const all = await allBlocks(get, TRACE, limit);
  const thoughts: string[] = [];
  for (let after: string | null = '0'; after !== null; ) {
    const { json } = await get(`traces/${TRACE}/blocks?sub_type=THINK&limit=${limit}&after=${after}`);
    expect(json.blocks.length).toBeLessThanOrEqual(limit);
    thoughts.push(...json.blocks.map(({ id }: { id: string }) => id));
    after = json.page.next_cursor;
  }

  expect(all).toHaveLength(count + 2);
  expect(thoughts).toEqual(all.filter(({ sub_type }) => sub_type === 'THINK').map(({ id }) => id));
});

test('returns fewer large blocks per page, and all of them together', async () => {
  const { write, get } = await startConversation();
  const output = 'x'.repeat(2_000_000);
  await write({ blocks: Array.from({ length: 6 }, (_, seq) => result({ payload: { output, seq } })) });

  const { json } = await get(`traces/${TRACE}/blocks?limit=1000`);

  expect(json.blocks.length).toBeLessThan(8);
  expect(await allBlocks(get, TRACE, 1000)).toHaveLength(8);
});

test('returns skeletons with the fields that a list shows, without payloads', async () => {
  const { write, get } = await startConversation();
  await write(result({ payload: { call_id: 'call_1', output: { ok: false, error: '😀'.repeat(200) }, seq: 3 } }));

  const { json } = await get(`traces/${TRACE}/blocks?fields=skeleton`);

  const kept = { id: 'tb_msg123', block_type: 'MESSAGE', sub_type: 'MESSAGE', parent_block_id: null, role: 'user' };
  expect(json.blocks[0]).toMatchObject({ ...kept, name: null, bytes: 47, preview: "what's the weather?" });
  expect(json.blocks[1]).toMatchObject({ name: 'get_weather', call_id: 'call_1', preview: '{"city":"bogotá"}' });
  expect(json.blocks[2]).toMatchObject({ seq: 3, is_error: true, preview: '😀'.repeat(120) });
  for (const block of json.blocks) expect(block).not.toHaveProperty('payload');
});

test('does not find blocks of another trace', async () => {
  const { post, get } = await startServer();
  for (const id of ['tr_a', 'tr_b']) await post('traces', { id });
  await post('traces/tr_a/blocks', message({ id: 'tb_1' }));

  expect((await get('traces/tr_a/blocks/tb_1')).status).toBe(200);
  expect(errorSummary(await get('traces/tr_b/blocks/tb_1'))).toBe('404 BLOCK_NOT_FOUND');
  expect((await get('traces/tr_b/blocks')).json.blocks).toEqual([]);
  expect(errorSummary(await get('traces/tr_c/blocks/tb_1'))).toBe('404 TRACE_NOT_FOUND');
});
