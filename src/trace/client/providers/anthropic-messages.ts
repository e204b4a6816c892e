import type { JSONObject, JSONValue } from '../../../../generated/trace.ts';
import { fieldsOf } from '../../../core/index.ts';
import {
  asList,
  asString,
  type ConversationItem,
  type JsonFields,
  type MessagePart,
  type ModelTurn,
  omitMissing,
  StreamedItems,
  toItemContent,
} from '../../conversation/index.ts';
import { parseArguments } from '../../model/index.ts';
import type { ProviderApi } from './provider-api.ts';

/** Anthropic's messages. */
export const messages: ProviderApi = {
  conversation: ['messages', 'system'],
  continues: ({ thread }) => fieldsOf(thread).type === 'continue',
  items({ system, messages }) {
    const output = toItemContent(system, toPart);
    const first: ConversationItem[] = output.length > 0 ? [{ kind: 'message', role: 'system', content: output }] : [];
    return [...first, ...asList(messages).flatMap((message) => itemsOf(fieldsOf(message)))];
  },
  turns: (message, request) => [messagesTurn(message, request)],
  collect: collectMessage,
};

function itemsOf({ role, content }: JsonFields): ConversationItem[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content).map(fieldsOf);
  if (role === 'assistant') return assistantItems(blocks);
  const results = blocks.filter(({ type }) => type === 'tool_result');
  const others = blocks.filter(({ type }) => type !== 'tool_result');
  const message: ConversationItem = {
    kind: 'message',
    role: role === 'system' ? 'system' : 'user',
    content: toItemContent(others, toPart),
  };
  return [...results.map(resultOf), ...(others.length > 0 || results.length === 0 ? [message] : [])];
}

function resultOf({ tool_use_id, content, is_error }: JsonFields): ConversationItem {
  const output = toItemContent(content, toPart) as JSONValue;
  return { kind: 'result', callId: asString(tool_use_id), output, isError: is_error === true };
}

function assistantItems(blocks: readonly JsonFields[]): ConversationItem[] {
  const items = blocks.flatMap(itemOf);
  return items.some(({ kind }) => kind === 'output' || kind === 'call')
    ? items
    : [...items, { kind: 'output', content: [] }];
}

function itemOf(block: JsonFields): ConversationItem[] {
  const { type, thinking, id, name, input } = block;
  if (type === 'thinking') return asString(thinking) ? [{ kind: 'thought', text: asString(thinking) }] : [];
  // Encrypted thinking is only in `raw`.
  if (type === 'redacted_thinking') return [];
  if (type === 'tool_use') {
    // Parsed JSON, or the text of an incomplete stream.
    const args = typeof input === 'string' ? input : (fieldsOf(input) as JSONObject);
    return [{ kind: 'call', callId: asString(id), name: asString(name), input: args }];
  }
  if (type === 'text' && asString(block.text) === '') return [];
  return [{ kind: 'output', content: [toPart(block)] }];
}

/** Converts a part, without `cache_control`, which moves through a conversation and has no content. */
function toPart({ cache_control: _, ...part }: JsonFields): MessagePart {
  if (part.type === 'text') return { type: 'text', text: asString(part.text) };
  const { type, media_type, data } = fieldsOf(part.source);
  if (part.type === 'image' && type === 'base64')
    return { type: 'image', data: asString(data), mimeType: asString(media_type) };
  return { ...part, type: asString(part.type) || 'unknown' };
}

/** Converts a message of the model to a turn. */
function messagesTurn(message: JsonFields, request: unknown): ModelTurn {
  const { id, model, usage, stop_reason, aborted } = message;
  return {
    items: assistantItems(asList(message.content).map(fieldsOf)),
    raw: { request, response: message },
    extra: omitMissing({ response_id: id, model, usage, stop_reason, aborted }),
  };
}

/** Joins the events of a stream to a message. */
function collectMessage() {
  const content = new StreamedItems();
  let message: JsonFields = {};
  let isComplete = false;
  return {
    add(event: JsonFields): void {
      const { type, index, content_block, delta, usage, ...rest } = event;
      const draft = content.at(index);
      if (type === 'message_start') message = fieldsOf(event.message);
      else if (type === 'message_delta')
        message = {
          ...message,
          ...rest,
          ...fieldsOf(delta),
          usage: { ...fieldsOf(message.usage), ...fieldsOf(usage) },
        };
      else if (type === 'message_stop') isComplete = true;
      else if (type === 'content_block_start') content.start(index, { ...fieldsOf(content_block) });
      else if (type === 'content_block_delta' && draft) addDelta(draft, fieldsOf(delta));
      else if (type === 'content_block_stop' && typeof draft?.input === 'string') draft.input = inputOf(draft.input);
    },
    result: (): JsonFields => ({
      ...message,
      content: content.all(),
      ...(isComplete ? {} : { aborted: true }),
    }),
  };
}

/** Parses the input of a complete block; keeps text that parsing would change. */
const inputOf = (args: string): unknown => (args === '' ? {} : (parseArguments(args).value ?? args));

/** Adds a delta to a block; unknown deltas are kept in `pieces`. */
function addDelta(block: Record<string, unknown>, { type, ...delta }: JsonFields): void {
  if (type === 'text_delta') block.text = asString(block.text) + asString(delta.text);
  else if (type === 'thinking_delta') block.thinking = asString(block.thinking) + asString(delta.thinking);
  else if (type === 'signature_delta') block.signature = asString(block.signature) + asString(delta.signature);
  // The input starts as an empty object.
  else if (type === 'input_json_delta') block.input = asString(block.input) + asString(delta.partial_json);
  else if (type === 'citations_delta') block.citations = [...asList(block.citations), delta.citation];
  else if (type === 'compaction_delta') block.content = asString(block.content) + asString(delta.content);
  else block.pieces = [...asList(block.pieces), { type, ...delta }];
}
