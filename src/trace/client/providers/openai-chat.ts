import type { JSONValue } from '../../../../generated/trace.ts';
import { appendAll, fieldsOf, isRecord, tryParseJson } from '../../../core/index.ts';
import {
  asList,
  asString,
  type ConversationItem,
  imageOf,
  type JsonFields,
  type MessagePart,
  type ModelTurn,
  omitMissing,
  toItemContent,
  toParts,
} from '../../conversation/index.ts';
import type { ProviderApi } from './provider-api.ts';

/** OpenAI's chat completions. */
export const chat: ProviderApi = {
  conversation: ['messages'],
  continues: () => false,
  items: ({ messages }) => asList(messages).flatMap((message) => itemsOf(fieldsOf(message))),
  turns: chatTurns,
  collect() {
    const choices = new Map<number, ChoiceDraft>();
    let head: JsonFields = {};
    return {
      add({ choices: deltas, ...rest }) {
        head = { ...head, ...omitMissing(rest) };
        for (const each of asList(deltas)) addDelta(choices, fieldsOf(each));
      },
      result: () => ({
        ...head,
        object: 'chat.completion',
        choices: [...choices].sort(([one], [other]) => one - other).map(([index, choice]) => toChoice(index, choice)),
      }),
    };
  },
};

function itemsOf(message: JsonFields): ConversationItem[] {
  const { role, content, name, tool_call_id } = message;
  if (role === 'assistant') return assistantItems(message);
  if (role === 'tool' || role === 'function') {
    const callId = role === 'tool' ? asString(tool_call_id) : legacyId(name);
    return [{ kind: 'result', callId, output: toItemContent(content, toPart) as JSONValue, isError: false }];
  }
  const extra = omitMissing({ name, ...(role === 'developer' ? { provider_role: role } : {}) });
  const annotated = Object.keys(extra).length > 0 ? { extra } : {};
  return [
    {
      kind: 'message',
      role: role === 'user' ? 'user' : 'system',
      content: toItemContent(content, toPart),
      ...annotated,
    },
  ];
}

function assistantItems(message: JsonFields): ConversationItem[] {
  const { content, refusal, reasoning_content, reasoning, tool_calls, function_call } = message;
  const thought = asString(reasoning_content) || asString(reasoning);
  const output = toParts(content, toPart);
  if (asString(refusal)) output.push({ type: 'refusal', refusal: asString(refusal) });
  const calls = asList(tool_calls).map((call) => callOf(fieldsOf(call)));
  if (function_call) calls.push(callOf({ function: function_call, id: legacyId(fieldsOf(function_call).name) }));
  return [
    ...(thought ? [{ kind: 'thought', text: thought } as const] : []),
    ...(output.length > 0 || calls.length === 0 ? [{ kind: 'output', content: output } as const] : []),
    ...calls,
  ];
}

function callOf({ id, function: called, custom }: JsonFields): ConversationItem {
  const isCustom = custom !== undefined && custom !== null;
  const { name, arguments: args, input } = fieldsOf(isCustom ? custom : called);
  // The input of a custom tool is text, not JSON.
  return {
    kind: 'call',
    callId: asString(id),
    name: asString(name),
    input: isCustom ? { input: asString(input) } : asString(args),
  };
}

/** Call id for the deprecated `function_call`, which identifies calls by the name of the function. */
const legacyId = (name: unknown): string => `function:${asString(name)}`;

function toPart(part: JsonFields): MessagePart {
  if (part.type === 'text') return { type: 'text', text: asString(part.text) };
  const image = part.type === 'image_url' ? imageOf(fieldsOf(part.image_url).url) : undefined;
  return image ?? { ...part, type: asString(part.type) || 'unknown' };
}

/** Converts a chat completion to turns, one per choice. */
function chatTurns(completion: JsonFields, request: unknown): ModelTurn[] {
  const { id, model, usage } = completion;
  return asList(completion.choices).map((each, index) => {
    const { message, finish_reason, aborted } = fieldsOf(each);
    const choice = index > 0 ? { choice: index } : {};
    const head = index === 0 ? { response_id: id, model, usage } : {};
    return {
      items: assistantItems(fieldsOf(message)),
      raw: index === 0 ? { request, response: completion } : undefined,
      extra: omitMissing({ ...head, ...choice, finish_reason, aborted }),
    };
  });
}

interface ToolCallDraft {
  readonly index: unknown;
  id: string;
  readonly type: 'function' | 'custom';
  readonly called: { name: string; args: string };
}

interface ChoiceDraft {
  readonly message: Record<'content' | 'refusal' | 'reasoning_content', string>;
  readonly calls: ToolCallDraft[];
  /** Fields of single providers, as the list of their deltas. */
  readonly pieces: Record<string, unknown[]>;
  readonly logprobs: Record<string, unknown[]>;
  finish_reason: unknown;
}

/** Converts a draft to a choice; one without a finish reason was cut off. */
function toChoice(index: number, { message, calls, pieces, logprobs, finish_reason }: ChoiceDraft): JsonFields {
  const output = Object.fromEntries(Object.entries(message).filter(([, value]) => value !== ''));
  const tool_calls = calls.map(({ id, type, called: { name, args } }) =>
    type === 'custom' ? { id, type, custom: { name, input: args } } : { id, type, function: { name, arguments: args } },
  );
  return {
    index,
    message: { role: 'assistant', content: null, ...output, ...(tool_calls.length > 0 ? { tool_calls } : {}) },
    ...(Object.keys(pieces).length > 0 ? { pieces } : {}),
    ...(Object.keys(logprobs).length > 0 ? { logprobs } : {}),
    finish_reason,
    ...(finish_reason ? {} : { aborted: true }),
  };
}

function addDelta(choices: Map<number, ChoiceDraft>, { index, delta, finish_reason, logprobs }: JsonFields): void {
  const choiceIndex = typeof index === 'number' ? index : 0;
  const choice = choices.get(choiceIndex) ?? emptyChoice();
  choices.set(choiceIndex, choice);
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
    asString(content) ||
    asList(content)
      .map((part) => asString(fieldsOf(part).text))
      .join('');
  if (Array.isArray(content)) addPiece(choice, 'content', content);
  for (const [name, piece] of Object.entries(omitMissing(others))) addPiece(choice, name, piece);
  choice.message.refusal += asString(refusal);
  choice.message.reasoning_content += asString(reasoning_content) || asString(reasoning);
  for (const call of asList(tool_calls)) addCall(choice.calls, fieldsOf(call));
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
  // No prototype, because providers choose the names: `constructor` and `__proto__` must not be found.
  pieces: Object.create(null) as ChoiceDraft['pieces'],
  logprobs: Object.create(null) as ChoiceDraft['logprobs'],
  finish_reason: null,
});

/**
 * Adds a delta of a tool call. Some servers omit the index or use the same index for all calls, some omit the id or use the
 * same id for all calls, and some repeat id and name in each delta.
 */
function addCall(calls: ToolCallDraft[], { index, id, function: called, custom }: JsonFields): void {
  const { name, arguments: args, input } = fieldsOf(called ?? custom);
  const type = custom ? 'custom' : 'function';
  const atIndex = calls.filter((call) => index === undefined || call.index === index);
  const last = atIndex.at(-1);
  const isOther = Boolean(id && (index === undefined || last?.id));
  const found = isOther ? atIndex.findLast((call) => call.id === id) : last;
  const isNext = found !== undefined && asString(name) !== '' && asString(args).trim() !== '' && isComplete(found);
  const call: ToolCallDraft = found && !isNext ? found : { index, id: '', type, called: { name: '', args: '' } };
  if (call !== found) calls.push(call);
  call.id ||= asString(id);
  if (call.called.name !== asString(name)) call.called.name += asString(name);
  call.called.args += asString(args) + asString(input);
}

/** Returns true for a call to which nothing can be added: its arguments are an object. */
const isComplete = ({ called: { args } }: ToolCallDraft): boolean =>
  args.trimEnd().endsWith('}') && isRecord(tryParseJson(args));
