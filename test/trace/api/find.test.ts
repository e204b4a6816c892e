import { afterEach, expect, test } from '@jest/globals';
import type { BlockHit } from '../../../generated/trace.ts';
import { call, message, result, TRACE, think } from '../model/store.ts';
import { holds, stringsIn } from '../store/search-oracle.ts';
import { allBlocks, closeServers, errorSummary, startConversation, startServer } from './server.ts';

afterEach(closeServers);

type Conversation = Awaited<ReturnType<typeof startConversation>>;

/** Returns all hits of a search, page by page. */
async function allHits({ get }: Pick<Conversation, 'get'>, query: Record<string, string>): Promise<BlockHit[]> {
  const hits: BlockHit[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const requested: string = new URLSearchParams({ ...query, ...(cursor && { cursor }) }).toString();
    const { status, json } = await get(`blocks?${requested}`);
    expect(status).toBe(200);
    hits.push(...json.hits);
    cursor = json.page.next_cursor;
  }
  return hits;
}

const idsOf = (hits: readonly { readonly id: string }[]): string => hits.map(({ id }) => id.slice(3)).join(' ');
const blocksOf = (hits: readonly BlockHit[]): string => idsOf(hits.map(({ block }) => block));

test('returns blocks by id, in the order of writing', async () => {
  const { write, get } = await startConversation();
  await write({ blocks: [message({ id: 'tb_2' }), message({ id: 'tb_3' }), think({ id: 'tb_4' })] });
  const read = async (query: string) => (await get(`traces/${TRACE}/blocks?${query}`)).json;

  const { blocks, page } = await read('ids=tb_4,tb_none,tb_2,tb_msg123,tb_2');
  const encoded = await read('ids=tb_4%2Ctb_3');
  const outlines = await read('ids=tb_4,tb_3&fields=skeleton');
  const filtered = await read('ids=tb_4,tb_3,tb_2&sub_type=MESSAGE&after=3');
  const first = await read('ids=tb_4,tb_3,tb_2&limit=2');

  expect([idsOf(blocks), page.next_cursor]).toEqual(['msg123 2 4', null]);
  expect(blocks[0].payload.content).toBe("what's the weather?");
  expect([idsOf(encoded.blocks), idsOf(outlines.blocks), idsOf(filtered.blocks)]).toEqual(['3 4', '3 4', '3']);
  expect(outlines.blocks[0]).not.toHaveProperty('payload');
  expect([idsOf(first.blocks), first.page.next_cursor]).toEqual(['2 3', '4']);
  expect(idsOf((await read('ids=tb_4,tb_3,tb_2&limit=2&after=4')).blocks)).toBe('4');
});

test('accepts 100 ids of maximum length, and not more', async () => {
  const { write, get } = await startConversation();
  const ids = Array.from({ length: 101 }, (_, place) => `tb_${String(place).padStart(64, '0')}`);
  await write({ blocks: ids.map((id) => message({ id })) });

  const hundred = await get(`traces/${TRACE}/blocks?ids=${ids.slice(1).reverse().join(',')}`);
  const more = await get(`traces/${TRACE}/blocks?ids=${ids.join(',')}`);

  expect(hundred.json.blocks.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1));
  expect(errorSummary(more)).toBe('422 parameter');
});

test.each([
  '',
  ',',
  'tb_1,',
  ',tb_1',
  'tb_1,,tb_2',
  'tb_1 ,tb_2',
  'tr_1',
  `tb_${'x'.repeat(65)}`,
  'tb_1&ids=tb_2',
  '%00',
])('rejects ids=%s', async (ids) => {
  const { get } = await startConversation();

  const { status, json } = await get(`traces/${TRACE}/blocks?ids=${ids}`);

  expect([status, json.error.code]).toEqual([422, 'VALIDATION']);
  expect(json.error.details.issues[0].path).toBe('/query/ids');
});

test('returns traces, blocks and excerpts for a search', async () => {
  const { write, post, get } = await startConversation();
  const output = { ok: false, error: `${'x'.repeat(300)}Permission\n"denied"${'y'.repeat(300)}` };
  await write(result({ id: 'tb_bad', payload: { call_id: 'call_1', output } }));
  await post('traces', { id: 'tr_new', run: 'r' });
  await post('traces/tr_new/blocks', message({ id: 'tb_new', payload: { role: 'user', content: 'permission?' } }));

  const { json } = await get(`blocks?q=${encodeURIComponent('PERMISSION\n"DENIED"')}`);
  const both = await allHits({ get }, { q: 'permission' });

  const outline = (await get(`traces/${TRACE}/blocks?ids=tb_bad&fields=skeleton`)).json.blocks[0];
  const excerpt = `${'x'.repeat(70)}Permission\n"denied"${'y'.repeat(71)}`;
  expect(json).toEqual({ hits: [{ trace_id: TRACE, block: outline, excerpt }], page: { next_cursor: null } });
  expect(both.map(({ trace_id, block }) => [trace_id, block.id])).toEqual([
    ['tr_new', 'tb_new'],
    [TRACE, 'tb_bad'],
  ]);
});

test('finds blocks by tool, failure and sub type in the requested traces', async () => {
  const { write, post, get } = await startConversation();
  const failed = { call_id: 'call_1', output: { ok: false, error: 'no' } };
  await write({
    blocks: [think({ id: 'tb_think' }), result({ id: 'tb_bad', payload: failed }), result({ id: 'tb_ok' })],
  });
  for (const [id, run] of [['tr_a', 'exp/1'] as const, ['tr_b', 'exp 2'] as const]) {
    await post('traces', { id, run, environment: 'Ümwelt', group_id: `${id}&g` });
    const own = {
      id: `tb_${run.slice(-1)}`,
      payload: { name: 'grep -r', arguments: {} },
      parent_block_id: `tb_m${id}`,
    };
    await post(`traces/${id}/blocks`, { blocks: [message({ id: `tb_m${id}` }), call(own)] });
  }
  const find = async (query: Record<string, string>) => blocksOf(await allHits({ get }, query));

  expect(await find({ name: 'get_weather' })).toBe('call123 bad ok');
  expect(await find({ name: 'get_weather', has_error: 'true' })).toBe('bad');
  expect(await find({ has_error: 'false' })).toBe('ok');
  expect(await find({ sub_type: 'THINK', trace_id: TRACE })).toBe('think');
  expect(await find({ run: 'exp/1' })).toBe('mtr_a 1');
  expect(await find({ run: 'exp 2', name: 'grep -r' })).toBe('2');
  expect(await find({ environment: 'Ümwelt', sub_type: 'MESSAGE', limit: '1' })).toBe('mtr_b mtr_a');
  expect(await find({ group_id: 'tr_a&g', q: 'GREP' })).toBe('1');
  expect(await find({ run: 'none' })).toBe('');
});

test('rejects a search in a trace that does not exist or was deleted', async () => {
  const { get, remove } = await startConversation();

  expect(errorSummary(await get('blocks?trace_id=tr_none'))).toBe('404 TRACE_NOT_FOUND');
  await remove(`traces/${TRACE}`);

  expect(errorSummary(await get(`blocks?trace_id=${TRACE}`))).toBe('410 TRACE_DELETED');
  expect((await get('blocks?q=weather')).json).toEqual({ hits: [], page: { next_cursor: null } });
});

test.each([
  ['trace_id=nonsense', '/query/trace_id'],
  ['limit=0', '/query/limit'],
  ['limit=201', '/query/limit'],
  ['q=', '/query/q'],
  ['q=a&q=b', '/query/q'],
  ['has_error=perhaps', '/query/has_error'],
  ['sub_type=CALL', '/query/sub_type'],
  ['name=', '/query/name'],
  ['tool=x', '/query/tool'],
])('rejects a search with ?%s', async (query, path) => {
  const { get } = await startConversation();

  const { status, json } = await get(`blocks?${query}`);

  expect([status, json.error.code, json.error.details.issues[0].path]).toEqual([422, 'VALIDATION', path]);
});

test('accepts a search text of 1024 characters, and no longer one', async () => {
  const { get } = await startConversation();
  const statusOf = async (q: string) => (await get(`blocks?q=${encodeURIComponent(q)}`)).status;

  expect([await statusOf('é'.repeat(1024)), await statusOf('é'.repeat(1025))]).toEqual([200, 422]);
});

test('rejects a cursor of another list, and accepts one of another search as a position', async () => {
  const { get, write } = await startConversation();
  await write({ blocks: [message({ id: 'tb_2' }), message({ id: 'tb_3' })] });
  const { json } = await get('blocks?sub_type=MESSAGE&limit=2');
  const place = encodeURIComponent(json.page.next_cursor);
  const ofTraces = Buffer.from('["traces created desc",1,"tr_a"]').toString('base64url');

  expect(errorSummary(await get(`blocks?cursor=${ofTraces}`))).toBe('422 cursor');
  expect(errorSummary(await get('blocks?cursor=x'))).toBe('422 cursor');
  expect(errorSummary(await get(`traces?cursor=${place}`))).toBe('422 cursor');
  expect(blocksOf((await get(`blocks?cursor=${place}&q=weather`)).json.hits)).toBe('3');
});

test('returns partial results for a long search and continues at its cursor', async () => {
  const { write, get } = await startConversation();
  const output = 'x'.repeat(2_000_000);
  const large = Array.from({ length: 7 }, () => result({ payload: { call_id: 'call_1', output } }));
  // 84 MB: more than the 64 MiB that are searched for a page, however fast the store is.
  for (let batch = 0; batch < 6; batch++) await write({ blocks: large });
  await write(result({ id: 'tb_last', payload: { call_id: 'call_1', output: 'here it is' } }));

  const first = await get('blocks?q=HERE');
  const all = await allHits({ get }, { q: 'HERE' });

  expect([first.json.hits, typeof first.json.page.next_cursor]).toEqual([[], 'string']);
  expect(blocksOf(all)).toBe('last');
});

test('finds exactly the blocks that contain the text, for any text', async () => {
  const { write, get } = await startConversation();
  const texts = [
    '100% _sure_',
    'C:\\temp\\new',
    'say "no"\n',
    'zero\0',
    'ſtraße STRASSE',
    'İstanbul',
    '\ud83d half',
    '😀😀',
  ];
  await write({ blocks: texts.map((content) => message({ payload: { role: 'user', content } })) });
  const blocks = await allBlocks(get, TRACE);
  const requested = [
    '%',
    '_',
    '\\',
    '\\n',
    '\n',
    '"',
    '\0',
    'ß',
    'ẞ',
    'SS',
    's',
    'i',
    'İ',
    '😀',
    '\ufffd',
    'USER',
    'content',
  ];

  for (const q of requested) {
    const hits = await allHits({ get }, { q, limit: '2' });

    const expected = blocks.filter(({ payload }) => stringsIn(payload).some((text) => holds(text, q)));
    expect([q, blocksOf(hits)]).toEqual([q, idsOf(expected)]);
  }
});

test('counts searches in the metrics like all requests', async () => {
  const { url, get } = await startServer();
  await get('blocks?q=x');

  const text = await (await fetch(`${url}/metrics`)).text();

  expect(text).toMatch(/^ors_traces_http_request_duration_seconds_count\{operation="findBlocks",status="200"\} 1$/m);
});
