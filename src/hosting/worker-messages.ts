import type { Conditions } from '../environment/index.ts';
import type {
  JSONObject,
  JSONValue,
  ScoreGroupCandidate,
  SerializedBlock,
  SerializedMessage,
} from '../protocol/index.ts';
import type { ErrorDescription, SerializedError } from './errors.ts';
import type {
  EnvironmentInfo,
  HostedSession,
  HostedTool,
  HostedToolResult,
  SliceBound,
  TaskSelectorFields,
} from './hosted-environment.ts';

/** Methods of a worker, with their parameters and results. The server numbers the episodes. */
export interface WorkerMethods {
  countTasks: [{ environment: string; split: string }, number];
  task: [{ environment: string; split: string; index: number }, JSONObject];
  tasks: [{ environment: string; split: string; start: SliceBound; stop: SliceBound }, JSONObject[]];
  open: [OpenEpisodeParams, undefined];
  setup: [{ episode: number; saved?: string | undefined }, readonly (readonly [string, HostedTool])[]];
  prompt: [{ episode: number }, readonly SerializedBlock[]];
  messages: [{ episode: number }, readonly SerializedMessage[]];
  scoreGroup: [{ episode: number; candidates: readonly ScoreGroupCandidate[] }, string];
  run: [
    { episode: number; tool: string; input: unknown; isLimited: boolean; conditions?: Conditions | undefined },
    HostedToolResult,
  ];
  snapshot: [{ episode: number }, string | undefined];
  teardown: [{ episode: number }, undefined];
  reap: [{ environment: string; handle: JSONValue }, undefined];
  /** Returns at once, unless author code blocks the worker. */
  ping: [Record<never, never>, undefined];
}

export type WorkerMethodName = keyof WorkerMethods;
export type WorkerMethodParams<Name extends WorkerMethodName> = WorkerMethods[Name][0];
export type WorkerMethodResult<Name extends WorkerMethodName> = WorkerMethods[Name][1];

export interface OpenEpisodeParams extends Pick<HostedSession, 'sessionId' | 'secrets' | 'toolset' | 'conditions'> {
  readonly task: TaskSelectorFields;
  readonly environment: string;
  readonly episode: number;
}

/** Message to a worker: a call, or an abort. */
export type HostMessage =
  /** First message. The worker writes the id of each call to it when the call starts. */
  | { readonly lastStarted: BigInt64Array }
  | {
      readonly id: number;
      readonly method: WorkerMethodName;
      readonly params: unknown;
      readonly trace?: Readonly<Record<string, string>>;
    }
  | { readonly abortEpisode: number }
  /** Id of the `run` or `scoreGroup` call to abort. */
  | { readonly abortRun: number };

/** Message from a worker: the response to a call, or a notification. */
export type WorkerMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: SerializedError }
  | WorkerNotification;

export type WorkerNotification =
  | { readonly loaded: readonly EnvironmentInfo[] }
  | { readonly loadError: string }
  | EpisodeNotification;

/** A callback of the session, for the episode with this number. */
export type EpisodeNotification =
  | { readonly episode: number; readonly warning: string }
  | { readonly episode: number; readonly label: string; readonly error: ErrorDescription }
  | { readonly episode: number; readonly handle: JSONValue };
