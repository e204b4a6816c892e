import type { ToolCallBlock } from '../../../generated/trace.ts';
import { type Awaitable, andThen, parseDataUrl } from '../../core/index.ts';
import { flatMap, followedBy, type Items } from '../model/index.ts';
import { type Call, readCalls } from './calls.ts';
import { type Conversation, keyOfCall, type Said, type Turn } from './conversation.ts';
import { wellFormedJson } from './otlp-values.ts';
import { type Piece, piecesOfOutput, textOfPieces } from './pieces.ts';
import { COMPACT, isStreamed, jsonOf, list, object, type Streamed, text } from './streamed-json.ts';
import { readMessage, readThoughts } from './turns.ts';

/** What the model reads at its next turn: what was said, and the results of calls, by their places. */
export type Unread = Said | { readonly kind: 'answered'; readonly call: number };

/** Messages to the model, as the JSON text that the GenAI conventions of OpenTelemetry want; undefined for none. */
export const inputMessages = (unread: readonly Unread[], conversation: Conversation): unknown =>
  unread.length > 0 ? jsonText(list(() => messagesOf(unread, conversation))) : undefined;

const messagesOf = (unread: readonly Unread[], conversation: Conversation): Items<object> =>
  flatMap(unread, (each) => {
    if (each.kind === 'answered') {
      return flatMap(readCalls(conversation, [each.call]), (call) => responseMessage(call, conversation));
    }
    return andThen(readMessage(conversation, each.message), ({ role, pieces }) => [{ role, parts: pieces.map(part) }]);
  });

/** What the model answered. */
export const outputMessages = (turn: Turn, pieces: readonly Piece[], conversation: Conversation): unknown => {
  const message = object({
    role: 'assistant',
    parts: list(() => partsOf(turn, pieces, conversation)),
    finish_reason: turn.calls.length > 0 ? 'tool_call' : 'stop',
  });
  return jsonText(list(() => [message]));
};

function partsOf({ thinks, calls }: Turn, pieces: readonly Piece[], conversation: Conversation): Items<object> {
  const thoughts = flatMap(readThoughts(conversation, thinks), (content) => [{ type: 'reasoning', content }]);
  const called = () => flatMap(conversation.trace.read(calls), ({ block }) => [toolCall(block as ToolCallBlock)]);
  return followedBy<object>(thoughts, () => followedBy(pieces.map(part), called));
}

/** The result of a call as the model reads it. */
function responseMessage({ block, answer }: Call, conversation: Conversation): Awaitable<readonly object[]> {
  if (!answer) return [];
  return andThen(piecesOfOutput(answer.value, conversation), (pieces) => {
    const isText = pieces.every(({ kind }) => kind === 'text');
    const response = isText ? textOfPieces(pieces) : pieces.map(part);
    return [{ role: 'tool', parts: [{ type: 'tool_call_response', id: keyOfCall(block), response }] }];
  });
}

const toolCall = (call: ToolCallBlock): object => ({
  type: 'tool_call',
  id: keyOfCall(call),
  name: call.payload.name,
  arguments: call.payload.arguments,
});

const jsonText = (value: unknown): unknown =>
  isStreamed(value) ? textOf(() => jsonOf(value, { ...COMPACT, toJson: wellFormedJson })) : wellFormedJson(value);

const textOf = (pieces: () => AsyncIterable<string>): Streamed | string =>
  text(async function* () {
    for await (const piece of pieces()) yield [piece];
  });

function part(piece: Piece): object {
  if (piece.kind === 'text') return { type: 'text', content: piece.text };
  const data = parseDataUrl(piece.url);
  return data
    ? { type: 'blob', modality: 'image', mime_type: data.mediaType, content: data.base64 }
    : { type: 'uri', modality: 'image', mime_type: piece.mediaType, uri: piece.url };
}
