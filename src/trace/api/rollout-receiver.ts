import type { BlockId, BlockInput, TraceId } from '../../../generated/trace.ts';
import { CallMatcher, KeyedMutex, ownProperty, parseExactJson, startTimer, stringifyJson } from '../../core/index.ts';
import { sha256OfJson } from '../../core/node/index.ts';
import { splitAndOffloadBlock } from '../fit/index.ts';
import { type TraceLimits, TraceStoreError } from '../model/index.ts';
import { type BlockQuery, type TraceStore, traceKey } from '../store/index.ts';
import {
  placeMessages,
  rolloutBlockId,
  type StoredOutline,
  storedCallId,
  toUnreadableMessage,
} from './rollout-blocks.ts';
import type { ReadMessage } from './rollout-events.ts';

/** Writes the messages of rollouts in order, even if they arrive out of order. */
export interface RolloutReceiver {
  /** Resolves when the messages are on disk, and those without missing predecessors are written as blocks. */
  receive(org: string, trace: TraceId, messages: readonly ReadMessage[]): Promise<void>;
  /** Writes all messages that wait for missing predecessors, of all traces. */
  flushGaps(): Promise<void>;
  close(): void;
}

/** Maximum number of messages in one write. */
const MAX_BATCH = 100;

/**
 * Creates the receiver of a store.
 *
 * @param gapMs time that a message waits for its predecessors; the client repeats a failed batch for about a minute.
 * @param onError receives errors of background writes, which are retried after `gapMs`.
 */
export function createRolloutReceiver(
  store: TraceStore,
  limits: TraceLimits,
  gapMs: number,
  onError: (error: unknown) => void,
): RolloutReceiver {
  // Keys of mutex and timers: `traceKey`.
  const mutex = new KeyedMutex<string>();
  const cancelTimers = new Map<string, () => void>();
  let isClosed = false;
  const drain = (org: string, trace: TraceId, withGaps: boolean) => {
    const key = traceKey(org, trace);
    return mutex.run(key, async () => {
      let isEmpty = false;
      try {
        isEmpty = await writeReady(store, { org, trace, limits }, withGaps);
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
        text: stringifyJson(message),
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

interface WriteTarget {
  readonly org: string;
  readonly trace: TraceId;
  readonly limits: TraceLimits;
}

/**
 * Writes all messages that are ready.
 *
 * @param withGaps also writes messages whose predecessors are missing.
 * @returns true if no message waits any more.
 */
async function writeReady(store: TraceStore, target: WriteTarget, withGaps: boolean): Promise<boolean> {
  const { org, trace } = target;
  while (true) {
    const { next, events } = await store.pendingEvents(org, trace);
    const ready = (withGaps ? events : withoutGaps(events, next)).slice(0, MAX_BATCH);
    if (ready.length === 0) return events.length === 0;
    const messages = ready.map(({ text }) => parseExactJson(text) as ReadMessage);
    const written = await writeSome(store, target, messages);
    const ids = written.map(({ eventId }) => eventId);
    await store.settleEvents(org, trace, ids);
    if (written.some(({ isFinished }) => isFinished === true)) {
      await store.updateTrace(org, trace, { status: 'finished' });
    }
  }
}

/**
 * Writes messages. If the store rejects them, writes the first one alone, and the whole of it as text if it is rejected
 * itself, so that no message stops those after it.
 *
 * @returns the messages that are on disk, at least one.
 */
async function writeSome(
  store: TraceStore,
  target: WriteTarget,
  messages: readonly ReadMessage[],
): Promise<readonly ReadMessage[]> {
  try {
    return await writeOrFind(store, target, messages);
  } catch (error) {
    if (!(error instanceof TraceStoreError) || GONE.includes(error.body.code)) throw error;
  }
  const [first, ...others] = messages;
  if (!first) return [];
  if (others.length > 0) return writeSome(store, target, [first]);
  await writeOrFind(store, target, [toUnreadableMessage(first)]);
  return [first];
}

const GONE: readonly string[] = ['TRACE_NOT_FOUND', 'TRACE_DELETED'];

/**
 * Writes messages, or finds those that are already stored, by an earlier process or another one, possibly with other
 * parents.
 *
 * @returns the messages that are on disk, at least one.
 */
async function writeOrFind(
  store: TraceStore,
  target: WriteTarget,
  messages: readonly ReadMessage[],
): Promise<readonly ReadMessage[]> {
  try {
    await write(store, target, messages, rolloutBlockId);
    return messages;
  } catch (error) {
    if (!isIdConflict(error)) throw error;
    const found: ReadMessage[] = [];
    for (const message of messages) if (await isWritten(store, target, message)) found.push(message);
    if (found.length > 0) return found;
    // The id belongs to a message of another rollout.
    const first = messages.slice(0, 1);
    await write(store, target, first, (event) => `${rolloutBlockId(event)}_${sha256OfJson(target.trace).slice(0, 8)}`);
    return first;
  }
}

const isIdConflict = (error: unknown): boolean =>
  error instanceof TraceStoreError && error.body.code === 'BLOCK_ID_CONFLICT';

async function isWritten(store: TraceStore, { org, trace }: WriteTarget, message: ReadMessage) {
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
  { org, trace, limits }: WriteTarget,
  messages: readonly ReadMessage[],
  idOf: (event: ReadMessage) => BlockId,
): Promise<void> {
  const placed = await placeMessages(messages, idOf, createOutline(store, org, trace));
  const blocks: BlockInput[] = [];
  const times: (number | undefined)[] = [];
  for (const { block, time } of placed) {
    const fitted = await splitAndOffloadBlock(block, limits);
    for (const blob of fitted.blobs) await store.putBlob(org, blob);
    for (const piece of fitted.blocks) {
      blocks.push(piece);
      times.push(time);
    }
  }
  await store.append(org, trace, { body: { blocks }, limits, times });
}

/** Reads the blocks of a trace that new messages are placed under. */
function createOutline(store: TraceStore, org: string, trace: TraceId): StoredOutline {
  const read = (query: BlockQuery) => store.skeletons(org, trace, query);
  return {
    async lastMessage() {
      const last = (await read({ sub_type: 'MESSAGE' })).at(-1);
      return last && { id: last.block.id, ord: last.ord };
    },
    async call(callId) {
      return (await read({ sub_type: 'TOOL_CALL', call_id: callId, limit: 1 }))[0]?.block.id;
    },
    async openCalls(after) {
      const calls = await read({ sub_type: 'TOOL_CALL', after });
      const results = await read({ sub_type: 'TOOL_RESULT', after });
      const answered = new Set(results.map(({ block }) => block.parent_block_id));
      const open = calls.filter(({ block }) => !answered.has(block.id));
      // A repeated callId is only in `extra`.
      const ids = open.flatMap(({ block }) => (block.call_id === null ? [block.id] : [])).slice(-MAX_BATCH);
      const repeated = ids.length === 0 ? [] : await store.blocks(org, trace, { ids });
      const callIds = new Map(repeated.map(({ block }) => [block.id, ownProperty(block.extra, 'call_id')]));
      const matcher = new CallMatcher<BlockId>();
      let parent: BlockId | null = null;
      let next = 0;
      for (const { ord, block } of open) {
        const first = next;
        while (next < results.length && Number(results[next]?.ord) < ord) next++;
        // As in a request, a message or result ends the turn.
        if (next > first || block.parent_block_id !== parent) matcher.endTurn();
        parent = block.parent_block_id;
        const callId = block.call_id ?? callIds.get(block.id);
        matcher.add(typeof callId === 'string' ? storedCallId(callId) : undefined, block.id);
      }
      return matcher;
    },
  };
}
