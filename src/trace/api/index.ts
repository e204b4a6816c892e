export { hashKey, issueKey } from './authenticate.ts';
export type { TraceApiOptions } from './create-handler.ts';
export { follow } from './follow.ts';
export { type ImportTarget, importTraces } from './import.ts';
export { createStoreCall } from './local-call.ts';
export {
  createTraceApi,
  type RunningTraceServer,
  type ServeTracesOptions,
  serveTraces,
  type TraceApi,
} from './serve-traces.ts';
