import type { MessageBlock, StitchedToolCall } from '../../../generated/trace.ts';
import { keyOfCall, type Turn } from './conversation.ts';
import type { TraceSource } from './format.ts';
import { type Piece, piecesOfContent, piecesOfOutput, textOfPieces } from './pieces.ts';

/** A message as the GenAI conventions of OpenTelemetry write it. */
export interface ChatMessage {
  readonly role: string;
  readonly parts: readonly object[];
}

/** What system or user said. */
export const inputMessage = async ({ payload }: MessageBlock, source: TraceSource): Promise<ChatMessage> => ({
  role: payload.role,
  parts: (await piecesOfContent(payload.content, source)).map(part),
});

/** What the model answered. */
export async function outputMessage(turn: Turn, source: TraceSource): Promise<ChatMessage & { finish_reason: string }> {
  const pieces = turn.message ? await piecesOfContent(turn.message.payload.content, source) : [];
  return {
    role: 'assistant',
    parts: [
      ...turn.thinks.map(({ payload }) => ({ type: 'reasoning', content: payload.text })),
      ...pieces.map(part),
      ...turn.calls.map(toolCall),
    ],
    finish_reason: turn.calls.length > 0 ? 'tool_call' : 'stop',
  };
}

/** The result of a call as the model reads it; none while there is none. */
export async function responseMessage(call: StitchedToolCall, source: TraceSource): Promise<ChatMessage[]> {
  if (!call.assembled || call.assembled.state === 'pending') return [];
  const pieces = await piecesOfOutput(call.assembled.value, source);
  const isText = pieces.every(({ kind }) => kind === 'text');
  const response = isText ? textOfPieces(pieces) : pieces.map(part);
  return [{ role: 'tool', parts: [{ type: 'tool_call_response', id: keyOfCall(call), response }] }];
}

const toolCall = (call: StitchedToolCall): object => ({
  type: 'tool_call',
  id: keyOfCall(call),
  name: call.payload.name,
  arguments: call.payload.arguments,
});

function part(piece: Piece): object {
  if (piece.kind === 'text') return { type: 'text', content: piece.text };
  const [, mime_type, content] = /^data:([^;,]+);base64,(.*)$/s.exec(piece.url) ?? [];
  return content === undefined
    ? { type: 'uri', modality: 'image', mime_type: piece.mediaType, uri: piece.url }
    : { type: 'blob', modality: 'image', mime_type, content };
}
