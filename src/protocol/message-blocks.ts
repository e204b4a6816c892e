import type { Block, Message, SerializedMessage } from './types.ts';

/** Returns the prompt that a conversation of one message of the user expresses; undefined for any other. */
export function plainPrompt(messages: readonly (Message | SerializedMessage)[]): readonly Block[] | undefined {
  const [first] = messages;
  if (first?.role !== 'user' || messages.length > 1) return undefined;
  const blocks = blocksOf(first);
  return blocks.every(isContent) ? blocks : undefined;
}

/** Returns the blocks of a message of any role. */
export const blocksOf = ({ blocks }: Message | SerializedMessage): readonly Message['blocks'][number][] => blocks;

/** Returns true for the blocks that prompts and results have: text and images. */
export const isContent = (block: Message['blocks'][number]): block is Block =>
  block.type === 'text' || block.type === 'image';
