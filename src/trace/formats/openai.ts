import type { JSONValue, ToolCallBlock } from '../../../generated/trace.ts';
import { andThen, fieldsOf, mapAllowedNames, PLAIN_NAME, sanitizeName, wellFormedJson } from '../../core/index.ts';
import { sha256OfJson } from '../../core/node/index.ts';
import { type Batches, concatBatches, flatMapBatches } from '../model/index.ts';
import {
  type AssistantTurnEntry,
  type Conversation,
  exportedCallKey,
  readConversation,
  readWithEnd,
} from './conversation.ts';
import {
  type ConversationMessage,
  type DisplayPart,
  partToText,
  readAllOutputs,
  readMessage,
  readOutputs,
  readTurnMessage,
  reasoningField,
  toOpenAIFunctions,
} from './conversation-parts.ts';
import { type ExportFormat, streamWellFormedLine } from './format.ts';
import { streamedList, streamedObject } from './streamed-json.ts';

/**
 * Examples for fine-tuning of chat models: a line `{"messages": [...], "tools": [...]}` for each trace with a message;
 * `tools` only if the trace has them. Thoughts become `reasoning_content` of their turn. A tool message cannot contain
 * images, so images of results follow in a user message. Of several outputs of a call, the last one is used. A call of the
 * terminal tool is the text of its turn. Left out: ids, times, rewards, raw, extra, metadata of tool outputs, and orphaned
 * results.
 *
 * Every line is valid for OpenAI: a call without a result has the tool message `(no result)`, unless it is in the last
 * message; names of tools are those of `formatTools`; and a call id of more than 40 characters is replaced by a hash.
 */
export const openai: ExportFormat = {
  extension: 'openai.jsonl',
  async *write(source) {
    const conversation = await readConversation(source, { hideTerminalTool: true });
    if (conversation.isEmpty) return;
    const recorded = toOpenAIFunctions(source.trace);
    const names = mapAllowedNames(
      recorded.map((tool) => tool.function.name),
      PLAIN_NAME,
    );
    const toolName = (name: string) => names.get(name) ?? sanitizeName(name, PLAIN_NAME);
    const tools = recorded.map((tool) => ({
      ...tool,
      function: { ...tool.function, name: toolName(tool.function.name) },
    }));
    const messages = streamedList(() =>
      flatMapBatches(readWithEnd(conversation), ({ entry, isEnd }) =>
        entry.kind === 'input'
          ? andThen(readMessage(conversation, entry.message), (message) => [inputMessage(message)])
          : andThen(readTurnMessage(conversation, entry), (message) =>
              turn(entry, message, { conversation, toolName, isEnd }),
            ),
      ),
    );
    yield* streamWellFormedLine(streamedObject({ messages, ...(tools.length > 0 ? { tools } : {}) }));
  },
};

/** Maximum length of the id of a call. */
const MAX_CALL_ID = 40;

interface OpenAIContext {
  readonly conversation: Conversation;
  readonly toolName: (name: string) => string;
  /** True for the last message, whose calls have no results. */
  readonly isEnd: boolean;
}

const inputMessage = ({ role, pieces }: ConversationMessage): object => ({
  role,
  content: role === 'user' ? contentOf(pieces) : textContentOf(pieces),
});

function turn({ thinks, calls }: AssistantTurnEntry, { pieces }: ConversationMessage, context: OpenAIContext) {
  const { conversation, isEnd } = context;
  const response = streamedObject({
    role: 'assistant',
    content: pieces.length === 0 && calls.length > 0 ? null : textContentOf(pieces),
    ...reasoningField(conversation, thinks),
    ...(calls.length > 0 ? { tool_calls: streamedList(() => toolCalls(calls, context)) } : {}),
  });
  return concatBatches([response], () => (isEnd ? [] : results(calls, conversation)));
}

const toolCalls = (calls: readonly number[], { conversation, toolName }: OpenAIContext): Batches<object> =>
  flatMapBatches(conversation.reader.read(calls), ({ block }) => {
    const call = block as ToolCallBlock;
    const { name, arguments: args } = call.payload;
    return [{ id: callId(call), type: 'function', function: { name: toolName(name), arguments: argumentsText(args) } }];
  });

function callId(call: ToolCallBlock): string {
  const key = exportedCallKey(call);
  return key.length <= MAX_CALL_ID ? key : `call_${sha256OfJson(key).slice(0, 32)}`;
}

/** Returns arguments as JSON text; text that was not valid JSON is restored from `$invalid_json`. */
function argumentsText(args: JSONValue): string {
  const { $invalid_json: invalid, ...others } = fieldsOf(args);
  return typeof invalid === 'string' && Object.keys(others).length === 0 ? invalid : wellFormedJson(args);
}

/** Returns the tool messages of calls, and a user message with the images of results. */
function results(calls: readonly number[], conversation: Conversation): Batches<unknown> {
  const withImages: number[] = [];
  const messages = flatMapBatches(readAllOutputs(conversation, calls), ({ ord, block, pieces }) => {
    const texts = pieces.filter(({ kind }) => kind === 'text');
    if (texts.length < pieces.length) withImages.push(ord);
    return [{ role: 'tool', tool_call_id: callId(block), content: textContentOf(texts) }];
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
