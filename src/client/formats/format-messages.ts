import { toDataUrl } from '../../core/index.ts';
import {
  type Block,
  DetachedImages,
  type ImageBlock,
  omitEmptyText,
  toVisibleContent,
  type VisibleContent,
} from '../../protocol/index.ts';
import { entryForFormat } from './format-tools.ts';
import type {
  AnthropicImageType,
  AnthropicPart,
  GooglePart,
  McpContent,
  OpenAIPart,
  OpenAIResponsesPart,
  OpenAIToolMessage,
  OpenAIUserMessage,
  PromptFormats,
  ResultFormats,
  ToolFormat,
} from './types.ts';

/**
 * Result of a call that a model made.
 *
 * @example
 * const { blocks } = await session.call(name, input);
 * messages.push(...formatResults([{ call: { id: toolCall.id, name: toolCall.name }, blocks }], 'openai'));
 */
export interface ToolCallResult {
  /** Id of the call (Gemini may omit it), and the name of the tool as the model wrote it. */
  readonly call: { readonly id?: string | undefined; readonly name: string };
  /** Blocks of the result; for a ToolCallError, a text block with its `detail`. */
  readonly blocks: readonly Block[];
  /** True if the blocks describe an error. Formats without such a flag contain only the text. @default false */
  readonly isError?: boolean;
}

/**
 * Converts the blocks of a prompt to a user message in the format of a model provider.
 *
 * Text without images becomes a string for openai and openrouter (blocks are joined by a line feed), because not every
 * compatible server accepts lists. A prompt without images and visible text becomes `(no text)` for anthropic, google
 * and openai-responses, which reject empty messages. MCP has one message per block. Blocks of unknown types become JSON.
 *
 * @throws TypeError for an image type that Anthropic does not accept; for an unknown format.
 * @example
 * const messages = [formatPrompt(await session.prompt(), 'openai')];
 */
export function formatPrompt<F extends ToolFormat>(blocks: readonly Block[], format: F): PromptFormats[F] {
  return entryForFormat(PROMPTS, format)(toVisibleContent(blocks));
}

/**
 * Converts results of tools to the messages that continue the conversation. Pass all results of a turn together, because
 * providers require that, and append all returned messages. Neither reward nor `finished` is shown to the model.
 *
 * A result without images and visible text becomes `(no text)` for anthropic, which rejects errors without text. Where a
 * result must be text (openai, openrouter), images follow in a user message, and the text says where they belong. For
 * google they follow the results in the same content, because only Gemini 3 and later accept them inside a result.
 *
 * @throws TypeError for a call without id (google and mcp need none); for an image type that Anthropic does not accept;
 *   for an unknown format.
 * @example
 * const { blocks } = await session.call(toolCall.name, toolCall.input);
 * messages.push(...formatResults([{ call: toolCall, blocks }], 'openai'));
 */
export function formatResults<F extends ToolFormat>(results: readonly ToolCallResult[], format: F): ResultFormats[F] {
  return entryForFormat(RESULTS, format)(results);
}

const PROMPTS: { readonly [F in ToolFormat]: (parts: VisibleContent[]) => PromptFormats[F] } = {
  openai: openAIPrompt,
  openrouter: openAIPrompt,
  'openai-responses': (parts) => ({ role: 'user', content: omitEmptyText(parts).map(openAIResponsesPart) }),
  anthropic: (parts) => ({ role: 'user', content: anthropicParts(omitEmptyText(parts)) }),
  google: (parts) => ({ role: 'user', parts: omitEmptyText(parts).map(googlePart) }),
  mcp: (parts) => parts.map((part) => ({ role: 'user', content: mcpContent(part) })),
};

const RESULTS: { readonly [F in ToolFormat]: (results: readonly ToolCallResult[]) => ResultFormats[F] } = {
  openai: openAIResults,
  openrouter: openAIResults,
  'openai-responses': (results) =>
    results.map(({ call, blocks }) => {
      const parts = toVisibleContent(blocks);
      const output = isText(parts) ? textOf(parts) : parts.map(openAIResponsesPart);
      return { type: 'function_call_output', call_id: idOf(call), output };
    }),
  anthropic: (results) => {
    const content = results.map(({ call, blocks, isError = false }) => ({
      type: 'tool_result' as const,
      tool_use_id: idOf(call),
      content: anthropicParts(omitEmptyText(toVisibleContent(blocks))),
      ...(isError ? { is_error: true as const } : {}),
    }));
    return content.length === 0 ? [] : [{ role: 'user', content }];
  },
  google: googleResults,
  mcp: (results) =>
    results.map(({ blocks, isError = false }) => ({
      content: toVisibleContent(blocks).map(mcpContent),
      ...(isError ? { isError: true as const } : {}),
    })),
};

function openAIPrompt(parts: readonly VisibleContent[]): OpenAIUserMessage {
  return { role: 'user', content: openAIContent(parts) };
}

/** Returns a string if there are no images. */
export const openAIContent = (parts: readonly VisibleContent[]): string | OpenAIPart[] =>
  isText(parts) ? textOf(parts) : parts.map(openAIPart);

/** Tool messages contain text only, and nothing may separate the tool messages of a turn, so images come last. */
function openAIResults(results: readonly ToolCallResult[]): (OpenAIToolMessage | OpenAIUserMessage)[] {
  const detached = new DetachedImages();
  const messages = results.map(
    ({ call, blocks }): OpenAIToolMessage => ({
      role: 'tool',
      tool_call_id: idOf(call),
      content: detached.detachFrom(toVisibleContent(blocks), call.name),
    }),
  );
  const content = detached.images.flatMap(({ label, image }): OpenAIPart[] => [
    { type: 'text', text: label },
    openAIPart({ image }),
  ]);
  return content.length === 0 ? messages : [...messages, { role: 'user', content }];
}

function googleResults(results: readonly ToolCallResult[]): ResultFormats['google'] {
  const detached = new DetachedImages();
  const responses = results.map(({ call, blocks, isError = false }) => {
    const output = detached.detachFrom(toVisibleContent(blocks), call.name);
    const id = call.id === undefined || call.id === '' ? {} : { id: call.id };
    return { functionResponse: { ...id, name: call.name, response: isError ? { error: output } : { output } } };
  });
  const images = detached.images.flatMap(({ label, image }) => [{ text: label }, googlePart({ image })]);
  return responses.length === 0 ? [] : [{ role: 'user', parts: [...responses, ...images] }];
}

export const isText = (parts: readonly VisibleContent[]): boolean => parts.every((part) => 'text' in part);

export const textOf = (parts: readonly VisibleContent[]): string =>
  parts.map((part) => ('text' in part ? part.text : '')).join('\n');

function idOf({ id, name }: ToolCallResult['call']): string {
  if (id !== undefined && id !== '') return id;
  throw new TypeError(`the call of ${name} has no id; pass the id of the model's tool call`);
}

export function openAIPart(part: VisibleContent): OpenAIPart {
  if ('text' in part) return { type: 'text', text: part.text };
  return { type: 'image_url', image_url: { url: dataUrl(part.image) } };
}

export function openAIResponsesPart(part: VisibleContent): OpenAIResponsesPart {
  if ('text' in part) return { type: 'input_text', text: part.text };
  return { type: 'input_image', image_url: dataUrl(part.image), detail: 'auto' };
}

const dataUrl = ({ data, mimeType }: ImageBlock): string => toDataUrl(mimeType, data);

/** @throws TypeError for an image type that Anthropic does not accept. */
export function anthropicParts(parts: readonly VisibleContent[]): AnthropicPart[] {
  return parts.map((part): AnthropicPart => {
    if ('text' in part) return { type: 'text', text: part.text };
    const { data, mimeType } = part.image;
    if (!isAnthropicImage(mimeType)) {
      throw new TypeError(
        `invalid image type for Anthropic: expected one of ${ANTHROPIC_IMAGES.join(', ')}, got ${mimeType}; convert it`,
      );
    }
    return { type: 'image', source: { type: 'base64', media_type: mimeType, data } };
  });
}

export function googlePart(part: VisibleContent): GooglePart {
  if ('text' in part) return { text: part.text };
  return { inlineData: { mimeType: part.image.mimeType, data: part.image.data } };
}

export function mcpContent(part: VisibleContent): McpContent {
  if ('text' in part) return { type: 'text', text: part.text };
  return { type: 'image', data: part.image.data, mimeType: part.image.mimeType };
}

const ANTHROPIC_IMAGES: readonly AnthropicImageType[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

const isAnthropicImage = (type: string): type is AnthropicImageType => ANTHROPIC_IMAGES.some((known) => known === type);
