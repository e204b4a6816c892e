import type { BlockId, JSONObject, JSONValue } from '../../../generated/trace.ts';
import { CallMatcher, isRecord, stringifyJson, utf8Length } from '../../core/index.ts';
import { sha256OfJson } from '../../core/node/index.ts';
import type { BlockWithId } from '../fit/index.ts';
import { isToolName, MAX_CALL_ID_BYTES, parseArguments } from '../model/index.ts';
import type { ReadMessage } from './rollout-events.ts';

/** Converts the flat messages of a rollout to blocks of a tree. */

/** The stored blocks of a trace that new messages are placed under. */
export interface StoredOutline {
  lastMessage(): Promise<{ readonly id: BlockId; readonly ord: number } | undefined>;
  /** Returns the call with a `call_id`. */
  call(callId: string): Promise<BlockId | undefined>;
  /** Reads the calls without a result that were written after an ordinal. */
  openCalls(after: number): Promise<CallMatcher<BlockId>>;
}

/** A block with the time of its event, in milliseconds since 1970. */
interface PlacedMessage {
  readonly block: BlockWithId;
  readonly time: number | undefined;
}

export const rolloutBlockId = ({ eventId }: Pick<ReadMessage, 'eventId'>): BlockId => `tb_${eventId}`;

/**
 * Converts messages in order: thoughts and calls become children of the last message, results children of their call.
 *
 * @param idOf returns the id of the block of a message.
 */
export async function placeMessages(
  messages: readonly ReadMessage[],
  idOf: (event: ReadMessage) => BlockId,
  outline: StoredOutline,
): Promise<readonly PlacedMessage[]> {
  const last = await outline.lastMessage();
  const calls = createCallLog(outline, last?.ord ?? 0);
  const placed: PlacedMessage[] = [];
  let message = last?.id;
  for (const event of messages) {
    const id = idOf(event);
    const add = (block: BlockWithId) => placed.push({ block, time: event.timestamp });
    if (isMessage(event)) {
      add(messageBlock(event, id));
      calls.endTurn();
      message = id;
      continue;
    }
    if (message === undefined) {
      message = `${id}_turn`;
      add(inferredTurn(message));
    }
    if (event.type === 'reasoning') add(thoughtBlock(event, id, message));
    else if (event.type === 'tool_call') {
      add(callBlock(event, id, { message, isRepeated: await calls.isRepeated(id, event) }));
      calls.add(id, event);
    } else {
      let call = await calls.take(event);
      if (call === undefined) {
        call = `${id}_call`;
        add(inferredCall(call, message, event));
      }
      add(resultBlock(event, id, call));
    }
  }
  return placed;
}

const ROLES: ReadonlyMap<string, 'system' | 'user' | 'assistant'> = new Map([
  ['system_message', 'system'],
  ['user_message', 'user'],
  ['assistant_message', 'assistant'],
]);

const isMessage = ({ type }: ReadMessage): boolean => ROLES.has(type);

/**
 * Finds the calls of results: those of the request, then those after the last stored message, then all stored ones.
 *
 * @param last ordinal of the last stored message.
 */
function createCallLog(outline: StoredOutline, last: number) {
  const added = new CallMatcher<BlockId>();
  const firstById = new Map<string, BlockId>();
  const answered = new Set<BlockId>();
  const stored = new Map<number, CallMatcher<BlockId>>();
  async function takeStored(after: number, callId: string | undefined): Promise<BlockId | undefined> {
    const calls = stored.get(after) ?? (await outline.openCalls(after));
    stored.set(after, calls);
    for (let found = calls.take(callId); found && !found.isRepeated; found = calls.take(callId)) {
      if (!answered.has(found.call)) return found.call;
    }
    return undefined;
  }
  return {
    endTurn: () => added.endTurn(),
    add(id: BlockId, { callId }: ReadMessage): void {
      const key = callId ? storedCallId(callId) : undefined;
      added.add(key, id);
      if (key !== undefined && !firstById.has(key)) firstById.set(key, id);
    },
    /** Returns true if another call has the callId of a call. */
    async isRepeated(id: BlockId, { callId }: ReadMessage): Promise<boolean> {
      if (!callId) return false;
      const key = storedCallId(callId);
      const first = firstById.get(key) ?? (await outline.call(key));
      return first !== undefined && first !== id;
    },
    /** Returns the call of a result. */
    async take({ callId }: ReadMessage): Promise<BlockId | undefined> {
      const key = callId ? storedCallId(callId) : undefined;
      const own = added.take(key);
      if (own && !own.isRepeated) return own.call;
      const open = (await takeStored(last, key)) ?? (await takeStored(0, key));
      if (open !== undefined) answered.add(open);
      return open ?? own?.call ?? (key === undefined ? undefined : outline.call(key));
    },
  };
}

/** Returns an id that the store accepts, so that results in later requests find their call. */
export const storedCallId = (callId: string): string =>
  utf8Length(callId) <= MAX_CALL_ID_BYTES ? callId : `sha256:${sha256OfJson(callId)}`;

/** A turn of which only calls or thoughts were logged. */
const inferredTurn = (id: BlockId): BlockWithId => ({
  id,
  sub_type: 'MESSAGE',
  payload: { role: 'assistant', content: [{ type: 'text', text: '' }] },
  extra: { inferred: true },
});

const inferredCall = (id: BlockId, parent_block_id: BlockId, { name }: ReadMessage): BlockWithId => ({
  id,
  sub_type: 'TOOL_CALL',
  parent_block_id,
  payload: { name: isToolName(name) ? name : 'unknown', arguments: {} },
  extra: { inferred: true },
});

function messageBlock(event: ReadMessage, id: BlockId): BlockWithId {
  const { type, content = null } = event;
  // The content of a message cannot be empty; a turn without text gets one empty part.
  const empty = [{ type: 'text', text: '' }];
  const parts = content === null || content === '' ? empty : isPartList(content) ? content : textOf(content);
  const role = ROLES.get(type) ?? 'user';
  const extra = extraOf(event, { name: event.name, call_id: event.callId });
  // The content is valid: text, or a list of parts.
  return { id, sub_type: 'MESSAGE', payload: { role, content: parts as string }, extra };
}

const isPartList = (content: JSONValue): boolean =>
  Array.isArray(content) &&
  content.length > 0 &&
  content.every((part) => isRecord(part) && typeof part.type === 'string' && part.type !== '');

const textOf = (content: JSONValue): string => (typeof content === 'string' ? content : stringifyJson(content));

/** Hidden reasoning has only a summary or a reference, or nothing. */
function thoughtBlock(event: ReadMessage, id: BlockId, parent_block_id: BlockId): BlockWithId {
  const { content = null, summary, contentReference } = event;
  const shown = content === null ? '' : textOf(content);
  const text = shown || summary || contentReference || '(reasoning that the provider does not show)';
  const extra = extraOf(event, {
    name: event.name,
    call_id: event.callId,
    hidden: shown === '' ? true : null,
  });
  return { id, sub_type: 'THINK', parent_block_id, payload: { text }, extra };
}

/** @param isRepeated true if another call has the same callId. */
function callBlock(
  event: ReadMessage,
  id: BlockId,
  { message, isRepeated }: { readonly message: BlockId; readonly isRepeated: boolean },
): BlockWithId {
  const { name, callId, content = '' } = event;
  const isNamed = isToolName(name);
  const call_id = callId && !isRepeated ? storedCallId(callId) : undefined;
  const payload = {
    ...(call_id === undefined ? {} : { call_id }),
    name: isNamed ? name : 'unnamed',
    arguments: argumentsOf(content),
  };
  const extra = extraOf(event, { name: isNamed ? null : name, call_id: call_id === callId ? null : callId });
  return { id, sub_type: 'TOOL_CALL', parent_block_id: message, payload, extra };
}

/** Parses arguments, which the client sends as JSON text; other text is kept in `$invalid_json`. */
function argumentsOf(content: JSONValue): JSONValue {
  if (typeof content !== 'string') return content;
  const { value, issue } = parseArguments(content);
  if (issue) return { $invalid_json: content };
  // A text would be parsed again when it is written.
  return typeof value === 'string' ? content : value;
}

function resultBlock(event: ReadMessage, id: BlockId, parent_block_id: BlockId): BlockWithId {
  const { content = null, name, callId } = event;
  const extra = extraOf(event, { name, call_id: callId });
  return { id, sub_type: 'TOOL_RESULT', parent_block_id, payload: { output: content }, extra };
}

/** Returns the fields of an event that a block has no other place for, and others that are neither null nor undefined. */
function extraOf(event: ReadMessage, others: Readonly<Record<string, unknown>>): JSONObject {
  const { index, timestamp, reward, isFinished, metadata, summary, contentReference, sent, fields } = event;
  const extra = {
    index,
    timestamp,
    reward,
    finished: isFinished === true ? true : undefined,
    metadata,
    summary,
    content_reference: contentReference,
    ...others,
    sent,
    event: fields,
  };
  return Object.fromEntries(
    Object.entries(extra).filter(([, value]) => value !== undefined && value !== null),
  ) as JSONObject;
}

/** Returns a message that the store accepts, with the whole of one that it rejects as its text. */
export const toUnreadableMessage = (event: ReadMessage): ReadMessage => ({
  eventId: event.eventId,
  rolloutEventId: event.rolloutEventId,
  index: event.index,
  ...(event.timestamp === undefined ? {} : { timestamp: event.timestamp }),
  type: 'user_message',
  content: stringifyJson(event),
  fields: { unreadable: true },
});
