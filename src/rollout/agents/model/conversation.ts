import { formatPrompt, formatResults, type McpContent } from '../../../client/formats/index.ts';
import type { Block } from '../../../protocol/index.ts';
import type {
  FilePart,
  ModelMessage,
  ProviderData,
  ProviderDialect,
  TextPart,
  ToolResultPart,
} from './language-model.ts';
import type { ModelResponse } from './model-response.ts';
import type { ParsedCall } from './toolbox.ts';

type ResponsePart = Extract<ModelMessage, { role: 'assistant' }>['content'][number];

/** Part of a call's result that the model sees. */
export interface ModelCallResult {
  readonly call: ParsedCall;
  readonly blocks: readonly Block[];
  readonly isError: boolean;
}

/** Returns the prompt as a user message. */
export function promptMessage(blocks: readonly Block[], dialect: ProviderDialect): ModelMessage {
  const parts = withoutEmptyText(formatPrompt(blocks, 'mcp').map(({ content }) => content));
  return { role: 'user', content: parts.map((part) => userPart(part, dialect)) };
}

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
  return { role: 'assistant', content: content.length > 0 ? content : [{ type: 'text', text: '(no text)' }] };
}

const optionsOf = (data: ProviderData | undefined) => (data ? { providerOptions: data } : {});

/** Returns the results of calls. If the provider does not accept images in them, these follow in a user message. */
export function resultMessages(results: readonly ModelCallResult[], dialect: ProviderDialect): ModelMessage[] {
  const formatted = formatResults(
    results.map(({ call, blocks }) => ({ call: { id: call.id, name: call.toolName }, blocks })),
    'mcp',
  );
  const moved: (TextPart | FilePart)[] = [];
  let images = 0;
  const moveImage = (part: McpContent, tool: string): TextPart => {
    if (part.type === 'text') return part;
    images += 1;
    moved.push({ type: 'text', text: `image ${images}, from the tool ${tool}:` }, userPart(part, dialect));
    return { type: 'text', text: `[image ${images}]` };
  };
  const content = results.map(({ call, isError }, index): ToolResultPart => {
    const parts = withoutEmptyText(formatted[index]?.content ?? []);
    const result = { type: 'tool-result', toolCallId: call.id, toolName: call.toolName } as const;
    if (dialect.showsImagesInResults && parts.some(({ type }) => type === 'image')) {
      return { ...result, output: { type: 'content', value: parts.map((part) => resultPart(part, dialect)) } };
    }
    const value = parts.map((part) => moveImage(part, call.toolName).text).join('\n');
    return { ...result, output: { type: isError ? 'error-text' : 'text', value } };
  });
  const message: ModelMessage = { role: 'tool', content };
  return moved.length === 0 ? [message] : [message, { role: 'user', content: moved }];
}

/** Providers reject empty text and empty messages. */
function withoutEmptyText(parts: readonly McpContent[]): readonly McpContent[] {
  const kept = parts.filter((part) => part.type !== 'text' || part.text.trim() !== '');
  return kept.length > 0 ? kept : [{ type: 'text', text: '(no text)' }];
}

function userPart(part: McpContent, dialect: ProviderDialect): TextPart | FilePart {
  if (part.type === 'text') return part;
  const { data, mimeType: mediaType } = part;
  return { type: 'file', mediaType, data: dialect.version === 'v3' ? data : { type: 'data', data } };
}

function resultPart(part: McpContent, dialect: ProviderDialect) {
  if (part.type === 'text' || dialect.version === 'v4') return userPart(part, dialect);
  return { type: 'image-data', mediaType: part.mimeType, data: part.data } as const;
}
