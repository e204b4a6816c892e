import { readConversation, type Said, type Turn } from './conversation.ts';
import { type ExportFormat, JSON_LINES, lineOf, type TraceSource } from './format.ts';
import { piecesOfContent, piecesOfOutput, textOfPieces } from './pieces.ts';
import { functionsOf } from './tools.ts';

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
    const { entries } = await readConversation(source.blocks());
    if (entries.length === 0) return;
    const messages: Message[] = [];
    for (const entry of entries) {
      messages.push(...(entry.kind === 'said' ? [await said(entry, source)] : await turn(entry, source)));
    }
    const tools = functionsOf(source.trace).map((tool) => tool.function);
    yield lineOf({ conversations: align(messages), ...(tools.length > 0 ? { tools: JSON.stringify(tools) } : {}) });
  },
};

interface Message {
  readonly from: 'system' | 'human' | 'gpt' | 'function_call' | 'observation';
  readonly value: string;
}

async function said({ message: { payload } }: Said, source: TraceSource): Promise<Message> {
  const value = textOfPieces(await piecesOfContent(payload.content, source));
  return { from: payload.role === 'system' ? 'system' : 'human', value };
}

async function turn({ message, thinks, calls }: Turn, source: TraceSource): Promise<Message[]> {
  const thoughts = thinks.map(({ payload }) => payload.text);
  const text = message ? textOfPieces(await piecesOfContent(message.payload.content, source)) : '';
  if (calls.length === 0) return [{ from: 'gpt', value: `${thinking(thoughts)}${text}` }];
  const functions = calls.map(({ payload }) => ({ name: payload.name, arguments: payload.arguments }));
  const value = JSON.stringify(functions.length === 1 ? functions[0] : functions);
  const results: string[] = [];
  for (const { assembled } of calls) {
    if (!assembled || assembled.state === 'pending') continue;
    results.push(textOfPieces(await piecesOfOutput(assembled.value, source)));
  }
  return [
    { from: 'function_call', value: `${thinking(text === '' ? thoughts : [...thoughts, text])}${value}` },
    ...(results.length > 0 ? [{ from: 'observation', value: results.join('\n') } as const] : []),
  ];
}

/** As the templates of LLaMA-Factory look for it. */
const thinking = (thoughts: readonly string[]): string =>
  thoughts.length > 0 ? `<think>\n${thoughts.join('\n\n')}\n</think>\n\n` : '';

const isOfModel = ({ from }: Message): boolean => from === 'gpt' || from === 'function_call';

/** Brings messages into the order that the reader wants. */
function align(messages: readonly Message[]): Message[] {
  const opening = messages.findIndex(({ from }) => from !== 'system');
  const systems = opening === -1 ? messages : messages.slice(0, opening);
  const aligned: Message[] = [];
  for (const message of messages.slice(systems.length)) {
    const from = message.from === 'system' ? 'human' : message.from;
    const before = aligned.at(-1);
    if (isOfModel(message) && (!before || isOfModel(before))) {
      aligned.push({ from: before?.from === 'function_call' ? 'observation' : 'human', value: '' });
    }
    if (before && !isOfModel(message) && !isOfModel(before)) {
      aligned[aligned.length - 1] = { from: before.from, value: `${before.value}\n\n${message.value}` };
    } else aligned.push({ from, value: message.value });
  }
  const last = aligned.findLastIndex(isOfModel);
  const system = systems.map(({ value }) => value).join('\n\n');
  return [
    ...(systems.length > 0 ? [{ from: 'system', value: system } as const] : []),
    ...(last === -1 ? aligned : aligned.slice(0, last + 1)),
  ];
}
