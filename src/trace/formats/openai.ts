import type { JSONObject, StitchedToolCall } from '../../../generated/trace.ts';
import { keyOfCall, readConversation, type Said, type Turn } from './conversation.ts';
import { type ExportFormat, JSON_LINES, lineOf, type TraceSource } from './format.ts';
import { type Piece, piecesOfContent, piecesOfOutput, textOfPiece } from './pieces.ts';
import { functionsOf } from './tools.ts';

/**
 * Examples for fine-tuning chat models: a line `{"messages": [...], "tools": [...]}` for each trace in which something was
 * said; tools only where the trace knows them. Thoughts are `reasoning_content` of the turn that they belong to. A tool
 * message holds no images, so those of results follow in a user message. Of several outputs of a call the last counts.
 * The format has no place for ids, times, rewards, raw, extra, and what a tool hides from the model: they are left out,
 * and so are results whose call is lost.
 */
export const openai: ExportFormat = {
  name: 'openai',
  mediaType: JSON_LINES,
  extension: 'openai.jsonl',
  async *write(source) {
    const { entries } = await readConversation(source.blocks());
    if (entries.length === 0) return;
    const messages: object[] = [];
    for (const entry of entries) {
      messages.push(...(entry.kind === 'said' ? [await said(entry, source)] : await turn(entry, source)));
    }
    const tools = functionsOf(source.trace);
    yield lineOf({ messages, ...(tools.length > 0 ? { tools } : {}) });
  },
};

async function said({ message: { payload } }: Said, source: TraceSource): Promise<object> {
  const pieces = await piecesOfContent(payload.content, source);
  const { role } = payload;
  return { role, content: role === 'user' ? contentOf(pieces) : textContentOf(pieces) };
}

async function turn({ message, thinks, calls }: Turn, source: TraceSource): Promise<object[]> {
  const pieces = message ? await piecesOfContent(message.payload.content, source) : [];
  const content = pieces.length === 0 && calls.length > 0 ? null : textContentOf(pieces);
  const answer = {
    role: 'assistant',
    content,
    ...(thinks.length > 0 ? { reasoning_content: thinks.map(({ payload }) => payload.text).join('\n\n') } : {}),
    ...(calls.length > 0 ? { tool_calls: calls.map(toolCall) } : {}),
  };
  return [answer, ...(await results(calls, source))];
}

const toolCall = (call: StitchedToolCall) => ({
  id: keyOfCall(call),
  type: 'function',
  function: { name: call.payload.name, arguments: argumentsText(call.payload.arguments) },
});

/** What a model wrote that was no JSON is logged under one key, as the text that it is. */
function argumentsText(given: JSONObject): string {
  const { $invalid_json: invalid, ...others } = given;
  return typeof invalid === 'string' && Object.keys(others).length === 0 ? invalid : JSON.stringify(given);
}

/** A call that has no result yet has no message either. */
async function results(calls: readonly StitchedToolCall[], source: TraceSource): Promise<object[]> {
  const messages: object[] = [];
  const images: Piece[] = [];
  for (const call of calls) {
    if (!call.assembled || call.assembled.state === 'pending') continue;
    const pieces = await piecesOfOutput(call.assembled.value, source);
    const texts = pieces.filter(({ kind }) => kind === 'text');
    messages.push({ role: 'tool', tool_call_id: keyOfCall(call), content: textContentOf(texts) });
    images.push(...pieces.filter(({ kind }) => kind === 'image'));
  }
  if (images.length > 0) messages.push({ role: 'user', content: contentOf(images) });
  return messages;
}

/** Text where there is just one, otherwise parts. */
function contentOf(pieces: readonly Piece[]): string | object[] {
  if (pieces.every(({ kind }) => kind === 'text')) return textContentOf(pieces);
  return pieces.map((piece) =>
    piece.kind === 'text' ? { type: 'text', text: piece.text } : { type: 'image_url', image_url: { url: piece.url } },
  );
}

function textContentOf(pieces: readonly Piece[]): string | object[] {
  const texts = pieces.map(textOfPiece);
  return texts.length < 2 ? (texts[0] ?? '') : texts.map((text) => ({ type: 'text', text }));
}
