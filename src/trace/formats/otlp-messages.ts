import type { Timestamp, ToolCallBlock } from '../../../generated/trace.ts';
import { andThen, parseDataUrl, wellFormedJson } from '../../core/index.ts';
import { type Batches, concatBatches, flatMapBatches } from '../model/index.ts';
import { type AssistantTurnEntry, type Conversation, exportedCallKey, type InputMessageEntry } from './conversation.ts';
import {
  type CallOutput,
  type DisplayPart,
  partsToText,
  readMessage,
  readOutputs,
  readThoughts,
} from './conversation-parts.ts';
import {
  COMPACT,
  isStreamed,
  type StreamedJson,
  streamedList,
  streamedObject,
  streamedText,
  writeJson,
} from './streamed-json.ts';

/** Input of the next turn: a message, or the result of a call, by ordinal. */
export type PendingInput = InputMessageEntry | { readonly kind: 'result'; readonly call: number };

/** Returns the input of the model as JSON text, as the GenAI conventions require; undefined without input. */
export const inputMessages = (unread: readonly PendingInput[], conversation: Conversation): unknown =>
  unread.length > 0 ? jsonText(streamedList(() => messagesOf(unread, conversation))) : undefined;

const messagesOf = (unread: readonly PendingInput[], conversation: Conversation): Batches<object> =>
  flatMapBatches(unread, (each) => {
    if (each.kind === 'result') return flatMapBatches(readOutputs(conversation, [each.call]), responseMessage);
    return andThen(readMessage(conversation, each.message), ({ role, pieces }) => [{ role, parts: pieces.map(part) }]);
  });

/** Returns the output of the model as JSON text. */
export const outputMessages = (
  turn: AssistantTurnEntry,
  pieces: readonly DisplayPart[],
  conversation: Conversation,
): unknown => {
  const message = streamedObject({
    role: 'assistant',
    parts: streamedList(() => partsOf(turn, pieces, conversation)),
    finish_reason: turn.calls.length > 0 ? 'tool_call' : 'stop',
  });
  return jsonText(streamedList(() => [message]));
};

function partsOf({ thinks, calls }: AssistantTurnEntry, pieces: readonly DisplayPart[], conversation: Conversation) {
  const thoughts = flatMapBatches(readThoughts(conversation, thinks), (content) => [{ type: 'reasoning', content }]);
  const toolCalls = () =>
    flatMapBatches(conversation.reader.read(calls), ({ block }) => [toolCall(block as ToolCallBlock)]);
  return concatBatches<object>(thoughts, () => concatBatches(pieces.map(part), toolCalls));
}

/** Returns the message with the result of a call. */
function responseMessage({ block, pieces }: CallOutput): readonly object[] {
  const isText = pieces.every(({ kind }) => kind === 'text');
  const response = isText ? partsToText(pieces) : pieces.map(part);
  return [{ role: 'tool', parts: [{ type: 'tool_call_response', id: exportedCallKey(block), response }] }];
}

const toolCall = (call: ToolCallBlock): object => ({
  type: 'tool_call',
  id: exportedCallKey(call),
  name: call.payload.name,
  arguments: call.payload.arguments,
});

const jsonText = (value: unknown): unknown =>
  isStreamed(value) ? textOf(() => writeJson(value, { ...COMPACT, toJson: wellFormedJson })) : wellFormedJson(value);

const textOf = (pieces: () => AsyncIterable<string>): StreamedJson | string =>
  streamedText(async function* () {
    for await (const piece of pieces()) yield [piece];
  });

function part(piece: DisplayPart): object {
  if (piece.kind === 'text') return { type: 'text', content: piece.text };
  const data = parseDataUrl(piece.url);
  return data
    ? { type: 'blob', modality: 'image', mime_type: data.mediaType, content: data.base64 }
    : { type: 'uri', modality: 'image', mime_type: piece.mediaType, uri: piece.url };
}

/** Attributes by name; null and undefined are left out. */
export type OtlpAttributes = Readonly<Record<string, unknown>>;

/** Converts attributes to OTLP. Objects and lists become JSON text; streamed values must be text. */
export const toOtlpAttributes = (attributes: OtlpAttributes): unknown[] =>
  Object.entries(attributes).flatMap(([key, value]) => {
    if (value === null || value === undefined) return [];
    return [isStreamed(value) ? streamedAttribute(key, value) : { key, value: anyValue(key, value) }];
  });

const streamedAttribute = (key: string, stringValue: StreamedJson): unknown =>
  streamedObject({ key, value: streamedObject({ stringValue }) });

/** Rewards are always doubles, even integers, so that a backend sees one type. */
const isDouble = (key: string): boolean => /(^|[._])reward(_sum|_last|_max)?$/.test(key);

function anyValue(key: string, value: unknown): object {
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) && !isDouble(key) ? { intValue: String(value) } : { doubleValue: value };
  }
  return { stringValue: (typeof value === 'string' ? value : wellFormedJson(value)).toWellFormed() };
}

const NANOS_PER_MS = 1_000_000n;

/** Returns nanoseconds since 1970 as text, because a double cannot represent them. */
export function toNanoseconds(timestamp: Timestamp): string {
  const [, seconds = timestamp, decimals = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(timestamp) ?? [];
  return String(BigInt(Date.parse(`${seconds}Z`)) * NANOS_PER_MS + BigInt(decimals.slice(0, 9).padEnd(9, '0')));
}

export const earliest = (nanos: readonly string[]): string =>
  nanos.reduce((min, one) => (BigInt(one) < BigInt(min) ? one : min));

export const latest = (nanos: readonly string[]): string =>
  nanos.reduce((max, one) => (BigInt(one) > BigInt(max) ? one : max));
