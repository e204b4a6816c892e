import type { JSONObject, RolloutReceipt, TraceId, TraceWarning, ValidationIssue } from '../../../generated/trace.ts';
import { groupBy, isRecord } from '../../core/index.ts';
import { describeValueKind, type TraceErrorBody, TraceStoreError, validationError } from '../model/index.ts';
import type { TraceStore } from '../store/index.ts';
import { type ReadEvent, readRolloutEvent, updatedPosition } from './rollout-events.ts';
import type { RolloutReceiver } from './rollout-receiver.ts';

/** Maximum number of events in a request. */
const MAX_EVENTS = 10_000;

/** Returns the events of a body. @throws TraceStoreError VALIDATION if the body is not a list of events. */
export function readEvents(body: unknown): readonly unknown[] {
  const events = isRecord(body) ? body.events : undefined;
  if (Array.isArray(events) && events.length <= MAX_EVENTS) return events;
  const expected = `a list of at most ${MAX_EVENTS} events`;
  const got = Array.isArray(events) ? `${events.length} events` : describeValueKind(events);
  throw new TraceStoreError(validationError([{ path: '/events', rule: 'events', expected, got }]));
}

/** A refused event, by its position in the request. */
export type RefusedEvent = NonNullable<RolloutReceipt['refused']>[number];

interface LogTarget {
  readonly store: TraceStore;
  readonly rolloutReceiver: RolloutReceiver;
  readonly org: string;
}

type Placed<Kind extends ReadEvent['kind']> = Extract<ReadEvent, { kind: Kind }> & { readonly position: number };

/**
 * Logs the events of a request. An event that cannot be read, and one whose trace does not exist, is refused alone; the
 * others are stored.
 *
 * @throws TraceStoreError the error of the first event, if all of them are refused.
 */
export async function logEvents(
  { store, rolloutReceiver, org }: LogTarget,
  events: readonly unknown[],
): Promise<{ readonly accepted: number; readonly refused: readonly RefusedEvent[] }> {
  const refused = new Map<number, TraceErrorBody>();
  /** Runs a write, and refuses its events if the store rejects it. */
  const attempt = async (positions: readonly number[], write: () => Promise<unknown>): Promise<void> => {
    try {
      await write();
    } catch (error) {
      if (!(error instanceof TraceStoreError)) throw error;
      for (const position of positions) refused.set(position, error.body);
    }
  };
  const { starts, messages, updates, unreadable } = readAll(events);
  for (const { position, path, expected } of unreadable) {
    refused.set(position, validationError([eventIssue(position, path, expected, events[position])]));
  }
  for (const { position, trace, at } of starts) await attempt([position], () => store.createTrace(org, trace, at));
  for (const [traceId, own] of groupBy(messages, (message) => message.traceId)) {
    const received = own.map(({ message }) => message);
    await attempt(positionsOf(own), () => rolloutReceiver.receive(org, traceId, received));
  }
  for (const { position, traceId, info } of updates) {
    await attempt([position], () => applyUpdate(store, org, traceId, info));
  }
  for (const [traceId, warnings] of warningsByTrace([...starts, ...messages, ...updates], refused)) {
    await attempt([], () => store.updateTrace(org, traceId, { warnings }));
  }
  const [first] = [...refused.keys()].sort((one, other) => one - other);
  const failure = first === undefined ? undefined : refused.get(first);
  if (failure && refused.size === events.length) throw new TraceStoreError(failure);
  const sorted = [...refused].sort(([one], [other]) => one - other);
  return { accepted: events.length - refused.size, refused: sorted.map(([index, error]) => ({ index, error })) };
}

const positionsOf = (events: readonly { readonly position: number }[]) => events.map(({ position }) => position);

/** Sorts the events by kind, each with its position. */
function readAll(events: readonly unknown[]) {
  const starts: Placed<'start'>[] = [];
  const messages: Placed<'message'>[] = [];
  const updates: Placed<'update'>[] = [];
  const unreadable: Placed<'unreadable'>[] = [];
  const lastIndexes = new Map<TraceId, number>();
  for (const [position, each] of events.entries()) {
    const event = readRolloutEvent(each, (traceId) => lastIndexes.get(traceId) ?? 0);
    if (event.kind === 'start') starts.push({ ...event, position });
    else if (event.kind === 'update') updates.push({ ...event, position });
    else if (event.kind === 'unreadable') unreadable.push({ ...event, position });
    else {
      messages.push({ ...event, position });
      lastIndexes.set(event.traceId, event.message.index);
    }
  }
  return { starts, messages, updates, unreadable };
}

function eventIssue(index: number, path: string, expected: string, event: unknown): ValidationIssue {
  const value = path === '' || !isRecord(event) ? event : event[path.slice(1)];
  return { index, path, rule: 'event', expected, got: describeValueKind(value) };
}

/** Merges information into a trace, and sets its step and task_index. */
async function applyUpdate(store: TraceStore, org: string, traceId: TraceId, info: JSONObject): Promise<void> {
  const trace = await store.trace(org, traceId);
  await store.updateTrace(org, traceId, { rollout_info: info, ...updatedPosition(trace, info) });
}

type Warned = Placed<'start'> | Placed<'message'> | Placed<'update'>;

/** Returns the warnings about events that are stored. */
function warningsByTrace(
  events: readonly Warned[],
  refused: ReadonlyMap<number, unknown>,
): ReadonlyMap<TraceId, readonly TraceWarning[]> {
  const found = new Map<TraceId, TraceWarning[]>();
  for (const event of events) {
    if (event.warnings.length === 0 || refused.has(event.position)) continue;
    const traceId = event.kind === 'start' ? event.trace.id : event.traceId;
    const known = found.get(traceId) ?? [];
    known.push(...event.warnings);
    found.set(traceId, known);
  }
  return found;
}
