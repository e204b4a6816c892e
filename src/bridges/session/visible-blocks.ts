import type { Block } from '../../protocol/index.ts';
import type { VisibleBlock } from './bridge-session.ts';

/** What of blocks is for a model; those of a kind that is unknown here as their JSON. */
export function toVisibleBlocks(blocks: readonly Block[]): VisibleBlock[] {
  return blocks.map((block) => {
    if (block.type === 'text') return { type: 'text', text: block.text };
    if (block.type === 'image') return { type: 'image', data: block.data, mimeType: mediaType(block.mimeType) };
    return { type: 'text', text: JSON.stringify(block) };
  });
}

/** The registered name of a media type that is often written otherwise. */
const mediaType = (type: string): string => (type.toLowerCase() === 'image/jpg' ? 'image/jpeg' : type.toLowerCase());
