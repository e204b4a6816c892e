import type { JSONObject, JSONValue } from '../../../../generated/trace.ts';
import { fieldsOf } from '../../../core/index.ts';
import { parseArguments } from '../../model/index.ts';
import { contentOf, type Fields, list, present, text } from './fields.ts';
import type { Item, Part } from './items.ts';
import type { Turn } from './recorder.ts';

/** The conversation that a request to Anthropic's messages repeats. */
export function messagesItems({ system, messages }: Fields): Item[] {
  const said = contentOf(system, toPart);
  const first: Item[] = said.length > 0 ? [{ kind: 'message', role: 'system', content: said }] : [];
  return [...first, ...list(messages).flatMap((message) => itemsOf(fieldsOf(message)))];
}

function itemsOf({ role, content }: Fields): Item[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content).map(fieldsOf);
  if (role === 'assistant') return assistantItems(blocks);
  const results = blocks.filter(({ type }) => type === 'tool_result');
  const others = blocks.filter(({ type }) => type !== 'tool_result');
  return [
    ...results.map(resultOf),
    ...(others.length > 0 || results.length === 0
      ? [{ kind: 'message', role: role === 'system' ? 'system' : 'user', content: contentOf(others, toPart) } as const]
      : []),
  ];
}

function resultOf({ tool_use_id, content, is_error }: Fields): Item {
  const output = contentOf(content, toPart) as JSONValue;
  return { kind: 'result', callId: text(tool_use_id), output, isError: is_error === true };
}

function assistantItems(blocks: readonly Fields[]): Item[] {
  const items = blocks.flatMap(itemOf);
  return items.some(({ kind }) => kind === 'said' || kind === 'call')
    ? items
    : [...items, { kind: 'said', content: [] }];
}

function itemOf(block: Fields): Item[] {
  const { type, thinking, id, name, input } = block;
  if (type === 'thinking') return text(thinking) ? [{ kind: 'thought', text: text(thinking) }] : [];
  // What is encrypted is in raw alone.
  if (type === 'redacted_thinking') return [];
  if (type === 'tool_use') {
    // Parsed JSON, or the text of a stream that was not.
    const given = typeof input === 'string' ? input : (fieldsOf(input) as JSONObject);
    return [{ kind: 'call', callId: text(id), name: text(name), input: given }];
  }
  if (type === 'text' && text(block.text) === '') return [];
  return [{ kind: 'said', content: [toPart(block)] }];
}

/** Marks of the cache move through a conversation, and say nothing. */
function toPart({ cache_control: _, ...part }: Fields): Part {
  if (part.type === 'text') return { type: 'text', text: text(part.text) };
  const { type, media_type, data } = fieldsOf(part.source);
  if (part.type === 'image' && type === 'base64')
    return { type: 'image', data: text(data), mimeType: text(media_type) };
  return { ...part, type: text(part.type) || 'unknown' };
}

/** A message of the model as a turn. */
export function messagesTurn(message: Fields, request: unknown): Turn {
  const { id, model, usage, stop_reason, aborted } = message;
  return {
    items: assistantItems(list(message.content).map(fieldsOf)),
    raw: { request, response: message },
    extra: present({ response_id: id, model, usage, stop_reason, aborted }),
  };
}

/** Puts the events of a stream together as a message. */
export function collectMessage() {
  const content: Record<string, unknown>[] = [];
  let message: Fields = {};
  let isWhole = false;
  return {
    add(event: Fields): void {
      const { type, index, content_block, delta, usage, ...rest } = event;
      const place = typeof index === 'number' ? index : -1;
      const draft = content[place];
      if (type === 'message_start') message = fieldsOf(event.message);
      else if (type === 'message_delta')
        message = {
          ...message,
          ...rest,
          ...fieldsOf(delta),
          usage: { ...fieldsOf(message.usage), ...fieldsOf(usage) },
        };
      else if (type === 'message_stop') isWhole = true;
      else if (type === 'content_block_start') content[place] = { ...fieldsOf(content_block) };
      else if (type === 'content_block_delta' && draft) addDelta(draft, fieldsOf(delta));
      else if (type === 'content_block_stop' && typeof draft?.input === 'string') draft.input = inputOf(draft.input);
    },
    result: (): Fields => ({ ...message, content: content.filter(Boolean), ...(isWhole ? {} : { aborted: true }) }),
  };
}

/** The input of a block that is over, as it comes without a stream; as text, where parsing would change it. */
const inputOf = (given: string): unknown => (given === '' ? {} : (parseArguments(given).value ?? given));

/** What is new to this version is kept as it came. */
function addDelta(block: Record<string, unknown>, { type, ...delta }: Fields): void {
  if (type === 'text_delta') block.text = text(block.text) + text(delta.text);
  else if (type === 'thinking_delta') block.thinking = text(block.thinking) + text(delta.thinking);
  else if (type === 'signature_delta') block.signature = text(block.signature) + text(delta.signature);
  // It begins as an empty object.
  else if (type === 'input_json_delta') block.input = text(block.input) + text(delta.partial_json);
  else if (type === 'citations_delta') block.citations = [...list(block.citations), delta.citation];
  else if (type === 'compaction_delta') block.content = text(block.content) + text(delta.content);
  else block.pieces = [...list(block.pieces), { type, ...delta }];
}
