export { assemble, isDelta } from './assemble.ts';
export { PARENT_SUB_TYPES, validateBlock } from './block-rules.ts';
export { fieldBytes } from './bytes.ts';
export { type BlockCheckResult, checkAppendRequest } from './check-request.ts';
export {
  blockNotFound,
  idempotencyMismatch,
  keyRevoked,
  notFound,
  requestTooLarge,
  type TraceErrorBody,
  traceDeleted,
  traceIdConflict,
  traceNotFound,
  validationError,
} from './failures.ts';
export { BLOCK_ID, createUlids, newBlockId, newTraceId, TRACE_ID } from './ids.ts';
export { describeValueKind } from './issues.ts';
export {
  type Batches,
  concatBatches,
  flatMapBatches,
  forEachBatch,
  isArray,
  toBatchIterable,
} from './items.ts';
export { joinResults, type ResultPiece } from './join-results.ts';
export {
  type BlockIndex,
  blockCallId,
  createPendingBlocks,
  type IndexedBlock,
  type PendingBlocks,
} from './known-blocks.ts';
export { type BlockPosition, buildLayout, type TraceLayout } from './layout.ts';
export { readTraceLimits, type TraceLimits } from './limits.ts';
export { canonicalContent, type NewBlock } from './new-block.ts';
export { MAX_BATCH_BLOCKS } from './open-request.ts';
export { compareBlocks, compareSkeletons } from './order.ts';
export {
  type BlockJsonTexts,
  blockReward,
  isErrorResult,
  jsonTextBytes,
  toJsonTexts,
  toSkeleton,
  toSkeletonFields,
} from './outline.ts';
export { parseArguments } from './parse-arguments.ts';
export { isToolName } from './payload-rules.ts';
export { StoreUnavailableError, TraceStoreError } from './refusal.ts';
export { type StitchedTree, stitch, stitchPositions } from './stitch.ts';
export {
  type BatchLimits,
  createBatchedTraceReader,
  createMemoryTraceReader,
  type StoredBlock,
  type TraceReader,
} from './trace-reader.ts';
