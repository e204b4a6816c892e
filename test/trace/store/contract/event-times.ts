import { expect, test } from '@jest/globals';
import { message, type OpenStore, ORG, openConversation, post } from '../stores.ts';

const START = Date.parse('2026-01-01T00:00:00Z');

/** Blocks with times of their own, and what an update adds to a trace. */
export function testEventTimes(open: OpenStore): void {
  test('stores blocks with their own times, each after the one before it', async () => {
    await using store = await open({ now: () => START + 60_000 });
    await store.createTrace(ORG, { id: 'tr_t' }, START);
    const times = [START + 1.5, START + 1.5, undefined, START + 2];
    const blocks = times.map((_, index) => ({ ...message(), id: `tb_${index}` }));

    await post(store, 'tr_t', { blocks: blocks.slice(0, 2) }, { times: times.slice(0, 2) });
    await store.updateTrace(ORG, 'tr_t', { name: 'later' });
    await post(store, 'tr_t', { blocks: blocks.slice(2) }, { times: [START + 3, START + 2] });
    await post(store, 'tr_t', message());

    const stored = (await store.blocks(ORG, 'tr_t')).map(({ block }) => block.created_at);
    expect(stored.slice(0, 4)).toEqual([
      '2026-01-01T00:00:00.001500Z',
      '2026-01-01T00:00:00.001501Z',
      '2026-01-01T00:00:00.003000Z',
      '2026-01-01T00:00:00.003001Z',
    ]);
    const { created_at, updated_at } = await store.trace(ORG, 'tr_t');
    expect(created_at).toBe('2026-01-01T00:00:00.000000Z');
    expect(stored[4]).toBe(updated_at);
    expect(updated_at >= '2026-01-01T00:01:00.000000Z').toBe(true);
    expect(await store.verify()).toEqual([]);
  });

  test('writes a block after one whose own time is in the future', async () => {
    await using store = await open({ now: () => START });
    const id = await openConversation(store);

    await post(store, id, { ...message(), id: 'tb_f' }, { times: [START + 5_000] });
    await post(store, id, { ...message(), id: 'tb_n' });

    const [future, next] = (await store.blocks(ORG, id, { after: 2 })).map(({ block }) => block.created_at);
    expect([future, next]).toEqual(['2026-01-01T00:00:05.000000Z', '2026-01-01T00:00:05.000001Z']);
  });

  test('sets the step and the task of a trace later, by which it joins a group', async () => {
    await using store = await open();
    const { trace } = await store.createTrace(ORG, { run: 'r' });

    const updated = await store.updateTrace(ORG, trace.id, { step: 3, task_index: 7 });

    expect(updated).toMatchObject({ step: 3, task_index: 7 });
    expect(await store.trace(ORG, trace.id)).toEqual(updated);
    expect((await store.traces(ORG, { step: 3, limit: 5 })).items).toHaveLength(1);
    expect((await store.groups(ORG, { run: 'r', limit: 5 })).items).toMatchObject([{ step: 3, task_index: 7 }]);
    expect(await store.createTrace(ORG, { id: trace.id, run: 'r' })).toMatchObject({ isNew: false });
  });

  test('adds each warning once, and lists at most 100', async () => {
    await using store = await open();
    const { trace } = await store.createTrace(ORG, {});
    const warning = (index: number) => ({ event_id: `e${index}`, path: '/reward', message: 'true is not a number' });

    await store.updateTrace(ORG, trace.id, { warnings: [warning(0), warning(1)] });
    const few = await store.updateTrace(ORG, trace.id, { warnings: [warning(1), warning(2)] });
    const many = Array.from({ length: 200 }, (_, index) => warning(index));
    await store.updateTrace(ORG, trace.id, { warnings: many });

    expect('warnings' in trace).toBe(false);
    expect(few.warnings).toEqual([warning(0), warning(1), warning(2)]);
    expect((await store.trace(ORG, trace.id)).warnings).toHaveLength(100);
  });
}
