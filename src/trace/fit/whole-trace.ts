import type { Block, JSONValue, ThinkBlock, ToolResultBlock } from '../../../generated/trace.ts';
import { assemble, flatMapBatches, forEachBatch, type StoredBlock, type TraceReader } from '../model/index.ts';
import { isBlobReference, type ReadBlob, restoreContent, restoreValue } from './whole-values.ts';

/**
 * A trace with everything in its place that was too large for a block: what stands in blobs, reasoning in pieces, results
 * in pieces. What was written in pieces is at the place of the last of them, which has its id, and at the places of the
 * others there is nothing. One block with its blobs, or all pieces of one, are in memory at a time.
 */
export async function restoreTrace(reader: TraceReader, readBlob: ReadBlob): Promise<TraceReader> {
  const thoughts = await findThoughts(reader);
  const results = await findResults(reader);
  const dropped = [...thoughts.dropped, ...results.dropped];
  const { childCount, parentOf } = reader.layout;
  // Where a call has one result, no other piece is before it.
  const beforeResult = (ord: number) => (childCount(parentOf(ord)) > 1 ? results.before.get(ord) : []);
  const pieces = ({ ord, block }: StoredBlock) =>
    block.sub_type === 'THINK'
      ? joinThought(reader, block, thoughts.before.get(ord))
      : block.sub_type === 'TOOL_RESULT'
        ? joinResult(reader, block, beforeResult(ord))
        : block;
  const wholeBlock = async (stored: StoredBlock) => [
    { ord: stored.ord, block: await withBlobs(await pieces(stored), readBlob) },
  ];
  return {
    layout: dropped.length === 0 ? reader.layout : reader.layout.without(dropped),
    batchLimits: reader.batchLimits,
    read: (ords) =>
      flatMapBatches(reader.read(ords), (stored) => (isComplete(stored.block) ? [stored] : wholeBlock(stored))),
    prefetch: (ords) => reader.prefetch(Array.from(ords).flatMap((ord) => [...(thoughts.before.get(ord) ?? []), ord])),
  };
}

/** Whether a block is in its place as it is: it is no piece, and nothing of it stands in a blob. */
export function isComplete(block: Block): boolean {
  if (isBlobReference(block.raw)) return false;
  if (block.sub_type === 'MESSAGE') {
    const { content } = block.payload;
    return typeof content === 'string' || !content.some(({ type }) => type === 'text_ref' || type === 'image_ref');
  }
  if (block.sub_type === 'TOOL_CALL') return !isBlobReference(block.payload.arguments);
  if (typeof block.payload.parts === 'number') return false;
  return block.sub_type === 'THINK' || block.payload.output === undefined || !isBlobReference(block.payload.output);
}

async function withBlobs(block: Block, readBlob: ReadBlob): Promise<Block> {
  const raw = await restoreValue(block.raw, readBlob);
  if (block.sub_type === 'MESSAGE') {
    const content = await restoreContent(block.payload.content, readBlob);
    return { ...block, raw, payload: { ...block.payload, content } };
  }
  if (block.sub_type === 'TOOL_CALL') {
    const given = await restoreValue(block.payload.arguments, readBlob);
    return { ...block, raw, payload: { ...block.payload, arguments: given } };
  }
  if (block.sub_type === 'TOOL_RESULT' && block.payload.output !== undefined) {
    const output = await restoreValue(block.payload.output, readBlob);
    return { ...block, raw, payload: { ...block.payload, output } } as ToolResultBlock;
  }
  return { ...block, raw };
}

interface SplitPieces {
  /** The places of those before the last one, by its place; of what has several. */
  readonly before: ReadonlyMap<number, readonly number[]>;
  /** The places of pieces that others follow, or should. */
  readonly dropped: readonly number[];
}

/** Pieces stand under the same block; the one with the part 0 begins anew, and so does what comes after the last one. */
async function findThoughts(reader: TraceReader): Promise<SplitPieces> {
  const before = new Map<number, readonly number[]>();
  const dropped: number[] = [];
  const started = new Map<number, number[]>();
  await forEachBatch(reader.read(reader.layout.ordinals('THINK')), ({ ord, block }) => {
    const { part, parts } = (block as ThinkBlock).payload;
    if (typeof part !== 'number' || typeof parts !== 'number') return;
    const parent = reader.layout.parentOf(ord);
    const own = part === 0 ? [] : (started.get(parent) ?? []);
    if (part === parts - 1) {
      if (own.length > 0) before.set(ord, own);
      started.delete(parent);
      return;
    }
    dropped.push(ord);
    own.push(ord);
    started.set(parent, own);
  });
  return { before, dropped };
}

async function joinThought(
  reader: TraceReader,
  block: ThinkBlock,
  before: readonly number[] | undefined,
): Promise<ThinkBlock> {
  const { part, parts, text: last, ...payload } = block.payload;
  if (typeof part !== 'number' || typeof parts !== 'number') return block;
  let text = '';
  await forEachBatch(reader.read(before ?? []), (piece) => {
    text += (piece.block as ThinkBlock).payload.text;
  });
  return { ...block, payload: { ...payload, text: text + last } };
}

type Payload = ToolResultBlock['payload'] & { readonly parts?: unknown; readonly media_type?: unknown };

async function findResults({ layout, read }: TraceReader): Promise<SplitPieces> {
  const several = new Set<number>();
  for (const ord of layout.ordinals('TOOL_RESULT')) {
    const parent = layout.parentOf(ord);
    if (layout.childCount(parent) > 1) several.add(parent);
  }
  const before = new Map<number, readonly number[]>();
  const dropped: number[] = [];
  for (const parent of several) {
    const results = layout.childrenOfKind(parent, ['TOOL_RESULT']);
    await forEachBatch(read(results), ({ ord, block }) => {
      const { parts } = block.payload as Payload;
      if (parts !== results.length) return;
      if (ord === results.at(-1)) before.set(ord, results.slice(0, -1));
      else dropped.push(ord);
    });
  }
  return { before, dropped };
}

/** What was streamed by its author stays as it was. */
async function joinResult(
  reader: TraceReader,
  block: ToolResultBlock,
  before: readonly number[] | undefined,
): Promise<ToolResultBlock> {
  const { parts, media_type, delta: _, seq: __, ...payload } = block.payload as Payload;
  if (!before || parts !== before.length + 1) return block;
  const pieces: ToolResultBlock[] = [];
  await forEachBatch(reader.read(before), (piece) => {
    pieces.push(piece.block as ToolResultBlock);
  });
  const { value } = assemble([...pieces, block]);
  if (typeof value !== 'string') return block;
  const output = media_type === 'application/json' ? (JSON.parse(value) as JSONValue) : value;
  return { ...block, payload: { ...payload, output } as ToolResultBlock['payload'] };
}
