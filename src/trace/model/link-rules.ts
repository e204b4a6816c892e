import type { BlockId, CallId, SubType, TraceId } from '../../../generated/trace.ts';
import { canonicalContent, createIssue, formatShortValue, type NewBlock, PARENT_SUB_TYPES } from './block-rules.ts';
import {
  duplicateCallId,
  duplicateResultSeq,
  parentMismatch,
  type TraceErrorBody,
  validationError,
} from './failures.ts';

/** A block of a request. */
export interface PlacedBlock {
  /** Position in the batch; undefined if the request is one block. */
  readonly index: number | undefined;
  readonly block: NewBlock;
}

type LinkRule = (placed: PlacedBlock, known: BlockIndex) => TraceErrorBody | undefined;

/** V11 to V15, in order. */
const RULES: readonly LinkRule[] = [parentInTrace, parentSubType, callIdOfParent, unique];

/**
 * Checks links to stored blocks and to earlier blocks of the batch: each rule for the whole batch before the next rule.
 * Returns the error of the first block that breaks a rule.
 */
export function findLinkError(blocks: readonly PlacedBlock[], stored: BlockIndex): TraceErrorBody | undefined {
  for (const rule of RULES) {
    const known = createPendingBlocks(stored);
    for (const placed of blocks) {
      const failure = rule(placed, known);
      if (failure) return failure;
      known.add(placed.block);
    }
  }
  return undefined;
}

/** V11. The error is the same for a parent in another trace and one that does not exist. */
function parentInTrace({ index, block }: PlacedBlock, known: BlockIndex): TraceErrorBody | undefined {
  const { parent_block_id: parent } = block;
  if (parent === null || known.block(parent)?.trace_id === block.trace_id) return undefined;
  const expected = 'the id of a block of this trace, or of one earlier in the batch';
  return validationError([createIssue(index, ['/parent_block_id', 'parent_not_in_trace', expected, parent])]);
}

/** V12. */
function parentSubType({ index, block }: PlacedBlock, known: BlockIndex): TraceErrorBody | undefined {
  if (block.sub_type === 'MESSAGE') return undefined;
  const { sub_type, parent_block_id } = block;
  const parent = known.block(parent_block_id);
  const allowed = PARENT_SUB_TYPES[sub_type];
  if (!parent || parent.sub_type === allowed) return undefined;
  const details = { sub_type, parent_block_id, parent_sub_type: parent.sub_type, allowed: [allowed] as [SubType] };
  return parentMismatch(index, details);
}

/** V13. Results of a call without call_id may have any call_id. */
function callIdOfParent({ index, block }: PlacedBlock, known: BlockIndex): TraceErrorBody | undefined {
  if (block.sub_type !== 'TOOL_RESULT' || block.payload.call_id === undefined) return undefined;
  const expected = known.block(block.parent_block_id)?.call_id ?? block.payload.call_id;
  if (expected === block.payload.call_id) return undefined;
  const got = formatShortValue(block.payload.call_id);
  const issue = createIssue(index, [
    '/payload/call_id',
    'call_id_mismatch',
    `${JSON.stringify(expected)}, as in its call`,
    got,
  ]);
  return validationError([issue]);
}

/** V14 and V15. */
function unique({ index, block }: PlacedBlock, known: BlockIndex): TraceErrorBody | undefined {
  const call_id = toCallKey(block, known);
  if (call_id === null) return undefined;
  const { trace_id } = block;
  if (block.sub_type === 'TOOL_CALL') {
    const existing_block_id = known.call(call_id);
    if (existing_block_id === undefined) return undefined;
    return duplicateCallId(index, { trace_id, call_id, existing_block_id });
  }
  const seq = resultSeq(block);
  if (seq === null) return undefined;
  const existing_block_id = known.result(call_id, seq);
  if (existing_block_id === undefined) return undefined;
  return duplicateResultSeq(index, { trace_id, call_id, seq, existing_block_id });
}

/** Fields of a parent that the rules need. */
export interface IndexedBlock {
  readonly trace_id: TraceId;
  readonly sub_type: SubType;
  /** `payload.call_id`, or null. */
  readonly call_id: CallId | null;
}

/** Looks up existing blocks while blocks are written to one trace. */
export interface BlockIndex {
  /** Searches all traces of the organization: block ids are unique across them. */
  block(id: BlockId): IndexedBlock | undefined;
  /** `canonicalContent` of a block that `block` finds. */
  content(id: BlockId): string | undefined;
  /** The TOOL_CALL of this trace with the key. */
  call(callKey: string): BlockId | undefined;
  /** The TOOL_RESULT of this trace with the key and the seq. */
  result(callKey: string, seq: number): BlockId | undefined;
}

/** Index of blocks that are not stored yet. */
export interface PendingBlocks extends BlockIndex {
  add(block: NewBlock): void;
}

/** Creates an index of pending blocks of one trace that falls back to `others`. */
export function createPendingBlocks(others?: BlockIndex): PendingBlocks {
  const blocks = new Map<BlockId, NewBlock>();
  const calls = new Map<string, BlockId>();
  const results = new Map<string, BlockId>();
  const pendingBlocks: PendingBlocks = {
    block: (id) => {
      const block = blocks.get(id);
      return block ? toIndexed(block) : others?.block(id);
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

const toIndexed = (block: NewBlock): IndexedBlock => ({
  trace_id: block.trace_id,
  sub_type: block.sub_type,
  call_id: blockCallId(block),
});

/** Returns the call_id of a tool call or result, or null. */
export const blockCallId = (block: NewBlock): CallId | null =>
  (block.sub_type === 'TOOL_CALL' || block.sub_type === 'TOOL_RESULT' ? block.payload.call_id : null) ?? null;

/** Returns the seq of a result, or null. */
const resultSeq = (block: NewBlock): number | null =>
  block.sub_type === 'TOOL_RESULT' ? (block.payload.seq ?? null) : null;

/** Returns the key shared by a call and its results: the call_id, or else the id of the call. Null for other blocks. */
export function toCallKey(block: NewBlock, known: Pick<BlockIndex, 'block'>): string | null {
  if (block.sub_type === 'TOOL_CALL') return block.payload.call_id ?? block.id;
  if (block.sub_type !== 'TOOL_RESULT') return null;
  return block.payload.call_id ?? known.block(block.parent_block_id)?.call_id ?? block.parent_block_id;
}

const resultKey = (callKey: string, seq: number) => `${seq} ${callKey}`;
