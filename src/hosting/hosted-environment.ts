import type { Awaitable } from '../core/index.ts';
import type { EpisodeHost } from '../environment/index.ts';
import type { CreateSession, JSONObject, SerializedBlock, Split, ToolSpec } from '../protocol/index.ts';
import type { LazyAbortController } from './wait.ts';

/** How a call came out: a result as compact JSON, or a failure that the agent can act on. */
export type HostedToolResult =
  | { readonly ok: true; readonly json: string; readonly finished: boolean }
  | { readonly ok: false; readonly reason: string };

/** A tool as a server knows it. */
export interface HostedTool {
  readonly spec: ToolSpec;
  readonly concurrent: boolean;
  /** In milliseconds; undefined leaves it to the server. */
  readonly timeoutMs: number | undefined;
}

/** Exactly one of task_spec or split and index names the task. */
export type TaskSelectorFields = Pick<CreateSession, 'task_spec' | 'split' | 'index'>;

/** The session that an episode is played in. */
export interface HostedSession extends EpisodeHost {
  /** Told what could not be undone, and the secrets of other sessions that the error may hold. */
  onError(what: string, error: unknown, secrets?: readonly string[]): void;
  /** Told when the worker that the episode lived in is gone, and why: `its worker ended: ...`. */
  onLost(reason: string): void;
}

/** An episode, wherever its author's code runs; what that code gives at once is there at once. What it throws is thrown. */
export interface HostedEpisode {
  setup(): Awaitable<void>;
  /** The tools of this episode, shared ones first; complete after setup. */
  readonly tools: ReadonlyMap<string, HostedTool>;
  /** Where a wait ends before there is an answer, its reason is thrown. So in HostedEnvironment. */
  prompt(wait?: LazyAbortController): Awaitable<readonly SerializedBlock[]>;
  /** Runs one of the tools. `signal` is the tool's own; without it the tool gets that of the episode. */
  run(tool: string, input: unknown, signal?: AbortSignal): Awaitable<HostedToolResult>;
  /** Undoes setup, exactly once. Never rejects. */
  teardown(): Awaitable<void>;
  /** Its code does not stop when it should: a worker in which nothing else can run any more is ended. */
  abort(reason: string): void;
}

/** An environment as a server sees it: in its own thread, or in workers. */
export interface HostedEnvironment {
  readonly name: string;
  readonly description: string | undefined;
  readonly splits: readonly Split[];
  /** The tools that every task has. */
  readonly tools: readonly ToolSpec[];
  /** @throws OrsError bad_request for an unknown split; so do the next two. */
  countTasks(split: string, wait?: LazyAbortController): Promise<number>;
  /** What clients may see of a task. @throws OrsError bad_request if the index is out of range. */
  task(split: string, index: number, wait?: LazyAbortController): Promise<JSONObject>;
  /** Those from start to stop, by Python's rules. @throws OrsError bad_request for too many at a time. */
  tasks(
    split: string,
    start: number | null | undefined,
    stop: number | null | undefined,
    wait?: LazyAbortController,
  ): Promise<JSONObject[]>;
  /** Finds the task; setup comes later. @throws OrsError bad_request if it is none of the environment. */
  open(task: TaskSelectorFields, session: HostedSession, wait?: LazyAbortController): Awaitable<HostedEpisode>;
  /** Ends its workers; in the own thread there are none. */
  close(): Promise<void>;
}
