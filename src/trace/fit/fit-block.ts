import type {
  BlockInput,
  JSONValue,
  ThinkBlockInput,
  ToolResultBlockInput,
  ToolResultOutput,
} from '../../../generated/trace.ts';
import { fieldBytes, type TraceLimits } from '../model/index.ts';
import { createBlobCollector, offloadJson } from './blob-refs.ts';
import type { SerializedContent } from './content.ts';
import { splitText } from './cut-text.ts';
import { offloadContent } from './fit-message.ts';

/** More of `raw` is stored beside its block, so that the request stays within its limit. */
const RAW_BYTES = 1024 * 1024;
/** A shorter block has nothing that is too large: a character has at most three bytes, and the smallest limit is larger. */
const SMALL_LENGTH = 8 * 1024;
const BYTES_OF_CHARACTER = 3;

export type BlockWithId = BlockInput & { id: string };

/** Whether no field of a block of so much JSON can be too large. */
export const fitsLimits = (length: number, { message, think, toolArguments, toolResult }: TraceLimits): boolean =>
  length <= SMALL_LENGTH && length * BYTES_OF_CHARACTER <= Math.min(message, think, toolArguments, toolResult);

/**
 * The blocks that a block is written as. Reasoning becomes several thoughts, whose payloads have `part` from 0 and
 * `parts`. A result becomes deltas with `seq` from 0 and `parts`: of a text its pieces, of other JSON pieces of its text
 * with `media_type: application/json`. The last one has the id, `raw` and `extra`. A result that others came before
 * stays whole here.
 */
export function splitBlock(block: BlockWithId, limits: TraceLimits, isFirstResult: boolean): BlockWithId[] {
  if (block.sub_type === 'THINK') return splitThought(block, limits.think);
  if (block.sub_type === 'TOOL_RESULT' && isFirstResult) return splitResult(block, limits.toolResult);
  return [block];
}

function splitThought(block: ThinkBlockInput & { id: string }, limit: number): BlockWithId[] {
  const { text } = block.payload;
  if (typeof text !== 'string' || fieldBytes(text) <= limit) return [block];
  const pieces = splitText(text, limit);
  return pieces.map((piece, part) =>
    pieceOf(block, part, pieces.length, { ...block.payload, text: piece, part, parts: pieces.length }),
  );
}

function splitResult(block: ToolResultBlockInput & { id: string }, limit: number): BlockWithId[] {
  const { output, delta, seq: _, ...payload } = block.payload as ToolResultOutput;
  const isOutput = output !== undefined && (delta === undefined || delta === null);
  if (!isOutput || fieldBytes(output) <= limit) return [block];
  const isText = typeof output === 'string';
  const pieces = splitText(isText ? output : JSON.stringify(output), limit);
  const type = { ...(isText ? {} : { media_type: 'application/json' }), parts: pieces.length };
  return pieces.map((piece, seq) => pieceOf(block, seq, pieces.length, { ...payload, ...type, delta: piece, seq }));
}

/** The longest id that the store takes has so many characters after its prefix. */
const MAX_ID_LENGTH = 'tb_'.length + 64;

function pieceOf(block: BlockWithId, index: number, count: number, payload: object): BlockWithId {
  // The pieces of a block are of its kind.
  if (index === count - 1) return { ...block, payload } as BlockWithId;
  const { raw: _, extra: __, ...rest } = block;
  const suffix = `_${index}`;
  return { ...rest, id: block.id.slice(0, MAX_ID_LENGTH - suffix.length) + suffix, payload } as BlockWithId;
}

/** The JSON of a block whose large parts are references, and what they refer to. */
export async function offloadBlock(block: BlockWithId, limits: TraceLimits): Promise<SerializedContent> {
  const { blobs, add } = createBlobCollector();
  const fitted = { ...block, payload: await fitPayload() };
  if (block.raw !== undefined && fieldBytes(block.raw) > RAW_BYTES) fitted.raw = await offloadJson(block.raw, add);
  return { text: JSON.stringify(fitted), blobs };

  async function fitPayload() {
    if (block.sub_type === 'MESSAGE') {
      const { payload } = block;
      return { ...payload, content: await offloadContent(payload.content, limits.message, add) };
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
    return value === undefined || fieldBytes(value) <= limit ? value : offloadJson(value, add);
  }
}
