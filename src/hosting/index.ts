export { serveWorkerRpc as answerQuestions } from './answer-questions.ts';
export type {
  HostedEnvironment,
  HostedEpisode,
  HostedSession,
  HostedTool,
  HostedToolResult as HostedRun,
  TaskSelectorFields as NamedTask,
} from './hosted-environment.ts';
export { importEnvironments } from './import-environments.ts';
export { importModule } from './import-module.ts';
export { hostInline } from './inline.ts';
export { RecentSecrets as LateSecrets } from './late-secrets.ts';
export { type HostingOptions, hostInWorkers, loadEnvironments } from './load-environments.ts';
export { isAuthorFile as isAuthors } from './own-files.ts';
export { failureJson } from './result-json.ts';
export type { WorkerThread as Thread } from './thread.ts';
export { describeThrown } from './thrown.ts';
export { LazyAbortController as Wait } from './wait.ts';
export { WorkerLostError as WorkerGone } from './worker-gone.ts';
