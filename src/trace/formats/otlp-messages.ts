import type { ToolCallBlock } from '../../../generated/trace.ts';
import { type Call, readCalls } from './calls.ts';
import { type Conversation, keyOfCall, type Said, type Turn } from './conversation.ts';
import { wellFormedJson } from './otlp-values.ts';
import { type Piece, piecesOfOutput, textOfPieces } from './pieces.ts';
import { COMPACT, jsonOf, list, object, type Streamed, text } from './streamed-json.ts';
import { readMessage, readThoughts } from './turns.ts';

/** What the model reads at its next turn: what was said, and the results of calls, by their places. */
export type Unread = Said | { readonly kind: 'answered'; readonly call: number };

/** Messages to the model, as the JSON text that the GenAI conventions of OpenTelemetry want; undefined for none. */
export const inputMessages = (unread: readonly Unread[], conversation: Conversation): Streamed | undefined =>
  unread.length > 0 ? jsonText(list(() => messagesOf(unread, conversation))) : undefined;

async function* messagesOf(unread: readonly Unread[], conversation: Conversation): AsyncGenerator {
  for (const each of unread) {
    if (each.kind === 'said') {
      const { role, pieces } = await readMessage(conversation, each.message);
      yield { role, parts: pieces.map(part) };
    } else for await (const call of readCalls(conversation, [each.call])) yield* responseMessage(call, conversation);
  }
}

/** What the model answered. */
export const outputMessages = (turn: Turn, pieces: readonly Piece[], conversation: Conversation): Streamed => {
  const message = object(() => ({
    role: 'assistant',
    parts: list(() => partsOf(turn, pieces, conversation)),
    finish_reason: turn.calls.length > 0 ? 'tool_call' : 'stop',
  }));
  return jsonText(list(() => [message]));
};

async function* partsOf({ thinks, calls }: Turn, pieces: readonly Piece[], conversation: Conversation): AsyncGenerator {
  for await (const content of readThoughts(conversation, thinks)) yield { type: 'reasoning', content };
  for (const piece of pieces) yield part(piece);
  for await (const { block } of conversation.trace.read(calls)) yield toolCall(block as ToolCallBlock);
}

/** The result of a call as the model reads it. */
async function* responseMessage({ block, answer }: Call, conversation: Conversation): AsyncGenerator {
  if (!answer) return;
  const pieces = await piecesOfOutput(answer.value, conversation);
  const isText = pieces.every(({ kind }) => kind === 'text');
  const response = isText ? textOfPieces(pieces) : pieces.map(part);
  yield { role: 'tool', parts: [{ type: 'tool_call_response', id: keyOfCall(block), response }] };
}

const toolCall = (call: ToolCallBlock): object => ({
  type: 'tool_call',
  id: keyOfCall(call),
  name: call.payload.name,
  arguments: call.payload.arguments,
});

const jsonText = (value: Streamed): Streamed => text(() => jsonOf(value, { ...COMPACT, toJson: wellFormedJson }));

function part(piece: Piece): object {
  if (piece.kind === 'text') return { type: 'text', content: piece.text };
  const [, mime_type, content] = /^data:([^;,]+);base64,(.*)$/s.exec(piece.url) ?? [];
  return content === undefined
    ? { type: 'uri', modality: 'image', mime_type: piece.mediaType, uri: piece.url }
    : { type: 'blob', modality: 'image', mime_type, content };
}
