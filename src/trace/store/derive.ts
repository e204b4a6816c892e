import { createHash } from 'node:crypto';
import type { Block, BlockSkeleton, JSONObject } from '../../../generated/trace.ts';
import { canonicalJson, isRecord } from '../../protocol/index.ts';
import { callIdOf, type NewBlock, placeAmongSiblings } from '../model/index.ts';

/** What a store reads out of blocks: the same for every store. */

/** `extra.reward`, where that is a number. */
export function rewardOf({ extra }: Pick<NewBlock, 'extra'>): number | null {
  const reward = extra?.reward;
  // JSON has no other zero than this one.
  return typeof reward === 'number' ? reward + 0 : null;
}

/** Whether it is a tool result that reports a failure: `extra.tool_error` is true, or `output.ok` is false. */
export function isError(block: NewBlock): boolean {
  if (block.sub_type !== 'TOOL_RESULT') return false;
  const { output } = block.payload;
  return block.extra?.tool_error === true || (isRecord(output) && output.ok === false);
}

/** What the author of a block wrote, as it is stored: JSON without white space, null where there is nothing. */
export interface BlockTexts {
  readonly payload: string;
  readonly raw: string | null;
  readonly extra: string | null;
}

export const textsOf = ({ payload, raw, extra }: NewBlock): BlockTexts => ({
  payload: JSON.stringify(payload),
  raw: raw === null ? null : JSON.stringify(raw),
  extra: extra === null ? null : JSON.stringify(extra),
});

/** Stored bytes of a block: those of its payload, raw and extra in UTF-8. */
export const bytesOf = (block: NewBlock): number => bytesOfTexts(textsOf(block));

export const bytesOfTexts = ({ payload, raw, extra }: BlockTexts): number =>
  Buffer.byteLength(payload) + Buffer.byteLength(raw ?? '') + Buffer.byteLength(extra ?? '');

/** The outline of a block. Source: trace.schema.json, BlockSkeleton. */
export function toSkeleton(block: Block, bytes: number): BlockSkeleton {
  const { id, block_type, sub_type, parent_block_id, created_at } = block;
  return { id, block_type, sub_type, parent_block_id, ...outlineOf(block), bytes, created_at };
}

type Outline = Pick<BlockSkeleton, 'call_id' | 'seq' | 'name' | 'role' | 'reward' | 'is_error' | 'preview'>;

/** What an outline shows of that which the author wrote. */
export const outlineOf = (block: NewBlock): Outline => ({
  call_id: callIdOf(block),
  seq: placeAmongSiblings(block),
  name: block.sub_type === 'TOOL_CALL' ? block.payload.name : null,
  role: block.sub_type === 'MESSAGE' ? block.payload.role : null,
  reward: rewardOf(block),
  is_error: isError(block),
  preview: previewOf(block),
});

const PREVIEW_CHARACTERS = 120;

function previewOf(block: NewBlock): string {
  // Characters may take two units each.
  const beginning = textOf(shownOf(block)).slice(0, 2 * PREVIEW_CHARACTERS);
  if (!SURROGATE.test(beginning)) return beginning.slice(0, PREVIEW_CHARACTERS);
  return Array.from(beginning).slice(0, PREVIEW_CHARACTERS).join('').toWellFormed();
}

const SURROGATE = /[\ud800-\udfff]/;

function shownOf(block: NewBlock): unknown {
  if (block.sub_type === 'MESSAGE') return block.payload.content;
  if (block.sub_type === 'THINK') return block.payload.text;
  if (block.sub_type === 'TOOL_CALL') return block.payload.arguments;
  return block.payload.delta ?? block.payload.output;
}

/** The text of a value: of an ORS tool output that of its blocks, of a failure that of its error, else its JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isRecord(value) && Array.isArray(value.blocks)) return textOf(value.blocks);
  if (isRecord(value) && typeof value.error === 'string') return value.error;
  const texts = Array.isArray(value) ? value.flatMap((part) => textOfPart(part)) : [];
  return texts.length > 0 ? texts.join('\n') : JSON.stringify(value);
}

const textOfPart = (part: unknown): string[] => (isRecord(part) && typeof part.text === 'string' ? [part.text] : []);

/** SHA-256 of the canonical JSON of a value, in lower-case hex. */
export const sha256Of = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex');

/** What tells tasks apart. Source: trace.schema.json, Trace.task_key. */
export const taskKeyOf = (taskSpec: JSONObject | null | undefined): string | null =>
  taskSpec ? sha256Of(taskSpec) : null;
