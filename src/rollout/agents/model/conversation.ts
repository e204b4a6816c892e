import { pythonStrip } from '../../../core/index.ts';
import {
  type Block,
  blocksOf,
  DetachedImages,
  isContent,
  joinText,
  type Message,
  NO_TEXT,
  omitEmptyText,
  type ToolResultBlock,
  text,
  toVisibleContent,
  type VisibleContent,
} from '../../../protocol/index.ts';
import { AgentError } from '../../agent.ts';
import type {
  FilePart,
  ModelMessage,
  ProviderData,
  ProviderDialect,
  TextPart,
  ToolResultPart,
} from './language-model.ts';
import type { ModelResponse } from './model-response.ts';
import type { ParsedCall, Toolbox } from './toolbox.ts';

type ResponsePart = Extract<ModelMessage, { role: 'assistant' }>['content'][number];

/** Part of a call's result that the model sees. */
export interface ModelCallResult {
  readonly call: ParsedCall;
  readonly blocks: readonly Block[];
  readonly isError: boolean;
}

/**
 * Returns the conversation with which an episode begins: system, user and assistant messages, reasoning, tool calls and
 * their results as such.
 *
 * @throws AgentError for an image in a message of the system or the assistant, which no provider accepts.
 */
export function openingMessages(
  messages: readonly Message[],
  dialect: ProviderDialect,
  { providerName }: Pick<Toolbox, 'providerName'>,
): ModelMessage[] {
  const toolNames = new Map<string, string>();
  const toCallResult = ({ tool_call_id: id, blocks, is_error }: ToolResultBlock): ModelCallResult => {
    const toolName = toolNames.get(id) ?? id;
    return { call: { id, toolName, name: toolName, input: {} }, blocks, isError: is_error === true };
  };
  const opening = messages.flatMap((message): ModelMessage[] => {
    if (message.role === 'system') return [{ role: 'system', content: joinText(textBlocks(message)) }];
    if (message.role === 'assistant') {
      for (const block of message.blocks) {
        if (block.type === 'tool_call') toolNames.set(block.id, providerName(block.name));
      }
      return [openingResponse(message, dialect, toolNames)];
    }
    const blocks = blocksOf(message);
    const results = blocks.filter((block): block is ToolResultBlock => block.type === 'tool_result');
    const content = blocks.filter(isContent);
    const replies = results.length === 0 ? [] : resultMessages(results.map(toCallResult), dialect);
    return results.length > 0 && content.length === 0 ? replies : [...replies, promptMessage(content, dialect)];
  });
  return opening.length > 0 ? opening : [promptMessage([], dialect)];
}

function textBlocks({ role, blocks }: Message): Block[] {
  return [...blocks].map((block): Block => {
    if (block.type === 'text') return block;
    const message = `no provider accepts a block of type ${block.type} in a message of the ${role}`;
    throw new AgentError(message, { scope: 'task' });
  });
}

function openingResponse(
  message: Extract<Message, { role: 'assistant' }>,
  { acceptsReasoning }: ProviderDialect,
  toolNames: ReadonlyMap<string, string>,
): ModelMessage {
  const content = message.blocks.flatMap((block): ResponsePart[] => {
    if (block.type === 'tool_call') {
      const { id, name, input } = block;
      return [{ type: 'tool-call', toolCallId: id, toolName: toolNames.get(id) ?? name, input }];
    }
    if (block.type === 'reasoning') {
      const { signature } = block;
      if (acceptsReasoning === 'any') return [{ type: 'reasoning', text: block.text }];
      if (acceptsReasoning === 'signed' && signature) {
        return [{ type: 'reasoning', text: block.text, providerOptions: { anthropic: { signature } } }];
      }
      return [text(`<think>${block.text}</think>`)];
    }
    if (block.type === 'image') {
      throw new AgentError('no provider accepts an image in a message of the assistant', { scope: 'task' });
    }
    return block.text === '' ? [] : [text(block.text)];
  });
  return { role: 'assistant', content: content.length > 0 ? content : [text(NO_TEXT)] };
}

/** Returns the prompt, or another message of the user. */
export function promptMessage(blocks: readonly Block[], dialect: ProviderDialect): ModelMessage {
  const parts = omitEmptyText(toVisibleContent(blocks));
  return { role: 'user', content: parts.map((part) => userPart(part, dialect)) };
}

/** Returns the final message of a model as harnesses in Python submit it: its text, without reasoning and outer space. */
export const answerText = ({ parts }: ModelResponse): string =>
  pythonStrip(parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'));

/** Returns a response as a message of the standard. */
export function toAssistantMessage({ parts }: ModelResponse, calls: readonly ParsedCall[]): Message {
  const remaining = [...calls];
  const blocks = parts.flatMap((part): Extract<Message, { role: 'assistant' }>['blocks'] => {
    if (part.type === 'text') return part.text === '' ? [] : [text(part.text)];
    if (part.type === 'reasoning') return part.text === '' ? [] : [{ type: 'reasoning', text: part.text }];
    const call = remaining.shift();
    if (!call) return [];
    return [
      {
        type: 'tool_call',
        id: call.id,
        name: call.name,
        input: 'problem' in call ? {} : call.input,
      },
    ];
  });
  return { role: 'assistant', blocks };
}

/** Returns the results of calls as a message of the standard. */
export const toResultMessage = (results: readonly ModelCallResult[]): Message => ({
  role: 'user',
  blocks: results.map(({ call, blocks, isError }) => ({
    type: 'tool_result',
    tool_call_id: call.id,
    blocks: [...blocks],
    is_error: isError,
  })),
});

/** Returns a response in the form in which the provider expects it in the conversation, with the parsed calls. */
export function assistantMessage({ parts }: ModelResponse, calls: readonly ParsedCall[]): ModelMessage {
  const remaining = [...calls];
  const content = parts.flatMap((part): ResponsePart[] => {
    const options = optionsOf(part.providerMetadata);
    if (part.type === 'reasoning') return [{ type: part.type, text: part.text, ...options }];
    if (part.type === 'text') return part.text === '' ? [] : [{ type: part.type, text: part.text, ...options }];
    const call = remaining.shift();
    if (!call) return [];
    // Providers require an object here; the result describes the problem.
    const input = 'problem' in call ? {} : call.input;
    return [{ type: part.type, toolCallId: call.id, toolName: call.toolName, input, ...options }];
  });
  // Providers reject an empty message.
  return { role: 'assistant', content: content.length > 0 ? content : [text(NO_TEXT)] };
}

const optionsOf = (data: ProviderData | undefined) => (data ? { providerOptions: data } : {});

/** Returns the results of calls. If the provider does not accept images in them, these follow in a user message. */
export function resultMessages(results: readonly ModelCallResult[], dialect: ProviderDialect): ModelMessage[] {
  const detached = new DetachedImages();
  const content = results.map(({ call, blocks, isError }): ToolResultPart => {
    const parts = omitEmptyText(toVisibleContent(blocks));
    const result = { type: 'tool-result', toolCallId: call.id, toolName: call.toolName } as const;
    if (dialect.showsImagesInResults && parts.some((part) => 'image' in part)) {
      return { ...result, output: { type: 'content', value: parts.map((part) => resultPart(part, dialect)) } };
    }
    const value = detached.detachFrom(parts, call.toolName);
    return { ...result, output: { type: isError ? 'error-text' : 'text', value } };
  });
  const moved = detached.images.flatMap(({ label, image }) => [
    userPart({ text: label }, dialect),
    userPart({ image }, dialect),
  ]);
  const message: ModelMessage = { role: 'tool', content };
  return moved.length === 0 ? [message] : [message, { role: 'user', content: moved }];
}

/** Providers refuse a whole request with an image of this type. */
const DRAWING = 'image/svg+xml';

function userPart(part: VisibleContent, dialect: ProviderDialect): TextPart | FilePart {
  if ('text' in part) return { type: 'text', text: part.text };
  const { data, mimeType: mediaType } = part.image;
  if (mediaType === DRAWING) return { type: 'text', text: `[image of type ${DRAWING}]` };
  return { type: 'file', mediaType, data: dialect.version === 'v3' ? data : { type: 'data', data } };
}

function resultPart(part: VisibleContent, dialect: ProviderDialect) {
  if ('text' in part || dialect.version === 'v4' || part.image.mimeType === DRAWING) return userPart(part, dialect);
  return { type: 'image-data', mediaType: part.image.mimeType, data: part.image.data } as const;
}
