import type { BlockId, CallId, SubType, TraceId } from '../../../generated/trace.ts';
import { canonicalContent, type NewBlock } from './new-block.ts';

/** What the rules ask of a block that others hang under. */
export interface IndexedBlock {
  readonly trace_id: TraceId;
  readonly sub_type: SubType;
  /** As its payload has it; null where it has none. */
  readonly call_id: CallId | null;
}

/** What a store knows when blocks of one trace are written. */
export interface BlockIndex {
  /** A block of any trace of the organization: ids are unique in all of them. */
  block(id: BlockId): IndexedBlock | undefined;
  /** `contentOf` a block that `block` finds. */
  content(id: BlockId): string | undefined;
  /** The TOOL_CALL of this trace with the key. */
  call(callKey: string): BlockId | undefined;
  /** The TOOL_RESULT of this trace with the key and the seq. */
  result(callKey: string, seq: number): BlockId | undefined;
}

/** Blocks that are known beside those of a store. */
export interface PendingBlocks extends BlockIndex {
  add(block: NewBlock): void;
}

/** Knows what is added, all of one trace, and what `others` know. */
export function createPendingBlocks(others?: BlockIndex): PendingBlocks {
  const blocks = new Map<BlockId, NewBlock>();
  const calls = new Map<string, BlockId>();
  const results = new Map<string, BlockId>();
  const pendingBlocks: PendingBlocks = {
    block: (id) => {
      const block = blocks.get(id);
      return block ? toKnown(block) : others?.block(id);
    },
    content: (id) => {
      const block = blocks.get(id);
      return block ? canonicalContent(block, block.trace_id) : others?.content(id);
    },
    call: (callKey) => calls.get(callKey) ?? others?.call(callKey),
    result: (callKey, seq) => results.get(resultKey(callKey, seq)) ?? others?.result(callKey, seq),
    add: (block) => {
      blocks.set(block.id, block);
      const callKey = toCallKey(block, pendingBlocks);
      if (callKey === null) return;
      if (block.sub_type === 'TOOL_CALL') calls.set(callKey, block.id);
      const seq = resultSeq(block);
      if (seq !== null) results.set(resultKey(callKey, seq), block.id);
    },
  };
  return pendingBlocks;
}

const toKnown = (block: NewBlock): IndexedBlock => ({
  trace_id: block.trace_id,
  sub_type: block.sub_type,
  call_id: blockCallId(block),
});

/** The call_id that a block brings; null where it has none, and for messages and thoughts. */
export const blockCallId = (block: NewBlock): CallId | null =>
  (block.sub_type === 'TOOL_CALL' || block.sub_type === 'TOOL_RESULT' ? block.payload.call_id : null) ?? null;

/** The seq of a result; null where it has none, and for other blocks. */
export const resultSeq = (block: NewBlock): number | null =>
  block.sub_type === 'TOOL_RESULT' ? (block.payload.seq ?? null) : null;

/** What a call and its results have in common: the call_id, or the id of the call where it has none; null for others. */
export function toCallKey(block: NewBlock, known: Pick<BlockIndex, 'block'>): string | null {
  if (block.sub_type === 'TOOL_CALL') return block.payload.call_id ?? block.id;
  if (block.sub_type !== 'TOOL_RESULT') return null;
  return block.payload.call_id ?? known.block(block.parent_block_id)?.call_id ?? block.parent_block_id;
}

const resultKey = (callKey: string, seq: number) => `${seq} ${callKey}`;
