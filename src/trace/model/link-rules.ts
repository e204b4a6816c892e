import { PARENT_SUB_TYPES } from './block-rules.ts';
import {
  duplicateCallId,
  duplicateResultSeq,
  parentMismatch,
  type TraceErrorBody,
  validationError,
} from './failures.ts';
import { createIssue, formatShortValue } from './issues.ts';
import { type BlockIndex, createPendingBlocks, resultSeq, toCallKey } from './known-blocks.ts';
import type { NewBlock } from './new-block.ts';

/** A block of a request; `index` is its place in a batch. */
export interface PlacedBlock {
  readonly index: number | undefined;
  readonly block: NewBlock;
}

type LinkRule = (placed: PlacedBlock, known: BlockIndex) => TraceErrorBody | undefined;

/** V11 to V15, each for the whole batch before the next; the first block that breaks one is told. */
const RULES: readonly LinkRule[] = [parentInTrace, parentSubType, callIdOfParent, unique];

/** Holds blocks against what is stored and the blocks before them in the batch. */
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

/** V11. A parent in another trace is not told from one that nobody has. */
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
  return parentMismatch({ index }, { sub_type, parent_block_id, parent_sub_type: parent.sub_type, allowed });
}

/** V13. Results of a call without call_id may bring any. */
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
    return duplicateCallId({ index }, { trace_id, call_id, existing_block_id });
  }
  const seq = resultSeq(block);
  if (seq === null) return undefined;
  const existing_block_id = known.result(call_id, seq);
  if (existing_block_id === undefined) return undefined;
  return duplicateResultSeq({ index }, { trace_id, call_id, seq, existing_block_id });
}
