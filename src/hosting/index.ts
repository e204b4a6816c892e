export { serveWorkerRpc } from './answer-questions.ts';
export type {
  HostedEnvironment,
  HostedEpisode,
  HostedSession,
  HostedTool,
  HostedToolResult,
  TaskSelectorFields,
} from './hosted-environment.ts';
export { importEnvironments } from './import-environments.ts';
export { importModule } from './import-module.ts';
export { hostInline } from './inline.ts';
export { RecentSecrets } from './late-secrets.ts';
export { type HostingOptions, hostInWorkers, loadEnvironments } from './load-environments.ts';
export { isAuthorFile } from './own-files.ts';
export { failureJson } from './result-json.ts';
export type { WorkerThread } from './thread.ts';
export { describeThrown } from './thrown.ts';
export { LazyAbortController } from './wait.ts';
export { WorkerLostError } from './worker-gone.ts';
