export {
  type Batches,
  collectBatches,
  concatBatches,
  flatMapBatches,
  forEachBatch,
  isArray,
  toBatchIterable,
} from './batches.ts';
export {
  annotateMetadata,
  canonicalContent,
  describeValueKind,
  isToolName,
  MAX_CALL_ID_BYTES,
  type NewBlock,
  PARENT_SUB_TYPES,
  parseArguments,
  sentMetadata,
  toNewBlock,
  toToolName,
  uniqueCallId,
  validateBlock,
  withParsedArguments,
  withWritableArguments,
} from './block-rules.ts';
export { type BlockCheckResult, checkAppendRequest, findOversizedField, MAX_BATCH_BLOCKS } from './check-request.ts';
export {
  blockNotFound,
  idempotencyMismatch,
  otherFailure,
  requestTooLarge,
  runNotFound,
  StoreUnavailableError,
  scoreIdConflict,
  scoreNotFound,
  type TraceErrorBody,
  TraceStoreError,
  traceDeleted,
  traceIdConflict,
  traceNotFound,
  validationError,
} from './failures.ts';
export { BLOCK_ID, createUlids, isBlockId, newBlockId, newScoreId, newTraceId, TRACE_ID } from './ids.ts';
export { type BlockPosition, buildLayout, type TraceLayout } from './layout.ts';
export { fieldBytes, readTraceLimits, type TraceLimits, withRequestLimit } from './limits.ts';
export {
  type BlockIndex,
  blockCallId,
  createPendingBlocks,
  type PendingBlocks,
} from './link-rules.ts';
export {
  type BlockJsonTexts,
  blockReward,
  blockThread,
  contentText,
  failureMessage,
  isErrorResult,
  jsonTextBytes,
  threadName,
  toJsonTexts,
  toSkeleton,
  toSkeletonFields,
} from './outline.ts';
export {
  type ComparedRun,
  compareRuns,
  type LeaderboardRow,
  leaderboard,
  METRICS,
  type MetricPoint,
  metricBySteps,
  metricByTime,
  metricsOf,
  passAtSizes,
  type RunDifference,
  type TaskDifference,
  tracesOfStep,
} from './run-comparison.ts';
export {
  isSameScore,
  matchesScore,
  parseScoreCondition,
  type ScoreCondition,
  scoreIssues,
  sortedScore,
  toScore,
} from './scores.ts';
export {
  blockTerms,
  describeSearchProblem,
  type ErrorGroup,
  errorSignature,
  findsBlocks,
  groupErrors,
  isSearchProblem,
  matchesBlock,
  matchesBlocks,
  matchesTrace,
  parseSearch,
  SEARCH_FIELDS,
  type SearchedBlock,
  type SearchField,
  type SearchProblem,
  type SearchQuery,
  type SearchTerm,
  scoreConditionOf,
  searchTexts,
  traceTerms,
} from './search-query.ts';
export { groupKey, isContinuation, SELECTION_UNITS, selectTraces, type TraceSelection } from './select-traces.ts';
export {
  assemble,
  compareBlocks,
  compareSkeletons,
  hasDelta,
  joinResults,
  type ResultPiece,
  type StitchedTree,
  stitch,
  stitchPositions,
} from './stitch.ts';
export {
  type CountedName,
  frequentNames,
  isOutcomeTag,
  readCost,
  readTokenUsage,
  type StepMean,
  type TraceTimes,
  toRunInfo,
  toTraceSummary,
  toTraceTimes,
  toTrend,
} from './summaries.ts';
export { parseTraceFilter, type TraceFilter } from './trace-filter.ts';
export {
  type BlockBatchLimits,
  createBatchedTraceReader,
  createMemoryTraceReader,
  type StoredBlock,
  type TraceReader,
} from './trace-reader.ts';
