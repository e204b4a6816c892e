import { formatPrompt, type McpContent } from '../../client/formats/index.ts';
import type { Block } from '../../protocol/index.ts';

/** Part of a result that the model sees. */
export interface VisibleResult {
  readonly blocks: readonly VisibleBlock[];
  /** True if the blocks describe an error. */
  readonly isError: boolean;
}

/** Block without its `detail`, which is for programs. */
export type VisibleBlock = Readonly<McpContent>;

/** Removes everything that is not for the model; blocks of unknown types become JSON. */
export const toVisibleBlocks = (blocks: readonly Block[]): VisibleBlock[] =>
  formatPrompt(blocks, 'mcp').map(({ content }) => content);
