import type { JSONObject } from '../../protocol/index.ts';
import {
  type AssistantPart,
  type ConversationTurn,
  type PromptedSession,
  readTurns,
  type VisibleBlock,
} from '../session/index.ts';
import { type AiToolOutput, type AiVersion, toModelOutput } from './ai-tools.ts';

/**
 * Prompt of an episode, as options of `generateText` and `streamText` of the package `ai`.
 *
 * @example
 * const { system, messages }: AiPrompt = await aiPrompt(session);
 */
export interface AiPrompt {
  /** System messages at the beginning of the conversation. */
  readonly system?: AiSystemMessage[];
  /** All other messages. */
  readonly messages: AiMessage[];
  /** Set if a system message follows another message, because the package warns about it otherwise. */
  readonly allowSystemInMessages?: true;
}

/**
 * Message of a conversation.
 *
 * @example
 * const message: AiMessage = { role: 'user', content: [{ type: 'text', text: 'What is 2 + 2?' }] };
 */
export type AiMessage =
  | AiSystemMessage
  | { role: 'user'; content: AiUserPart[] }
  | { role: 'assistant'; content: AiAssistantPart[] }
  | { role: 'tool'; content: AiToolResultPart[] };

/**
 * System message.
 *
 * @example
 * const message: AiSystemMessage = { role: 'system', content: 'Answer in one word.' };
 */
export interface AiSystemMessage {
  role: 'system';
  content: string;
}

/**
 * Part of a message of the user; an image is a file.
 *
 * @example
 * const part: AiUserPart = { type: 'file', data: 'iVBORw0KGgo=', mediaType: 'image/png' };
 */
export type AiUserPart = { type: 'text'; text: string } | { type: 'file'; data: string; mediaType: string };

/**
 * Part of a message of the assistant.
 *
 * @example
 * const part: AiAssistantPart = { type: 'tool-call', toolCallId: 'call_1', toolName: 'look', input: {} };
 */
export type AiAssistantPart =
  | AiUserPart
  | { type: 'reasoning'; text: string; providerOptions?: { anthropic: { signature: string } } }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: JSONObject };

/**
 * Result of a tool.
 *
 * @example
 * const output: AiToolOutput = { type: 'text', value: 'A wall.' };
 * const part: AiToolResultPart = { type: 'tool-result', toolCallId: 'call_1', toolName: 'look', output };
 */
export interface AiToolResultPart {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output: AiToolOutput;
}

/**
 * Options of `aiPrompt`.
 *
 * @example
 * const prompt = await aiPrompt(session, { version: 7 });
 */
export interface AiPromptOptions {
  /**
   * Major version of the package `ai`, which decides the form of images in results of tools. Version 7 also accepts that
   * of 6, but prints a warning.
   *
   * @default 6
   */
  readonly version?: AiVersion;
}

/**
 * Returns the prompt of an episode as a conversation: system messages, messages of the user and the assistant, reasoning,
 * tool calls and their results. Details of blocks, which are for programs, are left out.
 *
 * @throws TypeError for an image in a system message, and for the result of an unknown call; as `session.messages`.
 * @example
 * const { text } = await generateText({ model, ...(await aiPrompt(session)), tools: await aiTools(session) });
 */
export async function aiPrompt(session: PromptedSession, { version = 6 }: AiPromptOptions = {}): Promise<AiPrompt> {
  const turns = await readTurns(session, 'openrouter');
  const all = turns.map((turn) => toMessage(turn, version));
  const first = all.findIndex(({ role }) => role !== 'system');
  const leading = first < 0 ? all.length : first;
  const system = all.slice(0, leading).filter((message): message is AiSystemMessage => message.role === 'system');
  const messages = all.slice(leading);
  return {
    ...(system.length > 0 && { system }),
    messages,
    ...(messages.some(({ role }) => role === 'system') && { allowSystemInMessages: true }),
  };
}

function toMessage(turn: ConversationTurn, version: AiVersion): AiMessage {
  if (turn.role === 'system') return { role: 'system', content: turn.text };
  if (turn.role === 'user') return { role: 'user', content: turn.blocks.map(toUserPart) };
  if (turn.role === 'assistant') return { role: 'assistant', content: turn.parts.map(toAssistantPart) };
  return {
    role: 'tool',
    content: turn.results.map(({ id, name, ...output }): AiToolResultPart => {
      return { type: 'tool-result', toolCallId: id, toolName: name, output: toModelOutput(output, version) };
    }),
  };
}

const toUserPart = (block: VisibleBlock): AiUserPart =>
  block.type === 'text' ? block : { type: 'file', data: block.data, mediaType: block.mimeType };

function toAssistantPart(part: AssistantPart): AiAssistantPart {
  if (part.type === 'text' || part.type === 'image') return toUserPart(part);
  if (part.type === 'tool_call') {
    return { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: part.input };
  }
  const { text, signature } = part;
  // The only provider that signs reasoning.
  return { type: 'reasoning', text, ...(signature !== null && { providerOptions: { anthropic: { signature } } }) };
}
