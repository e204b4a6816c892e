import type { JSONObject, JSONValue } from '../../../../generated/trace.ts';
import { fieldsOf } from '../../../core/index.ts';
import { imageOf, type JsonFields, omitMissing, toItemContent, toList, toParts, toStringOrEmpty } from './fields.ts';
import type { ConversationItem, MessagePart } from './items.ts';
import type { ModelTurn } from './recorder.ts';

/** The conversation that a request to OpenAI's responses repeats, or adds to one that the provider keeps. */
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
  if (role === 'assistant') return [{ kind: 'said', content: toParts(content, toPart) }];
  if (type === 'message' || role !== undefined) {
    const extra = role === 'developer' ? { extra: { provider_role: role } } : {};
    return [
      { kind: 'message', role: role === 'user' ? 'user' : 'system', content: toItemContent(content, toPart), ...extra },
    ];
  }
  // A reference to what the provider keeps says nothing.
  if (type === 'item_reference') return [];
  if (type === 'mcp_approval_response') {
    return [{ kind: 'message', role: 'user', content: [{ ...item, type: toStringOrEmpty(type) }] }];
  }
  // What the provider does by itself: web searches, code, images.
  return [{ kind: 'said', content: [{ ...item, type: toStringOrEmpty(type) || 'unknown' }] }];
}

/** A call that somebody is to answer: of a function, a shell, a computer. */
function callOf({ type, id, call_id, name, status: _, ...given }: JsonFields): ConversationItem | undefined {
  const callId = toStringOrEmpty(call_id);
  if (type === 'function_call')
    return { kind: 'call', callId, name: toStringOrEmpty(name), input: toStringOrEmpty(given.arguments) };
  // A custom tool takes a text as it is.
  if (type === 'custom_tool_call') {
    return { kind: 'call', callId, name: toStringOrEmpty(name), input: { input: toStringOrEmpty(given.input) } };
  }
  const [, kind] = /^(\w+)_call$/.exec(toStringOrEmpty(type)) ?? [];
  return kind && callId ? { kind: 'call', callId, name: kind, input: given as JSONObject } : undefined;
}

/** The result of such a call. */
function resultOf({ type, id, call_id, output, ...rest }: JsonFields): ConversationItem | undefined {
  if (!toStringOrEmpty(type).endsWith('_call_output')) return undefined;
  const isOfFunction = type === 'function_call_output' || type === 'custom_tool_call_output';
  const told = isOfFunction ? toItemContent(output, toPart) : (output ?? rest);
  return {
    kind: 'result',
    callId: toStringOrEmpty(call_id) || toStringOrEmpty(id),
    output: told as JSONValue,
    isError: false,
  };
}

/** What is encrypted is in raw alone. */
function thoughtsOf({ summary, content }: JsonFields): ConversationItem[] {
  const told = toList(content).length > 0 ? toList(content) : toList(summary);
  const thought = told.map((part) => toStringOrEmpty(fieldsOf(part).text)).join('\n\n');
  return thought ? [{ kind: 'thought', text: thought }] : [];
}

function toPart(part: JsonFields): MessagePart {
  const { type } = part;
  if (type === 'input_text' || type === 'output_text' || type === 'text')
    return { type: 'text', text: toStringOrEmpty(part.text) };
  const image = type === 'input_image' ? imageOf(part.image_url) : undefined;
  return image ?? { ...part, type: toStringOrEmpty(type) || 'unknown' };
}

/** A response as a turn. Its `output_text` is an addition of the package. */
export function responsesTurn({ output_text: _, ...response }: JsonFields, request: unknown): ModelTurn {
  const { id, model, usage, status, incomplete_details, error, aborted } = response;
  const items = toList(response.output).flatMap((item) => itemsOf(fieldsOf(item)));
  const extra = { response_id: id, model, usage, status, incomplete_details, error, aborted };
  return { items, raw: { request, response }, extra: omitMissing(extra) };
}

const ENDS: readonly unknown[] = ['response.completed', 'response.incomplete', 'response.failed'];

/** Puts the events of a stream together as a response. */
export function collectResponse() {
  const output: Record<string, unknown>[] = [];
  let response: JsonFields = {};
  let isWhole = false;
  return {
    add(event: JsonFields): void {
      if (event.response !== undefined) response = fieldsOf(event.response);
      if (ENDS.includes(event.type)) isWhole = true;
      if (event.type === 'error')
        response = { ...response, error: omitMissing({ code: event.code, message: event.message }) };
      addEvent(output, event);
    },
    result(): JsonFields {
      const whole = toList(response.output).length > 0 ? response : { ...response, output: output.filter(Boolean) };
      return isWhole ? whole : { ...whole, output: output.filter(Boolean), aborted: true };
    },
  };
}

function addEvent(output: Record<string, unknown>[], event: JsonFields): void {
  const { type, output_index, item, delta } = event;
  const place = typeof output_index === 'number' ? output_index : -1;
  if (type === 'response.output_item.added' || type === 'response.output_item.done') {
    output[place] = structuredClone(fieldsOf(item));
    return;
  }
  const draft = output[place];
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
  const place = typeof index === 'number' ? index : 0;
  const part = fieldsOf(parts[place]);
  parts[place] = { ...part, type, [key]: toStringOrEmpty(part[key]) + delta };
  draft[field] = parts;
}
