import type { JSONValue } from '../../../../generated/trace.ts';
import { contentOf, type Fields, fields, imageOf, list, partsOf, present, text } from './fields.ts';
import type { Item, Part } from './items.ts';
import type { Turn } from './recorder.ts';

/** The conversation that a request to OpenAI's chat completions repeats. */
export const chatItems = (params: Fields): Item[] =>
  list(params.messages).flatMap((message) => itemsOf(fields(message)));

function itemsOf(message: Fields): Item[] {
  const { role, content, name, tool_call_id } = message;
  if (role === 'assistant') return assistantItems(message);
  if (role === 'tool' || role === 'function') {
    const callId = role === 'tool' ? text(tool_call_id) : legacyId(name);
    return [{ kind: 'result', callId, output: contentOf(content, toPart) as JSONValue, isError: false }];
  }
  const extra = present({ name, ...(role === 'developer' ? { provider_role: role } : {}) });
  const annotated = Object.keys(extra).length > 0 ? { extra } : {};
  return [
    { kind: 'message', role: role === 'user' ? 'user' : 'system', content: contentOf(content, toPart), ...annotated },
  ];
}

function assistantItems(message: Fields): Item[] {
  const { content, refusal, reasoning_content, reasoning, tool_calls, function_call } = message;
  const thought = text(reasoning_content) || text(reasoning);
  const said = partsOf(content, toPart);
  if (text(refusal)) said.push({ type: 'refusal', refusal: text(refusal) });
  const calls = list(tool_calls).map((call) => callOf(fields(call)));
  if (function_call) calls.push(callOf({ function: function_call, id: legacyId(fields(function_call).name) }));
  return [
    ...(thought ? [{ kind: 'thought', text: thought } as const] : []),
    ...(said.length > 0 || calls.length === 0 ? [{ kind: 'said', content: said } as const] : []),
    ...calls,
  ];
}

function callOf({ id, function: called, custom }: Fields): Item {
  const isCustom = custom !== undefined && custom !== null;
  const { name, arguments: given, input } = fields(isCustom ? custom : called);
  // A custom tool takes a text as it is.
  return { kind: 'call', callId: text(id), name: text(name), input: isCustom ? { input: text(input) } : text(given) };
}

/** The old way of calling knows functions by their name alone. */
const legacyId = (name: unknown): string => `function:${text(name)}`;

function toPart(part: Fields): Part {
  if (part.type === 'text') return { type: 'text', text: text(part.text) };
  const image = part.type === 'image_url' ? imageOf(fields(part.image_url).url) : undefined;
  return image ?? { ...part, type: text(part.type) || 'unknown' };
}

/** A chat completion as turns: one for each choice. */
export function chatTurns(completion: Fields, request: unknown): Turn[] {
  const { id, model, usage } = completion;
  return list(completion.choices).map((each, index) => {
    const { message, finish_reason, aborted } = fields(each);
    const choice = index > 0 ? { choice: index } : {};
    const of = index === 0 ? { response_id: id, model, usage } : {};
    return {
      items: assistantItems(fields(message)),
      raw: index === 0 ? { request, response: completion } : undefined,
      extra: present({ ...of, ...choice, finish_reason, aborted }),
    };
  });
}

interface ToolCallDraft {
  index: unknown;
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

interface ChoiceDraft {
  index: number;
  message: {
    role: 'assistant';
    content: string;
    refusal: string;
    reasoning_content: string;
    tool_calls: ToolCallDraft[];
  };
  finish_reason: unknown;
}

/** Puts the chunks of a stream together as a chat completion. */
export function collectChat() {
  const choices = new Map<number, ChoiceDraft>();
  let head: Fields = {};
  return {
    add(chunk: Fields): void {
      const { choices: deltas, ...rest } = chunk;
      head = { ...head, ...present(rest) };
      for (const each of list(deltas)) addDelta(choices, fields(each));
    },
    /** A choice without a reason for its end was cut off. */
    result: (): Fields => ({
      ...head,
      object: 'chat.completion',
      choices: [...choices.values()].map((choice) => (choice.finish_reason ? choice : { ...choice, aborted: true })),
    }),
  };
}

function addDelta(choices: Map<number, ChoiceDraft>, { index, delta, finish_reason }: Fields): void {
  const place = typeof index === 'number' ? index : 0;
  const choice = choices.get(place) ?? emptyChoice(place);
  choices.set(place, choice);
  if (finish_reason) choice.finish_reason = finish_reason;
  const { content, refusal, reasoning_content, reasoning, tool_calls, function_call } = fields(delta);
  choice.message.content += text(content);
  choice.message.refusal += text(refusal);
  choice.message.reasoning_content += text(reasoning_content) || text(reasoning);
  for (const call of list(tool_calls)) addCall(choice.message.tool_calls, fields(call));
  if (function_call) {
    const { name } = fields(function_call);
    addCall(choice.message.tool_calls, { index: 'legacy', id: name && legacyId(name), function: function_call });
  }
}

const emptyChoice = (index: number): ChoiceDraft => ({
  index,
  message: { role: 'assistant', content: '', refusal: '', reasoning_content: '', tool_calls: [] },
  finish_reason: null,
});

/** Some servers leave the index out, and name the call in its first piece only. */
function addCall(calls: ToolCallDraft[], { index, id, function: called }: Fields): void {
  const { name, arguments: given } = fields(called);
  const found = index === undefined ? (id ? undefined : calls.at(-1)) : calls.find((call) => call.index === index);
  const call = found ?? { index, id: '', type: 'function', function: { name: '', arguments: '' } };
  if (!found) calls.push(call);
  call.id ||= text(id);
  call.function.name += text(name);
  call.function.arguments += text(given);
}
