import type { Block } from '../../protocol/index.ts';
import { toVisibleBlocks, type VisibleBlock } from '../session/index.ts';

/** Under what the prompt of an episode is found. */
export const MCP_PROMPT = {
  name: 'task',
  uri: 'ors://prompt',
  description: 'What the agent is to do in this episode.',
};

type McpResourceContents =
  | { uri: string; mimeType: string; text: string }
  | { uri: string; mimeType: string; blob: string };

/** The prompt of an episode in each form in which MCP may be asked for it. */
export interface McpPrompt {
  /** For whoever reads nothing but the instructions. */
  readonly instructions: string;
  readonly messages: { role: 'user'; content: VisibleBlock }[];
  readonly contents: McpResourceContents[];
}

export function toMcpPrompt(blocks: readonly Block[]): McpPrompt {
  const visible = toVisibleBlocks(blocks);
  const texts = visible.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const pictures = texts.length < visible.length ? [`Its pictures are in the resource ${MCP_PROMPT.uri}.`] : [];
  return {
    instructions: [...texts, ...pictures].join('\n'),
    messages: visible.map((content) => ({ role: 'user', content })),
    contents: visible.map((block, index): McpResourceContents => {
      const uri = index === 0 ? MCP_PROMPT.uri : `${MCP_PROMPT.uri}/${index + 1}`;
      return block.type === 'text'
        ? { uri, mimeType: 'text/plain', text: block.text }
        : { uri, mimeType: block.mimeType, blob: block.data };
    }),
  };
}
