export type {
  BlockReceipt,
  ContentPart,
  MessagePayload,
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
export { deleteTrace } from './delete-trace.ts';
export { type RecordableSession, recordEpisode } from './episode/record-episode.ts';
export { STORE_BACKOFF } from './lane.ts';
export type { PendingTrace } from './open-trace.ts';
export { wrapAnthropic, wrapOpenAI } from './providers/wrap.ts';
export { listPages } from './read/list-pages.ts';
export { readStitchedPages } from './read/read-whole.ts';
export type { FlushReport } from './tally.ts';
export {
  isRetryableTraceError,
  parseTraceError,
  TraceError,
  type TraceErrorCode,
} from './trace-error.ts';
export type { ActLog, LoggedBlock, MessageLog, ObserveLog, ThinkLog, TraceHandle } from './trace-handle.ts';
export type { OnTraceError } from './track.ts';
