import { expect, test } from '@jest/globals';
import type { TraceQuery, TraceStore } from '../../../../src/trace/store/trace-store.ts';
import { codeOf, message, type OpenStore, ORG, post } from '../stores.ts';
import { openOnce } from './open-once.ts';

/** Traces tr_0, tr_1...; the sums of the rewards are 2, none, -1, 2, 0.5, and the last one has three blocks. */
async function fill(store: TraceStore): Promise<void> {
  const common = { environment: 'maze', split: 'train' };
  await store.createTrace(
    ORG,
    { ...common, id: 'tr_0', run: 'a', step: 1, name: '50% off', group_id: 'g', tags: ['x'] },
    1000,
  );
  await store.createTrace(ORG, { ...common, id: 'tr_1', run: 'a', step: 2, name: 'SHOUT', status: 'finished' }, 2000);
  await store.createTrace(ORG, { ...common, id: 'tr_2', run: 'b', step: 2, model: 'm', task_spec: { a: 1 } }, 3000);
  await store.createTrace(ORG, { ...common, id: 'tr_3', run: 'b', split: 'test', tags: ['x', 'y'] }, 3000);
  await store.createTrace(ORG, { id: 'tr_4', environment: 'other' }, 5000);
  await store.createTrace('other', { id: 'tr_5', run: 'a' }, 6000);
  const rewarded = (reward: number, extra: object = {}) => ({ ...message(), extra: { reward, ...extra } });
  await post(store, 'tr_0', rewarded(2));
  await post(store, 'tr_2', { blocks: [rewarded(-1), message()] });
  await post(store, 'tr_3', rewarded(2));
  await post(store, 'tr_4', { blocks: [rewarded(0.25), rewarded(0.25), message()] });
  const called = { sub_type: 'TOOL_CALL', parent_block_id: 'tb_m', payload: { name: 'a', arguments: {} } };
  const failed = { sub_type: 'TOOL_RESULT', parent_block_id: 'tb_c', payload: { output: { ok: false } } };
  await post(store, 'tr_1', { blocks: [{ ...message(), id: 'tb_m' }, { ...called, id: 'tb_c' }, failed] });
}

const ids = async (store: TraceStore, query: Omit<TraceQuery, 'limit'>) =>
  (await store.traces(ORG, { limit: 100, ...query })).items.map(({ id }) => id.slice(3)).join(' ');

export function testLists(open: OpenStore): void {
  const openFilled = openOnce(open, fill);

  test.each([
    ['newest first', {}, '4 3 2 1 0'],
    ['oldest first', { order: 'asc' }, '0 1 2 3 4'],
    ['best first', { sort: 'reward' }, '3 0 4 2 1'],
    ['worst first', { sort: 'reward', order: 'asc' }, '2 4 0 3 1'],
    ['longest first', { sort: 'length' }, '4 1 2 3 0'],
    ['shortest first', { sort: 'length', order: 'asc' }, '0 3 2 1 4'],
    ['of a run', { run: 'a' }, '1 0'],
    ['of an environment', { environment: 'maze' }, '3 2 1 0'],
    ['of a split', { split: 'test' }, '3'],
    ['of a step', { step: 2 }, '2 1'],
    ['of a group', { group_id: 'g' }, '0'],
    ['of a model', { model: 'm' }, '2'],
    ['with a status', { status: 'finished' }, '1'],
    ['with a tag', { tag: 'x' }, '3 0'],
    ['with a minimum reward', { reward_min: 0.5 }, '4 3 0'],
    ['with a maximum reward', { reward_max: 0.5 }, '4 2'],
    ['with errors', { has_error: true }, '1'],
    ['without errors', { has_error: false }, '4 3 2 0'],
    ['created at or after a time', { created_after: '1970-01-01T00:00:03.000000Z' }, '4 3 2'],
    ['created before a time', { created_before: '1970-01-01T00:00:03.000000Z' }, '1 0'],
    ['by text of the name', { q: 'shout' }, '1'],
    ['by text of the id', { q: 'R_4' }, '4'],
    ['by text with %', { q: '0% o' }, '0'],
    ['by a wildcard, which is plain text', { q: '%' }, '0'],
    ['by all at once', { run: 'b', split: 'train', step: 2, reward_max: 0, model: 'm', q: 'TR_' }, '2'],
    ['by a run that does not exist', { run: 'none' }, ''],
  ] as const)('lists traces: %s', async (_what, query, expected) => {
    const store = await openFilled();

    expect(await ids(store, query)).toBe(expected);
  });

  test('lists the traces of a task by its task_key', async () => {
    const store = await openFilled();
    const { task_key } = await store.trace(ORG, 'tr_2');

    expect(await ids(store, { task_key: task_key ?? '' })).toBe('2');
  });

  test.each(
    (['created', 'reward', 'length'] as const).flatMap((sort) =>
      (['asc', 'desc'] as const).flatMap((order) => [1, 2, 3, 5].map((limit) => [sort, order, limit] as const)),
    ),
  )('lists all traces in pages by %s %s of %i', async (sort, order, limit) => {
    const store = await openFilled();
    const all = await store.traces(ORG, { sort, order, limit: 100 });

    const pages = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = await store.traces(ORG, { sort, order, limit, ...(cursor === undefined ? {} : { cursor }) });
      pages.push(page.items);
      cursor = page.next_cursor;
    }

    expect(pages.flat()).toEqual(all.items);
    expect(pages).toHaveLength(Math.ceil(5 / limit));
    expect(all.next_cursor).toBeNull();
  });

  test('a forged cursor and a search for NUL cause no database error', async () => {
    await using store = await open();
    const forged = (...place: unknown[]) => Buffer.from(JSON.stringify(place)).toString('base64url');
    const ask = (cursor: string) => [
      codeOf(store.traces(ORG, { limit: 1, cursor })),
      codeOf(store.groups(ORG, { limit: 1, cursor })),
      codeOf(store.runs(ORG, { limit: 1, cursor })),
    ];
    const lists = ['traces created desc', 'groups created', 'runs'];

    const codes = await Promise.all(
      lists.flatMap((list) => ['x', 1.5, 1e300].flatMap((value) => ask(forged(list, value, 'a\0b')))),
    );
    const found = await store.traces(ORG, { limit: 1, q: 'a\0b' });

    expect(codes).toHaveLength(27);
    expect(codes.filter((code) => code !== 'VALIDATION' && !code.startsWith('no refusal'))).toEqual([]);
    expect(found.items).toEqual([]);
  });

  test.each(['', 'no cursor', Buffer.from('{"a":1}').toString('base64url')])(
    'rejects %j as a cursor, and the cursor of another list',
    async (cursor) => {
      const store = await openFilled();
      const { next_cursor } = await store.traces(ORG, { limit: 1, sort: 'reward' });

      const asks = [
        store.traces(ORG, { limit: 1, cursor }),
        store.traces(ORG, { limit: 1, cursor: next_cursor ?? '' }),
        store.runs(ORG, { limit: 1, cursor }),
        store.groups(ORG, { limit: 1, cursor }),
      ];
      expect(await Promise.all(asks.map(codeOf))).toEqual(asks.map(() => 'VALIDATION'));
    },
  );

  test.each([0.1, 1e139, 1e141, 1e150])(
    'computes exact statistics for rewards of size %d next to a run with smaller ones',
    async (size) => {
      await using store = await open();
      for (const [run, unit] of Object.entries({ small: 1, sized: size })) {
        for (const reward of [unit, 2 * unit, null, 6 * unit]) {
          const { id } = (await store.createTrace(ORG, { run })).trace;
          if (reward !== null) await post(store, id, { ...message(), extra: { reward } });
        }
      }

      const { items } = await store.runs(ORG, { limit: 10 });

      const rewards = new Map(items.map(({ run, reward }) => [run, reward]));
      for (const [run, unit] of Object.entries({ small: 1, sized: size })) {
        const { mean, std, ...others } = rewards.get(run) ?? {};
        expect(others).toEqual({ count: 3, count_without: 1, min: unit, max: 6 * unit });
        expect((mean ?? 0) / unit).toBeCloseTo(3, 12);
        expect((std ?? 0) / unit).toBeCloseTo(Math.sqrt(14 / 3), 12);
      }
    },
  );

  test('lists runs with the counts and rewards of their traces, most recently changed first', async () => {
    await using store = await open({ now: clock() });
    await fill(store);

    const { items, next_cursor } = await store.runs(ORG, { limit: 10 });

    expect(next_cursor).toBeNull();
    expect(items).toMatchObject([
      {
        run: 'a',
        trace_count: 2,
        block_count: 4,
        error_count: 1,
        status: { running: 1, finished: 1, error: 0, abandoned: 0 },
        reward: { count: 1, count_without: 1, mean: 2, std: 0, min: 2, max: 2 },
        first_created_at: '1970-01-01T00:00:01.000000Z',
      },
      {
        run: 'b',
        trace_count: 2,
        block_count: 3,
        error_count: 0,
        status: { running: 2, finished: 0, error: 0, abandoned: 0 },
        reward: { count: 2, count_without: 0, mean: 0.5, std: 1.5, min: -1, max: 2 },
        first_created_at: '1970-01-01T00:00:03.000000Z',
      },
    ]);
    const { updated_at } = await store.trace(ORG, 'tr_1');
    expect(items[0]?.last_updated_at).toBe(updated_at);
    const bytes = await Promise.all(['tr_0', 'tr_1'].map(async (id) => (await store.trace(ORG, id)).bytes));
    expect(items[0]?.bytes).toBe((bytes[0] ?? 0) + (bytes[1] ?? 0));
  });

  test('lists runs in pages, and by a text of their name', async () => {
    await using store = await open({ now: clock() });
    await fill(store);

    const first = await store.runs(ORG, { limit: 1 });
    const second = await store.runs(ORG, { limit: 1, cursor: first.next_cursor ?? '' });
    const found = await store.runs(ORG, { limit: 1, q: 'A' });

    expect([first, second].map(({ items }) => items.map(({ run }) => run))).toEqual([['a'], ['b']]);
    expect(second.next_cursor).toBeNull();
    expect(found.items.map(({ run }) => run)).toEqual(['a']);
    expect((await store.runs(ORG, { limit: 1, q: '_' })).items).toEqual([]);
    expect((await store.runs('nobody', { limit: 1 })).items).toEqual([]);
  });

  test('returns histograms of the rewards of a run, in total and by step', async () => {
    const store = await openFilled();
    const [whole] = (await store.runs(ORG, { limit: 1, q: 'b' })).items;

    const stats = await store.runStats(ORG, 'b', 3);

    expect(stats).toEqual({
      run: whole,
      edges: [-1, 0, 1, 2],
      histogram: [1, 0, 1],
      steps: [
        {
          step: 2,
          trace_count: 1,
          reward: { count: 1, count_without: 0, mean: -1, std: 0, min: -1, max: -1 },
          histogram: [1, 0, 0],
          quantiles: { p10: -1, p25: -1, p50: -1, p75: -1, p90: -1 },
        },
        {
          step: null,
          trace_count: 1,
          reward: { count: 1, count_without: 0, mean: 2, std: 0, min: 2, max: 2 },
          histogram: [0, 0, 1],
          quantiles: { p10: 2, p25: 2, p50: 2, p75: 2, p90: 2 },
        },
      ],
    });
  });

  test('returns one bin for equal rewards, none without rewards, and an error for an unknown run', async () => {
    await using store = await open();
    await fill(store);
    await store.createTrace(ORG, { run: 'plain' });

    expect(await store.runStats(ORG, 'a', 5)).toMatchObject({ edges: [2, 2], histogram: [1] });
    expect(await store.runStats(ORG, 'plain', 5)).toMatchObject({ edges: [], histogram: [] });
    expect(await codeOf(store.runStats(ORG, 'none', 5))).toBe('NOT_FOUND');
    expect(await codeOf(store.runStats('nobody', 'a', 5))).toBe('NOT_FOUND');
  });

  test.each([
    ['a split', { split: 'train' }, -1],
    ['a tag', { tag: 'x' }, 2],
    ['a minimum reward', { reward_min: 0 }, 2],
    ['a text', { q: 'R_2' }, -1],
    ['a score', { score: { name: 'good' } }, 2],
    ['a step', { step: 2, model: 'm' }, -1],
  ] as const)('returns the statistics of the traces of a run with %s', async (_what, filter, reward) => {
    await using store = await open();
    await fill(store);
    await store.addScore(ORG, { trace_id: 'tr_3', name: 'good', value: 1 });

    const { run, steps } = await store.runStats(ORG, 'b', 5, filter);

    expect(run).toMatchObject({ run: 'b', trace_count: 1, reward: { mean: reward } });
    expect(steps.map((step) => step.reward.mean)).toEqual([reward]);
    expect(await codeOf(store.runStats(ORG, 'b', 5, { ...filter, status: 'error' }))).toBe('NOT_FOUND');
  });

  test('lists runs with details: environments, models, tags, steps, passes, usage and settings', async () => {
    await using store = await open();
    const run_info = { lr: 0.1, optimizer: { name: 'adam' } };
    const training = { run: 'r', environment: 'maze', model: 'm', run_info };
    const usage = { input_tokens: 10, output_tokens: 5 };
    const inputs = [
      { ...training, step: 1, tags: ['kept', 'stop:finished'], metadata: { usage } },
      { ...training, step: 1, tags: ['kept'], rollout_info: { cost: 0.5, total_tokens: 7 } },
      { ...training, step: 3, environment: 'grid', model: 'n', tags: ['"odd"'] },
      { ...training, step: 2, metadata: { note: 'last', run_id: 'x' }, status: 'finished' as const },
    ];
    for (const [index, input] of inputs.entries()) {
      const { trace } = await store.createTrace(ORG, input, 1000 * (index + 1));
      if (index < 3) await post(store, trace.id, { ...message(), extra: { reward: index / 2 } });
    }
    await store.createTrace(ORG, { run: 'empty' });

    const { items } = await store.runs(ORG, { limit: 10, details: { pass: 0.5 } });

    expect(items.find(({ run }) => run === 'r')?.details).toEqual({
      environments: ['maze', 'grid'],
      models: ['m', 'n'],
      tags: ['kept', '"odd"'],
      first_step: 1,
      last_step: 3,
      passed: 2,
      mean_seconds: 0,
      tokens: 22,
      cost: 0.5,
      trend: [0.25, null, 1],
      info: { lr: 0.1, 'optimizer.name': 'adam', note: 'last' },
    });
    expect(items.find(({ run }) => run === 'empty')?.details).toEqual({
      ...{ environments: [], models: [], tags: [], first_step: null, last_step: null, passed: 0 },
      ...{ mean_seconds: null, tokens: null, cost: null, trend: [], info: {} },
    });
    expect((await store.runs(ORG, { limit: 10 })).items.map(({ details }) => details)).toEqual([undefined, undefined]);
  });

  test('updates the tokens of a run when the metadata of a trace changes', async () => {
    await using store = await open();
    const { trace } = await store.createTrace(ORG, { run: 'r', metadata: { total_tokens: 3 } });
    await store.updateTrace(ORG, trace.id, { metadata: { total_tokens: 8 } });

    const { items } = await store.runs(ORG, { limit: 1, details: { pass: 1 } });

    expect(items[0]?.details?.tokens).toBe(8);
  });
}

/** Clock that advances by a second per read. */
function clock(): () => number {
  let now = 1_700_000_000_000;
  return () => (now += 1000);
}
