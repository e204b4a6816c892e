import { expect, test } from '@jest/globals';
import type { BlockHit } from '../../../../generated/trace.ts';
import type { BlockSearchQuery, TraceStore } from '../../../../src/trace/store/trace-store.ts';
import fc, { runs } from '../../../support/fast-check.ts';
import { traceValidator } from '../../../support/validators.ts';
import { holds, stringsIn } from '../search-oracle.ts';
import { codeOf, LIMITS, message, type OpenStore, ORG, post } from '../stores.ts';
import { openOnce } from './open-once.ts';

const call = (id: string, name: string, parent: string) => ({
  id,
  sub_type: 'TOOL_CALL',
  parent_block_id: parent,
  payload: { name, arguments: { command: `run ${name}` } },
});
const result = (id: string, output: unknown, parent: string) => ({
  id,
  sub_type: 'TOOL_RESULT',
  parent_block_id: parent,
  payload: { output },
});

/** Traces tr_0 to tr_3, the last one the newest; each has a message, calls of `ls` and `cat`, and their results. */
async function fill(store: TraceStore): Promise<void> {
  for (const place of [2, 0, 3, 1]) {
    const input = { id: `tr_${place}`, run: `r${place % 2}`, environment: 'e', group_id: `g${place}` };
    await store.createTrace(ORG, input, 1_700_000_000_000 + place);
    const id = (name: string) => `tb_${name}${place}`;
    await post(store, `tr_${place}`, {
      blocks: [
        { ...message('Look around'), id: id('m') },
        call(id('ls'), 'ls', id('m')),
        result(id('ok'), 'a.txt', id('ls')),
        call(id('cat'), 'cat', id('m')),
        result(id('bad'), { ok: false, error: 'no "a.txt"\n' }, id('cat')),
      ],
    });
  }
}

type Asked = Omit<BlockSearchQuery, 'limit'> & { readonly limit?: number };

/** Reads all pages of a search. */
async function pages(store: TraceStore, query: Asked): Promise<BlockHit[][]> {
  const all: BlockHit[][] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await store.findBlocks(ORG, { limit: 200, ...query, ...(cursor === undefined ? {} : { cursor }) });
    all.push([...page.items]);
    cursor = page.next_cursor;
  }
  return all;
}

const idsOf = (hits: readonly BlockHit[]): string => hits.map(({ block }) => block.id.slice(3)).join(' ');
const ids = async (store: TraceStore, query: Asked) => idsOf((await pages(store, query)).flat());

/** Difficult characters: escaped by JSON, special in patterns, or similar to other letters. */
const LETTERS = ['a', 'A', 's', 'S', 'ſ', 'k', '\u212a', 'ß', 'ẞ', 'i', 'I', 'İ', 'ı', 'σ', 'ς', 'Σ', '𐐀', '𐐨', '漢'];
const SIGNS = ['"', '\\', '\n', '\0', '\u001b', 'u', '0', '%', '_', '*', '.', '?', '$', ' ', '😀', '{', ','];
const someText = (units: readonly string[], size: object) =>
  fc.array(fc.constantFrom(...units), size).map((letters) => letters.join(''));

export function testSearch(open: OpenStore): void {
  const openFilled = openOnce(open, fill);

  test('finds the text of a block, not that of a block with its id in another organization', async () => {
    await using store = await open();
    for (const org of ['one', 'two', 'three']) {
      await store.createTrace(org, { id: 'tr_a' });
      await store.append(org, 'tr_a', { body: { ...message(`text of ${org}`), id: 'tb_a' }, limits: LIMITS });
    }

    for (const org of ['one', 'two', 'three']) {
      const { items } = await store.findBlocks(org, { q: 'text of', limit: 10 });
      expect(items).toMatchObject([{ excerpt: `text of ${org}`, block: { preview: `text of ${org}` } }]);
    }
  });

  test.each<[string, Asked, string]>([
    ['no filter', {}, 'm3 ls3 ok3 cat3 bad3 m2 ls2 ok2 cat2 bad2 m1 ls1 ok1 cat1 bad1 m0 ls0 ok0 cat0 bad0'],
    ['a trace', { trace_id: 'tr_1' }, 'm1 ls1 ok1 cat1 bad1'],
    ['a run', { run: 'r0', sub_type: 'MESSAGE' }, 'm2 m0'],
    ['a run and a trace of another', { run: 'r0', trace_id: 'tr_1' }, ''],
    ['an environment', { environment: 'e', has_error: true }, 'bad3 bad2 bad1 bad0'],
    ['an environment without traces', { environment: 'f' }, ''],
    ['a group', { group_id: 'g2', has_error: false }, 'ok2'],
    ['a tool', { run: 'r1', name: 'ls' }, 'ls3 ok3 ls1 ok1'],
    ['calls of a tool', { run: 'r1', name: 'cat', sub_type: 'TOOL_CALL' }, 'cat3 cat1'],
    ['results of a tool', { run: 'r1', name: 'cat', sub_type: 'TOOL_RESULT' }, 'bad3 bad1'],
    ['failures of a tool', { name: 'cat', has_error: true, run: 'r0' }, 'bad2 bad0'],
    ['failures of a tool without failures', { name: 'ls', has_error: true }, ''],
    ['messages of a tool', { name: 'ls', sub_type: 'MESSAGE' }, ''],
    ['failed calls', { has_error: true, sub_type: 'TOOL_CALL' }, ''],
    ['a tool that was not called', { name: 'l_' }, ''],
    ['a text', { q: 'look AROUND' }, 'm3 m2 m1 m0'],
    ['a text with characters that JSON escapes', { q: '"A.TXT"\n', run: 'r1' }, 'bad3 bad1'],
    ['a text among results of a tool', { q: 'a.txt', name: 'ls' }, 'ok3 ok2 ok1 ok0'],
    ['the key of a value', { q: 'command' }, ''],
    ['the name of a tool', { q: 'cat', trace_id: 'tr_0' }, 'cat0'],
  ])('finds blocks by %s', async (_what, query, expected) => {
    const store = await openFilled();

    expect(await ids(store, query)).toBe(expected);
    expect(await ids(store, { ...query, limit: 1 })).toBe(expected);
    expect(await ids(store, { ...query, limit: 3, effort: { blocks: 1 } })).toBe(expected);
    expect(await ids(store, { ...query, effort: { ms: 0 } })).toBe(expected);
  });

  test('returns the skeleton of the block, its trace and an excerpt for a hit', async () => {
    const store = await openFilled();

    const [withText] = (await store.findBlocks(ORG, { q: '"A.', limit: 1 })).items;
    const [withoutText] = (await store.findBlocks(ORG, { has_error: true, limit: 1 })).items;

    const skeletons = await store.skeletons(ORG, 'tr_3');
    expect(withText).toEqual({ trace_id: 'tr_3', block: skeletons[4]?.block, excerpt: 'no "a.txt"\n' });
    expect(withoutText).toEqual({ trace_id: 'tr_3', block: skeletons[4]?.block, excerpt: null });
    expect(traceValidator('BlockHit')(withText)).toBe(true);
  });

  test('rejects a search in a trace that does not exist', async () => {
    await using store = await open();
    await fill(store);
    await store.deleteTrace(ORG, 'tr_1');
    const find = (trace_id: string, org = ORG) => codeOf(store.findBlocks(org, { trace_id, limit: 1 }));

    const codes = [await find('tr_1'), await find('tr_9'), await find('tr_2', 'nobody')];

    expect(codes).toEqual(['TRACE_DELETED', 'TRACE_NOT_FOUND', 'TRACE_NOT_FOUND']);
    expect((await store.findBlocks('nobody', { limit: 5 })).items).toEqual([]);
    expect(await ids(store, { sub_type: 'MESSAGE' })).toBe('m3 m2 m0');
  });

  test('ends a page when its budget is spent, even without a hit', async () => {
    await using store = await open();
    await store.createTrace(ORG, { id: 'tr_long' });
    const blocks = Array.from({ length: 900 }, (_, place) => message(place === 850 ? 'here' : `${place}`));
    await post(store, 'tr_long', { blocks });

    const found = await pages(store, { q: 'HERE', effort: { blocks: 1, ms: Number.POSITIVE_INFINITY } });

    expect(found.map((hits) => hits.length)).toEqual([0, 1]);
    expect(found.flat().map(({ excerpt }) => excerpt)).toEqual(['here']);
  });

  test('continues pages during writes and deletions', async () => {
    await using store = await open();
    await fill(store);
    const first = await store.findBlocks(ORG, { sub_type: 'MESSAGE', limit: 2 });
    const cursor = first.next_cursor ?? '';

    await store.createTrace(ORG, { id: 'tr_newer' }, 1_700_000_000_009);
    await post(store, 'tr_newer', { ...message(), id: 'tb_newer' });
    await post(store, 'tr_3', { ...message(), id: 'tb_before' });
    await post(store, 'tr_2', { ...message(), id: 'tb_more' });
    await store.createTrace(ORG, { id: 'tr_older' }, 1_600_000_000_000);
    await post(store, 'tr_older', { ...message(), id: 'tb_older' });
    const next = await ids(store, { sub_type: 'MESSAGE', cursor });
    await store.deleteTrace(ORG, 'tr_2');

    expect(idsOf(first.items)).toBe('m3 m2');
    expect(next).toBe('more m1 m0 older');
    expect(await ids(store, { sub_type: 'MESSAGE', cursor })).toBe('m1 m0 older');
  });

  test('orders traces of the same time by id, without gaps or duplicates', async () => {
    await using store = await open();
    for (const place of [1, 0, 2]) {
      await store.createTrace(ORG, { id: `tr_${place}` }, 1_700_000_000_000);
      await post(store, `tr_${place}`, { ...message(), id: `tb_${place}` });
    }

    expect(await ids(store, { limit: 1 })).toBe('2 1 0');
  });

  test('searches many traces to the end, in pages of any size', async () => {
    await using store = await open();
    const places = Array.from({ length: 300 }, (_, place) => place);
    await Promise.all(places.map((place) => store.createTrace(ORG, { id: `tr_${place}` }, 1_700_000_000_000 + place)));
    const filled = places.filter((place) => place % 3 > 0);
    await Promise.all(filled.map((place) => post(store, `tr_${place}`, { ...message('x'), id: `tb_${place}` })));

    const expected = filled.reverse().join(' ');
    expect(await ids(store, {})).toBe(expected);
    expect(await ids(store, { limit: 7, q: 'X' })).toBe(expected);
  });

  test.each([
    ['text', 'abc'],
    ['another list', Buffer.from('["traces created desc",1,"tr_0",1]').toString('base64url')],
    ['too few values', Buffer.from('["hits",1,"tr_0"]').toString('base64url')],
    ['too many values', Buffer.from('["hits",1,"tr_0",1,1]').toString('base64url')],
    ['a fraction', Buffer.from('["hits",1.5,"tr_0",1]').toString('base64url')],
    ['a wrong type', Buffer.from('["hits",null,"tr_0","1"]').toString('base64url')],
    ['U+0000', Buffer.from('["hits",1,"tr_\\u0000",1]').toString('base64url')],
  ])('rejects a cursor of %s', async (_what, cursor) => {
    const store = await openFilled();

    expect(await codeOf(store.findBlocks(ORG, { limit: 1, cursor }))).toBe('VALIDATION');
  });

  test('accepts a well-formed cursor that the store has not issued', async () => {
    const store = await openFilled();
    const at = (...place: unknown[]) => Buffer.from(JSON.stringify(['hits', ...place])).toString('base64url');
    const [, , time] = [0, 0, 1_700_000_000_001_000];

    expect(await ids(store, { cursor: at(time, 'tr_1', -5), sub_type: 'MESSAGE' })).toBe('m1 m0');
    expect(await ids(store, { cursor: at(time, 'tr_1', 2 ** 53 - 1) })).toBe('m0 ls0 ok0 cat0 bad0');
    expect(await ids(store, { cursor: at(time, '\ud800', 0), limit: 1 })).toMatch(/m0 ls0 ok0 cat0 bad0$/);
    expect(await ids(store, { cursor: at(-(2 ** 53) + 1, 'x', 0) })).toBe('');
  });

  test('finds exactly the blocks that contain a text', async () => {
    const texts = fc.array(someText([...LETTERS, ...SIGNS, '\ud800', '\udc00'], { maxLength: 8 }), {
      minLength: 3,
      maxLength: 8,
    });
    const wanted = someText([...LETTERS, ...SIGNS], { minLength: 1, maxLength: 3 });
    await using store = await open();
    let number = 0;
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(texts, fc.array(wanted, { minLength: 5, maxLength: 5 }), fc.nat(3), async (all, asked, cut) => {
        const trace_id = `tr_${number++}`;
        await store.createTrace(ORG, { id: trace_id });
        const payloads = all.map((text, place) => (place % 2 ? text : { [`${text}x`]: [1, { a: text }, null] }));
        await post(store, trace_id, {
          blocks: [
            { ...message(), id: `tb_m${number}` },
            call(`tb_c${number}`, 'f', `tb_m${number}`),
            ...payloads.map((output, place) => result(`tb_r${number}_${place}`, output, `tb_c${number}`)),
          ],
        });
        const blocks = await store.blocks(ORG, trace_id);
        // Parts of existing texts, so that there are hits.
        const parts = all.map((text) => Array.from(text.toWellFormed()).slice(cut).join('')).filter(Boolean);

        for (const q of [...asked, ...parts]) {
          const found = await pages(store, { trace_id, q, limit: 3 });

          const expected = blocks.filter(({ block }) => stringsIn(block.payload).some((text) => holds(text, q)));
          expect([q, idsOf(found.flat())]).toEqual([q, expected.map(({ block }) => block.id.slice(3)).join(' ')]);
          for (const { excerpt } of found.flat()) expect(holds(excerpt ?? '', q)).toBe(true);
          hits += expected.length;
        }
      }),
      { numRuns: runs(50) },
    );
    // One hit per run at least; otherwise the property would hold for nothing.
    expect(hits).toBeGreaterThan(runs(50));
  });

  test.each<[string, string]>([
    ['%', '100% sure'],
    ['_', 'snake_case'],
    ['\\', String.raw`C:\temp`],
    [String.raw`\u0041`, String.raw`say \u0041`],
    ['"', 'a "quoted" word'],
    ['\0', 'zero\0byte'],
    ['\u001b[2j', '\u001b[2J'],
    ['ÉTÉ', 'un été'],
    ['straẞe', 'Straße'],
    ['ΟΔΌΣ', 'οδός'],
    ['😀', 'smile 😀!'],
    ['İ', 'İzmir'],
    ['e\u0301', 'cafe\u0301'],
    ['\u2028', 'line\u2028break'],
    ['a'.repeat(1024), `b${'A'.repeat(1500)}`],
    [`${'ab'.repeat(511)}cd`, `${'ab'.repeat(2000)}CD`],
    ['😀'.repeat(512), '😀'.repeat(600)],
  ])('finds exactly the texts that contain %j', async (q, text) => {
    await using store = await open();
    await store.createTrace(ORG, { id: 'tr_a' });
    const others = ['100 sure', 'snakeXcase', 'C:temp', 'A', 'strasse', 'izmir', '\ud83d', 'aaaa', 'cafe'];
    await post(store, 'tr_a', { blocks: [...others, text].map((each) => message(each)) });

    const [hit, ...more] = (await pages(store, { q })).flat();

    expect([hit?.block.bytes, more]).toEqual([Buffer.byteLength(JSON.stringify(message(text).payload)), []]);
    expect(Array.from(hit?.excerpt ?? '').length).toBeLessThanOrEqual(160);
    expect(text).toContain(hit?.excerpt);
  });

  test('accepts a lone surrogate as the text of a search', async () => {
    const store = await openFilled();

    expect(await ids(store, { q: '\ud800' })).toBe('');
  });
}
