export { createStoreCall } from './call-store.ts';
export { follow } from './follow.ts';
export { type ImportTarget, importTraces } from './import.ts';
export { hashKey, issueKey } from './keys.ts';
export {
  createTraceApi,
  type RunningTraceServer,
  type ServeTracesOptions,
  serveTraces,
  type TraceApi,
  type TraceApiOptions,
} from './serve-traces.ts';
