export type { Handler, Handlers, OperationRequest } from '../http/index.ts';
export type { ServerContext } from './context.ts';
export {
  createServer,
  type OpenSession,
  type OrsServer,
  type ServerOptions,
  type ServerSpec,
} from './create-server.ts';
export { handlers } from './operations/index.ts';
export { PACKAGE } from './package.ts';
export { createHttpServer, type ListenOptions, type RunningServer, serve } from './serve.ts';
export type { ErrorDetail, Settings } from './settings.ts';
