import type { MemoryState } from './memory-ledger.ts';
import type { TraceStore } from './trace-store.ts';

type RolloutEventStore = Pick<TraceStore, 'receiveEvents' | 'pendingEvents' | 'settleEvents' | 'tracesWithEvents'>;

/** The events of rollouts in a memory store. */
export const createMemoryRolloutEvents = (ledger: MemoryState): RolloutEventStore => ({
  async receiveEvents(org, trace, received) {
    const { events } = ledger.record(org, trace);
    for (const { id, index, text } of received) if (!events.has(id)) events.set(id, { index, text });
  },
  async pendingEvents(org, trace) {
    const events = [...ledger.record(org, trace).events].map(([id, event]) => ({ id, ...event }));
    const settled = events.filter(({ text }) => text === null);
    const pending = events.flatMap(({ id, index, text }) => (text === null ? [] : [{ id, index, text }]));
    return {
      next: settled.reduce((next, { index }) => Math.max(next, index + 1), 0),
      events: pending.sort((one, other) => one.index - other.index || (one.id < other.id ? -1 : 1)),
    };
  },
  async settleEvents(org, trace, ids) {
    const { events } = ledger.record(org, trace);
    for (const id of ids) {
      const event = events.get(id);
      if (event) events.set(id, { index: event.index, text: null });
    }
  },
  tracesWithEvents: async () => ledger.withEvents(),
});
