import type { ToolCallBlock } from '../../../generated/trace.ts';
import { type Awaitable, andThen, stringifyJson } from '../../core/index.ts';
import { type Batches, concatBatches, flatMapBatches } from '../model/index.ts';
import {
  type AssistantTurnEntry,
  type Conversation,
  type InputMessageEntry,
  readConversation,
  readWithEnd,
} from './conversation.ts';
import {
  type ConversationMessage,
  partsToText,
  readAllOutputs,
  readMessage,
  readThoughts,
  readTurnMessage,
  toOpenAIFunctions,
} from './conversation-parts.ts';
import { type ExportFormat, streamWellFormedLine } from './format.ts';
import { joinStreamed, streamedList, streamedObject, streamedText } from './streamed-json.ts';

/**
 * Examples for fine-tuning with LLaMA-Factory: a line `{"conversations": [{"from", "value"}], "tools"}` for each trace
 * with a message; `tools` is JSON text, and only present if the trace has tools.
 *
 * LLaMA-Factory expects an optional system message, then alternating messages of the other side (human, observation) and
 * the model (gpt, function_call), and last one of the model. Consecutive messages of one side are joined with an empty
 * line, an empty message is inserted between two of the model, and messages after the last one of the model are left out.
 * Thoughts are in `<think>` before the value, and so is text next to calls, because a function_call cannot contain it.
 * A call without a result has the observation `(no result)`. Images become `[image: image/png]`. Everything that the
 * format `openai` leaves out is left out here too.
 */
export const sharegpt: ExportFormat = {
  extension: 'sharegpt.jsonl',
  async *write(source) {
    const conversation = await readConversation(source, { hideTerminalTool: true });
    if (conversation.isEmpty) return;
    const tools = toOpenAIFunctions(source.trace).map((tool) => tool.function);
    const conversations = streamedList(() => align(messagesOf(conversation)));
    yield* streamWellFormedLine(
      streamedObject({ conversations, ...(tools.length > 0 ? { tools: JSON.stringify(tools) } : {}) }),
    );
  },
};

interface Message {
  readonly from: 'system' | 'human' | 'gpt' | 'function_call' | 'observation';
  readonly value: () => Batches<string>;
}

const messagesOf = (conversation: Conversation): Batches<Message> =>
  flatMapBatches(readWithEnd(conversation), ({ entry, isEnd }) =>
    entry.kind === 'turn' ? turn(entry, conversation, isEnd) : inputMessage(entry, conversation),
  );

const inputMessage = ({ message }: InputMessageEntry, conversation: Conversation): Awaitable<readonly Message[]> =>
  andThen(readMessage(conversation, message), ({ role }) => [
    { from: role === 'system' ? 'system' : 'human', value: () => textOf(() => readMessage(conversation, message)) },
  ]);

const textOf = (read: () => Awaitable<ConversationMessage>): Batches<string> =>
  flatMapBatches([read], (readNow) => andThen(readNow(), ({ pieces }) => [partsToText(pieces)]));

function turn(entry: AssistantTurnEntry, conversation: Conversation, isEnd: boolean): readonly Message[] {
  const { thinks, calls } = entry;
  const thoughts = () => readThoughts(conversation, thinks);
  const output = () => textOf(() => readTurnMessage(conversation, entry));
  if (calls.length === 0) return [{ from: 'gpt', value: () => concatBatches(thinking(thoughts()), output) }];
  const thought = () => thinking(concatBatches(thoughts(), () => unlessEmpty(output())));
  return [
    { from: 'function_call', value: () => concatBatches(thought(), () => functionCalls(calls, conversation)) },
    ...(isEnd ? [] : [{ from: 'observation', value: () => joinStreamed(results(calls, conversation), '\n') } as const]),
  ];
}

const unlessEmpty = (texts: Batches<string>): Batches<string> =>
  flatMapBatches(texts, (each) => (each === '' ? [] : [each]));

/** Wraps thoughts in the tags that the templates of LLaMA-Factory expect. */
function thinking(thoughts: Batches<string>): Batches<string> {
  let isFirst = true;
  const started = flatMapBatches(joinStreamed(thoughts, '\n\n'), (thought) => {
    const before = isFirst ? '<think>\n' : '';
    isFirst = false;
    return [`${before}${thought}`];
  });
  return concatBatches(started, () => (isFirst ? [] : ['\n</think>\n\n']));
}

/** Returns JSON of a call, or of a list of several. */
function functionCalls(calls: readonly number[], { reader }: Conversation): Batches<string> {
  const functions = flatMapBatches(reader.read(calls), ({ block }) => {
    const { name, arguments: args } = (block as ToolCallBlock).payload;
    return [stringifyJson({ name, arguments: args })];
  });
  if (calls.length === 1) return functions;
  return concatBatches(
    concatBatches(['['], () => joinStreamed(functions, ',')),
    () => [']'],
  );
}

const results = (calls: readonly number[], conversation: Conversation): Batches<string> =>
  flatMapBatches(readAllOutputs(conversation, calls), ({ pieces }) => [partsToText(pieces)]);

const isOfModel = ({ from }: Message): boolean => from === 'gpt' || from === 'function_call';

/** Brings messages into the order that LLaMA-Factory expects. */
function align(messages: Batches<Message>): Batches<unknown> {
  let pending: Message[] = [];
  let isOpening = true;
  let last: Message['from'] | undefined;
  const aligned = flatMapBatches(messages, (message): readonly unknown[] => {
    const before: unknown[] = [];
    if (isOpening && message.from !== 'system') {
      if (pending.length > 0) before.push(join('system', pending));
      pending = [];
      isOpening = false;
    }
    if (!isOfModel(message)) {
      pending.push(message);
      return before;
    }
    const from = pending[0]?.from ?? (last === 'function_call' ? 'observation' : 'human');
    before.push(join(from === 'system' ? 'human' : from, pending), join(message.from, [message]));
    pending = [];
    last = message.from;
    return before;
  });
  return concatBatches(aligned, () => {
    const [first] = pending;
    return first && !last ? [join(isOpening || first.from !== 'system' ? first.from : 'human', pending)] : [];
  });
}

/** Joins the texts of several messages. */
function join(from: Message['from'], messages: readonly Message[]): unknown {
  const values = () =>
    flatMapBatches([...messages.entries()], ([index, { value }]) =>
      index > 0 ? concatBatches(['\n\n'], value) : value(),
    );
  return streamedObject({ from, value: streamedText(values) });
}
