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
  createTraceApiRequester as createApi,
  type TraceApiRequest as ApiRequest,
  type TraceApiRequester as Api,
} from './api.ts';
export {
  createClientForApi as createClientOver,
  createTraceClient,
  type TraceClient,
  type TraceClientOptions,
} from './create-trace-client.ts';
export { deleteTrace } from './delete-trace.ts';
export { type RecordableSession as EpisodeSession, recordEpisode } from './episode/record-episode.ts';
export { STORE_BACKOFF } from './lane.ts';
export type { PendingTrace } from './open-trace.ts';
export { wrapAnthropic, wrapOpenAI } from './providers/wrap.ts';
export { listPages } from './read/list-pages.ts';
export { readStitchedPages as readPages } from './read/read-whole.ts';
export type { FlushReport } from './tally.ts';
export {
  isRetryableTraceError as isTransient,
  parseTraceError as refusalIn,
  TraceError,
  type TraceErrorCode,
} from './trace-error.ts';
export type { ActLog, LoggedBlock, MessageLog, ObserveLog, ThinkLog, TraceHandle } from './trace-handle.ts';
export type { OnTraceError as OnError } from './track.ts';
