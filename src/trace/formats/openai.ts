import type { JSONValue, ToolCallBlock } from '../../../generated/trace.ts';
import { type Awaitable, andThen, fieldsOf, stringifyJson } from '../../core/index.ts';
import { type Batches, concatBatches, flatMapBatches } from '../model/index.ts';
import {
  type AssistantTurnEntry,
  type Conversation,
  type ConversationEntry,
  exportedCallKey,
  readConversation,
} from './conversation.ts';
import {
  type ConversationMessage,
  type DisplayPart,
  partToText,
  readMessage,
  readOutputs,
  readTurnMessage,
  reasoningField,
} from './conversation-parts.ts';
import { type ExportFormat, streamJsonLine } from './format.ts';
import { streamedList, streamedObject } from './streamed-json.ts';
import { toOpenAIFunctions } from './tools.ts';

/**
 * Examples for fine-tuning of chat models: a line `{"messages": [...], "tools": [...]}` for each trace with a message;
 * `tools` only if the trace has them. Thoughts become `reasoning_content` of their turn. A tool message cannot contain
 * images, so images of results follow in a user message. Of several outputs of a call, the last one is used. A call of the
 * terminal tool is the text of its turn. Left out: ids, times, rewards, raw, extra, metadata of tool outputs, and orphaned
 * results.
 */
export const openai: ExportFormat = {
  extension: 'openai.jsonl',
  async *write(source) {
    const conversation = await readConversation(source, { hideTerminalTool: true });
    if (conversation.isEmpty) return;
    const tools = toOpenAIFunctions(source.trace);
    const messages = streamedList(() =>
      flatMapBatches(conversation.read(), (entry) => messagesOf(entry, conversation)),
    );
    yield* streamJsonLine(streamedObject({ messages, ...(tools.length > 0 ? { tools } : {}) }));
  },
};

const messagesOf = (entry: ConversationEntry, conversation: Conversation): Awaitable<Batches<unknown>> =>
  entry.kind === 'input'
    ? andThen(readMessage(conversation, entry.message), (message) => [inputMessage(message)])
    : andThen(readTurnMessage(conversation, entry), (message) => turn(entry, message, conversation));

const inputMessage = ({ role, pieces }: ConversationMessage): object => ({
  role,
  content: role === 'user' ? contentOf(pieces) : textContentOf(pieces),
});

function turn({ thinks, calls }: AssistantTurnEntry, { pieces }: ConversationMessage, conversation: Conversation) {
  const response = streamedObject({
    role: 'assistant',
    content: pieces.length === 0 && calls.length > 0 ? null : textContentOf(pieces),
    ...reasoningField(conversation, thinks),
    ...(calls.length > 0 ? { tool_calls: streamedList(() => toolCalls(calls, conversation)) } : {}),
  });
  return concatBatches([response], () => results(calls, conversation));
}

const toolCalls = (calls: readonly number[], { reader }: Conversation): Batches<object> =>
  flatMapBatches(reader.read(calls), ({ block }) => [toolCall(block as ToolCallBlock)]);

const toolCall = (call: ToolCallBlock) => ({
  id: exportedCallKey(call),
  type: 'function',
  function: { name: call.payload.name, arguments: argumentsText(call.payload.arguments) },
});

/** Returns arguments as JSON text; text that was not valid JSON is restored from `$invalid_json`. */
function argumentsText(args: JSONValue): string {
  const { $invalid_json: invalid, ...others } = fieldsOf(args);
  return typeof invalid === 'string' && Object.keys(others).length === 0 ? invalid : stringifyJson(args);
}

/** Returns the tool messages of calls with a result, and a user message with the images of results. */
function results(calls: readonly number[], conversation: Conversation): Batches<unknown> {
  const withImages: number[] = [];
  const messages = flatMapBatches(readOutputs(conversation, calls), ({ ord, block, pieces }) => {
    const texts = pieces.filter(({ kind }) => kind === 'text');
    if (texts.length < pieces.length) withImages.push(ord);
    return [{ role: 'tool', tool_call_id: exportedCallKey(block), content: textContentOf(texts) }];
  });
  const images = () =>
    streamedObject({ role: 'user', content: streamedList(() => imagesOf(withImages, conversation)) });
  return concatBatches(messages, () => (withImages.length > 0 ? [images()] : []));
}

/** Reads results a second time for their images, because those of a whole turn may not fit in memory. */
const imagesOf = (calls: readonly number[], conversation: Conversation): Batches<object> =>
  flatMapBatches(readOutputs(conversation, calls), ({ pieces }) =>
    pieces.filter(({ kind }) => kind === 'image').map(partOf),
  );

/** Returns text if there is only one text part, else parts. */
function contentOf(pieces: readonly DisplayPart[]): string | object[] {
  if (pieces.every(({ kind }) => kind === 'text')) return textContentOf(pieces);
  return pieces.map(partOf);
}

const partOf = (piece: DisplayPart): object =>
  piece.kind === 'text' ? { type: 'text', text: piece.text } : { type: 'image_url', image_url: { url: piece.url } };

function textContentOf(pieces: readonly DisplayPart[]): string | object[] {
  const texts = pieces.map(partToText);
  return texts.length < 2 ? (texts[0] ?? '') : texts.map((text) => ({ type: 'text', text }));
}
