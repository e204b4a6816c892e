import { expect, test } from '@jest/globals';
import type { GroupQuery, TraceStore } from '../../../../src/trace/store/trace-store.ts';
import { message, type OpenStore, ORG, post } from '../stores.ts';
import { openOnce } from './open-once.ts';

/** Groups by task: `even` of 1, 1 and none, `wide` of 0, 1 and 2, `none` without a reward; all in the run `r`, step 1. */
async function fill(store: TraceStore): Promise<void> {
  const common = { run: 'r', environment: 'maze', split: 'train', step: 1 };
  const traces = [
    { id: 'tr_0', ...common, task_spec: { task: 'even' }, rollout_index: 1, reward: 1 },
    { id: 'tr_1', ...common, task_spec: { task: 'wide' }, task_index: 4, reward: 0 },
    { id: 'tr_2', ...common, task_spec: { task: 'wide' }, reward: 1 },
    { id: 'tr_3', ...common, task_spec: { task: 'wide' }, status: 'finished' as const, reward: 2 },
    { id: 'tr_4', ...common, task_spec: { task: 'even' }, reward: 1 },
    { id: 'tr_5', ...common, task_spec: { task: 'even' } },
    { id: 'tr_6', ...common, task_spec: { task: 'wide' }, group_id: 'named', reward: 8 },
    { id: 'tr_7', run: 'r', group_id: 'named', step: 2, reward: 4 },
    { id: 'tr_8', run: 'r', task_index: 3 },
    { id: 'tr_9', run: 'r' },
  ];
  for (const [index, { reward, ...input }] of traces.entries()) {
    await store.createTrace(ORG, input, 1000 * (index + 1));
    if (reward !== undefined) await post(store, input.id, { ...message(), extra: { reward } });
  }
}

const membersOf = async (store: TraceStore, query: Omit<GroupQuery, 'limit'>) =>
  (await store.groups(ORG, { limit: 100, ...query })).items.map(({ members }) =>
    members.map(({ trace_id }) => trace_id.slice(3)).join(' '),
  );

export function testGroups(open: OpenStore): void {
  const openFilled = openOnce(open, fill);

  test.each([
    ['oldest first', {}, ['0 4 5', '1 2 3', '6 7', '8']],
    ['greatest deviation first', { sort: 'std' }, ['6 7', '1 2 3', '0 4 5', '8']],
    ['best first', { sort: 'mean' }, ['6 7', '1 2 3', '0 4 5', '8']],
    ['of a step', { step: 1 }, ['0 4 5', '1 2 3', '6']],
    ['of an environment and split', { environment: 'maze', split: 'train' }, ['0 4 5', '1 2 3', '6']],
    ['with a name', { group_id: 'named' }, ['6 7']],
    ['of another run', { run: 'other' }, []],
  ] as const)('lists groups: %s', async (_what, query, expected) => {
    const store = await openFilled();

    expect(await membersOf(store, query)).toEqual(expected);
  });

  test('returns the shared fields of a group and the advantage of each trace', async () => {
    const store = await openFilled();
    const { task_key } = await store.trace(ORG, 'tr_1');

    const { items } = await store.groups(ORG, { limit: 2, task_key: task_key ?? '' });

    const std = Math.sqrt(2 / 3);
    const member = { rollout_index: null, status: 'running', block_count: 1 };
    expect(items[0]).toEqual({
      key: `["r","maze","train","${task_key}",1]`,
      group_id: null,
      run: 'r',
      environment: 'maze',
      split: 'train',
      task_key,
      task_index: 4,
      step: 1,
      model: null,
      reward: { count: 3, count_without: 0, mean: 1, std: expect.closeTo(std), min: 0, max: 2 },
      members: [
        { ...member, trace_id: 'tr_1', reward: 0, advantage: expect.closeTo(-1 / std) },
        { ...member, trace_id: 'tr_2', reward: 1, advantage: 0 },
        { ...member, trace_id: 'tr_3', status: 'finished', reward: 2, advantage: expect.closeTo(1 / std) },
      ],
    });
    expect(items[1]?.key).toBe('named');
  });

  test('never compares different models or sampling settings, except in a group that was logged', async () => {
    await using store = await open();
    const task = { run: 'r', task_index: 0 };
    const cold = { sampling: { temperature: 0 } };
    const traces = [
      { id: 'tr_0', ...task, model: 'a' },
      { id: 'tr_1', ...task, model: 'b' },
      { id: 'tr_2', ...task, model: 'a' },
      { id: 'tr_3', ...task, model: 'a', rollout_info: cold },
      { id: 'tr_4', ...task, model: 'a', metadata: cold },
      { id: 'tr_5', ...task },
      { id: 'tr_6', ...task, group_id: 'named', model: 'a' },
      { id: 'tr_7', ...task, group_id: 'named', model: 'b' },
    ];
    for (const [index, input] of traces.entries()) await store.createTrace(ORG, input, 1000 * (index + 1));

    expect(await membersOf(store, {})).toEqual(['0 2', '1', '3 4', '5', '6 7']);
    expect(await membersOf(store, { model: 'b' })).toEqual(['1', '7']);
    const { items } = await store.groups(ORG, { limit: 10 });
    expect(items.map(({ model }) => model)).toEqual(['a', 'b', 'a', null, null]);
  });

  test('returns an advantage of 0 if all rewards are equal, and null without a reward', async () => {
    const store = await openFilled();

    const [group] = (await store.groups(ORG, { limit: 1 })).items;

    expect(group?.reward).toEqual({ count: 2, count_without: 1, mean: 1, std: 0, min: 1, max: 1 });
    expect(group?.members.map(({ advantage }) => advantage)).toEqual([0, 0, null]);
    expect(group?.members.map(({ rollout_index }) => rollout_index)).toEqual([1, null, null]);
  });

  test.each((['created', 'std', 'mean'] as const).flatMap((sort) => [1, 2, 3].map((limit) => [sort, limit] as const)))(
    'lists all groups in pages by %s of %i',
    async (sort, limit) => {
      const store = await openFilled();
      const all = await store.groups(ORG, { sort, limit: 100 });

      const found = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page = await store.groups(ORG, { sort, limit, ...(cursor === undefined ? {} : { cursor }) });
        found.push(...page.items);
        cursor = page.next_cursor;
      }

      expect(found).toEqual(all.items);
      expect(found).toHaveLength(4);
    },
  );
}
