import { expect, test } from '@jest/globals';
import type { TraceInput } from '../../../../generated/trace.ts';
import { parseSearch, type SearchQuery } from '../../../../src/trace/model/index.ts';
import type { TraceQuery, TraceStore } from '../../../../src/trace/store/trace-store.ts';
import { message, type OpenStore, ORG, post } from '../stores.ts';
import { openOnce } from './open-once.ts';

/**
 * Two episodes of a task in the run `r`, with the rewards 1 and 0; three continuations of the first one, one of which is
 * continued itself; and a continuation of a trace that the store does not have, in a run without other traces.
 */
async function fill(store: TraceStore): Promise<void> {
  const task = { run: 'r', environment: 'maze', split: 'train', task_index: 4, step: 1, model: 'm' };
  const traces: readonly (TraceInput & { readonly id: string; readonly reward: number })[] = [
    { id: 'tr_a', ...task, reward: 1 },
    { id: 'tr_b', ...task, reward: 0 },
    { id: 'tr_a1', ...task, parent_trace_id: 'tr_a', parent_calls: 1, reward: 8 },
    { id: 'tr_a2', ...task, parent_trace_id: 'tr_a', parent_calls: 1, reward: 16 },
    { id: 'tr_a3', ...task, parent_trace_id: 'tr_a', group_id: 'named', reward: 32 },
    { id: 'tr_a1x', ...task, parent_trace_id: 'tr_a1', parent_calls: 0, reward: 64 },
    { id: 'tr_lost', run: 'other', parent_trace_id: 'tr_elsewhere', parent_calls: 2, reward: 128 },
  ];
  for (const [index, { reward, ...input }] of traces.entries()) {
    await store.createTrace(ORG, input, 1000 * (index + 1));
    await post(store, input.id, { ...message(), extra: { reward } });
  }
}

const idsOf = async (store: TraceStore, query: Omit<TraceQuery, 'limit'>) =>
  (await store.traces(ORG, { order: 'asc', limit: 100, ...query })).items.map(({ id }) => id.slice(3)).join(' ');

export function testParents(open: OpenStore): void {
  const openFilled = openOnce(open, fill);

  test('keeps the parent of a trace and the number of calls that they share', async () => {
    const store = await openFilled();
    const { items } = await store.traces(ORG, { order: 'asc', limit: 100 });
    const parents = items.map(({ id, parent_trace_id, parent_calls }) => [id, parent_trace_id, parent_calls]);

    expect(parents).toEqual([
      ['tr_a', undefined, undefined],
      ['tr_b', undefined, undefined],
      ['tr_a1', 'tr_a', 1],
      ['tr_a2', 'tr_a', 1],
      ['tr_a3', 'tr_a', undefined],
      ['tr_a1x', 'tr_a1', 0],
      ['tr_lost', 'tr_elsewhere', 2],
    ]);
    expect(await store.trace(ORG, 'tr_a1')).toEqual(items[2]);
    expect('parent_trace_id' in (await store.trace(ORG, 'tr_a'))).toBe(false);
    expect(await store.verify()).toEqual([]);
  });

  test('keeps the parent when the trace is changed, and when it is created again', async () => {
    await using store = await open();
    const input: TraceInput = { id: 'tr_1', task_index: 1, parent_trace_id: 'tr_0', parent_calls: 3 };
    await store.createTrace(ORG, input);

    await store.updateTrace(ORG, 'tr_1', { name: 'new', step: 2 });

    const { trace, isNew } = await store.createTrace(ORG, { ...input });
    expect({ isNew, ...trace }).toMatchObject({ isNew: false, name: 'new', parent_trace_id: 'tr_0', parent_calls: 3 });
    expect((await store.groups(ORG, { limit: 10 })).items).toEqual([]);
    await expect(store.createTrace(ORG, { ...input, parent_calls: 4 })).rejects.toMatchObject({
      body: { code: 'TRACE_ID_CONFLICT' },
    });
  });

  test('treats a parent of null as none', async () => {
    await using store = await open();
    await store.createTrace(ORG, { id: 'tr_1' });

    const { trace, isNew } = await store.createTrace(ORG, { id: 'tr_1', parent_trace_id: null, parent_calls: null });

    expect(isNew).toBe(false);
    expect(trace).not.toHaveProperty('parent_trace_id');
  });

  test.each<[string, TraceInput, string]>([
    ['a number of calls without a parent', { id: 'tr_1', parent_calls: 2 }, '/parent_calls'],
    ['itself as parent', { id: 'tr_1', parent_trace_id: 'tr_1', parent_calls: 0 }, '/parent_trace_id'],
  ])('rejects %s', async (_what, input, path) => {
    await using store = await open();

    await expect(store.createTrace(ORG, input)).rejects.toMatchObject({
      body: { code: 'VALIDATION', details: { issues: [{ path, rule: 'parent' }] } },
    });
    expect(await idsOf(store, {})).toBe('');
  });

  test.each<[string, Omit<TraceQuery, 'limit'>, string]>([
    ['of a parent', { parent: 'tr_a' }, 'a1 a2 a3'],
    ['of a parent, by reward', { parent: 'tr_a', sort: 'reward', order: 'desc' }, 'a3 a2 a1'],
    ['of a parent that the store does not have', { parent: 'tr_elsewhere' }, 'lost'],
    ['of a parent without continuations', { parent: 'tr_b' }, ''],
    ['of a run, with a parent', { run: 'r', has_parent: true }, 'a1 a2 a3 a1x'],
    ['of a run, without one', { run: 'r', has_parent: false }, 'a b'],
    ['of a run, with and without', { run: 'r' }, 'a b a1 a2 a3 a1x'],
    ['parent:=', { query: parseSearch('parent:=tr_a') as SearchQuery }, 'a1 a2 a3'],
    ['-parent:', { query: parseSearch('-parent:tr_') as SearchQuery }, 'a b'],
  ])('lists traces: %s', async (_what, query, expected) => {
    const store = await openFilled();

    expect(await idsOf(store, query)).toBe(expected);
  });

  test('leaves continuations out of the runs and their statistics', async () => {
    const store = await openFilled();

    const { items } = await store.runs(ORG, { limit: 10, details: { pass: 1 } });
    const stats = await store.runStats(ORG, 'r', 10);

    expect(items.map(({ run }) => run)).toEqual(['r']);
    const reward = { count: 2, count_without: 0, mean: 0.5, std: 0.5, min: 0, max: 1 };
    expect(items[0]).toMatchObject({ trace_count: 2, block_count: 2, reward, details: { passed: 1 } });
    expect(stats.run).toMatchObject({ trace_count: 2, reward });
    expect(stats.steps).toHaveLength(1);
    expect(stats.steps[0]).toMatchObject({ step: 1, trace_count: 2, reward: { mean: 0.5 } });
    await expect(store.runStats(ORG, 'other', 10)).rejects.toMatchObject({ body: { code: 'NOT_FOUND' } });
    await expect(
      store.runStats(ORG, 'r', 10, { query: parseSearch('parent:=tr_a') as SearchQuery }),
    ).rejects.toMatchObject({ body: { code: 'NOT_FOUND' } });
  });

  test('leaves continuations out of the groups, even if they name one', async () => {
    const store = await openFilled();

    const { items } = await store.groups(ORG, { limit: 10 });

    expect(items.map(({ members }) => members.map(({ trace_id }) => trace_id))).toEqual([['tr_a', 'tr_b']]);
    expect(items[0]?.reward).toMatchObject({ count: 2, mean: 0.5 });
  });

  test('keeps the continuations of a trace that is deleted', async () => {
    await using store = await open();
    await fill(store);

    await store.deleteTrace(ORG, 'tr_a');

    expect(await idsOf(store, { parent: 'tr_a' })).toBe('a1 a2 a3');
  });
}
