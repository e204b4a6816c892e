import type { Block, BlockId, JSONValue, ThinkBlock, ToolResultBlock } from '../../../generated/trace.ts';
import { assemble, compareBlocks } from '../model/index.ts';
import { type ReadBlob, wholeContent, wholeValue } from './whole-values.ts';

/**
 * Blocks with everything in its place that was too large for one: what stands in blobs, reasoning in pieces, results in
 * pieces. What was written in pieces is at the place of the last of them, which has its id.
 *
 * @param blocks all of a trace, in the order in which they were written.
 */
export async function wholeBlocks(blocks: readonly Block[], readBlob: ReadBlob): Promise<Block[]> {
  const results = byParent(blocks.filter((block) => block.sub_type === 'TOOL_RESULT'));
  const thoughts = new Map<BlockId, string>();
  const whole: Block[] = [];
  for (const block of blocks) {
    const joined =
      block.sub_type === 'THINK'
        ? joinThought(block, thoughts)
        : block.sub_type === 'TOOL_RESULT'
          ? joinResult(block, results.get(block.parent_block_id) ?? [])
          : block;
    if (joined) whole.push(await withBlobs(joined, readBlob));
  }
  return whole;
}

async function withBlobs(block: Block, readBlob: ReadBlob): Promise<Block> {
  const raw = await wholeValue(block.raw, readBlob);
  if (block.sub_type === 'MESSAGE') {
    const content = await wholeContent(block.payload.content, readBlob);
    return { ...block, raw, payload: { ...block.payload, content } };
  }
  if (block.sub_type === 'TOOL_CALL') {
    const given = await wholeValue(block.payload.arguments, readBlob);
    return { ...block, raw, payload: { ...block.payload, arguments: given } };
  }
  if (block.sub_type === 'TOOL_RESULT' && block.payload.output !== undefined) {
    const output = await wholeValue(block.payload.output, readBlob);
    return { ...block, raw, payload: { ...block.payload, output } } as ToolResultBlock;
  }
  return { ...block, raw };
}

/** Undefined for a piece that others follow. */
function joinThought(block: ThinkBlock, begun: Map<BlockId, string>): ThinkBlock | undefined {
  const { part, parts, text: piece, ...payload } = block.payload;
  if (typeof part !== 'number' || typeof parts !== 'number') return block;
  const text = part === 0 ? piece : (begun.get(block.parent_block_id) ?? '') + piece;
  begun.set(block.parent_block_id, text);
  return part === parts - 1 ? { ...block, payload: { ...payload, text } } : undefined;
}

/** Undefined for a piece that others follow; what was streamed by its author stays as it was. */
function joinResult(block: ToolResultBlock, siblings: readonly ToolResultBlock[]): ToolResultBlock | undefined {
  const {
    parts,
    media_type,
    delta: _,
    seq: __,
    ...payload
  } = block.payload as ToolResultBlock['payload'] & {
    readonly parts?: unknown;
    readonly media_type?: unknown;
  };
  if (typeof parts !== 'number' || parts !== siblings.length) return block;
  if (block.id !== [...siblings].sort(compareBlocks).at(-1)?.id) return undefined;
  const { value } = assemble(siblings);
  if (typeof value !== 'string') return block;
  const output = media_type === 'application/json' ? (JSON.parse(value) as JSONValue) : value;
  return { ...block, payload: { ...payload, output } as ToolResultBlock['payload'] };
}

function byParent(results: readonly ToolResultBlock[]): Map<BlockId, ToolResultBlock[]> {
  const found = new Map<BlockId, ToolResultBlock[]>();
  for (const result of results) {
    const siblings = found.get(result.parent_block_id);
    if (siblings) siblings.push(result);
    else found.set(result.parent_block_id, [result]);
  }
  return found;
}
