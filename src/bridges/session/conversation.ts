import {
  formatCallIds,
  formatPrompt,
  formatToolNames,
  type McpContent,
  type ToolFormat,
} from '../../client/formats/index.ts';
import {
  type Block,
  blocksOf,
  type JSONObject,
  joinText,
  type Message,
  type MessageBlock,
  promptMessages,
} from '../../protocol/index.ts';

/**
 * Part of a result that the model sees.
 *
 * @example
 * const { look } = await aiTools(session);
 * const result: VisibleResult | undefined = await look?.execute({});
 */
export interface VisibleResult {
  readonly blocks: readonly VisibleBlock[];
  /** True if the blocks describe an error. */
  readonly isError: boolean;
}

/**
 * Block without its `detail`, which is for programs.
 *
 * @example
 * const block: VisibleBlock = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };
 */
export type VisibleBlock = Readonly<McpContent>;

/** Removes everything that is not for the model; blocks of unknown types become JSON. */
export const toVisibleBlocks = (blocks: readonly Block[]): VisibleBlock[] =>
  formatPrompt(blocks, 'mcp').map(({ content }) => content);

/**
 * Session of `ors-kit/client`, or another with its prompt.
 *
 * @example
 * const session: PromptedSession = { prompt: async () => [{ type: 'text', text: 'What is 2 + 2?' }] };
 * const { messages } = await aiPrompt(session);
 */
export interface PromptedSession {
  /** Returns the prompt of the episode. */
  prompt(): Promise<readonly Block[]>;
  /** Returns the prompt of the episode as a conversation. */
  messages?(): Promise<readonly Message[]>;
}

/** Returns the prompt of an episode as a conversation. @throws as `session.messages` and `session.prompt`. */
export const readConversation = async (session: PromptedSession): Promise<readonly Message[]> =>
  session.messages ? session.messages() : promptMessages(await session.prompt());

/** Turn of a conversation, as models get it: results of tools are a separate turn, before the text of the user. */
export type ConversationTurn =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly blocks: readonly VisibleBlock[] }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly results: readonly ConversationResult[] };

/** Part of a turn of the assistant. */
export type AssistantPart =
  | VisibleBlock
  | { readonly type: 'reasoning'; readonly text: string; readonly signature: string | null }
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly input: JSONObject };

/** Result of a tool in a conversation. */
export interface ConversationResult extends VisibleResult {
  readonly id: string;
  /** Name of the tool as the model knows it. */
  readonly name: string;
}

/**
 * Reads the prompt of an episode as turns, with the names of tools and ids of calls in the format of the model. Turns
 * without content are left out.
 *
 * @throws TypeError for a conversation that no model accepts: an image in a system message, a result without its call.
 */
export async function readTurns(session: PromptedSession, format: ToolFormat): Promise<ConversationTurn[]> {
  const messages = formatCallIds(await readConversation(session), format);
  const calls = messages.flatMap((message) => blocksOf(message).filter((block) => block.type === 'tool_call'));
  const names = formatToolNames([...new Set(calls.map(({ name }) => name))], format);
  const callNames = new Map(calls.map(({ id, name }) => [id, names.get(name) ?? name]));
  return messages.flatMap((message): ConversationTurn[] => {
    const blocks = blocksOf(message);
    if (message.role === 'system') return [{ role: 'system', text: systemText(blocks) }];
    if (message.role === 'assistant') {
      const parts = blocks.map((block) => toAssistantPart(block, names));
      return parts.length === 0 ? [] : [{ role: 'assistant', parts }];
    }
    const results = blocks.flatMap((block) => (block.type === 'tool_result' ? toResult(block, callNames) : []));
    const visible = toVisibleBlocks(blocks.filter((block): block is Block => block.type !== 'tool_result'));
    return [
      ...(results.length === 0 ? [] : [{ role: 'tool' as const, results }]),
      ...(visible.length === 0 ? [] : [{ role: 'user' as const, blocks: visible }]),
    ];
  });
}

function systemText(blocks: readonly MessageBlock[]): string {
  if (blocks.every(({ type }) => type === 'text')) return joinText(blocks as readonly Block[]);
  throw new TypeError('invalid conversation: expected only text in a system message, got other blocks');
}

function toAssistantPart(block: MessageBlock, names: ReadonlyMap<string, string>): AssistantPart {
  if (block.type === 'reasoning') return { type: 'reasoning', text: block.text, signature: block.signature ?? null };
  if (block.type === 'tool_call') {
    const { id, name, input } = block;
    return { type: 'tool_call', id, name: names.get(name) ?? name, input };
  }
  const [visible] = toVisibleBlocks([block as Block]);
  return visible as VisibleBlock;
}

function toResult(
  { tool_call_id: id, blocks, is_error }: Extract<MessageBlock, { type: 'tool_result' }>,
  callNames: ReadonlyMap<string, string>,
): ConversationResult {
  const name = callNames.get(id);
  if (name === undefined) {
    throw new TypeError(
      `invalid conversation: expected a call before each result, got a result of '${id}' without one`,
    );
  }
  return { id, name, blocks: toVisibleBlocks(blocks), isError: is_error === true };
}
