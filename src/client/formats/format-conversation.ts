import { pythonJson } from '../../core/index.ts';
import {
  BLOCK_TYPES_BY_ROLE,
  blocksOf,
  flattenMessages,
  isContent,
  type Message,
  omitEmptyText,
  plainPrompt,
  toVisibleContent,
} from '../../protocol/index.ts';
import {
  anthropicParts,
  formatResults,
  googlePart,
  isText,
  mcpContent,
  openAIContent,
  openAIResponsesPart,
  type ToolCallResult,
  textOf,
} from './format-messages.ts';
import { entryForFormat, formatCallIds, formatToolNames } from './format-tools.ts';
import type {
  AnthropicAssistantMessage,
  AnthropicConversation,
  GoogleConversation,
  GoogleModelContent,
  McpMessage,
  MessageFormats,
  OpenAIAssistantMessage,
  OpenAIMessage,
  OpenAIResponsesItem,
  ToolFormat,
} from './types.ts';

/**
 * Converts a conversation to the format of a model provider.
 *
 * | format | system | reasoning | tool results |
 * |---|---|---|---|
 * | openai, openrouter | in place | `reasoning_content` of the message | own messages before the rest of the turn; images follow as in `formatResults` |
 * | openai-responses | in place | text in `<think>`, because only its own reasoning is accepted | own items before the rest of the turn |
 * | anthropic | `system`, joined by an empty line | `thinking` with its signature; without one, text in `<think>`, because Anthropic refuses it | first in their turn |
 * | google | `systemInstruction`, joined by an empty line | `thought` | first in their turn; images follow as in `formatResults` |
 * | mcp | a message of the user | text in `<think>` | text; calls too |
 *
 * Names of tools are those of `formatTools`. Ids of calls that are empty, repeated, or not accepted by the provider are
 * replaced; a result belongs to the first call with its id that has none. Messages without visible content become `(no text)`, or are omitted for
 * openai and openrouter.
 *
 * @throws TypeError for a block that may not be in a message of its role; for what the format cannot express: a system
 *   message that comes later (anthropic, google), or has images (all but openai-responses and mcp), the result of an unknown
 *   call (google), an image of the assistant (openai, openrouter, openai-responses), an image type (anthropic); for an
 *   unknown format.
 * @example
 * const { system, messages } = formatMessages(await session.messages(), 'anthropic');
 */
export function formatMessages<F extends ToolFormat>(messages: readonly Message[], format: F): MessageFormats[F] {
  const convert = entryForFormat(CONVERSATIONS, format);
  assertPlacement(messages);
  const conversation = formatCallIds(messages, format);
  const calls = conversation.flatMap((message) => blocksOf(message)).filter((block) => block.type === 'tool_call');
  const names = formatToolNames([...new Set(calls.map(({ name }) => name))], format);
  return convert(conversation, {
    toolName: (name) => names.get(name) ?? name,
    callNames: new Map(calls.map(({ id, name }) => [id, names.get(name) ?? name])),
  });
}

/** Names in a conversation. */
interface ConversationNames {
  /** Returns the provider's name of a tool. */
  readonly toolName: (name: string) => string;
  /** The provider's names of the tools of all calls, by call id. */
  readonly callNames: ReadonlyMap<string, string>;
}

const CONVERSATIONS: {
  readonly [F in ToolFormat]: (messages: readonly Message[], names: ConversationNames) => MessageFormats[F];
} = {
  openai: (messages, names) => openAIConversation(messages, names, 'openai'),
  openrouter: (messages, names) => openAIConversation(messages, names, 'openrouter'),
  'openai-responses': openAIResponsesConversation,
  anthropic: anthropicConversation,
  google: googleConversation,
  mcp: (messages) => messages.flatMap(mcpMessages),
};

function assertPlacement(messages: readonly Message[]): void {
  for (const [index, message] of messages.entries()) {
    const { role } = message;
    if (!Object.hasOwn(BLOCK_TYPES_BY_ROLE, role)) {
      throw new TypeError(`invalid role of messages[${index}]: ${JSON.stringify(role)}`);
    }
    const allowed: readonly string[] = BLOCK_TYPES_BY_ROLE[role];
    const misplaced = blocksOf(message).find(({ type }) => !allowed.includes(type));
    if (!misplaced) continue;
    throw new TypeError(
      `invalid block in messages[${index}]: a message of role ${role} cannot have a block of type ${misplaced.type}`,
    );
  }
}

const contentOf = (message: Message) => toVisibleContent(blocksOf(message).filter(isContent));

const reasoningText = (text: string): string => `<think>${text}</think>`;

/** Returns the tool results of a turn. A result without a call has the name of its id. */
const resultsOf = (message: Message, { callNames }: ConversationNames): ToolCallResult[] =>
  blocksOf(message).flatMap((block) => {
    if (block.type !== 'tool_result') return [];
    const { tool_call_id: id, blocks, is_error } = block;
    return [{ call: { id, name: callNames.get(id) ?? id }, blocks, isError: is_error === true }];
  });

function openAIConversation(
  messages: readonly Message[],
  names: ConversationNames,
  format: ToolFormat,
): OpenAIMessage[] {
  return messages.flatMap((message): OpenAIMessage[] => {
    const content = contentOf(message);
    if (message.role !== 'user' && !isText(content)) {
      throw new TypeError(`${format} cannot express an image in a message of role ${message.role}`);
    }
    if (message.role === 'assistant') return [openAIAssistant(message, names)];
    if (message.role === 'system') return [{ role: 'system', content: textOf(content) }];
    const results = formatResults(resultsOf(message, names), 'openai');
    return content.length === 0 ? results : [...results, { role: 'user', content: openAIContent(content) }];
  });
}

function openAIAssistant(message: Message, { toolName }: ConversationNames): OpenAIAssistantMessage {
  const content = contentOf(message);
  const reasoning: string[] = [];
  const tool_calls = [];
  for (const block of blocksOf(message)) {
    if (block.type === 'reasoning') reasoning.push(block.text);
    if (block.type !== 'tool_call') continue;
    const { id, name, input } = block;
    const call = { name: toolName(name), arguments: pythonJson(input) };
    tool_calls.push({ id, type: 'function' as const, function: call });
  }
  return {
    role: 'assistant',
    content: content.length === 0 ? null : textOf(content),
    ...(reasoning.length > 0 && { reasoning_content: reasoning.join('\n\n') }),
    ...(tool_calls.length > 0 && { tool_calls }),
  };
}

function openAIResponsesConversation(messages: readonly Message[], names: ConversationNames): OpenAIResponsesItem[] {
  return messages.flatMap((message): OpenAIResponsesItem[] => {
    if (message.role === 'assistant') return responsesItems(message, names);
    const content = contentOf(message);
    if (message.role === 'system') return [{ role: 'system', content: content.map(openAIResponsesPart) }];
    const results = formatResults(resultsOf(message, names), 'openai-responses');
    if (content.length === 0 && results.length > 0) return results;
    return [...results, { role: 'user', content: omitEmptyText(content).map(openAIResponsesPart) }];
  });
}

function responsesItems(message: Message, { toolName }: ConversationNames): OpenAIResponsesItem[] {
  return blocksOf(message).flatMap((block): OpenAIResponsesItem[] => {
    if (block.type === 'tool_call') {
      const { id, name, input } = block;
      return [{ type: 'function_call', call_id: id, name: toolName(name), arguments: pythonJson(input) }];
    }
    if (block.type === 'image') throw new TypeError('openai-responses cannot express an image of the assistant');
    const text = block.type === 'text' ? block.text : block.type === 'reasoning' ? reasoningText(block.text) : '';
    return text === '' ? [] : [{ role: 'assistant', content: text }];
  });
}

function anthropicConversation(messages: readonly Message[], names: ConversationNames): AnthropicConversation {
  const { system, turns } = separateSystem(messages, 'anthropic');
  return {
    ...(system !== undefined && { system }),
    messages: turns.map((message) => {
      if (message.role === 'assistant') return anthropicAssistant(message, names);
      const results = formatResults(resultsOf(message, names), 'anthropic').flatMap(({ content }) => content);
      const content = contentOf(message);
      const others = content.length === 0 && results.length > 0 ? [] : anthropicParts(omitEmptyText(content));
      return { role: 'user', content: [...results, ...others] };
    }),
  };
}

function anthropicAssistant(message: Message, { toolName }: ConversationNames): AnthropicAssistantMessage {
  const content = blocksOf(message).flatMap((block): AnthropicAssistantMessage['content'] => {
    if (block.type === 'reasoning') {
      const { text, signature } = block;
      return [
        signature ? { type: 'thinking', thinking: text, signature } : { type: 'text', text: reasoningText(text) },
      ];
    }
    if (block.type === 'tool_call') {
      return [{ type: 'tool_use', id: block.id, name: toolName(block.name), input: block.input }];
    }
    if (block.type === 'text' && block.text.trim() === '') return [];
    return isContent(block) ? anthropicParts(toVisibleContent([block])) : [];
  });
  return { role: 'assistant', content: content.length > 0 ? content : anthropicParts(omitEmptyText([])) };
}

function googleConversation(messages: readonly Message[], names: ConversationNames): GoogleConversation {
  const { system, turns } = separateSystem(messages, 'google');
  return {
    ...(system !== undefined && { systemInstruction: { parts: [{ text: system }] } }),
    contents: turns.map((message) => {
      if (message.role === 'assistant') return googleModel(message, names);
      const results = resultsOf(message, names);
      const orphan = results.find(({ call }) => !names.callNames.has(call.id ?? ''));
      if (orphan) {
        throw new TypeError(`google cannot express the result of the call '${orphan.call.id}', which no message makes`);
      }
      const responses = formatResults(results, 'google').flatMap(({ parts }) => parts);
      const content = contentOf(message);
      const others = content.length === 0 && responses.length > 0 ? [] : omitEmptyText(content).map(googlePart);
      return { role: 'user', parts: [...responses, ...others] };
    }),
  };
}

function googleModel(message: Message, { toolName }: ConversationNames): GoogleModelContent {
  const parts = blocksOf(message).flatMap((block): GoogleModelContent['parts'] => {
    if (block.type === 'reasoning') {
      const { text, signature } = block;
      return [{ text, thought: true, ...(signature && { thoughtSignature: signature }) }];
    }
    if (block.type === 'tool_call') {
      return [{ functionCall: { id: block.id, name: toolName(block.name), args: block.input } }];
    }
    return isContent(block) ? toVisibleContent([block]).map(googlePart) : [];
  });
  return { role: 'model', parts: parts.length > 0 ? parts : omitEmptyText([]).map(googlePart) };
}

/** Separates the instructions, for providers that have them outside of the conversation. */
function separateSystem(messages: readonly Message[], format: ToolFormat) {
  const first = messages.findIndex(({ role }) => role !== 'system');
  const count = first === -1 ? messages.length : first;
  const turns = messages.slice(count);
  if (turns.some(({ role }) => role === 'system')) {
    throw new TypeError(`${format} cannot express a system message after the first message of another role`);
  }
  const texts = messages.slice(0, count).flatMap((message) =>
    blocksOf(message).map((block) => {
      if (block.type === 'text') return block.text;
      throw new TypeError(`${format} cannot express an image in a system message`);
    }),
  );
  return { system: texts.length > 0 ? texts.join('\n\n') : undefined, turns };
}

/** Returns one message per block, in the words in which a prompt expresses roles, calls and results. */
function mcpMessages(message: Message): McpMessage[] {
  const blocks = flattenMessages([message]);
  // The role of MCP replaces the header, except for instructions.
  const shown = plainPrompt([message]) || message.role === 'system' ? blocks : blocks.slice(1);
  const role = message.role === 'assistant' ? 'assistant' : 'user';
  return toVisibleContent(shown).map((part) => ({ role, content: mcpContent(part) }));
}
