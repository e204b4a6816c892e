import { formatPrompt, formatResults, type McpContent } from '../../../client/formats/index.ts';
import type { Block } from '../../../protocol/index.ts';
import type { ModelResponse } from './answer.ts';
import type { ProviderDialect } from './dialect.ts';
import type { FilePart, ModelMessage, ProviderData, TextPart, ToolResultPart } from './language-model.ts';
import type { ParsedCall } from './toolbox.ts';

type ResponsePart = Extract<ModelMessage, { role: 'assistant' }>['content'][number];

/** What came of a call, as far as the model sees it. */
export interface ModelCallResult {
  readonly call: ParsedCall;
  readonly blocks: readonly Block[];
  readonly isError: boolean;
}

/** The prompt as a message of the user. */
export function promptMessage(blocks: readonly Block[], dialect: ProviderDialect): ModelMessage {
  const parts = visible(formatPrompt(blocks, 'mcp').map(({ content }) => content));
  return { role: 'user', content: parts.map((part) => userPart(part, dialect)) };
}

/** An answer as the provider wants it back, with its calls as they were read. */
export function assistantMessage({ parts }: ModelResponse, calls: readonly ParsedCall[]): ModelMessage {
  const left = [...calls];
  const content = parts.flatMap((part): ResponsePart[] => {
    const mine = dataOf(part.providerMetadata);
    if (part.type === 'reasoning') return [{ type: part.type, text: part.text, ...mine }];
    if (part.type === 'text') return part.text === '' ? [] : [{ type: part.type, text: part.text, ...mine }];
    const call = left.shift();
    if (!call) return [];
    // Every provider wants an object here, and the result says what was wrong.
    const input = 'problem' in call ? {} : call.input;
    return [{ type: part.type, toolCallId: call.id, toolName: call.toolName, input, ...mine }];
  });
  // Providers refuse a message that is empty.
  return { role: 'assistant', content: content.length > 0 ? content : [{ type: 'text', text: '(no text)' }] };
}

const dataOf = (data: ProviderData | undefined) => (data ? { providerOptions: data } : {});

/** The results of an answer's calls. Where a provider takes no images in them, these follow in a message of the user. */
export function resultMessages(outcomes: readonly ModelCallResult[], dialect: ProviderDialect): ModelMessage[] {
  const shown = formatResults(
    outcomes.map(({ call, blocks }) => ({ call: { id: call.id, name: call.toolName }, blocks })),
    'mcp',
  );
  const moved: (TextPart | FilePart)[] = [];
  let images = 0;
  const move = (part: McpContent, tool: string): TextPart => {
    if (part.type === 'text') return part;
    images += 1;
    moved.push({ type: 'text', text: `image ${images}, from the tool ${tool}:` }, userPart(part, dialect));
    return { type: 'text', text: `[image ${images}]` };
  };
  const content = outcomes.map(({ call, isError }, index): ToolResultPart => {
    const parts = visible(shown[index]?.content ?? []);
    const result = { type: 'tool-result', toolCallId: call.id, toolName: call.toolName } as const;
    if (dialect.showsImagesInResults && parts.some(({ type }) => type === 'image')) {
      return { ...result, output: { type: 'content', value: parts.map((part) => resultPart(part, dialect)) } };
    }
    const value = parts.map((part) => move(part, call.toolName).text).join('\n');
    return { ...result, output: { type: isError ? 'error-text' : 'text', value } };
  });
  const results: ModelMessage = { role: 'tool', content };
  return moved.length === 0 ? [results] : [results, { role: 'user', content: moved }];
}

/** Providers refuse text that is empty, and messages that are. */
function visible(parts: readonly McpContent[]): readonly McpContent[] {
  const seen = parts.filter((part) => part.type !== 'text' || part.text.trim() !== '');
  return seen.length > 0 ? seen : [{ type: 'text', text: '(no text)' }];
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
