import type { JSONValue } from '../../../generated/trace.ts';
import { fieldsOf, isRecord, JsonSyntaxError, parseExactJson, stringifyJson } from '../../core/index.ts';
import {
  asList,
  asString,
  type ConversationItem,
  imageOf,
  type JsonFields,
  type MessagePart,
  omitMissing,
} from '../conversation/index.ts';

/**
 * Converts messages of a span to items of a conversation. Accepts the messages of the GenAI conventions, of OpenInference,
 * of OpenAI's chat completions and of the AI SDK, which have `parts`, `contents` or `content`.
 */
export const itemsOfMessages = (messages: unknown): ConversationItem[] =>
  asList(messages).flatMap((each) => itemsOfMessage(fieldsOf(fieldsOf(each).message ?? each)));

function itemsOfMessage(message: JsonFields): ConversationItem[] {
  const role = asString(message.role);
  const isModel = role === 'assistant' || role === 'model' || role === 'ai';
  const items = partsOf(message, role).map(itemOfPart);
  const content = items.flatMap((item) => (item.kind === 'part' ? [item.part] : []));
  const ofKind = (kind: ConversationItem['kind']) =>
    items.filter((item): item is ConversationItem => item.kind === kind);
  if (isModel) {
    const calls = ofKind('call');
    const output = content.length > 0 || calls.length === 0 ? [{ kind: 'output', content } as const] : [];
    return [...ofKind('thought'), ...output, ...calls, ...ofKind('result')];
  }
  const results = ofKind('result');
  if (content.length === 0 && results.length > 0) return results;
  const extra = omitMissing({ name: message.name, ...(ROLES.includes(role) ? {} : { provider_role: role }) });
  return [
    ...results,
    {
      kind: 'message',
      role: role === 'system' || role === 'developer' ? 'system' : 'user',
      content: textOrParts(content),
      ...(Object.keys(extra).length > 0 ? { extra } : {}),
    },
  ];
}

/** Roles that need no note; OpenInference has messages without a role. */
const ROLES = ['system', 'user', ''];

function textOrParts(content: readonly MessagePart[]): string | readonly MessagePart[] {
  const [first, ...others] = content;
  return first?.type === 'text' && others.length === 0 ? asString(first.text) : content;
}

/** Returns all parts of a message, also those that its format has in other fields. */
function partsOf(message: JsonFields, role: string): JsonFields[] {
  const { parts, contents, content, tool_calls, tool_call_id, function_call_name, function_call_arguments_json } =
    message;
  const given = parts ?? contents ?? content;
  if ((role === 'tool' || role === 'function') && parts === undefined && !asList(content).some(isToolResult)) {
    const id = tool_call_id ?? message.id ?? `function:${asString(message.name)}`;
    return [{ type: 'tool_call_response', id, response: typeof given === 'string' ? given : partTexts(given) }];
  }
  const own = typeof given === 'string' ? (given === '' ? [] : [{ type: 'text', text: given }]) : asList(given);
  const calls = asList(tool_calls).map((each) => {
    const { id, function: called, custom, ...call } = fieldsOf(fieldsOf(each).tool_call ?? each);
    return { ...call, ...fieldsOf(called ?? custom), id, type: 'tool_call' };
  });
  if (typeof function_call_name === 'string') {
    const id = `function:${function_call_name}`;
    calls.push({ type: 'tool_call', id, name: function_call_name, arguments: function_call_arguments_json } as never);
  }
  return [...own.map((part) => fieldsOf(fieldsOf(part).message_content ?? part)), ...calls];
}

const isToolResult = (part: unknown): boolean => RESULT_TYPES.includes(asString(fieldsOf(part).type));

/** Joins the texts of parts; keeps other parts. */
function partTexts(parts: unknown): unknown {
  const all = asList(parts).map((part) => fieldsOf(fieldsOf(part).message_content ?? part));
  return all.length > 0 && all.every(({ text }) => typeof text === 'string')
    ? all.map(({ text }) => text).join('\n')
    : (parts ?? null);
}

type PartItem = ConversationItem | { readonly kind: 'part'; readonly part: MessagePart };

const TEXT_TYPES = ['text', 'input_text', 'output_text'];
const THOUGHT_TYPES = ['reasoning', 'thinking'];
const CALL_TYPES = ['tool_call', 'tool-call', 'tool_use', 'function_call'];
const RESULT_TYPES = ['tool_call_response', 'tool-result', 'tool_result', 'function_call_output'];

function itemOfPart(part: JsonFields): PartItem {
  const type = asString(part.type);
  if (TEXT_TYPES.includes(type)) return { kind: 'part', part: { type: 'text', text: textOf(part) } };
  if (THOUGHT_TYPES.includes(type)) return { kind: 'thought', text: textOf(part) };
  if (CALL_TYPES.includes(type)) return callOf(part);
  if (RESULT_TYPES.includes(type)) return resultOf(part);
  return { kind: 'part', part: imageOfPart(part) ?? { ...part, type: type || 'unknown' } };
}

const textOf = ({ content, text, thinking }: JsonFields): string =>
  ([content, text, thinking].find((each) => typeof each === 'string') as string | undefined) ?? '';

function callOf(part: JsonFields): ConversationItem {
  const args = part.arguments ?? part.args ?? part.input ?? {};
  return {
    kind: 'call',
    callId: asString(part.id ?? part.toolCallId ?? part.call_id),
    name: asString(part.name ?? part.toolName),
    input: typeof args === 'string' ? args : isRecord(args) ? (args as never) : { $invalid_json: stringifyJson(args) },
  };
}

function resultOf(part: JsonFields): ConversationItem {
  const { output } = part;
  // The AI SDK wraps outputs as {type, value}.
  const wrapped = isRecord(output) && typeof output.type === 'string' && 'value' in output ? output : undefined;
  const value = wrapped?.value ?? part.response ?? part.result ?? output ?? part.content ?? null;
  return {
    kind: 'result',
    callId: asString(part.id ?? part.toolCallId ?? part.tool_use_id ?? part.call_id),
    // Attributes are JSON.
    output: value as JSONValue,
    isError: part.is_error === true || asString(wrapped?.type).startsWith('error'),
  };
}

/** Returns an ORS image, if the part is an image whose bytes are known. */
function imageOfPart(part: JsonFields): MessagePart | undefined {
  const mimeType = asString(part.mime_type ?? part.mediaType ?? part.mimeType);
  const data = part.content ?? part.data;
  if (mimeType.startsWith('image/') && typeof data === 'string' && !data.includes(':')) {
    return { type: 'image', data, mimeType };
  }
  const { url } = fieldsOf(fieldsOf(part.image).image ?? part.image_url ?? part.image);
  return imageOf(url ?? part.image ?? part.image_url);
}

/** Returns the value of an attribute that may be JSON text. */
export function parsedAttribute(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
  try {
    return parseExactJson(value);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return value;
    throw error;
  }
}
