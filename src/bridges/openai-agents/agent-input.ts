import { toDataUrl } from '../../core/index.ts';
import {
  type AssistantPart,
  type ConversationResult,
  type ConversationTurn,
  type PromptedSession,
  readTurns,
  type VisibleBlock,
} from '../session/index.ts';

/**
 * Item of the input of `run` in the package `@openai/agents-core`.
 *
 * @example
 * const items: AgentPromptItem[] = await agentInput(session);
 * items.push({ role: 'user', content: [{ type: 'input_text', text: 'Think first.' }] });
 */
export type AgentPromptItem =
  | { role: 'system'; content: string }
  | { role: 'user'; content: AgentUserContent[] }
  | { role: 'assistant'; status: 'completed'; content: AgentOutputContent[] }
  | { type: 'reasoning'; content: { type: 'input_text'; text: string }[]; providerData?: { signature: string } }
  | { type: 'function_call'; callId: string; name: string; status: 'completed'; arguments: string }
  | { type: 'function_call_result'; callId: string; name: string; status: 'completed'; output: AgentUserContent[] };

/**
 * Content of a message of the user, and of the result of a tool.
 *
 * @example
 * const content: AgentUserContent = { type: 'input_image', image: 'data:image/png;base64,iVBORw0KGgo=' };
 */
export type AgentUserContent = { type: 'input_text'; text: string } | { type: 'input_image'; image: string };

/**
 * Content of a message of the assistant.
 *
 * @example
 * const content: AgentOutputContent = { type: 'output_text', text: 'The answer is 42.' };
 */
export type AgentOutputContent = { type: 'output_text'; text: string } | { type: 'image'; image: string };

/**
 * Returns the prompt of an episode as the input of `run`: system messages, messages of the user and the assistant,
 * reasoning, tool calls and their results. Details of blocks, which are for programs, are left out.
 *
 * @throws TypeError for an image in a system message, and for the result of an unknown call; as `session.messages`.
 * @example
 * const agent = new Agent({ name: 'player', tools: await agentTools(session) });
 * const result = await run(agent, await agentInput(session));
 */
export async function agentInput(session: PromptedSession): Promise<AgentPromptItem[]> {
  return (await readTurns(session, 'openai-responses')).flatMap(toItems);
}

function toItems(turn: ConversationTurn): AgentPromptItem[] {
  if (turn.role === 'system') return [{ role: 'system', content: turn.text }];
  if (turn.role === 'user') return [{ role: 'user', content: turn.blocks.map(toUserContent) }];
  if (turn.role === 'tool') return turn.results.map(toResultItem);
  return turn.parts.map(toAssistantItem);
}

const toUserContent = (block: VisibleBlock): AgentUserContent =>
  block.type === 'text'
    ? { type: 'input_text', text: block.text }
    : { type: 'input_image', image: toDataUrl(block.mimeType, block.data) };

const toResultItem = ({ id: callId, name, blocks }: ConversationResult): AgentPromptItem => ({
  type: 'function_call_result',
  callId,
  name,
  status: 'completed',
  output: blocks.map(toUserContent),
});

/** Converts every part to a separate item, which keeps their order. */
function toAssistantItem(part: AssistantPart): AgentPromptItem {
  if (part.type === 'tool_call') {
    const { id: callId, name, input } = part;
    return { type: 'function_call', callId, name, status: 'completed', arguments: JSON.stringify(input) };
  }
  if (part.type === 'reasoning') {
    const { text, signature } = part;
    const content = [{ type: 'input_text' as const, text }];
    return { type: 'reasoning', content, ...(signature !== null && { providerData: { signature } }) };
  }
  const content: AgentOutputContent =
    part.type === 'text' ? { type: 'output_text', text: part.text } : { type: 'image', image: part.data };
  return { role: 'assistant', status: 'completed', content: [content] };
}
