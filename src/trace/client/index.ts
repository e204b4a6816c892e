export type {
  BlockReceipt,
  ContentPart,
  MessagePayload,
  Score,
  ScoreInput,
  StitchedTrace,
  Trace as TraceRecord,
  TraceInput,
  TracePatch,
  TraceStatus,
} from '../../../generated/trace.ts';
export {
  createTraceApiRequester,
  type TraceApiRequest,
  type TraceApiRequester,
} from './api.ts';
export {
  createClientForApi,
  createTraceClient,
  type TraceClient,
  type TraceClientOptions,
} from './create-trace-client.ts';
export { logConversation } from './log-conversation.ts';
export type { FlushReport, OnTraceError } from './outbox.ts';
export { wrapAnthropic, wrapOpenAI } from './providers/wrap.ts';
export { deleteScore, deleteTrace, listPages, readStitchedPages } from './read-trace.ts';
export { type RecordableSession, recordEpisode } from './record-episode.ts';
export {
  isRetryableTraceError,
  parseTraceError,
  TraceError,
  type TraceErrorCode,
} from './trace-error.ts';
export type {
  ActLog,
  LoggedBlock,
  MessageLog,
  ObserveLog,
  PendingTrace,
  ScoreLog,
  ThinkLog,
  TraceHandle,
} from './trace-handle.ts';
export { STORE_BACKOFF } from './trace-queue.ts';
