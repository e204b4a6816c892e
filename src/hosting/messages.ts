import type { Isolation } from '../environment/index.ts';
import type { JSONObject, JSONValue, OrsErrorCode, SerializedBlock, Split, ToolSpec } from '../protocol/index.ts';
import type { HostedRun, HostedSession, HostedTool, NamedTask } from './hosted-environment.ts';
import type { Description } from './thrown.ts';
import type { TraceHeaders } from './trace-context.ts';

/** What the server's thread asks of a worker: parameters and result by name. Episodes go by a number of the server's. */
export interface Questions {
  countTasks: [{ environment: string; split: string }, number];
  task: [{ environment: string; split: string; index: number }, JSONObject];
  tasks: [{ environment: string; split: string; start: Bound; stop: Bound }, JSONObject[]];
  open: [OpenRequest, undefined];
  setup: [{ episode: number }, readonly (readonly [string, HostedTool])[]];
  prompt: [{ episode: number }, readonly SerializedBlock[]];
  run: [{ episode: number; tool: string; input: unknown; isLimited: boolean }, HostedRun];
  teardown: [{ episode: number }, undefined];
  reap: [{ environment: string; handle: JSONValue }, undefined];
  /** Answered at once, unless nothing can be. */
  ping: [Record<never, never>, undefined];
}

export type Question = keyof Questions;
export type Asked<Name extends Question> = Questions[Name][0];
export type Answered<Name extends Question> = Questions[Name][1];

export type Bound = number | null | undefined;

export interface OpenRequest extends Pick<HostedSession, 'sessionId' | 'secrets'> {
  readonly task: NamedTask;
  readonly environment: string;
  readonly episode: number;
}

/** To a worker: a question, which is answered under its number, or word that something is to stop. */
export type ToWorker =
  /** Where it is to note the number of the last question that it has begun with. Comes first. */
  | { readonly begun: BigInt64Array }
  | { readonly id: number; readonly question: Question; readonly parameters: unknown; readonly trace?: TraceHeaders }
  | { readonly abortEpisode: number }
  /** The number of the `run` that is to stop. */
  | { readonly abortRun: number };

/** From a worker. */
export type FromWorker =
  | { readonly loaded: readonly EnvironmentFacts[] }
  | { readonly notLoaded: string }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: Failure }
  | { readonly episode: number; readonly warning: string }
  | { readonly episode: number; readonly what: string; readonly error: Description }
  | { readonly episode: number; readonly handle: JSONValue };

/** What a server has to know of an environment that it does not have itself. */
export interface EnvironmentFacts {
  readonly name: string;
  readonly description: string | undefined;
  readonly splits: readonly Split[];
  readonly tools: readonly ToolSpec[];
  readonly isolation: Isolation;
  /** Whether it can clean up after a worker that is gone. */
  readonly reaps: boolean;
}

/** An error on its way between threads. */
export type Failure =
  | { readonly kind: 'ors'; readonly code: OrsErrorCode; readonly message: string; readonly cause?: Description }
  | { readonly kind: 'thrown'; readonly thrown: Description };
