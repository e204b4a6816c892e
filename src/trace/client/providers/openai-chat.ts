import type { JSONValue } from '../../../../generated/trace.ts';
import { appendAll, fieldsOf } from '../../../core/index.ts';
import { contentOf, type Fields, imageOf, list, partsOf, present, text } from './fields.ts';
import type { Item, Part } from './items.ts';
import type { Turn } from './recorder.ts';

/** The conversation that a request to OpenAI's chat completions repeats. */
export const chatItems = (params: Fields): Item[] =>
  list(params.messages).flatMap((message) => itemsOf(fieldsOf(message)));

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
  const calls = list(tool_calls).map((call) => callOf(fieldsOf(call)));
  if (function_call) calls.push(callOf({ function: function_call, id: legacyId(fieldsOf(function_call).name) }));
  return [
    ...(thought ? [{ kind: 'thought', text: thought } as const] : []),
    ...(said.length > 0 || calls.length === 0 ? [{ kind: 'said', content: said } as const] : []),
    ...calls,
  ];
}

function callOf({ id, function: called, custom }: Fields): Item {
  const isCustom = custom !== undefined && custom !== null;
  const { name, arguments: given, input } = fieldsOf(isCustom ? custom : called);
  // A custom tool takes a text as it is.
  return { kind: 'call', callId: text(id), name: text(name), input: isCustom ? { input: text(input) } : text(given) };
}

/** The old way of calling knows functions by their name alone. */
const legacyId = (name: unknown): string => `function:${text(name)}`;

function toPart(part: Fields): Part {
  if (part.type === 'text') return { type: 'text', text: text(part.text) };
  const image = part.type === 'image_url' ? imageOf(fieldsOf(part.image_url).url) : undefined;
  return image ?? { ...part, type: text(part.type) || 'unknown' };
}

/** A chat completion as turns: one for each choice. */
export function chatTurns(completion: Fields, request: unknown): Turn[] {
  const { id, model, usage } = completion;
  return list(completion.choices).map((each, index) => {
    const { message, finish_reason, aborted } = fieldsOf(each);
    const choice = index > 0 ? { choice: index } : {};
    const of = index === 0 ? { response_id: id, model, usage } : {};
    return {
      items: assistantItems(fieldsOf(message)),
      raw: index === 0 ? { request, response: completion } : undefined,
      extra: present({ ...of, ...choice, finish_reason, aborted }),
    };
  });
}

interface ToolCallDraft {
  readonly index: unknown;
  id: string;
  readonly type: 'function' | 'custom';
  readonly called: { name: string; given: string };
}

interface ChoiceDraft {
  readonly message: Record<'content' | 'refusal' | 'reasoning_content', string>;
  readonly calls: ToolCallDraft[];
  /** What only some providers say, in the pieces in which it came. */
  readonly pieces: Record<string, unknown[]>;
  readonly logprobs: Record<string, unknown[]>;
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
      for (const each of list(deltas)) addDelta(choices, fieldsOf(each));
    },
    result: (): Fields => ({
      ...head,
      object: 'chat.completion',
      choices: [...choices].sort(([one], [other]) => one - other).map(([index, choice]) => finished(index, choice)),
    }),
  };
}

/** A choice without a reason for its end was cut off. */
function finished(index: number, { message, calls, pieces, logprobs, finish_reason }: ChoiceDraft): Fields {
  const said = Object.fromEntries(Object.entries(message).filter(([, value]) => value !== ''));
  const tool_calls = calls.map(({ id, type, called: { name, given } }) =>
    type === 'custom'
      ? { id, type, custom: { name, input: given } }
      : { id, type, function: { name, arguments: given } },
  );
  return {
    index,
    message: { role: 'assistant', content: null, ...said, ...(tool_calls.length > 0 ? { tool_calls } : {}) },
    ...(Object.keys(pieces).length > 0 ? { pieces } : {}),
    ...(Object.keys(logprobs).length > 0 ? { logprobs } : {}),
    finish_reason,
    ...(finish_reason ? {} : { aborted: true }),
  };
}

function addDelta(choices: Map<number, ChoiceDraft>, { index, delta, finish_reason, logprobs }: Fields): void {
  const place = typeof index === 'number' ? index : 0;
  const choice = choices.get(place) ?? emptyChoice();
  choices.set(place, choice);
  if (finish_reason) choice.finish_reason = finish_reason;
  for (const [name, tokens] of Object.entries(fieldsOf(logprobs))) {
    if (!Array.isArray(tokens)) continue;
    choice.logprobs[name] ??= [];
    appendAll(choice.logprobs[name], tokens);
  }
  const {
    role: _role,
    content,
    refusal,
    reasoning_content,
    reasoning,
    tool_calls,
    function_call,
    ...others
  } = fieldsOf(delta);
  choice.message.content +=
    text(content) ||
    list(content)
      .map((part) => text(fieldsOf(part).text))
      .join('');
  if (Array.isArray(content)) addPiece(choice, 'content', content);
  for (const [name, piece] of Object.entries(present(others))) addPiece(choice, name, piece);
  choice.message.refusal += text(refusal);
  choice.message.reasoning_content += text(reasoning_content) || text(reasoning);
  for (const call of list(tool_calls)) addCall(choice.calls, fieldsOf(call));
  if (function_call) {
    const { name } = fieldsOf(function_call);
    addCall(choice.calls, { index: 'legacy', id: name && legacyId(name), function: function_call });
  }
}

function addPiece({ pieces }: ChoiceDraft, name: string, piece: unknown): void {
  pieces[name] ??= [];
  pieces[name].push(piece);
}

const emptyChoice = (): ChoiceDraft => ({
  message: { content: '', refusal: '', reasoning_content: '' },
  calls: [],
  // Their names come from outside: in an object of its own kind `constructor` or `__proto__` would be there already.
  pieces: Object.create(null) as ChoiceDraft['pieces'],
  logprobs: Object.create(null) as ChoiceDraft['logprobs'],
  finish_reason: null,
});

/** Some servers leave the index out, some give all calls the same one, and some repeat id and name in each piece. */
function addCall(calls: ToolCallDraft[], { index, id, function: called, custom }: Fields): void {
  const { name, arguments: given, input } = fieldsOf(called ?? custom);
  const known = id ? calls.find((call) => call.id === id) : undefined;
  const last = index === undefined ? calls.at(-1) : calls.findLast((call) => call.index === index);
  const isOther = Boolean(id && (index === undefined || last?.id));
  const type = custom ? 'custom' : 'function';
  const found = known ?? (isOther ? undefined : last);
  const call = found ?? { index, id: '', type, called: { name: '', given: '' } };
  if (!found) calls.push(call);
  call.id ||= text(id);
  if (call.called.name !== text(name)) call.called.name += text(name);
  call.called.given += text(given) + text(input);
}
