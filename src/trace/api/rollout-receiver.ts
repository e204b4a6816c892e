import type { BlockId, BlockInput, JSONObject, RolloutMessage, TraceId } from '../../../generated/trace.ts';
import { type Awaitable, appendAll, Mutex, startTimer, utf8Length } from '../../core/index.ts';
import { sha256OfJson } from '../../core/node/index.ts';
import { type BlockWithId, splitAndOffloadBlock } from '../fit/index.ts';
import { isToolName, parseArguments, type TraceLimits, TraceStoreError } from '../model/index.ts';
import { type TraceStore, traceKey } from '../store/index.ts';

/** Writes the messages of rollouts in order, even if they arrive out of order. */
export interface RolloutReceiver {
  /** Resolves when the messages are on disk, and those without missing predecessors are written as blocks. */
  receive(org: string, trace: TraceId, messages: readonly RolloutMessage[]): Promise<void>;
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
    const messages = ready.map(({ text }) => JSON.parse(text) as RolloutMessage);
    const written = await writeOrFind(store, target, messages);
    const ids = written.map(({ eventId }) => eventId);
    await store.settleEvents(org, trace, ids);
    if (written.some(({ isFinished }) => isFinished === true)) {
      await store.updateTrace(org, trace, { status: 'finished' });
    }
  }
}

/**
 * Writes messages, or finds those that are already stored, by an earlier process or another one, possibly with other
 * parents.
 *
 * @returns the messages that are on disk, at least one.
 */
async function writeOrFind(
  store: TraceStore,
  target: WriteTarget,
  messages: readonly RolloutMessage[],
): Promise<readonly RolloutMessage[]> {
  try {
    await write(store, target, messages, rolloutBlockId);
    return messages;
  } catch (error) {
    if (!isIdConflict(error)) throw error;
    const found: RolloutMessage[] = [];
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

async function isWritten(store: TraceStore, { org, trace }: WriteTarget, message: RolloutMessage) {
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
      // Only calls or thoughts of this turn were logged.
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

/** Position of a message of the flat log in the tree. */
interface RolloutPosition {
  /** The last MESSAGE before it. */
  readonly message: BlockId;
  /** The call of a result. */
  readonly call: BlockId;
  /** True if another call has the same callId. */
  readonly isCallIdTaken: boolean;
}

const rolloutBlockId = ({ eventId }: Pick<RolloutMessage, 'eventId'>): BlockId => `tb_${eventId}`;

const ROLES = { system_message: 'system', user_message: 'user', assistant_message: 'assistant' } as const;

/** Converts a message of the OpenReward client to a block; other fields go to `extra`. */
function rolloutMessageToBlock(event: RolloutMessage, id: BlockId, position: RolloutPosition): BlockWithId {
  const extra = extraOf(event, position);
  const { type, content } = event;
  if (type === 'reasoning') {
    return { id, sub_type: 'THINK', parent_block_id: position.message, payload: { text: thoughtOf(event) }, extra };
  }
  if (type === 'tool_call') {
    const payload = { ...callIdOf(event, position), name: nameOf(event), arguments: argumentsOf(content ?? '') };
    return { id, sub_type: 'TOOL_CALL', parent_block_id: position.message, payload, extra };
  }
  if (type === 'tool_result') {
    return { id, sub_type: 'TOOL_RESULT', parent_block_id: position.call, payload: { output: content ?? null }, extra };
  }
  // The content of a message cannot be empty; a turn without text gets one empty part.
  const parts = content ? content : ([{ type: 'text', text: '' }] as const);
  return { id, sub_type: 'MESSAGE', payload: { role: ROLES[type], content: parts as string }, extra };
}

/** Hidden reasoning has only a summary or a reference, or nothing. */
const thoughtOf = ({ content, summary, contentReference }: RolloutMessage): string =>
  content || summary || contentReference || '(reasoning that the provider does not show)';

const callIdOf = ({ callId }: RolloutMessage, { isCallIdTaken }: RolloutPosition) =>
  callId && utf8Length(callId) <= 256 && !isCallIdTaken ? { call_id: callId } : {};

/** Replaces invalid tool names; `extra.name` keeps the original. */
const nameOf = ({ name }: RolloutMessage): string => (isToolName(name) ? name : 'unnamed');

/** Parses arguments, which the client sends as JSON text; keeps the text if it is not an object. */
function argumentsOf(text: string): JSONObject {
  if (text.trim() === '') return {};
  return parseArguments(text).value ?? { $invalid_json: text };
}

function extraOf(event: RolloutMessage, { isCallIdTaken }: RolloutPosition): JSONObject {
  const { type, name, callId, reward, isFinished, metadata, summary, contentReference, index, timestamp } = event;
  const isKept = type === 'tool_call' && isToolName(name);
  const fields = {
    index,
    timestamp,
    reward,
    finished: isFinished === true ? true : undefined,
    metadata,
    summary,
    content_reference: contentReference,
    name: isKept ? undefined : name,
    call_id: type === 'tool_call' && !isCallIdTaken ? undefined : callId,
  };
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as JSONObject;
}

/** One mutex per key. A key without tasks uses no memory. */
export class KeyedMutex<Key> {
  readonly #mutexes = new Map<Key, Mutex>();

  /** @throws the error of the task. */
  run<T>(key: Key, task: () => Awaitable<T>): Promise<T> {
    const mutex = this.#mutexes.get(key) ?? new Mutex();
    this.#mutexes.set(key, mutex);
    const result = mutex.run(task);
    const forget = () => {
      if (mutex.isIdle) this.#mutexes.delete(key);
    };
    result.then(forget, forget);
    return result;
  }
}
