export type { CallHandle, CallOptions } from './call.ts';
export type { ServerDialect } from './dialect.ts';
export {
  CallLostError,
  OrsClientError,
  OrsConnectionError,
  OrsHttpError,
  OrsProtocolError,
  SessionLostError,
  ToolCallError,
  ToolCrashedError,
} from './errors.ts';
export * from './formats/index.ts';
export type { OpenSessionOptions, TaskSelector } from './open-session.ts';
export { OrsClient, type OrsClientOptions } from './ors-client.ts';
export type { RemoteEnvironment } from './remote-environment.ts';
export type { CallResult } from './result.ts';
export type { RetryPolicy } from './retry.ts';
export type { Session, SessionHandle } from './session.ts';
export type { TaskHandle, TaskListOptions } from './task-source.ts';
