export { describeThrown, WorkerLostError } from './errors.ts';
export {
  type HostedEnvironment,
  type HostedEpisode,
  type HostedSession,
  type HostedTool,
  type HostedToolResult,
  LazyAbortController,
  type TaskSelectorFields,
} from './hosted-environment.ts';
export { importEnvironments, importModule, isAuthorFile, moduleUrl } from './import-environments.ts';
export { hostAll } from './inline.ts';
export { type HostingOptions, hostInWorkers, loadEnvironments } from './load-environments.ts';
export { serveWorkerRpc } from './worker-rpc-server.ts';
export type { WorkerThread } from './worker-thread.ts';
