import type { ToolCallBlock } from '../../../generated/trace.ts';
import { readCalls } from './calls.ts';
import { type Conversation, readConversation, type Turn } from './conversation.ts';
import { type ExportFormat, JSON_LINES, lineInPieces } from './format.ts';
import { piecesOfOutput, textOfPieces } from './pieces.ts';
import { type Items, joined, jsonOf, list, object, type Streamed, text } from './streamed-json.ts';
import { functionsOf } from './tools.ts';
import { answered, readMessage, readThoughts } from './turns.ts';

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
    const tools = functionsOf(source.trace).map((tool) => tool.function);
    const conversations = list(() => align(messagesOf(conversation)));
    yield* lineInPieces(
      object(() => ({ conversations, ...(tools.length > 0 ? { tools: JSON.stringify(tools) } : {}) })),
    );
  },
};

interface Message {
  readonly from: 'system' | 'human' | 'gpt' | 'function_call' | 'observation';
  readonly value: () => Items<string>;
}

async function* messagesOf(conversation: Conversation): AsyncGenerator<Message> {
  for await (const entry of conversation.read()) {
    if (entry.kind === 'turn') yield* turn(entry, conversation);
    else {
      const { role } = await readMessage(conversation, entry.message);
      yield { from: role === 'system' ? 'system' : 'human', value: () => textOfMessage(conversation, entry.message) };
    }
  }
}

async function* textOfMessage(conversation: Conversation, message: number): AsyncGenerator<string> {
  const { pieces } = await readMessage(conversation, message);
  yield textOfPieces(pieces);
}

function* turn(turn: Turn, conversation: Conversation): Generator<Message> {
  const { message, thinks, calls } = turn;
  const thoughts = () => readThoughts(conversation, thinks);
  const said = () => textOfMessage(conversation, message);
  if (calls.length === 0) {
    yield { from: 'gpt', value: () => inTurn(thinking(thoughts()), said()) };
    return;
  }
  const functions = () => functionCalls(calls, conversation);
  yield { from: 'function_call', value: () => inTurn(thinking(inTurn(thoughts(), unlessEmpty(said()))), functions()) };
  const withResult = answered(conversation, calls);
  if (withResult.length > 0)
    yield { from: 'observation', value: () => joined(results(withResult, conversation), '\n') };
}

async function* inTurn(...many: readonly Items<string>[]): AsyncGenerator<string> {
  for (const texts of many) yield* texts;
}

async function* unlessEmpty(texts: Items<string>): AsyncGenerator<string> {
  for await (const each of texts) if (each !== '') yield each;
}

/** As the templates of LLaMA-Factory look for it. */
async function* thinking(thoughts: Items<string>): AsyncGenerator<string> {
  let before = '<think>\n';
  for await (const thought of joined(thoughts, '\n\n')) {
    yield `${before}${thought}`;
    before = '';
  }
  if (before === '') yield '\n</think>\n\n';
}

/** JSON of a call, or of the list of several. */
async function* functionCalls(calls: readonly number[], { trace }: Conversation): AsyncGenerator<string> {
  const functions = async function* () {
    for await (const { block } of trace.read(calls)) {
      const { payload } = block as ToolCallBlock;
      yield { name: payload.name, arguments: payload.arguments };
    }
  };
  if (calls.length > 1) yield* jsonOf(list(functions));
  else for await (const each of functions()) yield JSON.stringify(each);
}

async function* results(calls: readonly number[], conversation: Conversation): AsyncGenerator<string> {
  for await (const { answer } of readCalls(conversation, calls)) {
    if (answer) yield textOfPieces(await piecesOfOutput(answer.value, conversation));
  }
}

const isOfModel = ({ from }: Message): boolean => from === 'gpt' || from === 'function_call';

/** Brings messages into the order that the reader wants. */
async function* align(messages: AsyncIterable<Message>): AsyncGenerator<Streamed> {
  let neighbours: Message[] = [];
  let [isOpening, last]: [boolean, Message['from'] | undefined] = [true, undefined];
  for await (const message of messages) {
    if (isOpening && message.from !== 'system') {
      if (neighbours.length > 0) yield join('system', neighbours);
      [neighbours, isOpening] = [[], false];
    }
    if (!isOfModel(message)) {
      neighbours.push(message);
      continue;
    }
    const from = neighbours[0]?.from ?? (last === 'function_call' ? 'observation' : 'human');
    yield join(from === 'system' ? 'human' : from, neighbours);
    yield join(message.from, [message]);
    [neighbours, last] = [[], message.from];
  }
  const [first] = neighbours;
  if (first && !last) yield join(isOpening || first.from !== 'system' ? first.from : 'human', neighbours);
}

/** One message with the texts of several. */
function join(from: Message['from'], messages: readonly Message[]): Streamed {
  const value = async function* () {
    for (const [index, message] of messages.entries()) {
      if (index > 0) yield '\n\n';
      yield* message.value();
    }
  };
  return object(() => ({ from, value: text(value) }));
}
