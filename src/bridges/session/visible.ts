import { formatPrompt, type McpContent } from '../../client/formats/index.ts';
import type { Block } from '../../protocol/index.ts';

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
