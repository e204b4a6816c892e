import { type Awaitable, isPromiseLike } from '../core/index.ts';
import type { CallMode, Conditions, Durability, EpisodeHost, ToolListing } from '../environment/index.ts';
import type {
  CreateSession,
  JSONObject,
  RefusalReason,
  ScoreGroupCandidate,
  SerializedBlock,
  SerializedMessage,
  Split,
  TerminalTool,
  ToolSpec,
} from '../protocol/index.ts';

/** Description of an environment. It contains only values that can be sent between threads. */
export interface EnvironmentInfo extends ToolListing {
  readonly name: string;
  readonly description: string | undefined;
  readonly splits: readonly Split[];
  /** Shared tools that agents see. */
  readonly tools: readonly ToolSpec[];
  /** Tools of episodes with a toolset, by its name; without those of tasks. */
  readonly toolsets: ReadonlyMap<string, ToolListing>;
  /** True if there are task tools, which exist only after setup. */
  readonly hasTaskTools: boolean;
  /** True if the author returns a prompt, and messages; the one that is missing is derived from the other. */
  readonly hasPrompt: boolean;
  readonly hasMessages: boolean;
  readonly supportsScoreGroup: boolean;
  /** Names of the secrets that an episode needs. */
  readonly secrets: readonly string[];
  /** How an episode comes back from a journal; undefined if it cannot. */
  readonly durability: Durability | undefined;
  /** Version with which an episode comes back; undefined if the author names none. */
  readonly version: string | undefined;
}

/**
 * An environment as a server sees it, independent of the thread that runs its code.
 *
 * @example
 * const hosted: HostedEnvironment[] = await loadEnvironments(['./environment.ts'], { isolation: 'worker' });
 * const server = await serve(hosted);
 */
export interface HostedEnvironment extends EnvironmentInfo {
  /** @throws OrsError bad_request for an unknown split. */
  countTasks(split: string, wait?: LazyAbortController): Promise<number>;
  /** Returns a public task. @throws OrsError bad_request for an unknown split or an index out of range. */
  task(split: string, index: number, wait?: LazyAbortController): Promise<JSONObject>;
  /**
   * Returns the public tasks from start to stop, with the rules of Python slices.
   *
   * @throws OrsError bad_request for an unknown split, or for too many tasks.
   */
  tasks(split: string, start: SliceBound, stop: SliceBound, wait?: LazyAbortController): Promise<JSONObject[]>;
  /** Finds the task and creates its episode, without setup. @throws OrsError bad_request for an unknown task. */
  open(task: TaskSelectorFields, session: HostedSession, wait?: LazyAbortController): Awaitable<HostedEpisode>;
  /** Terminates the workers, if there are any. */
  close(): Promise<void>;
}

export type SliceBound = number | null | undefined;

/** Either `task_spec`, or `split` and `index`. */
export type TaskSelectorFields = Pick<CreateSession, 'task_spec' | 'split' | 'index'>;

/** The session of a hosted episode. */
export interface HostedSession extends EpisodeHost {
  /** Called with errors of clean-up. `secrets` are those of other sessions that the error may contain. */
  onError(label: string, error: unknown, secrets?: readonly string[]): void;
  /** Called when the worker of the episode is lost, with a reason such as `its worker ended: ...`. */
  onLost(reason: string): void;
}

/** An episode, independent of the thread that runs its code. Synchronous author code gives synchronous results. */
export interface HostedEpisode {
  /** @param saved a snapshot, for an episode that comes back. */
  setup(saved?: string): Awaitable<void>;
  /** Returns what `setup` needs to come back here; undefined if the environment has no snapshots. */
  snapshot(): Awaitable<string | undefined>;
  /** The tools of the episode, shared ones first. Complete after setup. */
  readonly tools: ReadonlyMap<string, HostedTool>;
  /** @throws the reason of `wait` if that is aborted first. */
  prompt(wait?: LazyAbortController): Awaitable<readonly SerializedBlock[]>;
  /** @throws the reason of `wait` if that is aborted first. */
  messages(wait?: LazyAbortController): Awaitable<readonly SerializedMessage[]>;
  /** Compares rollouts and returns the scores as compact JSON. */
  compare(candidates: readonly ScoreGroupCandidate[], signal: AbortSignal): Awaitable<string>;
  /** Runs a tool. The tool receives `signal`, by default the signal of the session. */
  run(tool: string, input: unknown, signal?: AbortSignal, conditions?: Conditions): Awaitable<HostedToolResult>;
  /** Runs teardown once. Never rejects. */
  teardown(): Awaitable<void>;
  /** Called when author code does not stop. Terminates its worker if nothing else can run there. */
  abort(reason: string): void;
}

/** A tool as a server sees it. */
export interface HostedTool {
  readonly spec: ToolSpec;
  readonly mode: CallMode;
  /** Description of a terminal tool; undefined for any other. */
  readonly terminal: TerminalTool | undefined;
  /** Time limit in milliseconds; undefined means that the server decides. */
  readonly timeoutMs: number | undefined;
  /** True if an interrupted call may run once more. */
  readonly idempotent: boolean;
}

/** Outcome of a call: a successful result as compact JSON, or a failure that the agent can handle. */
export type HostedToolResult =
  | { readonly ok: true; readonly json: string; readonly finished: boolean }
  | { readonly ok: false; readonly reason: string; readonly refusal?: RefusalReason | undefined };

/** Cancellation of one lookup. Most lookups are never cancelled, so the AbortController is created when it is needed. */
export class LazyAbortController {
  #abort: AbortController | undefined;
  #reason: Error | undefined;
  #reject: ((reason: Error) => void) | undefined;

  /** Aborts when the lookup is cancelled. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#reason) this.#abort.abort(this.#reason);
    return this.#abort.signal;
  }

  /** Cancels the lookup. The first reason counts. */
  abort(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#abort?.abort(reason);
    this.#reject?.(reason);
  }

  /**
   * Runs work, and stops waiting for it when the lookup is cancelled. One call at a time.
   *
   * @throws the reason of the cancellation, or the error of the work.
   */
  race<T>(work: () => Awaitable<T>): Awaitable<T> {
    if (this.#reason) throw this.#reason;
    const value = work();
    if (!isPromiseLike(value)) return value;
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      value.then(resolve, reject);
      if (this.#reason) reject(this.#reason);
    });
  }
}
