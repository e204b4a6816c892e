import type { Block, JSONValue, ThinkBlock, ToolResultBlock } from '../../../generated/trace.ts';
import { assemble, flatMap, forEach, type Layout, type StoredBlock, type TraceReader } from '../model/index.ts';
import { isReference, type ReadBlob, wholeContent, wholeValue } from './whole-values.ts';

/**
 * A trace with everything in its place that was too large for a block: what stands in blobs, reasoning in pieces, results
 * in pieces. What was written in pieces is at the place of the last of them, which has its id, and at the places of the
 * others there is nothing. One block with its blobs, or all pieces of one, are in memory at a time.
 */
export async function wholeTrace(reader: TraceReader, readBlob: ReadBlob): Promise<TraceReader> {
  const thoughts = await findThoughts(reader);
  const dropped = [...thoughts.dropped, ...(await findResultPieces(reader))];
  const pieces = ({ ord, block }: StoredBlock) =>
    block.sub_type === 'THINK'
      ? joinThought(reader, block, thoughts.pieces.get(ord))
      : block.sub_type === 'TOOL_RESULT'
        ? joinResult(reader, block, ord)
        : block;
  const wholeBlock = async (stored: StoredBlock) => [
    { ord: stored.ord, block: await withBlobs(await pieces(stored), readBlob) },
  ];
  return {
    layout: dropped.length === 0 ? reader.layout : reader.layout.without(dropped),
    slice: reader.slice,
    read: (ords) => flatMap(reader.read(ords), (stored) => (isWhole(stored.block) ? [stored] : wholeBlock(stored))),
    prepare: (ords) => reader.prepare(Array.from(ords).flatMap((ord) => [...(thoughts.pieces.get(ord) ?? []), ord])),
  };
}

/** Whether a block is in its place as it is: it is no piece, and nothing of it stands in a blob. */
export function isWhole(block: Block): boolean {
  if (isReference(block.raw)) return false;
  if (block.sub_type === 'MESSAGE') {
    const { content } = block.payload;
    return typeof content === 'string' || !content.some(({ type }) => type === 'text_ref' || type === 'image_ref');
  }
  if (block.sub_type === 'TOOL_CALL') return !isReference(block.payload.arguments);
  if (typeof block.payload.parts === 'number') return false;
  return block.sub_type === 'THINK' || block.payload.output === undefined || !isReference(block.payload.output);
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

/** The first pieces of a thought, as many as come before the last. */
type Pieces = Iterable<number>;

interface Thoughts {
  /** By the place of the last piece, of those that have several. */
  readonly pieces: ReadonlyMap<number, Pieces>;
  /** Pieces that others follow, or should. */
  readonly dropped: readonly number[];
}

/** Pieces stand under the same block; the one with the part 0 begins anew. */
async function findThoughts(reader: TraceReader): Promise<Thoughts> {
  const pieces = new Map<number, Pieces>();
  const dropped: number[] = [];
  const begun = new Map<number, number[]>();
  await forEach(reader.read(reader.layout.places('THINK')), ({ ord, block }) => {
    const { part, parts } = (block as ThinkBlock).payload;
    if (typeof part !== 'number' || typeof parts !== 'number') return;
    const parent = reader.layout.parentOf(ord);
    const before = part === 0 ? [] : (begun.get(parent) ?? []);
    if (part !== parts - 1) dropped.push(ord);
    else if (before.length > 0) pieces.set(ord, firstOf(before, before.length));
    before.push(ord);
    begun.set(parent, before);
  });
  return { pieces, dropped };
}

/** Of a list that may grow meanwhile. */
const firstOf = (list: readonly number[], count: number): Pieces => ({
  *[Symbol.iterator]() {
    for (let index = 0; index < count; index++) yield list[index] ?? 0;
  },
});

async function joinThought(reader: TraceReader, block: ThinkBlock, before: Pieces | undefined): Promise<ThinkBlock> {
  const { part, parts, text: last, ...payload } = block.payload;
  if (typeof part !== 'number' || typeof parts !== 'number') return block;
  let text = '';
  await forEach(reader.read(before ?? []), (piece) => {
    text += (piece.block as ThinkBlock).payload.text;
  });
  return { ...block, payload: { ...payload, text: text + last } };
}

type Payload = ToolResultBlock['payload'] & { readonly parts?: unknown; readonly media_type?: unknown };

const resultsUnder = ({ kindsUnder }: Layout, parent: number): readonly number[] => kindsUnder(parent, ['TOOL_RESULT']);

/** Pieces of results, but for the last of each. */
async function findResultPieces(reader: TraceReader): Promise<number[]> {
  const { layout } = reader;
  const several = new Set<number>();
  for (const ord of layout.places('TOOL_RESULT')) {
    const parent = layout.parentOf(ord);
    if (layout.countUnder(parent) > 1) several.add(parent);
  }
  const dropped: number[] = [];
  for (const parent of several) {
    const results = resultsUnder(layout, parent);
    await forEach(reader.read(results), ({ ord, block }) => {
      const { parts } = block.payload as Payload;
      if (parts === results.length && ord !== results.at(-1)) dropped.push(ord);
    });
  }
  return dropped;
}

/** What was streamed by its author stays as it was. */
async function joinResult(reader: TraceReader, block: ToolResultBlock, ord: number): Promise<ToolResultBlock> {
  const { parts, media_type, delta: _, seq: __, ...payload } = block.payload as Payload;
  if (typeof parts !== 'number') return block;
  const results = resultsUnder(reader.layout, reader.layout.parentOf(ord));
  if (parts !== results.length) return block;
  const siblings: ToolResultBlock[] = [];
  await forEach(reader.read(results), (stored) => {
    siblings.push(stored.block as ToolResultBlock);
  });
  const { value } = assemble(siblings);
  if (typeof value !== 'string') return block;
  const output = media_type === 'application/json' ? (JSON.parse(value) as JSONValue) : value;
  return { ...block, payload: { ...payload, output } as ToolResultBlock['payload'] };
}
