import type { BlockId, BlockInput, RolloutMessage, TraceId } from '../../../../generated/trace.ts';
import { appendAll, KeyedMutex, startTimer } from '../../../core/index.ts';
import { sha256OfJson } from '../../../core/node/index.ts';
import { splitAndOffloadBlock } from '../../fit/index.ts';
import { type TraceLimits, TraceStoreError } from '../../model/index.ts';
import { type TraceStore, traceKey } from '../../store/index.ts';
import { rolloutBlockId, rolloutMessageToBlock } from './to-block.ts';

/** What writes the messages of rollouts in their order, however they arrive. */
export interface RolloutReceiver {
  /** Resolves when they are on disk, and those are written whose predecessors are. */
  receive(org: string, trace: TraceId, messages: readonly RolloutMessage[]): Promise<void>;
  /** Writes what waited for messages that have not come, of all traces. */
  flushGaps(): Promise<void>;
  close(): void;
}

/** So many events become one write. */
const BATCH = 100;

/**
 * @param gapMs how long a message waits for those before it; the client repeats a failed batch for about a minute.
 * @param onError told of what failed while nobody waited; it is tried again after as long.
 */
export function createRolloutReceiver(
  store: TraceStore,
  limits: TraceLimits,
  gapMs: number,
  onError: (error: unknown) => void,
): RolloutReceiver {
  /** By `traceKey`, as the timers are. */
  const mutex = new KeyedMutex<string>();
  const cancelTimers = new Map<string, () => void>();
  let isClosed = false;
  const drain = (org: string, trace: TraceId, withGaps: boolean) => {
    const key = traceKey(org, trace);
    return mutex.run(key, async () => {
      let isEmpty = false;
      try {
        isEmpty = await writeReady(store, { org, trace, limits, withGaps });
      } finally {
        cancelTimers.get(key)?.();
        cancelTimers.delete(key);
        if (!isEmpty && !isClosed) {
          const writeGaps = () => void drain(org, trace, true).catch(onError);
          cancelTimers.set(key, startTimer(gapMs, writeGaps, { unref: true }));
        }
      }
    });
  };
  return {
    async receive(org, trace, messages) {
      const events = messages.map((message) => ({
        id: message.eventId,
        index: message.index,
        text: JSON.stringify(message),
      }));
      await store.receiveEvents(org, trace, events);
      await drain(org, trace, false);
    },
    async flushGaps() {
      for (const { org, id } of await store.tracesWithEvents()) await drain(org, id, true).catch(onError);
    },
    close() {
      isClosed = true;
      for (const cancelTimer of cancelTimers.values()) cancelTimer();
    },
  };
}

interface DrainContext {
  readonly org: string;
  readonly trace: TraceId;
  readonly limits: TraceLimits;
  readonly withGaps: boolean;
}

/** @returns whether nothing waits any more. */
async function writeReady(store: TraceStore, { org, trace, limits, withGaps }: DrainContext): Promise<boolean> {
  while (true) {
    const { next, events } = await store.pendingEvents(org, trace);
    const ready = (withGaps ? events : withoutGaps(events, next)).slice(0, BATCH);
    if (ready.length === 0) return events.length === 0;
    const messages = ready.map(({ text }) => JSON.parse(text) as RolloutMessage);
    const written = await writeOrFind(store, { org, trace, limits }, messages);
    await store.settleEvents(
      org,
      trace,
      written.map(({ eventId }) => eventId),
    );
    if (written.some(({ isFinished }) => isFinished === true)) {
      await store.updateTrace(org, trace, { status: 'finished' });
    }
  }
}

/**
 * Writes messages, or finds those that stand there already: written before a server ended, or by another one, perhaps
 * under parents that this one does not know of.
 *
 * @returns those that are on disk, at least one.
 */
async function writeOrFind(
  store: TraceStore,
  place: Omit<DrainContext, 'withGaps'>,
  messages: readonly RolloutMessage[],
): Promise<readonly RolloutMessage[]> {
  try {
    await write(store, place, messages, rolloutBlockId);
    return messages;
  } catch (error) {
    if (!isIdConflict(error)) throw error;
    const found: RolloutMessage[] = [];
    for (const message of messages) if (await isWritten(store, place, message)) found.push(message);
    if (found.length > 0) return found;
    // Another rollout has a message of the same id.
    const first = messages.slice(0, 1);
    await write(store, place, first, (event) => `${rolloutBlockId(event)}_${sha256OfJson(place.trace).slice(0, 8)}`);
    return first;
  }
}

const isIdConflict = (error: unknown): boolean =>
  error instanceof TraceStoreError && error.body.code === 'BLOCK_ID_CONFLICT';

async function isWritten(store: TraceStore, { org, trace }: Omit<DrainContext, 'withGaps'>, message: RolloutMessage) {
  try {
    await store.block(org, trace, rolloutBlockId(message));
    return true;
  } catch (error) {
    if (error instanceof TraceStoreError && error.body.code === 'BLOCK_NOT_FOUND') return false;
    throw error;
  }
}

function withoutGaps<E extends { readonly index: number }>(events: readonly E[], next: number): readonly E[] {
  let expected = next;
  const end = events.findIndex(({ index }) => {
    if (index > expected) return true;
    expected = Math.max(expected, index + 1);
    return false;
  });
  return end < 0 ? events : events.slice(0, end);
}

async function write(
  store: TraceStore,
  { org, trace, limits }: Omit<DrainContext, 'withGaps'>,
  messages: readonly RolloutMessage[],
  idOf: (event: RolloutMessage) => BlockId,
): Promise<void> {
  const outline = await store.skeletons(org, trace, { sub_type: 'MESSAGE' });
  let message = outline.at(-1)?.block.id;
  const calls = new Map<string, BlockId>();
  const blocks: BlockInput[] = [];
  const add = async (block: BlockInput & { id: BlockId }) => {
    const fitted = await splitAndOffloadBlock(block, limits);
    for (const blob of fitted.blobs) await store.putBlob(org, blob);
    appendAll(blocks, fitted.blocks);
  };
  const callOf = async (callId: string): Promise<BlockId | undefined> =>
    calls.get(callId) ??
    (await store.skeletons(org, trace, { sub_type: 'TOOL_CALL', call_id: callId, limit: 1 }))[0]?.block.id;

  for (const event of messages) {
    const isMessage = event.type.endsWith('_message');
    const id = idOf(event);
    if (!isMessage && message === undefined) {
      message = `${id}_turn`;
      // A turn of which only calls or thoughts were logged.
      await add({
        id: message,
        sub_type: 'MESSAGE',
        payload: { role: 'assistant', content: [{ type: 'text', text: '' }] },
        extra: { inferred: true },
      });
    }
    const known = event.callId ? await callOf(event.callId) : undefined;
    let call = known;
    if (event.type === 'tool_result' && call === undefined) {
      call = `${id}_call`;
      const payload = { name: event.name ?? 'unknown', arguments: {} };
      await add({
        id: call,
        sub_type: 'TOOL_CALL',
        parent_block_id: message ?? '',
        payload,
        extra: { inferred: true },
      });
    }
    await add(
      rolloutMessageToBlock(event, id, {
        message: message ?? '',
        call: call ?? '',
        isCallIdTaken: known !== undefined && known !== id,
      }),
    );
    if (isMessage) message = id;
    if (event.type === 'tool_call' && event.callId) calls.set(event.callId, id);
  }
  await store.append(org, trace, { body: { blocks }, limits });
}
