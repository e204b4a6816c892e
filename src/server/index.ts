export { type HostedEnvironment, type HostingOptions, loadEnvironments } from '../hosting/index.ts';
export type { Handler, Handlers, OperationRequest } from '../http/index.ts';
export { apiKeys } from './auth/api-keys.ts';
export type { Authenticate } from './auth/authenticate.ts';
export { assertServerNotExposed } from './auth/exposure.ts';
export type { ServerContext } from './context.ts';
export {
  createServer,
  type DrainOptions,
  type OrsServer,
  type SessionInfo,
} from './create-server.ts';
export { createHttpServer } from './http-server.ts';
export { operationHandlers } from './operations/index.ts';
export { PACKAGE } from './package.ts';
export type { EpisodeRecorder, EpisodeStart, Recorder } from './record.ts';
export { type ListenOptions, type RunningServer, serve } from './serve.ts';
export type { ServerOptions, ServerSpec } from './server-options.ts';
export type { ErrorDetail, ServerSettings } from './settings.ts';
