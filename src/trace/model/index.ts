export { assemble, isDelta } from './assemble.ts';
export { PARENT_SUB_TYPES as PARENTS, validateBlock as checkBlock } from './block-rules.ts';
export { fieldBytes } from './bytes.ts';
export { type BlockCheckResult as Outcome, checkAppendRequest as checkRequest } from './check-request.ts';
export {
  blockNotFound,
  idempotencyMismatch,
  keyRevoked,
  notFound,
  requestTooLarge,
  type TraceErrorBody as Failure,
  traceDeleted,
  traceIdConflict,
  traceNotFound,
  validationError as validationFailure,
} from './failures.ts';
export { BLOCK_ID, createUlids, newBlockId, newTraceId, TRACE_ID } from './ids.ts';
export { describeValueKind as kindOf } from './issues.ts';
export {
  type Batches as Items,
  concatBatches as followedBy,
  flatMapBatches as flatMap,
  forEachBatch as forEach,
  isArray as areThere,
  toBatchIterable as listsOf,
} from './items.ts';
export { joinResults, type ResultPiece } from './join-results.ts';
export {
  type BlockIndex as KnownBlocks,
  blockCallId as callIdOf,
  createPendingBlocks as createNotebook,
  type IndexedBlock as KnownBlock,
  type PendingBlocks as Notebook,
} from './known-blocks.ts';
export { type BlockPosition as Place, buildLayout as layOut, type TraceLayout as Layout } from './layout.ts';
export { readTraceLimits as readLimits, type TraceLimits as Limits } from './limits.ts';
export { canonicalContent as contentOf, type NewBlock } from './new-block.ts';
export { MAX_BATCH_BLOCKS as MAX_BATCH } from './open-request.ts';
export { compareBlocks, compareSkeletons as compareOutlines } from './order.ts';
export {
  type BlockJsonTexts as BlockTexts,
  blockReward as rewardOf,
  isErrorResult as isError,
  jsonTextBytes as bytesOfTexts,
  toJsonTexts as textsOf,
  toSkeleton,
  toSkeletonFields as outlineOf,
} from './outline.ts';
export { parseArguments } from './parse-arguments.ts';
export { isToolName } from './payload-rules.ts';
export { StoreUnavailableError as Overloaded, TraceStoreError as Refusal } from './refusal.ts';
export { type StitchedTree as TreeOf, stitch, stitchPositions as stitchPlaces } from './stitch.ts';
export {
  type BatchLimits as SliceSize,
  createBatchedTraceReader as sliceTrace,
  createMemoryTraceReader as holdTrace,
  type StoredBlock,
  type TraceReader,
} from './trace-reader.ts';
