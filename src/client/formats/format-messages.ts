import type { Block, ImageBlock } from '../../protocol/index.ts';
import { entryForFormat } from './by-format.ts';
import {
  anthropicParts,
  googlePart,
  mcpContent,
  omitEmptyText,
  openAIPart,
  openAIResponsesPart,
  toVisibleContent,
  type VisibleContent,
} from './content.ts';
import type {
  OpenAIPart,
  OpenAIToolMessage,
  OpenAIUserMessage,
  PromptFormats,
  ResultFormats,
  ToolFormat,
} from './types.ts';

/** What a tool gave for a call of a model. */
export interface ToolCallResult {
  /** The call as the model made it: its id (Gemini may give none), and the tool's name in the model's words. */
  readonly call: { readonly id?: string | undefined; readonly name: string };
  /** The result's blocks; for a ToolCallError a text block with its message. */
  readonly blocks: readonly Block[];
  /** Whether the blocks tell of an error. Default: false. Formats that cannot say so show the text alone. */
  readonly isError?: boolean;
}

/**
 * Converts the blocks of a prompt to a message of the user in the format of a model provider.
 *
 * Text without images becomes a string for openai and openrouter (several blocks: joined by a line feed), as not every
 * server of this interface takes lists. A prompt without images and visible text becomes `(no text)` for anthropic,
 * google and openai-responses, which refuse an empty message. MCP has a message for each block. Blocks of unknown kinds
 * are shown as JSON.
 *
 * @throws TypeError for an image that Anthropic does not take; for a format that does not exist.
 */
export function formatPrompt<F extends ToolFormat>(blocks: readonly Block[], format: F): PromptFormats[F] {
  return entryForFormat(PROMPTS, format)(toVisibleContent(blocks));
}

/**
 * Converts what tools gave to what follows in the conversation: add all of it, in its order. Give all answers to the
 * calls of one turn at once, as providers want them together. An answer without images and visible text becomes
 * `(no text)` for anthropic, which refuses an error without text. Reward and end of the episode are not shown to the
 * model.
 *
 * Where an answer takes text only (openai, openrouter), images follow in a message of the user, and the text says where
 * they belong. For google they follow the answers in the same content, which every model takes; only Gemini 3 and later
 * take them inside an answer.
 *
 * @throws TypeError for a call without id (google and mcp need none); for an image that Anthropic does not take; for a
 *   format that does not exist.
 */
export function formatResults<F extends ToolFormat>(answers: readonly ToolCallResult[], format: F): ResultFormats[F] {
  return entryForFormat(RESULTS, format)(answers);
}

const PROMPTS: { readonly [F in ToolFormat]: (parts: VisibleContent[]) => PromptFormats[F] } = {
  openai: openAIPrompt,
  openrouter: openAIPrompt,
  'openai-responses': (parts) => ({ role: 'user', content: omitEmptyText(parts).map(openAIResponsesPart) }),
  anthropic: (parts) => ({ role: 'user', content: anthropicParts(omitEmptyText(parts)) }),
  google: (parts) => ({ role: 'user', parts: omitEmptyText(parts).map(googlePart) }),
  mcp: (parts) => parts.map((part) => ({ role: 'user', content: mcpContent(part) })),
};

const RESULTS: { readonly [F in ToolFormat]: (answers: readonly ToolCallResult[]) => ResultFormats[F] } = {
  openai: openAIResults,
  openrouter: openAIResults,
  'openai-responses': (answers) =>
    answers.map(({ call, blocks }) => {
      const parts = toVisibleContent(blocks);
      const output = isText(parts) ? textOf(parts) : parts.map(openAIResponsesPart);
      return { type: 'function_call_output', call_id: idOf(call), output };
    }),
  anthropic: (answers) => {
    const content = answers.map(({ call, blocks, isError = false }) => ({
      type: 'tool_result' as const,
      tool_use_id: idOf(call),
      content: anthropicParts(omitEmptyText(toVisibleContent(blocks))),
      ...(isError ? { is_error: true as const } : {}),
    }));
    return content.length === 0 ? [] : [{ role: 'user', content }];
  },
  google: googleResults,
  mcp: (answers) =>
    answers.map(({ blocks, isError = false }) => ({
      content: toVisibleContent(blocks).map(mcpContent),
      ...(isError ? { isError: true as const } : {}),
    })),
};

function openAIPrompt(parts: readonly VisibleContent[]): OpenAIUserMessage {
  return { role: 'user', content: isText(parts) ? textOf(parts) : parts.map(openAIPart) };
}

/** A tool's message is text only, and nothing may stand between the messages of a turn's tools: images come last. */
function openAIResults(answers: readonly ToolCallResult[]): (OpenAIToolMessage | OpenAIUserMessage)[] {
  const pictures = new DetachedImages();
  const messages = answers.map(({ call, blocks }): OpenAIToolMessage => {
    return {
      role: 'tool',
      tool_call_id: idOf(call),
      content: pictures.detachFrom(toVisibleContent(blocks), call.name),
    };
  });
  const content = pictures.list.flatMap(({ label, image }): OpenAIPart[] => [
    { type: 'text', text: label },
    openAIPart({ image }),
  ]);
  return content.length === 0 ? messages : [...messages, { role: 'user', content }];
}

function googleResults(answers: readonly ToolCallResult[]): ResultFormats['google'] {
  const pictures = new DetachedImages();
  const responses = answers.map(({ call, blocks, isError = false }) => {
    const output = pictures.detachFrom(toVisibleContent(blocks), call.name);
    const id = call.id === undefined || call.id === '' ? {} : { id: call.id };
    return { functionResponse: { ...id, name: call.name, response: isError ? { error: output } : { output } } };
  });
  const images = pictures.list.flatMap(({ label, image }) => [{ text: label }, googlePart({ image })]);
  return responses.length === 0 ? [] : [{ role: 'user', parts: [...responses, ...images] }];
}

/** Images that cannot stand where they were: each gets a number, which the text shows in its place. */
class DetachedImages {
  readonly list: { readonly label: string; readonly image: ImageBlock }[] = [];

  /** The text of an answer with a mark for each image, which moves to the list. */
  detachFrom(parts: readonly VisibleContent[], tool: string): string {
    const lines = parts.map((part) => {
      if ('text' in part) return part.text;
      const mark = `image ${this.list.length + 1}`;
      this.list.push({ label: `${mark}, from the tool ${tool}:`, image: part.image });
      return `[${mark}]`;
    });
    return lines.join('\n');
  }
}

const isText = (parts: readonly VisibleContent[]): boolean => parts.every((part) => 'text' in part);

const textOf = (parts: readonly VisibleContent[]): string =>
  parts.map((part) => ('text' in part ? part.text : '')).join('\n');

function idOf({ id, name }: ToolCallResult['call']): string {
  if (id !== undefined && id !== '') return id;
  throw new TypeError(
    `the call of ${name} has no id, by which its answer is found; give the id that the model's call has`,
  );
}
