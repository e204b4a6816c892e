import type { JSONObject, ToolCallBlock } from '../../../generated/trace.ts';
import { readCalls } from './calls.ts';
import { type Conversation, keyOfCall, readConversation, type Said, type Turn } from './conversation.ts';
import { type ExportFormat, JSON_LINES, lineInPieces } from './format.ts';
import { type Piece, piecesOfOutput, textOfPiece } from './pieces.ts';
import { joined, list, object, text } from './streamed-json.ts';
import { functionsOf } from './tools.ts';
import { readMessage, readThoughts } from './turns.ts';

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
    const conversation = await readConversation(source);
    if (conversation.isEmpty) return;
    const tools = functionsOf(source.trace);
    const messages = list(() => messagesOf(conversation));
    yield* lineInPieces(object(() => ({ messages, ...(tools.length > 0 ? { tools } : {}) })));
  },
};

async function* messagesOf(conversation: Conversation): AsyncGenerator {
  for await (const entry of conversation.read()) {
    if (entry.kind === 'said') yield said(entry, conversation);
    else yield* turn(entry, conversation);
  }
}

async function said({ message }: Said, conversation: Conversation): Promise<object> {
  const { role, pieces } = await readMessage(conversation, message);
  return { role, content: role === 'user' ? contentOf(pieces) : textContentOf(pieces) };
}

async function* turn({ message, thinks, calls }: Turn, conversation: Conversation): AsyncGenerator {
  const { pieces } = await readMessage(conversation, message);
  const content = pieces.length === 0 && calls.length > 0 ? null : textContentOf(pieces);
  yield object(() => ({
    role: 'assistant',
    content,
    ...(thinks.length > 0 ? { reasoning_content: text(() => joined(readThoughts(conversation, thinks), '\n\n')) } : {}),
    ...(calls.length > 0 ? { tool_calls: list(() => toolCalls(calls, conversation)) } : {}),
  }));
  yield* results(calls, conversation);
}

async function* toolCalls(calls: readonly number[], { trace }: Conversation): AsyncGenerator {
  for await (const { block } of trace.read(calls)) yield toolCall(block as ToolCallBlock);
}

const toolCall = (call: ToolCallBlock) => ({
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
async function* results(calls: readonly number[], conversation: Conversation): AsyncGenerator {
  const withImages: number[] = [];
  for await (const { ord, block, answer } of readCalls(conversation, calls)) {
    if (!answer) continue;
    const pieces = await piecesOfOutput(answer.value, conversation);
    const texts = pieces.filter(({ kind }) => kind === 'text');
    if (texts.length < pieces.length) withImages.push(ord);
    yield { role: 'tool', tool_call_id: keyOfCall(block), content: textContentOf(texts) };
  }
  const content = list(() => imagesOf(withImages, conversation));
  if (withImages.length > 0) yield object(() => ({ role: 'user', content }));
}

/** The images of results, which are read once more: those of all calls of a turn may be too many to be held. */
async function* imagesOf(calls: readonly number[], conversation: Conversation): AsyncGenerator {
  for await (const { answer } of readCalls(conversation, calls)) {
    if (!answer) continue;
    for (const piece of await piecesOfOutput(answer.value, conversation)) {
      if (piece.kind === 'image') yield partOf(piece);
    }
  }
}

/** Text where there is just one, otherwise parts. */
function contentOf(pieces: readonly Piece[]): string | object[] {
  if (pieces.every(({ kind }) => kind === 'text')) return textContentOf(pieces);
  return pieces.map(partOf);
}

const partOf = (piece: Piece): object =>
  piece.kind === 'text' ? { type: 'text', text: piece.text } : { type: 'image_url', image_url: { url: piece.url } };

function textContentOf(pieces: readonly Piece[]): string | object[] {
  const texts = pieces.map(textOfPiece);
  return texts.length < 2 ? (texts[0] ?? '') : texts.map((text) => ({ type: 'text', text }));
}
