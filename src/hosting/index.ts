export { answerQuestions } from './answer-questions.ts';
export type {
  HostedEnvironment,
  HostedEpisode,
  HostedRun,
  HostedSession,
  HostedTool,
  NamedTask,
} from './hosted-environment.ts';
export { importEnvironments } from './import-environments.ts';
export { importModule } from './import-module.ts';
export { hostInline } from './inline.ts';
export { LateSecrets } from './late-secrets.ts';
export { type HostingOptions, hostInWorkers, loadEnvironments } from './load-environments.ts';
export { isAuthors } from './own-files.ts';
export { failureJson } from './result-json.ts';
export type { Thread } from './thread.ts';
export { describeThrown } from './thrown.ts';
export { Wait } from './wait.ts';
export { WorkerGone } from './worker-gone.ts';
