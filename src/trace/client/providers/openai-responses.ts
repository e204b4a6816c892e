import type { JSONObject, JSONValue } from '../../../../generated/trace.ts';
import { fieldsOf } from '../../../core/index.ts';
import {
  asList,
  asString,
  type ConversationItem,
  imageOf,
  type JsonFields,
  type MessagePart,
  type ModelTurn,
  omitMissing,
  StreamedItems,
  toItemContent,
  toParts,
} from '../../conversation/index.ts';
import type { ProviderApi } from './provider-api.ts';

/** OpenAI's responses. */
export const responses: ProviderApi = {
  conversation: ['input', 'instructions'],
  continues: ({ previous_response_id, conversation }) => (previous_response_id ?? conversation ?? null) !== null,
  items: responsesItems,
  turns: (response, request) => [responsesTurn(response, request)],
  collect() {
    const output = new StreamedItems();
    let response: JsonFields = {};
    let isComplete = false;
    return {
      add(event) {
        if (event.response !== undefined) response = fieldsOf(event.response);
        if (END_EVENTS.includes(event.type)) isComplete = true;
        if (event.type === 'error') {
          response = { ...response, error: omitMissing({ code: event.code, message: event.message }) };
        }
        addEvent(output, event);
      },
      result() {
        const collected = output.all();
        if (!isComplete) return { ...response, output: collected, aborted: true };
        return asList(response.output).length > 0 ? response : { ...response, output: collected };
      },
    };
  },
};

/** Returns the items of a request: the whole conversation, or those added to a stored one. */
function responsesItems({ instructions, input }: JsonFields): ConversationItem[] {
  const system: ConversationItem[] = asString(instructions)
    ? [{ kind: 'message', role: 'system', content: asString(instructions) }]
    : [];
  if (typeof input === 'string') return [...system, { kind: 'message', role: 'user', content: input }];
  return [...system, ...asList(input).flatMap((item) => itemsOf(fieldsOf(item)))];
}

function itemsOf(item: JsonFields): ConversationItem[] {
  const { type, role, content } = item;
  const call = callOf(item) ?? resultOf(item);
  if (call) return [call];
  if (type === 'reasoning') return thoughtsOf(item);
  if (role === 'assistant') return [{ kind: 'output', content: toParts(content, toPart) }];
  if (type === 'message' || role !== undefined) {
    const extra = role === 'developer' ? { extra: { provider_role: role } } : {};
    return [
      { kind: 'message', role: role === 'user' ? 'user' : 'system', content: toItemContent(content, toPart), ...extra },
    ];
  }
  // References to stored items have no content.
  if (type === 'item_reference') return [];
  if (type === 'mcp_approval_response') {
    return [{ kind: 'message', role: 'user', content: [{ ...item, type: asString(type) }] }];
  }
  // Actions of the provider itself: web searches, code, images.
  return [{ kind: 'output', content: [{ ...item, type: asString(type) || 'unknown' }] }];
}

/** Returns a call that the client must answer: of a function, a shell, a computer. */
function callOf({ type, id, call_id, name, status: _, ...args }: JsonFields): ConversationItem | undefined {
  const callId = asString(call_id);
  if (type === 'function_call') return { kind: 'call', callId, name: asString(name), input: asString(args.arguments) };
  // The input of a custom tool is text, not JSON.
  if (type === 'custom_tool_call') {
    return { kind: 'call', callId, name: asString(name), input: { input: asString(args.input) } };
  }
  const [, kind] = /^(\w+)_call$/.exec(asString(type)) ?? [];
  return kind && callId ? { kind: 'call', callId, name: kind, input: args as JSONObject } : undefined;
}

/** Returns the result of such a call. */
function resultOf({ type, id, call_id, output, ...rest }: JsonFields): ConversationItem | undefined {
  if (!asString(type).endsWith('_call_output')) return undefined;
  const isOfFunction = type === 'function_call_output' || type === 'custom_tool_call_output';
  const value = isOfFunction ? toItemContent(output, toPart) : (output ?? rest);
  return {
    kind: 'result',
    callId: asString(call_id) || asString(id),
    output: value as JSONValue,
    isError: false,
  };
}

/** Returns readable reasoning; encrypted reasoning is only in `raw`. */
function thoughtsOf({ summary, content }: JsonFields): ConversationItem[] {
  const parts = asList(content).length > 0 ? asList(content) : asList(summary);
  const thought = parts.map((part) => asString(fieldsOf(part).text)).join('\n\n');
  return thought ? [{ kind: 'thought', text: thought }] : [];
}

function toPart(part: JsonFields): MessagePart {
  const { type } = part;
  if (type === 'input_text' || type === 'output_text' || type === 'text')
    return { type: 'text', text: asString(part.text) };
  const image = type === 'input_image' ? imageOf(part.image_url) : undefined;
  return image ?? { ...part, type: asString(type) || 'unknown' };
}

/** Converts a response to a turn, without `output_text`, which OpenAI's package adds. */
function responsesTurn({ output_text: _, ...response }: JsonFields, request: unknown): ModelTurn {
  const { id, model, usage, status, incomplete_details, error, aborted } = response;
  const items = asList(response.output).flatMap((item) => itemsOf(fieldsOf(item)));
  const extra = { response_id: id, model, usage, status, incomplete_details, error, aborted };
  return { items, raw: { request, response }, extra: omitMissing(extra) };
}

const END_EVENTS: readonly unknown[] = ['response.completed', 'response.incomplete', 'response.failed'];

function addEvent(output: StreamedItems, event: JsonFields): void {
  const { type, output_index, item, delta } = event;
  if (type === 'response.output_item.added') output.start(output_index, structuredClone(fieldsOf(item)));
  if (type === 'response.output_item.done') output.end(output_index, structuredClone(fieldsOf(item)));
  const draft = output.at(output_index);
  if (!draft || typeof delta !== 'string') return;
  const field = TEXT_DELTAS.get(type);
  if (field) draft[field] = asString(draft[field]) + delta;
  const target = PART_DELTAS.get(type);
  if (!target) return;
  const [list, partIndex, partType, key] = target;
  const parts = [...asList(draft[list])];
  const position = event[partIndex];
  const at = typeof position === 'number' ? position : 0;
  const part = fieldsOf(parts[at]);
  parts[at] = { ...part, type: partType, [key]: asString(part[key]) + delta };
  draft[list] = parts;
}

/** Fields of an item to which the deltas of an event are appended. */
const TEXT_DELTAS = new Map<unknown, string>([
  ['response.function_call_arguments.delta', 'arguments'],
  ['response.custom_tool_call_input.delta', 'input'],
]);

/** Parts of an item to which the deltas of an event are appended. */
const PART_DELTAS = new Map<unknown, readonly [list: string, index: string, type: string, text: string]>([
  ['response.output_text.delta', ['content', 'content_index', 'output_text', 'text']],
  ['response.refusal.delta', ['content', 'content_index', 'refusal', 'refusal']],
  ['response.reasoning_text.delta', ['content', 'content_index', 'reasoning_text', 'text']],
  ['response.reasoning_summary_text.delta', ['summary', 'summary_index', 'summary_text', 'text']],
]);
