import { expect, test } from '@jest/globals';
import type { ScoreInput } from '../../../../generated/trace.ts';
import type { ScoreQuery, TraceQuery, TraceStore } from '../../../../src/trace/store/trace-store.ts';
import { codeOf, type OpenStore, ORG, openConversation } from '../stores.ts';

const score = (fields: Partial<ScoreInput> = {}): ScoreInput => ({
  trace_id: 'tr_test',
  name: 'quality',
  value: 1,
  ...fields,
});

const namesOf = async (store: TraceStore, query: Omit<ScoreQuery, 'limit'> = {}) =>
  (await store.scores(ORG, { limit: 10, ...query })).items.map(({ id }) => id.slice(3));

const idsOf = async (store: TraceStore, query: Omit<TraceQuery, 'limit'>) =>
  (await store.traces(ORG, { limit: 10, ...query })).items.map(({ id }) => id.slice(3));

export function testScores(open: OpenStore): void {
  test('stores scores of a trace, a block and a run with their times', async () => {
    await using store = await open({ now: () => 1_700_000_000_000 });
    await openConversation(store);
    await store.createTrace(ORG, { id: 'tr_2', run: '"r\0' });
    const comment = 'a "quoted" \ud800 comment';

    const { score: own } = await store.addScore(ORG, score({ id: 'sc_1', author: 'ada', metadata: { a: [1] } }));
    await store.addScore(ORG, score({ id: 'sc_2', block_id: 'tb_call123', value: null, label: 'good' }));
    await store.addScore(ORG, { id: 'sc_3', run: '"r\0', name: 'note', comment, source: 'model' });

    expect(own).toEqual({
      id: 'sc_1',
      trace_id: 'tr_test',
      block_id: null,
      run: null,
      name: 'quality',
      value: 1,
      label: null,
      comment: null,
      author: 'ada',
      source: 'human',
      metadata: { a: [1] },
      created_at: '2023-11-14T22:13:20.000000Z',
    });
    const { items } = await store.scores(ORG, { limit: 10 });
    expect(items[0]).toEqual(own);
    expect(items[1]).toMatchObject({ block_id: 'tb_call123', value: null, label: 'good' });
    expect(items[2]).toMatchObject({ trace_id: null, run: '"r\0', comment, source: 'model' });
  });

  test('stores a repeated score once, and rejects another one with its id', async () => {
    await using store = await open();
    await openConversation(store);

    const first = await store.addScore(ORG, score({ id: 'sc_1' }));
    const second = await store.addScore(ORG, score({ id: 'sc_1', label: null }));

    expect(first.isNew).toBe(true);
    expect(second).toEqual({ score: first.score, isNew: false });
    expect(await codeOf(store.addScore(ORG, score({ id: 'sc_1', value: 2 })))).toBe('SCORE_ID_CONFLICT');
    expect(await namesOf(store)).toEqual(['1']);
  });

  test.each([
    ['trace', score({ trace_id: 'tr_none' }), 'TRACE_NOT_FOUND'],
    ['block', score({ block_id: 'tb_none' }), 'BLOCK_NOT_FOUND'],
    ['block of another trace', score({ trace_id: 'tr_other', block_id: 'tb_msg123' }), 'BLOCK_NOT_FOUND'],
    ['run', { run: 'none', name: 'quality', value: 1 }, 'NOT_FOUND'],
  ])('rejects the score of a missing %s', async (_what, input, code) => {
    await using store = await open();
    await openConversation(store);
    await store.createTrace(ORG, { id: 'tr_other' });

    expect(await codeOf(store.addScore(ORG, input))).toBe(code);
    expect(await namesOf(store)).toEqual([]);
  });

  test('lists scores by target, name and author, a page at a time, within the organization', async () => {
    let now = 1_700_000_000_000;
    await using store = await open({ now: () => now++ });
    await openConversation(store);
    await store.createTrace(ORG, { id: 'tr_2', run: 'r' });
    await store.createTrace('other', { id: 'tr_test' });
    await store.addScore(ORG, score({ id: 'sc_1' }));
    await store.addScore(ORG, score({ id: 'sc_2', block_id: 'tb_msg123', name: 'tone', author: 'ada' }));
    await store.addScore(ORG, score({ id: 'sc_3', trace_id: 'tr_2' }));
    await store.addScore(ORG, { id: 'sc_4', run: 'r', name: 'quality', label: 'good' });
    await store.addScore('other', score({ id: 'sc_1', value: 9 }));

    expect(await namesOf(store)).toEqual(['1', '2', '3', '4']);
    expect(await namesOf(store, { trace_id: 'tr_test' })).toEqual(['1', '2']);
    expect(await namesOf(store, { block_id: 'tb_msg123' })).toEqual(['2']);
    expect(await namesOf(store, { run: 'r' })).toEqual(['3', '4']);
    expect(await namesOf(store, { name: 'tone', author: 'ada' })).toEqual(['2']);
    const first = await store.scores(ORG, { limit: 3 });
    const second = await store.scores(ORG, { limit: 3, cursor: first.next_cursor ?? '' });
    expect(second.items.map(({ id }) => id)).toEqual(['sc_4']);
    expect(second.next_cursor).toBeNull();
  });

  test('deletes a score, and all scores of a trace with it', async () => {
    await using store = await open();
    await openConversation(store);
    for (const id of ['sc_1', 'sc_2']) await store.addScore(ORG, score({ id }));

    await store.deleteScore(ORG, 'sc_1');

    expect(await namesOf(store)).toEqual(['2']);
    expect(await codeOf(store.deleteScore(ORG, 'sc_1'))).toBe('NOT_FOUND');
    expect(await codeOf(store.deleteScore('other', 'sc_2'))).toBe('NOT_FOUND');
    await store.deleteTrace(ORG, 'tr_test');
    expect(await namesOf(store)).toEqual([]);
  });

  test('filters and sorts traces by scores', async () => {
    await using store = await open();
    const values = { tr_a: [1, 0], tr_b: [1], tr_c: [0.25], tr_d: [] };
    for (const [id, own] of Object.entries(values)) {
      await store.createTrace(ORG, { id });
      for (const value of own) await store.addScore(ORG, score({ trace_id: id, value }));
    }
    await store.addScore(ORG, score({ trace_id: 'tr_d', name: 'kind', value: null, label: 'wrong tool' }));
    await store.createTrace('other', { id: 'tr_a' });
    await store.addScore('other', score({ trace_id: 'tr_a', value: 7 }));

    const sort = 'score:quality';
    expect(await idsOf(store, { sort })).toEqual(['b', 'a', 'c', 'd']);
    expect(await idsOf(store, { sort, order: 'asc' })).toEqual(['c', 'a', 'b', 'd']);
    expect(await idsOf(store, { sort, score: { name: 'quality', operator: '>=', value: 0.5 } })).toEqual(['b', 'a']);
    expect(await idsOf(store, { score: { name: 'kind', operator: '=', value: 'wrong tool' } })).toEqual(['d']);
    expect(await idsOf(store, { order: 'asc', score: { name: 'quality' } })).toEqual(['a', 'b', 'c']);
    const page = await store.traces(ORG, { limit: 2, sort });
    const next = await store.traces(ORG, { limit: 2, sort, cursor: page.next_cursor ?? '' });
    expect(next.items.map(({ id }) => id)).toEqual(['tr_c', 'tr_d']);
  });
}
