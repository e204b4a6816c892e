export { assemble, isDelta } from './assemble.ts';
export { checkBlock, PARENTS } from './block-rules.ts';
export { fieldBytes } from './bytes.ts';
export { checkRequest, type Outcome } from './check-request.ts';
export {
  blockNotFound,
  type Failure,
  idempotencyMismatch,
  keyRevoked,
  notFound,
  requestTooLarge,
  traceDeleted,
  traceIdConflict,
  traceNotFound,
  validationFailure,
} from './failures.ts';
export { BLOCK_ID, createUlids, newBlockId, newTraceId, TRACE_ID } from './ids.ts';
export { kindOf } from './issues.ts';
export { areThere, flatMap, followedBy, forEach, type Items, listsOf } from './items.ts';
export { joinResults, type ResultPiece } from './join-results.ts';
export { callIdOf, createNotebook, type KnownBlock, type KnownBlocks, type Notebook } from './known-blocks.ts';
export { type Layout, layOut, type Place } from './layout.ts';
export { type Limits, readLimits } from './limits.ts';
export { contentOf, type NewBlock } from './new-block.ts';
export { MAX_BATCH } from './open-request.ts';
export { compareBlocks, compareOutlines } from './order.ts';
export {
  type BlockTexts,
  bytesOfTexts,
  isError,
  outlineOf,
  rewardOf,
  textsOf,
  toSkeleton,
} from './outline.ts';
export { parseArguments } from './parse-arguments.ts';
export { isToolName } from './payload-rules.ts';
export { Overloaded, Refusal } from './refusal.ts';
export { stitch, stitchPlaces, type TreeOf } from './stitch.ts';
export { holdTrace, type SliceSize, type StoredBlock, sliceTrace, type TraceReader } from './trace-reader.ts';
