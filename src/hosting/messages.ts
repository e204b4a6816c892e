import type { EnvironmentIsolation } from '../environment/index.ts';
import type { JSONObject, JSONValue, OrsErrorCode, SerializedBlock, Split, ToolSpec } from '../protocol/index.ts';
import type { HostedSession, HostedTool, HostedToolResult, TaskSelectorFields } from './hosted-environment.ts';
import type { ErrorDescription } from './thrown.ts';
import type { TraceHeaders } from './trace-context.ts';

/** What the server's thread asks of a worker: parameters and result by name. Episodes go by a number of the server's. */
export interface WorkerMethods {
  countTasks: [{ environment: string; split: string }, number];
  task: [{ environment: string; split: string; index: number }, JSONObject];
  tasks: [{ environment: string; split: string; start: SliceBound; stop: SliceBound }, JSONObject[]];
  open: [OpenEpisodeParams, undefined];
  setup: [{ episode: number }, readonly (readonly [string, HostedTool])[]];
  prompt: [{ episode: number }, readonly SerializedBlock[]];
  run: [{ episode: number; tool: string; input: unknown; isLimited: boolean }, HostedToolResult];
  teardown: [{ episode: number }, undefined];
  reap: [{ environment: string; handle: JSONValue }, undefined];
  /** Answered at once, unless nothing can be. */
  ping: [Record<never, never>, undefined];
}

export type WorkerMethodName = keyof WorkerMethods;
export type WorkerMethodParams<Name extends WorkerMethodName> = WorkerMethods[Name][0];
export type WorkerMethodResult<Name extends WorkerMethodName> = WorkerMethods[Name][1];

export type SliceBound = number | null | undefined;

export interface OpenEpisodeParams extends Pick<HostedSession, 'sessionId' | 'secrets'> {
  readonly task: TaskSelectorFields;
  readonly environment: string;
  readonly episode: number;
}

/** To a worker: a question, which is answered under its number, or word that something is to stop. */
export type HostMessage =
  /** Where it is to note the number of the last question that it has begun with. Comes first. */
  | { readonly lastStarted: BigInt64Array }
  | {
      readonly id: number;
      readonly question: WorkerMethodName;
      readonly parameters: unknown;
      readonly trace?: TraceHeaders;
    }
  | { readonly abortEpisode: number }
  /** The number of the `run` that is to stop. */
  | { readonly abortRun: number };

/** From a worker. */
export type WorkerMessage =
  | { readonly loaded: readonly EnvironmentInfo[] }
  | { readonly notLoaded: string }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: SerializedError }
  | { readonly episode: number; readonly warning: string }
  | { readonly episode: number; readonly what: string; readonly error: ErrorDescription }
  | { readonly episode: number; readonly handle: JSONValue };

/** What a server has to know of an environment that it does not have itself. */
export interface EnvironmentInfo {
  readonly name: string;
  readonly description: string | undefined;
  readonly splits: readonly Split[];
  readonly tools: readonly ToolSpec[];
  readonly isolation: EnvironmentIsolation;
  /** Whether it can clean up after a worker that is gone. */
  readonly hasReap: boolean;
}

/** An error on its way between threads. */
export type SerializedError =
  | { readonly kind: 'ors'; readonly code: OrsErrorCode; readonly message: string; readonly cause?: ErrorDescription }
  | { readonly kind: 'thrown'; readonly thrown: ErrorDescription };
