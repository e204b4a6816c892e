export { PACKAGE } from '../core/node/index.ts';
export { type HostedEnvironment, type HostingOptions, loadEnvironments } from '../hosting/index.ts';
export type { Handler, Handlers, OperationRequest } from '../http/index.ts';
export { apiKeys } from './auth/api-keys.ts';
export type { Authenticate } from './auth/authenticate.ts';
export type { ServerContext } from './context.ts';
export { createServer, type DrainOptions, type OrsServer, type SessionInfo } from './create-server.ts';
export { operationHandlers } from './handlers/index.ts';
export { assertServerNotExposed, createHttpServer, type ListenOptions, type RunningServer, serve } from './serve.ts';
export type { ServerOptions, ServerSpec } from './server-options.ts';
export {
  EpisodeElsewhereError,
  EpisodeExistsError,
  type EpisodeJournal,
  type EpisodeKey,
  type ForkRecord,
  type Journal,
  type JournaledCall,
  type JournaledEpisode,
  type JournaledPrompts,
  type JournaledRecord,
  type ResumedEpisode,
} from './sessions/journal.ts';
export type { EpisodeRecorder, EpisodeStart, Recorder, RecordParent } from './sessions/recorder.ts';
export type { ErrorDetail, ServerSettings } from './settings.ts';
