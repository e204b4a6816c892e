import { expect, test } from '@jest/globals';
import { codeOf, type OpenStore, ORG, openConversation } from '../stores.ts';

/** Ids whose order differs from that of the events. */
const event = (index: number, text = `{"index":${index}}`) => ({ id: `event-${9 - index}`, index, text });

export function testRolloutEvents(open: OpenStore): void {
  test('keeps events in their order until they are settled, and stores each once', async () => {
    await using store = await open();
    const id = await openConversation(store);
    await store.receiveEvents(ORG, id, [event(3), event(0), event(1, '"\\ud800"')]);
    expect(await store.pendingEvents(ORG, id)).toEqual({
      next: 0,
      events: [event(0), event(1, '"\\ud800"'), event(3)],
    });

    await store.settleEvents(ORG, id, ['event-9', 'event-8', 'event-0']);
    await store.receiveEvents(ORG, id, [event(0, 'again'), event(3, 'again'), event(2)]);

    expect(await store.pendingEvents(ORG, id)).toEqual({ next: 2, events: [event(2), event(3)] });
  });

  test('lists traces with pending events', async () => {
    await using store = await open();
    const id = await openConversation(store);
    await store.createTrace('other', { id: 'tr_other' });
    expect(await store.tracesWithEvents()).toEqual([]);

    await store.receiveEvents(ORG, id, [event(0)]);
    await store.receiveEvents('other', 'tr_other', [event(0)]);
    await store.settleEvents(ORG, id, ['event-9']);

    expect(await store.tracesWithEvents()).toEqual([{ org: 'other', id: 'tr_other' }]);
    await store.deleteTrace('other', 'tr_other');
    expect(await store.tracesWithEvents()).toEqual([]);
  });

  test('rejects events of a trace that does not exist', async () => {
    await using store = await open();
    await openConversation(store);

    const asks = [
      store.receiveEvents('other', 'tr_test', [event(0)]),
      store.pendingEvents('other', 'tr_test'),
      store.settleEvents('other', 'tr_test', ['event-9']),
    ];

    expect(await Promise.all(asks.map(codeOf))).toEqual(asks.map(() => 'TRACE_NOT_FOUND'));
  });
}
