export { hashKey, issueKey } from './authenticate.ts';
export { follow } from './follow.ts';
export { type ImportTarget, importTraces } from './import.ts';
export { createStoreCall } from './local-call.ts';
export {
  createTraceApi,
  type RunningTraceServer,
  type ServeTracesOptions,
  serveTraces,
  type TraceApi,
  type TraceApiOptions,
} from './serve-traces.ts';
