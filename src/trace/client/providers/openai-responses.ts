import type { JSONObject, JSONValue } from '../../../../generated/trace.ts';
import { fieldsOf } from '../../../core/index.ts';
import { contentOf, type Fields, imageOf, list, partsOf, present, text } from './fields.ts';
import type { Item, Part } from './items.ts';
import type { Turn } from './recorder.ts';

/** The conversation that a request to OpenAI's responses repeats, or adds to one that the provider keeps. */
export function responsesItems({ instructions, input }: Fields): Item[] {
  const system: Item[] = text(instructions) ? [{ kind: 'message', role: 'system', content: text(instructions) }] : [];
  if (typeof input === 'string') return [...system, { kind: 'message', role: 'user', content: input }];
  return [...system, ...list(input).flatMap((item) => itemsOf(fieldsOf(item)))];
}

function itemsOf(item: Fields): Item[] {
  const { type, role, content } = item;
  const call = callOf(item) ?? resultOf(item);
  if (call) return [call];
  if (type === 'reasoning') return thoughtsOf(item);
  if (role === 'assistant') return [{ kind: 'said', content: partsOf(content, toPart) }];
  if (type === 'message' || role !== undefined) {
    const extra = role === 'developer' ? { extra: { provider_role: role } } : {};
    return [
      { kind: 'message', role: role === 'user' ? 'user' : 'system', content: contentOf(content, toPart), ...extra },
    ];
  }
  // A reference to what the provider keeps says nothing.
  if (type === 'item_reference') return [];
  if (type === 'mcp_approval_response') {
    return [{ kind: 'message', role: 'user', content: [{ ...item, type: text(type) }] }];
  }
  // What the provider does by itself: web searches, code, images.
  return [{ kind: 'said', content: [{ ...item, type: text(type) || 'unknown' }] }];
}

/** A call that somebody is to answer: of a function, a shell, a computer. */
function callOf({ type, id, call_id, name, status: _, ...given }: Fields): Item | undefined {
  const callId = text(call_id);
  if (type === 'function_call') return { kind: 'call', callId, name: text(name), input: text(given.arguments) };
  // A custom tool takes a text as it is.
  if (type === 'custom_tool_call') {
    return { kind: 'call', callId, name: text(name), input: { input: text(given.input) } };
  }
  const [, kind] = /^(\w+)_call$/.exec(text(type)) ?? [];
  return kind && callId ? { kind: 'call', callId, name: kind, input: given as JSONObject } : undefined;
}

/** The result of such a call. */
function resultOf({ type, id, call_id, output, ...rest }: Fields): Item | undefined {
  if (!text(type).endsWith('_call_output')) return undefined;
  const isOfFunction = type === 'function_call_output' || type === 'custom_tool_call_output';
  const told = isOfFunction ? contentOf(output, toPart) : (output ?? rest);
  return { kind: 'result', callId: text(call_id) || text(id), output: told as JSONValue, isError: false };
}

/** What is encrypted is in raw alone. */
function thoughtsOf({ summary, content }: Fields): Item[] {
  const told = list(content).length > 0 ? list(content) : list(summary);
  const thought = told.map((part) => text(fieldsOf(part).text)).join('\n\n');
  return thought ? [{ kind: 'thought', text: thought }] : [];
}

function toPart(part: Fields): Part {
  const { type } = part;
  if (type === 'input_text' || type === 'output_text' || type === 'text')
    return { type: 'text', text: text(part.text) };
  const image = type === 'input_image' ? imageOf(part.image_url) : undefined;
  return image ?? { ...part, type: text(type) || 'unknown' };
}

/** A response as a turn. Its `output_text` is an addition of the package. */
export function responsesTurn({ output_text: _, ...response }: Fields, request: unknown): Turn {
  const { id, model, usage, status, incomplete_details, error, aborted } = response;
  const items = list(response.output).flatMap((item) => itemsOf(fieldsOf(item)));
  const extra = { response_id: id, model, usage, status, incomplete_details, error, aborted };
  return { items, raw: { request, response }, extra: present(extra) };
}

const ENDS: readonly unknown[] = ['response.completed', 'response.incomplete', 'response.failed'];

/** Puts the events of a stream together as a response. */
export function collectResponse() {
  const output: Record<string, unknown>[] = [];
  let response: Fields = {};
  let isWhole = false;
  return {
    add(event: Fields): void {
      if (event.response !== undefined) response = fieldsOf(event.response);
      if (ENDS.includes(event.type)) isWhole = true;
      if (event.type === 'error')
        response = { ...response, error: present({ code: event.code, message: event.message }) };
      addEvent(output, event);
    },
    result(): Fields {
      const whole = list(response.output).length > 0 ? response : { ...response, output: output.filter(Boolean) };
      return isWhole ? whole : { ...whole, output: output.filter(Boolean), aborted: true };
    },
  };
}

function addEvent(output: Record<string, unknown>[], event: Fields): void {
  const { type, output_index, item, delta } = event;
  const place = typeof output_index === 'number' ? output_index : -1;
  if (type === 'response.output_item.added' || type === 'response.output_item.done') {
    output[place] = structuredClone(fieldsOf(item));
    return;
  }
  const draft = output[place];
  if (!draft || typeof delta !== 'string') return;
  if (type === 'response.function_call_arguments.delta') draft.arguments = text(draft.arguments) + delta;
  if (type === 'response.custom_tool_call_input.delta') draft.input = text(draft.input) + delta;
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
  const parts = [...list(draft[field])];
  const place = typeof index === 'number' ? index : 0;
  const part = fieldsOf(parts[place]);
  parts[place] = { ...part, type, [key]: text(part[key]) + delta };
  draft[field] = parts;
}
