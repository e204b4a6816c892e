import type { ToolCallBlock } from '../../../generated/trace.ts';
import { type Awaitable, andThen } from '../../core/index.ts';
import { type Batches, concatBatches, flatMapBatches } from '../model/index.ts';
import { readCalls } from './calls.ts';
import {
  type AssistantTurnEntry,
  type Conversation,
  type InputMessageEntry,
  readConversation,
} from './conversation.ts';
import { type ExportFormat, JSON_LINES, streamJsonLine } from './format.ts';
import { outputParts, partsToText } from './pieces.ts';
import { joinStreamed, streamedList, streamedObject, streamedText } from './streamed-json.ts';
import { toOpenAIFunctions } from './tools.ts';
import { answeredCalls, readMessage, readThoughts } from './turns.ts';

/**
 * Examples for fine-tuning as LLaMA-Factory reads them: a line `{"conversations": [{"from", "value"}], "tools"}` for each
 * trace in which something was said; tools are JSON text, and only there where the trace knows them.
 *
 * That reader wants an optional system message and then, in turn, one of others (human, observation) and one of the model
 * (gpt, function_call), the last of the model. So neighbours of one side are joined by an empty line, an empty message
 * stands between two of the model, and what comes after the model's last is left out. Thoughts are inside of `<think>`
 * before the value; so is what the model said beside calls, because a function_call holds nothing else. Images are
 * `[image: image/png]`. All that has no place in a conversation is left out, as in the format `openai`.
 */
export const sharegpt: ExportFormat = {
  name: 'sharegpt',
  mediaType: JSON_LINES,
  extension: 'sharegpt.jsonl',
  async *write(source) {
    const conversation = await readConversation(source);
    if (conversation.isEmpty) return;
    const tools = toOpenAIFunctions(source.trace).map((tool) => tool.function);
    const conversations = streamedList(() => align(messagesOf(conversation)));
    yield* streamJsonLine(
      streamedObject({ conversations, ...(tools.length > 0 ? { tools: JSON.stringify(tools) } : {}) }),
    );
  },
};

interface Message {
  readonly from: 'system' | 'human' | 'gpt' | 'function_call' | 'observation';
  readonly value: () => Batches<string>;
}

const messagesOf = (conversation: Conversation): Batches<Message> =>
  flatMapBatches(conversation.read(), (entry) =>
    entry.kind === 'turn' ? turn(entry, conversation) : said(entry, conversation),
  );

const said = ({ message }: InputMessageEntry, conversation: Conversation): Awaitable<readonly Message[]> =>
  andThen(readMessage(conversation, message), ({ role }) => [
    { from: role === 'system' ? 'system' : 'human', value: () => textOfMessage(conversation, message) },
  ]);

const textOfMessage = (conversation: Conversation, message: number): Batches<string> =>
  flatMapBatches([message], (ord) => andThen(readMessage(conversation, ord), ({ pieces }) => [partsToText(pieces)]));

function turn({ message, thinks, calls }: AssistantTurnEntry, conversation: Conversation): readonly Message[] {
  const thoughts = () => readThoughts(conversation, thinks);
  const output = () => textOfMessage(conversation, message);
  if (calls.length === 0) return [{ from: 'gpt', value: () => concatBatches(thinking(thoughts()), output) }];
  const thought = () => thinking(concatBatches(thoughts(), () => unlessEmpty(output())));
  const withResult = answeredCalls(conversation, calls);
  return [
    { from: 'function_call', value: () => concatBatches(thought(), () => functionCalls(calls, conversation)) },
    ...(withResult.length > 0
      ? [{ from: 'observation', value: () => joinStreamed(results(withResult, conversation), '\n') } as const]
      : []),
  ];
}

const unlessEmpty = (texts: Batches<string>): Batches<string> =>
  flatMapBatches(texts, (each) => (each === '' ? [] : [each]));

/** As the templates of LLaMA-Factory look for it. */
function thinking(thoughts: Batches<string>): Batches<string> {
  let isFirst = true;
  const started = flatMapBatches(joinStreamed(thoughts, '\n\n'), (thought) => {
    const before = isFirst ? '<think>\n' : '';
    isFirst = false;
    return [`${before}${thought}`];
  });
  return concatBatches(started, () => (isFirst ? [] : ['\n</think>\n\n']));
}

/** JSON of a call, or of the list of several. */
function functionCalls(calls: readonly number[], { trace }: Conversation): Batches<string> {
  const functions = flatMapBatches(trace.read(calls), ({ block }) => {
    const { name, arguments: given } = (block as ToolCallBlock).payload;
    return [JSON.stringify({ name, arguments: given })];
  });
  if (calls.length === 1) return functions;
  return concatBatches(
    concatBatches(['['], () => joinStreamed(functions, ',')),
    () => [']'],
  );
}

const results = (calls: readonly number[], conversation: Conversation): Batches<string> =>
  flatMapBatches(readCalls(conversation, calls), ({ results: response }) =>
    response ? andThen(outputParts(response.value, conversation), (pieces) => [partsToText(pieces)]) : [],
  );

const isOfModel = ({ from }: Message): boolean => from === 'gpt' || from === 'function_call';

/** Brings messages into the order that the reader wants. */
function align(messages: Batches<Message>): Batches<unknown> {
  let neighbours: Message[] = [];
  let [isOpening, last]: [boolean, Message['from'] | undefined] = [true, undefined];
  const aligned = flatMapBatches(messages, (message): readonly unknown[] => {
    const before: unknown[] = [];
    if (isOpening && message.from !== 'system') {
      if (neighbours.length > 0) before.push(join('system', neighbours));
      [neighbours, isOpening] = [[], false];
    }
    if (!isOfModel(message)) {
      neighbours.push(message);
      return before;
    }
    const from = neighbours[0]?.from ?? (last === 'function_call' ? 'observation' : 'human');
    before.push(join(from === 'system' ? 'human' : from, neighbours), join(message.from, [message]));
    [neighbours, last] = [[], message.from];
    return before;
  });
  return concatBatches(aligned, () => {
    const [first] = neighbours;
    return first && !last ? [join(isOpening || first.from !== 'system' ? first.from : 'human', neighbours)] : [];
  });
}

/** One message with the texts of several. */
function join(from: Message['from'], messages: readonly Message[]): unknown {
  const values = () =>
    flatMapBatches([...messages.entries()], ([index, { value }]) =>
      index > 0 ? concatBatches(['\n\n'], value) : value(),
    );
  return streamedObject({ from, value: streamedText(values) });
}
