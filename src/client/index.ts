export type { CallHandle, CallOptions } from './call.ts';
export type { Dialect } from './dialect.ts';
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
export type { OpenOptions, TaskChoice } from './open-session.ts';
export { OrsClient, type OrsClientOptions } from './ors-client.ts';
export type { RemoteEnvironment } from './remote-environment.ts';
export type { CallResult } from './result.ts';
export type { RetryPolicy } from './retry.ts';
export type { Session, SessionHandle } from './session.ts';
export type { TaskHandle, TaskRange } from './task-source.ts';
