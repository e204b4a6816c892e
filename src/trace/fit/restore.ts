import type {
  Block,
  ContentPart,
  JSONObject,
  JSONValue,
  MessagePayload,
  ThinkBlock,
  ToolResultBlock,
  Trace,
} from '../../../generated/trace.ts';
import { isRecord, parseExactJson } from '../../core/index.ts';
import { toBase64 } from '../../protocol/index.ts';
import {
  assemble,
  type Batches,
  type BlockPosition,
  buildLayout,
  collectBatches,
  createBatchedTraceReader,
  createMemoryTraceReader,
  flatMapBatches,
  forEachBatch,
  type StoredBlock,
  type TraceReader,
} from '../model/index.ts';

/** Reads a snapshot of the stored blocks of a trace. */
interface BlockSource {
  /** All blocks in the order of writing. */
  readonly blocks: () => Batches<Block>;
  /** All positions in the order of writing. */
  readonly positions: () => Batches<BlockPosition>;
  /** Returns the blocks with the given ordinals, which are ascending. */
  readonly blocksAt: (ords: readonly number[]) => Promise<readonly StoredBlock[]>;
  readonly blob: ReadBlob;
}

/** Maximum size of a batch in memory; single blocks can have megabytes. */
const BATCH_LIMITS = { blocks: 200, bytes: 1024 * 1024 };
/** Maximum size of a trace that is loaded as a whole; in memory, blocks take several times their stored bytes. */
const MAX_IN_MEMORY = { blocks: 1000, bytes: 1024 * 1024 };

/** Reads a trace with its blobs and pieces restored. A large trace has at most one batch in memory. */
export async function readRestoredTrace({ block_count, bytes }: Trace, source: BlockSource): Promise<TraceReader> {
  const isSmall = block_count <= MAX_IN_MEMORY.blocks && bytes <= MAX_IN_MEMORY.bytes;
  if (isSmall) return loadTrace(source);
  const layout = await buildLayout(source.positions(), block_count);
  return restoreTrace(createBatchedTraceReader(layout, BATCH_LIMITS, source.blocksAt), source.blob);
}

async function loadTrace({ blocks, blob }: BlockSource): Promise<TraceReader> {
  const loaded = await collectBatches(blocks());
  const reader = createMemoryTraceReader(loaded);
  return loaded.every(isComplete) ? reader : restoreTrace(reader, blob);
}

/** Restores the blocks of a trace. @param blocks all blocks in the order of writing. */
export async function restoreBlocks(blocks: readonly Block[], readBlob: ReadBlob): Promise<Block[]> {
  const { layout, read } = await restoreTrace(createMemoryTraceReader(blocks), readBlob);
  return collectBatches(flatMapBatches(read(layout.ordinals()), ({ block }) => [block]));
}

/**
 * Returns a reader of the trace with blobs, split thoughts and split results restored. A split block is read at the
 * ordinal of its last piece, which has its id; the other pieces are left out. In memory at a time: one block with its
 * blobs, or all pieces of one block.
 */
export async function restoreTrace(reader: TraceReader, readBlob: ReadBlob): Promise<TraceReader> {
  const thoughts = await findThoughts(reader);
  const results = await findResults(reader);
  const dropped = [...thoughts.dropped, ...results.dropped];
  const { childCount, parentOf } = reader.layout;
  // The only result of a call has no earlier pieces.
  const beforeResult = (ord: number) => (childCount(parentOf(ord)) > 1 ? results.before.get(ord) : []);
  const joinPieces = ({ ord, block }: StoredBlock) =>
    block.sub_type === 'THINK'
      ? joinThought(reader, block, thoughts.before.get(ord))
      : block.sub_type === 'TOOL_RESULT'
        ? joinResult(reader, block, beforeResult(ord))
        : block;
  const restoreBlock = async (stored: StoredBlock) => [
    { ord: stored.ord, block: await restoreBlobs(await joinPieces(stored), readBlob) },
  ];
  return {
    layout: dropped.length === 0 ? reader.layout : reader.layout.without(dropped),
    batchLimits: reader.batchLimits,
    read: (ords) =>
      flatMapBatches(reader.read(ords), (stored) => (isComplete(stored.block) ? [stored] : restoreBlock(stored))),
    prefetch: (ords) => reader.prefetch(Array.from(ords).flatMap((ord) => [...(thoughts.before.get(ord) ?? []), ord])),
  };
}

/** Returns true if a block is not a piece and refers to no blob. */
function isComplete(block: Block): boolean {
  if (isBlobReference(block.raw)) return false;
  if (block.sub_type === 'MESSAGE') {
    const { content } = block.payload;
    return typeof content === 'string' || !content.some(({ type }) => type === 'text_ref' || type === 'image_ref');
  }
  if (block.sub_type === 'TOOL_CALL') return !isBlobReference(block.payload.arguments);
  if (typeof block.payload.parts === 'number') return false;
  return block.sub_type === 'THINK' || block.payload.output === undefined || !isBlobReference(block.payload.output);
}

/** Restores the blobs of a block; its other fields stay. */
export const restoreBlobs = async <B extends Block>(block: B, readBlob: ReadBlob): Promise<B> => ({
  ...block,
  ...(await restoredFields(block, readBlob)),
});

async function restoredFields(block: Block, readBlob: ReadBlob) {
  const raw = await restoreValue(block.raw, readBlob);
  if (block.sub_type === 'MESSAGE') {
    const content = await restoreContent(block.payload.content, readBlob);
    return { raw, payload: { ...block.payload, content } };
  }
  if (block.sub_type === 'TOOL_CALL') {
    const args = await restoreValue(block.payload.arguments, readBlob);
    return { raw, payload: { ...block.payload, arguments: args } };
  }
  if (block.sub_type === 'TOOL_RESULT' && block.payload.output !== undefined) {
    const output = await restoreValue(block.payload.output, readBlob);
    return { raw, payload: { ...block.payload, output } };
  }
  return { raw };
}

interface SplitPieces {
  /** Ordinals of the earlier pieces, by the ordinal of the last piece. */
  readonly before: ReadonlyMap<number, readonly number[]>;
  /** Ordinals of all pieces but the last, even if later ones are missing. */
  readonly dropped: readonly number[];
}

/** Finds split thoughts: pieces have the same parent, and a piece with part 0 starts a new thought. */
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

async function joinThought({ read }: TraceReader, block: ThinkBlock, before: readonly number[] = []) {
  const { part, parts, text: last, ...payload } = block.payload;
  if (typeof part !== 'number' || typeof parts !== 'number') return block;
  let text = '';
  await forEachBatch(read(before), (piece) => {
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

/** Joins a result that was split; a result that its author streamed is returned unchanged. */
async function joinResult({ read }: TraceReader, block: ToolResultBlock, before?: readonly number[]) {
  const { parts, media_type: _, delta: __, seq: ___, ...payload } = block.payload as Payload;
  if (!before || parts !== before.length + 1) return block;
  const pieces = await collectBatches(read(before));
  const { state, value: output } = assemble([...pieces.map((piece) => piece.block as ToolResultBlock), block]);
  return state === 'complete' ? { ...block, payload: { ...payload, output } as ToolResultBlock['payload'] } : block;
}

/** Reads a blob by its SHA-256. A reference to a missing blob stays in the restored value. */
export type ReadBlob = (sha256: string) => Promise<Uint8Array | undefined>;

type MessageContent = MessagePayload['content'];

/** Restores the blobs in the content of a message. */
async function restoreContent(content: MessageContent, readBlob: ReadBlob): Promise<MessageContent> {
  if (typeof content === 'string') return content;
  const [first] = content;
  if (content.length === 1 && first.type === 'text_ref') {
    const value = await readTextRef(first, readBlob);
    if (value === undefined) return content;
    return isRecord(value) ? [value as ContentPart] : (value as MessageContent);
  }
  const parts = await Promise.all(content.map((part) => restorePart(part, readBlob)));
  return parts as unknown as [ContentPart, ...ContentPart[]];
}

async function restorePart(part: ContentPart, readBlob: ReadBlob): Promise<ContentPart> {
  if (part.type === 'text_ref') return ((await readTextRef(part, readBlob)) ?? part) as ContentPart;
  if (part.type !== 'image_ref') return part;
  const { type: _, sha256, bytes: __, ...others } = part;
  const data = await readBlob(String(sha256));
  return data ? { ...others, type: 'image', data: toBase64(data) } : part;
}

async function readTextRef({ sha256, media_type }: ContentPart, readBlob: ReadBlob): Promise<JSONValue | undefined> {
  const data = await readBlob(String(sha256));
  if (!data) return undefined;
  const text = decode(data);
  return media_type === 'application/json' ? (parseExactJson(text) as JSONValue) : text;
}

/** Restores arguments, an output or `raw` if the value is a reference. */
export async function restoreValue<V extends JSONValue>(value: V, readBlob: ReadBlob): Promise<V> {
  if (!isBlobReference(value)) return value;
  // The blob contains the value that the reference replaced, so it has type V.
  const data = await readBlob(value.$blob);
  return data ? (parseExactJson(decode(data)) as V) : value;
}

/** Returns true for a reference to a blob of JSON. */
const isBlobReference = (value: JSONValue): value is JSONObject & { $blob: string } =>
  isRecord(value) && typeof value.$blob === 'string' && value.media_type === 'application/json';

// A byte order mark is part of a text.
const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
