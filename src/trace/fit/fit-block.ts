import type {
  BlockInput,
  JSONValue,
  ThinkBlockInput,
  ToolResultBlockInput,
  ToolResultOutput,
} from '../../../generated/trace.ts';
import { fieldBytes, type Limits } from '../model/index.ts';
import { createBlobs, jsonRef } from './blob-refs.ts';
import type { Content } from './content.ts';
import { cutText } from './cut-text.ts';
import { fitContent } from './fit-message.ts';

/** More of `raw` is stored beside its block, so that the request stays within its limit. */
const RAW_BYTES = 1024 * 1024;
/** A shorter block has nothing that is too large: a character has at most three bytes, and the smallest limit is larger. */
const SMALL_LENGTH = 8 * 1024;
const BYTES_OF_CHARACTER = 3;

export type IdentifiedBlock = BlockInput & { id: string };

/** Whether no field of a block of so much JSON can be too large. */
export const isSmall = (length: number, { message, think, toolArguments, toolResult }: Limits): boolean =>
  length <= SMALL_LENGTH && length * BYTES_OF_CHARACTER <= Math.min(message, think, toolArguments, toolResult);

/**
 * The blocks that a block is written as. Reasoning becomes several thoughts, whose payloads have `part` from 0 and
 * `parts`. A result becomes deltas with `seq` from 0 and `parts`: of a text its pieces, of other JSON pieces of its text
 * with `media_type: application/json`. The last one has the id, `raw` and `extra`. A result that others came before
 * stays whole here.
 */
export function splitBlock(block: IdentifiedBlock, limits: Limits, isFirstResult: boolean): IdentifiedBlock[] {
  if (block.sub_type === 'THINK') return splitThought(block, limits.think);
  if (block.sub_type === 'TOOL_RESULT' && isFirstResult) return splitResult(block, limits.toolResult);
  return [block];
}

function splitThought(block: ThinkBlockInput & { id: string }, limit: number): IdentifiedBlock[] {
  const { text } = block.payload;
  if (typeof text !== 'string' || fieldBytes(text) <= limit) return [block];
  const pieces = cutText(text, limit);
  return pieces.map((piece, part) =>
    pieceOf(block, part, pieces.length, { ...block.payload, text: piece, part, parts: pieces.length }),
  );
}

function splitResult(block: ToolResultBlockInput & { id: string }, limit: number): IdentifiedBlock[] {
  const { output, delta, seq: _, ...payload } = block.payload as ToolResultOutput;
  const isOutput = output !== undefined && (delta === undefined || delta === null);
  if (!isOutput || fieldBytes(output) <= limit) return [block];
  const isText = typeof output === 'string';
  const pieces = cutText(isText ? output : JSON.stringify(output), limit);
  const type = { ...(isText ? {} : { media_type: 'application/json' }), parts: pieces.length };
  return pieces.map((piece, seq) => pieceOf(block, seq, pieces.length, { ...payload, ...type, delta: piece, seq }));
}

/** The longest id that the store takes has so many characters after its prefix. */
const LONGEST_ID = 'tb_'.length + 64;

function pieceOf(block: IdentifiedBlock, index: number, count: number, payload: object): IdentifiedBlock {
  // The pieces of a block are of its kind.
  if (index === count - 1) return { ...block, payload } as IdentifiedBlock;
  const { raw: _, extra: __, ...rest } = block;
  const suffix = `_${index}`;
  return { ...rest, id: block.id.slice(0, LONGEST_ID - suffix.length) + suffix, payload } as IdentifiedBlock;
}

/** The JSON of a block whose large parts are references, and what they refer to. */
export async function fitBlock(block: IdentifiedBlock, limits: Limits): Promise<Content> {
  const { blobs, add } = createBlobs();
  const fitted = { ...block, payload: await fitPayload() };
  if (block.raw !== undefined && fieldBytes(block.raw) > RAW_BYTES) fitted.raw = await jsonRef(block.raw, add);
  return { text: JSON.stringify(fitted), blobs };

  async function fitPayload() {
    if (block.sub_type === 'MESSAGE') {
      const { payload } = block;
      return { ...payload, content: await fitContent(payload.content, limits.message, add) };
    }
    if (block.sub_type === 'TOOL_CALL') {
      return { ...block.payload, arguments: await within(block.payload.arguments, limits.toolArguments) };
    }
    if (block.sub_type === 'TOOL_RESULT' && block.payload.output !== undefined) {
      return { ...block.payload, output: await within(block.payload.output, limits.toolResult) };
    }
    return block.payload;
  }

  async function within(value: JSONValue, limit: number): Promise<JSONValue> {
    return value === undefined || fieldBytes(value) <= limit ? value : jsonRef(value, add);
  }
}
