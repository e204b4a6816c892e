export type { CallHandle, CallOptions } from './call.ts';
export {
  CallLostError,
  ForkUnsupportedError,
  OrsClientError,
  OrsConnectionError,
  OrsHttpError,
  OrsProtocolError,
  ScoreGroupError,
  ScoreGroupUnsupportedError,
  SessionLostError,
  ToolCallError,
  ToolCrashedError,
} from './errors.ts';
export type { ForkOptions } from './extensions.ts';
export type * from './formats/index.ts';
export type { OpenSessionOptions, TaskSelector } from './open-session.ts';
export { OrsClient, type OrsClientOptions, type ServerDialect } from './ors-client.ts';
export type { RemoteEnvironment, TaskHandle, TaskListOptions } from './remote-environment.ts';
export type { CallResult } from './responses.ts';
export type { RetryPolicy } from './retry.ts';
export type { GroupCandidate } from './score-group.ts';
export type { Session, SessionHandle } from './session.ts';
