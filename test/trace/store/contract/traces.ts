import { expect, test } from '@jest/globals';
import { traceValidator } from '../../../support/validators.ts';

import { codeOf, LIMITS, message, type OpenStore, ORG, openConversation, post, result } from '../stores.ts';

const INPUT = {
  id: 'tr_mine',
  name: 'a name',
  run: 'run-1',
  environment: 'acme/maze',
  variant: 'large',
  split: 'train',
  task_index: 3,
  task_spec: { b: [1], a: null },
  group_id: 'g',
  step: 7,
  rollout_index: 2,
  model: 'm',
  tags: ['x', 'y', 'x'],
  metadata: { tools: [] },
  run_info: { lr: 0.1 },
  rollout_info: { temperature: 1 },
};

export function testTraces(open: OpenStore): void {
  test('creates a trace with the given fields, and defaults for the others', async () => {
    await using store = await open({ now: () => 1_700_000_000_123 });

    const { trace, isNew } = await store.createTrace(ORG, INPUT);

    const time = '2023-11-14T22:13:20.123000Z';
    expect(isNew).toBe(true);
    expect(trace).toEqual({
      ...INPUT,
      task_key: '98b8af4db27ca74550205512d9b8a9a03b9d0ff1dd687e2366f5d876f5de2530',
      status: 'running',
      reward_sum: null,
      reward_last: null,
      reward_max: null,
      reward_count: 0,
      block_count: 0,
      bytes: 0,
      error_count: 0,
      created_at: time,
      finished_at: null,
      updated_at: time,
    });
    expect(await store.trace(ORG, 'tr_mine')).toEqual(trace);
    expect(traceValidator('Trace')(trace) || traceValidator('Trace').errors).toBe(true);
  });

  test('assigns an id that sorts by time', async () => {
    await using store = await open();

    const ids = [];
    for (let count = 0; count < 3; count++) ids.push((await store.createTrace(ORG, {})).trace.id);

    expect(ids.every((id) => /^tr_[0-9a-z]{26}$/.test(id))).toBe(true);
    expect([...ids].sort()).toEqual(ids);
  });

  test('accepts the time of creation', async () => {
    await using store = await open();

    const { trace } = await store.createTrace(ORG, {}, 1_600_000_000_000);

    expect(trace.created_at).toBe('2020-09-13T12:26:40.000000Z');
  });

  test('returns the current trace for an equal input, whatever the order of its keys', async () => {
    await using store = await open();
    await store.createTrace(ORG, { id: 'tr_a', run: 'r', metadata: { a: 1, b: 2 } });
    const now = await store.updateTrace(ORG, 'tr_a', { status: 'finished', metadata: {} });

    const again = await store.createTrace(ORG, {
      metadata: { b: 2, a: 1 },
      run: 'r',
      id: 'tr_a',
      name: null,
      tags: [],
    });

    expect(again).toEqual({ trace: now, isNew: false });
  });

  test('rejects an id that was created with another input', async () => {
    await using store = await open();
    await store.createTrace(ORG, { id: 'tr_a', run: 'r' });

    expect(await codeOf(store.createTrace(ORG, { id: 'tr_a', run: 'other' }))).toBe('TRACE_ID_CONFLICT');
  });

  test('creates a trace once for many concurrent requests', async () => {
    await using store = await open();

    const results = await Promise.all(Array.from({ length: 20 }, () => store.createTrace(ORG, { id: 'tr_a' })));

    expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
  });

  test('returns texts that databases cannot store as they were written', async () => {
    await using store = await open();
    const hard = ['\0', '\ud800', '"quoted"', 'a\0b\ud801', "'; DROP TABLE traces; --", '%_\\', '\ufeff', '💩'];

    for (const [index, text] of hard.entries()) {
      const fields = {
        name: text,
        run: text,
        environment: text,
        split: text,
        group_id: text,
        model: text,
        tags: [text],
      };
      const { trace } = await store.createTrace(ORG, { id: `tr_${index}`, ...fields, task_spec: { text } });

      expect(trace).toMatchObject(fields);
      expect(await store.trace(ORG, trace.id)).toEqual(trace);
      expect((await store.traces(ORG, { run: text, tag: text, group_id: text, limit: 9 })).items).toEqual([trace]);
    }
  });

  test('replaces fields, merges run_info and rollout_info, and sets a later time in an update', async () => {
    await using store = await open({ now: () => 1_700_000_000_000 });
    await store.createTrace(ORG, INPUT);

    const first = await store.updateTrace(ORG, 'tr_mine', {
      name: null,
      run_info: { lr: 0.2 },
      rollout_info: { top_p: 1 },
    });
    const second = await store.updateTrace(ORG, 'tr_mine', { status: 'error', tags: ['z'], metadata: { a: 1 } });

    expect(first).toMatchObject({ name: null, run_info: { lr: 0.2 }, rollout_info: { temperature: 1, top_p: 1 } });
    expect(first).toMatchObject({ tags: INPUT.tags, metadata: INPUT.metadata, status: 'running', finished_at: null });
    expect(second).toMatchObject({ tags: ['z'], metadata: { a: 1 }, status: 'error', finished_at: second.updated_at });
    expect([first.created_at, first.updated_at, second.updated_at].map((time) => time.slice(-8))).toEqual([
      '.000000Z',
      '.000001Z',
      '.000002Z',
    ]);
    expect(await store.trace(ORG, 'tr_mine')).toEqual(second);
    expect((await store.traces(ORG, { tag: 'x', limit: 9 })).items).toEqual([]);
  });

  test('keeps the time at which a trace stopped running until it runs again', async () => {
    await using store = await open();
    await store.createTrace(ORG, { id: 'tr_a', status: 'finished' });

    const states = [];
    for (const status of ['error', 'running', 'abandoned'] as const) {
      states.push(await store.updateTrace(ORG, 'tr_a', { status }));
    }

    const [error, running, abandoned] = states;
    expect(error?.finished_at).toBe(error?.created_at);
    expect(running?.finished_at).toBeNull();
    expect(abandoned?.finished_at).toBe(abandoned?.updated_at);
  });

  test('deletes a trace with its blocks, and never reuses its id', async () => {
    await using store = await open();
    const id = await openConversation(store);
    await post(store, id, result({ output: 1 }, { reward: 1 }), { idempotency: { key: 'k', bodySha256: 'a' } });
    await store.createTrace(ORG, { id: 'tr_other', tags: ['t'] });

    await store.deleteTrace(ORG, id);

    const asks = [
      store.trace(ORG, id),
      store.blocks(ORG, id),
      store.block(ORG, id, 'tb_msg123'),
      post(store, id, message()),
      store.updateTrace(ORG, id, { name: 'a' }),
      store.deleteTrace(ORG, id),
      store.createTrace(ORG, { id }),
    ];
    expect(await Promise.all(asks.map(codeOf))).toEqual(asks.map(() => 'TRACE_DELETED'));
    expect(await store.createTrace('other', { id })).toMatchObject({ isNew: true });
    await store.deleteTrace('other', id);
    expect(await store.totals()).toMatchObject({ traces: 1, blocks: 0, bytes: 0 });
    await post(store, 'tr_other', { ...message(), id: 'tb_msg123' });
    expect(await store.verify()).toEqual([]);
  });

  test.each([
    ['a trace that does not exist', ORG, 'tr_none'],
    ['a trace of another organization', 'other', 'tr_test'],
  ])('does not find %s by any method', async (_what, org, id) => {
    await using store = await open();
    await openConversation(store);

    const asks = [
      store.trace(org, id),
      store.updateTrace(org, id, { name: 'a' }),
      store.deleteTrace(org, id),
      store.append(org, id, { body: message(), limits: LIMITS }),
      store.blocks(org, id),
      store.skeletons(org, id),
      store.block(org, id, 'tb_msg123'),
    ];

    expect(await Promise.all(asks.map(codeOf))).toEqual(asks.map(() => 'TRACE_NOT_FOUND'));
  });

  test('reveals nothing about a trace that another organization has deleted', async () => {
    await using store = await open();
    await openConversation(store);
    await store.deleteTrace(ORG, 'tr_test');

    expect(await codeOf(store.trace('other', 'tr_test'))).toBe('TRACE_NOT_FOUND');
  });

  test('notifies listeners of every change of a trace until they stop', async () => {
    await using store = await open();
    const id = await openConversation(store);
    const calls: string[] = [];
    const stop = store.watch(ORG, id, () => calls.push('first'));
    store.watch(ORG, id, () => calls.push('second'));

    await post(store, id, message());
    const [one] = calls.splice(0);
    stop();
    await store.updateTrace(ORG, id, { status: 'finished' });
    const two = calls.splice(0);
    await store.deleteTrace(ORG, id);

    // A superfluous call is allowed.
    expect([one, new Set(two), new Set(calls)]).toEqual(['first', new Set(['second']), new Set(['second'])]);
  });
}
