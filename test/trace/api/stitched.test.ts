import { afterEach, expect, test } from '@jest/globals';
import type { StitchedTrace } from '../../../generated/trace.ts';
import { stitch } from '../../../src/trace/model/index.ts';
import type { TraceStore } from '../../../src/trace/store/index.ts';
import fc, { runs } from '../../support/fast-check.ts';
import { call, message, result, TRACE, think } from '../model/store.ts';
import { allBlocks, closeServers, errorSummary, type JsonResponse, startConversation, startServer } from './server.ts';

afterEach(closeServers);

type Get = (path: string) => Promise<JsonResponse>;

const stitchedPath = (query = '', trace = TRACE) => `traces/${trace}/blocks.stitched?${query}`;
const ids = (blocks: readonly { readonly id: string }[]) => blocks.map(({ id }) => id);
const free = (parts: object, payload: object = {}) =>
  call({ ...parts, payload: { name: 'f', arguments: {}, ...payload } });
const given = (id: string, parent: string, payload: object) => result({ id, parent_block_id: parent, payload });

/** Returns all pages of the tree. */
async function pages(get: Get, query: string, trace = TRACE, from = ''): Promise<StitchedTrace[]> {
  const found: StitchedTrace[] = [];
  for (let cursor = from; ; ) {
    const { status, json } = await get(stitchedPath(query + cursor, trace));
    expect(status).toBe(200);
    found.push(json);
    if (json.page.next_cursor === null) return found;
    cursor = `&cursor=${json.page.next_cursor}`;
  }
}

test('returns a trace as a tree, with the order of thoughts and calls in child_order', async () => {
  const { write, get } = await startConversation();
  await write({
    blocks: [
      think({ id: 'tb_t1' }),
      free({ id: 'tb_c2' }),
      think({ id: 'tb_t2' }),
      given('tb_r2', 'tb_c2', { output: 2 }),
      given('tb_r1', 'tb_call123', { output: 1 }),
      message({ id: 'tb_m2' }),
    ],
  });

  const { json } = await get(stitchedPath());

  const [first, second] = json.messages;
  expect(ids(json.messages)).toEqual(['tb_msg123', 'tb_m2']);
  expect(first.child_order).toEqual(['tb_call123', 'tb_t1', 'tb_c2', 'tb_t2']);
  expect([ids(first.thinks), ids(first.tool_calls)]).toEqual([
    ['tb_t1', 'tb_t2'],
    ['tb_call123', 'tb_c2'],
  ]);
  expect(first.tool_calls.map((each: StitchedTrace['messages'][0]['tool_calls'][0]) => ids(each.tool_results))).toEqual(
    [['tb_r1'], ['tb_r2']],
  );
  expect(second).toMatchObject({ thinks: [], tool_calls: [], child_order: [] });
  expect(json.orphans).toEqual({ tool_calls: [], tool_results: [], thinks: [] });
  expect(json.page).toEqual({ next_cursor: null });
  expect(json.trace).toEqual((await get(`traces/${TRACE}`)).json);
});

test('orders siblings by seq, those without one last, then by time', async () => {
  const { write, get } = await startConversation();
  const results = [3, undefined, 0, null, 10, 2].map((seq, index) =>
    given(`tb_${index}`, 'tb_call123', { output: 1, seq }),
  );
  await write({ blocks: results });
  await write(message({ id: 'tb_first', payload: { role: 'user', content: 'x', seq: 0 } }));
  await write(message({ id: 'tb_last', payload: { role: 'user', content: 'x', seq: -1 } }));

  const { messages } = (await get(stitchedPath())).json;

  expect(ids(messages)).toEqual(['tb_first', 'tb_msg123', 'tb_last']);
  expect(ids(messages[1].tool_calls[0].tool_results)).toEqual(['tb_2', 'tb_5', 'tb_0', 'tb_4', 'tb_1', 'tb_3']);
});

test('joins the pieces of a result on request, and reports gaps', async () => {
  const { write, get } = await startConversation();
  const assembled = async (query = 'assemble=true') =>
    (await get(stitchedPath(query))).json.messages[0].tool_calls[0].assembled;
  const piece = (delta: unknown, seq: number) => write(given(`tb_p${seq}`, 'tb_call123', { delta, seq }));

  expect(await assembled()).toEqual({ state: 'pending', value: null, gaps: [] });
  await piece('wor', 3);
  await piece('hello ', 0);
  expect(await assembled()).toEqual({ state: 'partial', value: 'hello wor', gaps: [1, 2] });
  await piece('cruel ', 1);
  await piece('ld', 5);
  expect(await assembled()).toEqual({ state: 'partial', value: 'hello cruel world', gaps: [2, 4] });
  await write(given('tb_o', 'tb_call123', { output: { all: true } }));
  expect(await assembled()).toEqual({ state: 'complete', value: { all: true }, gaps: [2, 4] });
  expect(await assembled('')).toBeUndefined();
});

test('limits the response for a delta with a huge seq', async () => {
  const { write, get } = await startConversation();
  await write(given('tb_p', 'tb_call123', { delta: 'x', seq: Number.MAX_SAFE_INTEGER }));

  const { assembled } = (await get(stitchedPath('assemble=true'))).json.messages[0].tool_calls[0];

  expect(assembled.gaps).toHaveLength(1000);
  expect(assembled.more_gaps).toBe(Number.MAX_SAFE_INTEGER - 1000);
});

test('changes the ETag with every block', async () => {
  const { write, get } = await startConversation();

  const before = (await get(stitchedPath())).headers.get('etag');
  await write(think());

  expect(before).toBe(`"${TRACE}.2"`);
  expect((await get(stitchedPath('fields=skeleton'))).headers.get('etag')).toBe(`"${TRACE}.3"`);
});

/** Steps of a client: writes a message, or a block under an earlier one. */
const history = fc.array(fc.tuple(fc.constantFrom('m', 'm', 't', 'c', 'r', 'r'), fc.nat()), { maxLength: 60 });

function toBlocks(steps: readonly [string, number][], prefix: string) {
  const messages = [`${prefix}0`];
  const calls: string[] = [];
  const blocks: object[] = [message({ id: messages[0] })];
  for (const [index, [kind, at]] of steps.entries()) {
    const id = `${prefix}${index + 1}`;
    const parent_block_id = messages[at % messages.length];
    const called = calls[at % calls.length];
    if (kind === 'm') messages.push(id);
    if (kind === 'c') calls.push(id);
    if (kind === 'm') blocks.push(message({ id }));
    else if (kind === 't') blocks.push(think({ id, parent_block_id }));
    else if (kind === 'c') blocks.push(free({ id, parent_block_id }));
    else if (called) blocks.push(given(id, called, { output: index, seq: at % 2 ? null : 1000 - index }));
  }
  return blocks;
}

test('returns complete messages per page, which together are the tree without orphans', async () => {
  const { post, get } = await startServer();
  let number = 0;

  await fc.assert(
    fc.asyncProperty(history, fc.integer({ min: 1, max: 8 }), async (steps, limit) => {
      const id = `tr_${number++}`;
      await post('traces', { id });
      const { status } = await post(`traces/${id}/blocks`, { blocks: toBlocks(steps, `tb_${id}_`) });

      const whole = (await get(stitchedPath('assemble=true', id))).json;
      const parts = await pages(get, `assemble=true&limit=${limit}`, id);

      expect(status).toBe(201);
      expect(parts.flatMap(({ messages }) => messages)).toEqual(whole.messages);
      expect(whole.messages).toEqual(stitch(await allBlocks(get, id), { assemble: true }).messages);
      for (const { messages, orphans } of parts) {
        expect(messages.length).toBeLessThanOrEqual(limit);
        expect(orphans).toEqual({ tool_calls: [], tool_results: [], thinks: [] });
      }
    }),
    { numRuns: runs(12) },
  );
});

/** Reduces each block of a tree to the fields of a skeleton. */
const OUTLINE = ['id', 'block_type', 'sub_type', 'parent_block_id', 'created_at'] as const;
const outline = (block: object): object =>
  Object.fromEntries(
    Object.entries(block).flatMap(([key, value]) => {
      if ((OUTLINE as readonly string[]).includes(key) || key === 'child_order') return [[key, value]];
      return ['thinks', 'tool_calls', 'tool_results'].includes(key) ? [[key, value.map(outline)]] : [];
    }),
  );

test('returns a large trace in pages and as skeletons without losing a block', async () => {
  const { write, get } = await startConversation();
  const turns = Array.from({ length: 400 }, (_, turn) => {
    const [m, c] = [`tb_m${turn}`, `tb_c${turn}`];
    return [
      message({ id: m, payload: { role: 'assistant', content: 'x'.repeat(20_000) } }),
      think({ parent_block_id: m }),
      free({ id: c, parent_block_id: m }),
      given(`tb_d${turn}`, c, { delta: 'a', seq: 0 }),
      given(`tb_e${turn}`, c, { delta: 'b', seq: 1 }),
    ];
  });
  for (let turn = 0; turn < 400; turn += 50) await write({ blocks: turns.slice(turn, turn + 50).flat() });

  const byRoots = await pages(get, 'limit=150');
  const whole = await pages(get, 'limit=2000');
  const skeleton = (await get(stitchedPath('fields=skeleton'))).json;

  expect(byRoots.map(({ messages }) => messages.length)).toEqual([150, 150, 101]);
  expect(byRoots.flatMap(({ messages }) => messages)).toEqual(whole.flatMap(({ messages }) => messages));
  expect(whole[0]?.trace.block_count).toBe(2002);
  expect(skeleton.messages).toHaveLength(401);
  expect(skeleton.messages.map(outline)).toEqual(whole.flatMap(({ messages }) => messages).map(outline));
  expect(JSON.stringify(skeleton)).not.toContain('"payload"');
  expect(JSON.stringify(skeleton).length).toBeLessThan(JSON.stringify(whole).length / 5);
});

test('returns the same tree if it is read in several batches', async () => {
  const { store } = await startServer();
  const { post, get } = await startServer({ store });
  await post('traces', { id: TRACE });
  const calls = Array.from({ length: 3 }, (_, at) => free({ id: `tb_call${at}`, parent_block_id: 'tb_m' }));
  await post(`traces/${TRACE}/blocks`, { blocks: [message({ id: 'tb_m' }), ...calls] });
  for (let part = 0; part < 900; part += 300) {
    const blocks = Array.from({ length: 300 }, (_, at) =>
      given(`tb_p${part + at}`, `tb_call${at % 3}`, { delta: `${at} `.repeat(200), seq: (part + at - (at % 3)) / 3 }),
    );
    await post(`traces/${TRACE}/blocks`, { blocks });
  }

  const whole = (await get(stitchedPath('assemble=true'))).json;
  const inSlices = (await get(stitchedPath('assemble=true&limit=1'))).json;

  expect(inSlices).toEqual(whole);
  const { messages, orphans } = whole;
  expect({ messages, orphans }).toEqual(stitch(await allBlocks(get, TRACE), { assemble: true }));
  expect(messages[0].tool_calls[2].assembled.value.length).toBeGreaterThan(200_000);
});

/** Serves a page of 2.4 MB whose trace is deleted before the texts of its blocks are read for the nth time. */
async function startDeleting(nth: number) {
  const { store, ...direct } = await startServer();
  const reported: unknown[] = [];
  let reads = 0;
  const textsAt: TraceStore['textsAt'] = async (...requested) => {
    if (++reads === nth) await direct.remove(`traces/${TRACE}`);
    return store.textsAt(...requested);
  };
  const deleting = new Proxy(store, {
    get: (target, name) => (name === 'textsAt' ? textsAt : Reflect.get(target, name)),
  });
  const onError = (error: unknown) => reported.push(error);
  const { post, url } = await startServer({ store: deleting, onError });
  await post('traces', { id: TRACE });
  for (let at = 0; at < 41; at++) await post(`traces/${TRACE}/blocks`, message({ raw: 'x'.repeat(60_000) }));
  return { reported, getTree: () => fetch(`${url}/v1/organizations/default/${stitchedPath('limit=40')}`) };
}

test('answers 410 if the trace is deleted before any part of the tree is sent', async () => {
  const { getTree, reported } = await startDeleting(1);

  const response = await getTree();

  expect(response.status).toBe(410);
  expect(await response.json()).toMatchObject({ error: { code: 'TRACE_DELETED' } });
  expect(reported).toEqual([]);
});

test('cuts off a tree whose trace is deleted while it is sent, and reports no error', async () => {
  const { getTree, reported } = await startDeleting(2);

  const response = await getTree();

  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow('terminated');
  expect(reported).toEqual([]);
});

// Skeletons have a seq for results only, so messages with one could be ordered in another way than in the whole tree.
test('orders messages and calls with a seq the same in skeletons, pages and the whole tree', async () => {
  const { write, get } = await startConversation();
  await write({
    blocks: [
      message({ id: 'tb_first', payload: { role: 'user', content: 'x', seq: 0 } }),
      free({ id: 'tb_call', parent_block_id: 'tb_msg123' }, { seq: 0 }),
    ],
  });

  const whole = (await get(stitchedPath())).json.messages;
  const skeleton = (await get(stitchedPath('fields=skeleton'))).json.messages;

  expect(whole[1].child_order).toEqual(['tb_call', 'tb_call123']);
  expect(skeleton.map(outline)).toEqual(whole.map(outline));
  expect((await pages(get, 'limit=1')).flatMap(({ messages }) => ids(messages))).toEqual(ids(whole));
});

test('returns the whole tree without a limit, however many messages and bytes it has', async () => {
  const { store } = await startServer();
  const { post, get, url } = await startServer({ store });
  await post('traces', { id: TRACE });
  for (let from = 0; from < 2_500; from += 500) {
    const blocks = Array.from({ length: 500 }, (_, at) => message({ id: `tb_${from + at}`, raw: 'x'.repeat(5_000) }));
    await post(`traces/${TRACE}/blocks`, { blocks });
  }
  await post(`traces/${TRACE}/blocks`, think({ parent_block_id: 'tb_2499' }));

  const { json, headers } = await get(stitchedPath());
  const skeleton = (await get(stitchedPath('fields=skeleton'))).json;
  const byPage = await pages(get, 'limit=1000');

  expect(ids(json.messages)).toEqual(Array.from({ length: 2_500 }, (_, at) => `tb_${at}`));
  expect(json.messages[2_499].thinks).toHaveLength(1);
  expect(json.page).toEqual({ next_cursor: null });
  expect(json.orphans).toEqual({ tool_calls: [], tool_results: [], thinks: [] });
  expect(headers.get('etag')).toBe(`"${TRACE}.2501"`);
  expect(skeleton.messages.map(outline)).toEqual(json.messages.map(outline));
  expect(byPage.flatMap(({ messages }) => messages)).toEqual(json.messages);
  const cursor = byPage[0]?.page.next_cursor ?? '';
  expect((await get(stitchedPath(`cursor=${cursor}`))).json.messages).toHaveLength(1_500);
  expect((await fetch(`${url}/v1/organizations/default/${stitchedPath()}`, { method: 'HEAD' })).status).toBe(200);
});

test('ends a page at about 8 MB, but never inside of a message', async () => {
  const { write, get } = await startConversation();
  const turns = Array.from({ length: 6 }, (_, turn) => [
    message({ id: `tb_m${turn}`, raw: 'x'.repeat(3_000_000) }),
    think({ parent_block_id: `tb_m${turn}` }),
  ]);
  for (let turn = 0; turn < 6; turn += 3) await write({ blocks: turns.slice(turn, turn + 3).flat() });

  const found = await pages(get, 'limit=2000');

  expect(found.length).toBeGreaterThan(1);
  expect(found.flatMap(({ messages }) => ids(messages))).toEqual(
    ['tb_msg123', 0, 1, 2, 3, 4, 5].map((n) => (typeof n === 'string' ? n : `tb_m${n}`)),
  );
  for (const { messages } of found) expect(JSON.stringify(messages).length).toBeLessThan(8 * 2 ** 20 + 3_100_000);
  for (const each of found.flatMap(({ messages }) => messages).slice(1)) expect(each.thinks).toHaveLength(1);
});

test('returns blocks that are written between two pages on a later page', async () => {
  const { write, get } = await startConversation();
  await write(message({ id: 'tb_2' }));

  const first = (await get(stitchedPath('limit=1'))).json;
  await write({ blocks: [message({ id: 'tb_3' }), think({ id: 'tb_t', parent_block_id: 'tb_3' })] });
  const rest = await pages(get, 'limit=1', TRACE, `&cursor=${first.page.next_cursor}`);

  expect(ids(first.messages)).toEqual(['tb_msg123']);
  expect(rest.flatMap(({ messages }) => ids(messages))).toEqual(['tb_2', 'tb_3']);
});

test.each(['cursor=abc', 'cursor=', 'limit=0', 'limit=x', 'assemble=yes', 'fields=all&fields=all', 'depth=1'])(
  'rejects a tree with ?%s',
  async (query) => {
    const { get } = await startConversation();

    const { status, json } = await get(stitchedPath(query));

    expect([status, json.error.code]).toEqual([422, 'VALIDATION']);
  },
);

test('rejects a cursor of another list or another trace', async () => {
  const { write, post, get } = await startConversation();
  await write(message());
  await post('traces', { id: 'tr_other' });
  const ofTree = (await get(stitchedPath('limit=1'))).json.page.next_cursor;
  const ofList = (await get('traces?limit=1')).json.page.next_cursor;

  expect(errorSummary(await get(`traces/tr_other/blocks.stitched?cursor=${ofTree}`))).toBe('422 cursor');
  expect(errorSummary(await get(stitchedPath(`cursor=${ofList}`)))).toBe('422 cursor');
});

test('returns a tree without messages for an empty trace', async () => {
  const { post, get } = await startServer();
  await post('traces', { id: TRACE });

  for (const query of ['', 'fields=skeleton', 'limit=1', 'assemble=true']) {
    const { json } = await get(stitchedPath(query));
    expect(json).toMatchObject({ messages: [], page: { next_cursor: null } });
  }
});
