import type { ToolCallBlock } from '../../../generated/trace.ts';
import { type Awaitable, andThen, parseDataUrl } from '../../core/index.ts';
import { type Batches, concatBatches, flatMapBatches } from '../model/index.ts';
import { type ExportedCall, readCalls } from './calls.ts';
import { type AssistantTurnEntry, type Conversation, exportedCallKey, type InputMessageEntry } from './conversation.ts';
import { wellFormedJson } from './otlp-values.ts';
import { type DisplayPart, outputParts, partsToText } from './pieces.ts';
import {
  COMPACT,
  isStreamed,
  type StreamedJson,
  streamedList,
  streamedObject,
  streamedText,
  writeJson,
} from './streamed-json.ts';
import { readMessage, readThoughts } from './turns.ts';

/** What the model reads at its next turn: what was said, and the results of calls, by their places. */
export type PendingInput = InputMessageEntry | { readonly kind: 'answered'; readonly call: number };

/** Messages to the model, as the JSON text that the GenAI conventions of OpenTelemetry want; undefined for none. */
export const inputMessages = (unread: readonly PendingInput[], conversation: Conversation): unknown =>
  unread.length > 0 ? jsonText(streamedList(() => messagesOf(unread, conversation))) : undefined;

const messagesOf = (unread: readonly PendingInput[], conversation: Conversation): Batches<object> =>
  flatMapBatches(unread, (each) => {
    if (each.kind === 'answered') {
      return flatMapBatches(readCalls(conversation, [each.call]), (call) => responseMessage(call, conversation));
    }
    return andThen(readMessage(conversation, each.message), ({ role, pieces }) => [{ role, parts: pieces.map(part) }]);
  });

/** What the model answered. */
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

function partsOf(
  { thinks, calls }: AssistantTurnEntry,
  pieces: readonly DisplayPart[],
  conversation: Conversation,
): Batches<object> {
  const thoughts = flatMapBatches(readThoughts(conversation, thinks), (content) => [{ type: 'reasoning', content }]);
  const called = () =>
    flatMapBatches(conversation.trace.read(calls), ({ block }) => [toolCall(block as ToolCallBlock)]);
  return concatBatches<object>(thoughts, () => concatBatches(pieces.map(part), called));
}

/** The result of a call as the model reads it. */
function responseMessage(
  { block, results: response }: ExportedCall,
  conversation: Conversation,
): Awaitable<readonly object[]> {
  if (!response) return [];
  return andThen(outputParts(response.value, conversation), (pieces) => {
    const isText = pieces.every(({ kind }) => kind === 'text');
    const response = isText ? partsToText(pieces) : pieces.map(part);
    return [{ role: 'tool', parts: [{ type: 'tool_call_response', id: exportedCallKey(block), response }] }];
  });
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
