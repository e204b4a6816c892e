import type { JSONObject, JSONValue } from '../../../../generated/trace.ts';
import { fieldsOf } from '../../../core/index.ts';
import {
  type ConversationItem,
  imageOf,
  type JsonFields,
  type MessagePart,
  omitMissing,
  toItemContent,
  toList,
  toParts,
  toStringOrEmpty,
} from './items.ts';
import type { ModelTurn } from './recorder.ts';

/** Returns the items of a request to OpenAI's responses: the whole conversation, or those added to a stored one. */
export function responsesItems({ instructions, input }: JsonFields): ConversationItem[] {
  const system: ConversationItem[] = toStringOrEmpty(instructions)
    ? [{ kind: 'message', role: 'system', content: toStringOrEmpty(instructions) }]
    : [];
  if (typeof input === 'string') return [...system, { kind: 'message', role: 'user', content: input }];
  return [...system, ...toList(input).flatMap((item) => itemsOf(fieldsOf(item)))];
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
    return [{ kind: 'message', role: 'user', content: [{ ...item, type: toStringOrEmpty(type) }] }];
  }
  // Actions of the provider itself: web searches, code, images.
  return [{ kind: 'output', content: [{ ...item, type: toStringOrEmpty(type) || 'unknown' }] }];
}

/** Returns a call that the client must answer: of a function, a shell, a computer. */
function callOf({ type, id, call_id, name, status: _, ...args }: JsonFields): ConversationItem | undefined {
  const callId = toStringOrEmpty(call_id);
  if (type === 'function_call')
    return { kind: 'call', callId, name: toStringOrEmpty(name), input: toStringOrEmpty(args.arguments) };
  // The input of a custom tool is text, not JSON.
  if (type === 'custom_tool_call') {
    return { kind: 'call', callId, name: toStringOrEmpty(name), input: { input: toStringOrEmpty(args.input) } };
  }
  const [, kind] = /^(\w+)_call$/.exec(toStringOrEmpty(type)) ?? [];
  return kind && callId ? { kind: 'call', callId, name: kind, input: args as JSONObject } : undefined;
}

/** Returns the result of such a call. */
function resultOf({ type, id, call_id, output, ...rest }: JsonFields): ConversationItem | undefined {
  if (!toStringOrEmpty(type).endsWith('_call_output')) return undefined;
  const isOfFunction = type === 'function_call_output' || type === 'custom_tool_call_output';
  const value = isOfFunction ? toItemContent(output, toPart) : (output ?? rest);
  return {
    kind: 'result',
    callId: toStringOrEmpty(call_id) || toStringOrEmpty(id),
    output: value as JSONValue,
    isError: false,
  };
}

/** Returns readable reasoning; encrypted reasoning is only in `raw`. */
function thoughtsOf({ summary, content }: JsonFields): ConversationItem[] {
  const parts = toList(content).length > 0 ? toList(content) : toList(summary);
  const thought = parts.map((part) => toStringOrEmpty(fieldsOf(part).text)).join('\n\n');
  return thought ? [{ kind: 'thought', text: thought }] : [];
}

function toPart(part: JsonFields): MessagePart {
  const { type } = part;
  if (type === 'input_text' || type === 'output_text' || type === 'text')
    return { type: 'text', text: toStringOrEmpty(part.text) };
  const image = type === 'input_image' ? imageOf(part.image_url) : undefined;
  return image ?? { ...part, type: toStringOrEmpty(type) || 'unknown' };
}

/** Converts a response to a turn, without `output_text`, which OpenAI's package adds. */
export function responsesTurn({ output_text: _, ...response }: JsonFields, request: unknown): ModelTurn {
  const { id, model, usage, status, incomplete_details, error, aborted } = response;
  const items = toList(response.output).flatMap((item) => itemsOf(fieldsOf(item)));
  const extra = { response_id: id, model, usage, status, incomplete_details, error, aborted };
  return { items, raw: { request, response }, extra: omitMissing(extra) };
}

const END_EVENTS: readonly unknown[] = ['response.completed', 'response.incomplete', 'response.failed'];

/** Joins the events of a stream to a response. */
export function collectResponse() {
  const output: Record<string, unknown>[] = [];
  let response: JsonFields = {};
  let isComplete = false;
  return {
    add(event: JsonFields): void {
      if (event.response !== undefined) response = fieldsOf(event.response);
      if (END_EVENTS.includes(event.type)) isComplete = true;
      if (event.type === 'error')
        response = { ...response, error: omitMissing({ code: event.code, message: event.message }) };
      addEvent(output, event);
    },
    result(): JsonFields {
      const collected = output.filter(Boolean);
      if (!isComplete) return { ...response, output: collected, aborted: true };
      return toList(response.output).length > 0 ? response : { ...response, output: collected };
    },
  };
}

function addEvent(output: Record<string, unknown>[], event: JsonFields): void {
  const { type, output_index, item, delta } = event;
  const index = typeof output_index === 'number' ? output_index : -1;
  if (type === 'response.output_item.added' || type === 'response.output_item.done') {
    output[index] = structuredClone(fieldsOf(item));
    return;
  }
  const draft = output[index];
  if (!draft || typeof delta !== 'string') return;
  if (type === 'response.function_call_arguments.delta') draft.arguments = toStringOrEmpty(draft.arguments) + delta;
  if (type === 'response.custom_tool_call_input.delta') draft.input = toStringOrEmpty(draft.input) + delta;
  if (type === 'response.output_text.delta')
    append(draft, 'content', event.content_index, 'output_text', 'text', delta);
  if (type === 'response.refusal.delta') append(draft, 'content', event.content_index, 'refusal', 'refusal', delta);
  if (type === 'response.reasoning_text.delta') {
    append(draft, 'content', event.content_index, 'reasoning_text', 'text', delta);
  }
  if (type === 'response.reasoning_summary_text.delta') {
    append(draft, 'summary', event.summary_index, 'summary_text', 'text', delta);
  }
}

function append(
  draft: Record<string, unknown>,
  field: 'content' | 'summary',
  index: unknown,
  type: string,
  key: 'text' | 'refusal',
  delta: string,
): void {
  const parts = [...toList(draft[field])];
  const partIndex = typeof index === 'number' ? index : 0;
  const part = fieldsOf(parts[partIndex]);
  parts[partIndex] = { ...part, type, [key]: toStringOrEmpty(part[key]) + delta };
  draft[field] = parts;
}
