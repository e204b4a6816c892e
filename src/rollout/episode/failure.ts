import {
  CallLostError,
  OrsClientError,
  OrsConnectionError,
  OrsHttpError,
  OrsProtocolError,
  SessionLostError,
  ToolCrashedError,
} from '../../client/index.ts';
import { errorMessage, isInstance } from '../../core/index.ts';
import { TraceError } from '../../trace/client/index.ts';
import { AgentError } from '../agent.ts';
import type { FailureKind } from './episode-record.ts';

/** What is known of a failed episode. */
export interface EpisodeFailure {
  readonly kind: FailureKind;
  readonly message: string;
  /** Whether the same episode may succeed when it is played again. */
  readonly retryable: boolean;
}

const kinds: readonly (readonly [new (...args: never[]) => Error, FailureKind])[] = [
  [OrsConnectionError, 'connection'],
  [SessionLostError, 'session_lost'],
  [CallLostError, 'session_lost'],
  [ToolCrashedError, 'tool_crashed'],
  [OrsProtocolError, 'protocol'],
  [OrsHttpError, 'refused'],
  [AgentError, 'provider'],
  [TraceError, 'traces'],
];

/** Sorts what an episode was thrown out of. What nobody knows is a fault in the agent's own code. */
export function classifyFailure(error: unknown): EpisodeFailure {
  const kind = kinds.find(([type]) => isInstance(error, type))?.[1] ?? 'agent';
  return { kind, message: errorMessage(error), retryable: isRetryable(error, kind) };
}

function isRetryable(error: unknown, kind: FailureKind): boolean {
  if (isInstance(error, AgentError)) return error.retryable;
  // A new episode has a new session, and a tool may crash by chance.
  if (kind === 'connection' || kind === 'session_lost' || kind === 'tool_crashed' || kind === 'traces') return true;
  return isInstance(error, OrsClientError) && (error.retryable || (error.status ?? 0) >= 500);
}
