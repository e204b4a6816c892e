import { type Awaitable, isRecord } from '../core/index.ts';
import {
  type Block,
  type JSONObject,
  type JSONValue,
  RESERVED_NAMES,
  type Split,
  type ToolSpec,
} from '../protocol/index.ts';
import { type InferOutput, type Schema, toSchema } from '../schema/index.ts';
import { type Tool, type ToolDefinition, toTools } from './define-tool.ts';
import { type SplitDefinition, type SplitTasks, toSplit } from './tasks.ts';

export interface SetupContext<Task> {
  readonly task: Task;
  /** Secrets that came with the episode; never log or return them. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Aborts when the episode is deleted while setup runs. */
  readonly signal: AbortSignal;
  /** Unique among the live sessions of all API keys; begins with the client's `X-Session-ID`. */
  readonly sessionId: string;
  /** Registers what must be undone; runs once, last registered first, also when setup fails half-way. */
  readonly onCleanup: (cleanup: () => Awaitable<void>) => void;
  /**
   * Tells what the episode holds outside of the process, such as the name of a container, best before it is made. If its
   * worker is gone before teardown, `reap` gets it. Throws TypeError for what JSON cannot keep.
   */
  readonly registerHandle: (handle: JSONValue) => void;
}

/** Where an environment's code runs: in the server's own thread, or in worker threads of its own. */
export type EnvironmentIsolation = 'inline' | 'worker';

export interface EpisodeContext<Task, State> {
  readonly task: Task;
  readonly state: State;
  readonly sessionId: string;
}

/** A tool's output as a player sees it. */
export interface PlayerOutput {
  readonly blocks: readonly Block[];
  /** The text blocks, joined by a line feed. */
  readonly text: string;
  readonly reward: number | null;
  readonly finished: boolean;
  readonly metadata: JSONObject | null;
}

export interface SolveContext<Task> {
  readonly task: Task;
  readonly prompt: readonly Block[];
  readonly tools: readonly ToolSpec[];
  /** Calls a tool; rejects when the tool fails. */
  readonly call: (name: string, input?: JSONObject) => Promise<PlayerOutput>;
}

/** An environment as its author writes it. Source: protocol overview, tools, data types. */
export interface EnvironmentDefinition<S, State, Tools, Public> {
  /** The name in paths: letters, digits, '_', '-', '.'; case does not count. */
  readonly name: string;
  /** For people: what the environment is about. Default: none. */
  readonly description?: string;
  /** At least one list of tasks by name. */
  readonly splits: Readonly<Record<string, SplitDefinition<TaskOf<S>>>>;
  /** The shape of a task: gives tasks their type, and checks those that clients send. Default: any object. */
  readonly task?: S;
  /** Prepares an episode and returns its state. Default: the state is undefined. */
  readonly setup?: (context: SetupContext<TaskOf<S>>) => Awaitable<State>;
  /** What the agent is told first: a text, or blocks. */
  readonly prompt: (context: EpisodeContext<TaskOf<S>, State>) => Awaitable<string | readonly Block[]>;
  /** The tools that every task has. */
  readonly tools?: { readonly [Name in keyof Tools]: ToolDefinition<Tools[Name], TaskOf<S>, State> };
  /** The tools that only this task has, each made by `defineTool`. Asked once per episode, after setup. */
  readonly taskTools?: (
    context: EpisodeContext<TaskOf<S>, State>,
  ) => Awaitable<Readonly<Record<string, TaskTool<TaskOf<S>, State>>>>;
  /** The part of a task that clients may see. Default: all of it, answers included. */
  readonly publicTask?: (task: TaskOf<S>) => Public;
  /** Makes the whole task of what a client sent, which was a public task once. Default: found among the listed tasks. */
  readonly resolveTask?: (task: NoInfer<Public>) => Awaitable<TaskOf<S>>;
  /** The highest sum of rewards of an episode. Default: unknown. */
  readonly maxReward?: number;
  /** Plays an episode as well as can be; what oracle runs and tests use. Default: none. */
  readonly solve?: (context: SolveContext<TaskOf<S>>) => Awaitable<void>;
  /** Undoes setup; runs exactly once, after the last call, before what onCleanup registered. */
  readonly teardown?: (context: EpisodeContext<TaskOf<S>, State>) => Awaitable<void>;
  /**
   * Cleans up after a worker that is gone: called in a fresh one with each handle that setup registered, last registered
   * first. May be called again for the same handle.
   */
  readonly reap?: (handle: JSONValue) => Awaitable<void>;
  /** Where its code runs if the server is not told. Default: inline. */
  readonly isolation?: EnvironmentIsolation;
}

type TaskOf<S> = [S] extends [object] ? InferOutput<S> : JSONObject;
/** Any tool made by defineTool: what its own parameters are does not matter here. */
// biome-ignore lint/suspicious/noExplicitAny: only `any` lets tools of every input type into one record
type TaskTool<Task, State> = ToolDefinition<any, Task, State>;

/** An environment that is checked and ready to serve. */
export interface Environment {
  readonly name: string;
  readonly description: string | undefined;
  readonly splits: readonly Split[];
  readonly splitTasks: ReadonlyMap<string, SplitTasks>;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly task: Schema<unknown> | undefined;
  readonly maxReward: number | undefined;
  readonly isolation: EnvironmentIsolation;
  /** The author's functions; their types held while the definition was written. */
  readonly hooks: EnvironmentHooks;
}

type EnvironmentHooks = Pick<
  EnvironmentDefinition<object, unknown, Record<string, object>, JSONObject>,
  'setup' | 'prompt' | 'taskTools' | 'publicTask' | 'resolveTask' | 'solve' | 'teardown' | 'reap'
>;

const ENVIRONMENT_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;

/**
 * Makes an environment of its definition. Task, state and input types come out of the definition itself.
 *
 * @throws TypeError for what could not be served: no tools, no splits, an empty description, a reserved name, a schema
 * that cannot be shown as JSON Schema or describes no object. The message says what to do.
 */
export function defineEnvironment<
  const S extends object | undefined = undefined,
  State = undefined,
  Tools = Record<never, never>,
  Public = JSONObject,
>(definition: EnvironmentDefinition<S, State, Tools, Public>): Environment {
  const { name, description, maxReward, isolation = 'inline' } = definition;
  const where = `environment '${name}'`;
  if (typeof name !== 'string' || !ENVIRONMENT_NAME.test(name)) {
    throw new TypeError(`${where}: the name must be 1 to 64 letters, digits, '_', '-' or '.'; choose another.`);
  }
  if (RESERVED_NAMES.has(name.toLowerCase())) {
    throw new TypeError(`${where}: the name is that of a path of the protocol; choose another, such as '${name}_env'.`);
  }
  if (description !== undefined && description.trim() === '') {
    throw new TypeError(`${where}: the description is empty; say in a sentence what it is about, or leave it out.`);
  }
  if (typeof definition.prompt !== 'function') {
    throw new TypeError(`${where}: has no prompt; add prompt: ({ task }) => '...'.`);
  }
  if (isolation !== 'inline' && isolation !== 'worker') {
    throw new TypeError(`${where}: isolation is '${isolation}'; it is 'inline' or 'worker'.`);
  }
  const tools = toTools(definition.tools ?? {}, where);
  if (tools.size === 0 && !definition.taskTools) {
    throw new TypeError(`${where}: has no tools, and agents act through tools alone; add one to tools or taskTools.`);
  }
  const splits = readSplits(definition.splits, where);
  if (definition.publicTask && !definition.resolveTask && splits.some(({ source }) => !source.index)) {
    throw new TypeError(
      `${where}: publicTask hides part of tasks that are made by number; add resolveTask, the way back from a public task.`,
    );
  }
  return {
    name,
    description,
    splits: splits.map(({ split }) => split),
    splitTasks: new Map(splits.map(({ split, source }) => [split.name, source])),
    tools,
    task: definition.task === undefined ? undefined : toSchema(definition.task, `${where}, task`),
    maxReward,
    isolation,
    hooks: definition as unknown as EnvironmentHooks,
  };
}

function readSplits(definitions: unknown, where: string): ReturnType<typeof toSplit>[] {
  if (!isRecord(definitions) || Object.keys(definitions).length === 0) {
    throw new TypeError(`${where}: has no splits; add one, such as splits: { train: [...] }.`);
  }
  return Object.entries(definitions).map(([name, definition]) => {
    if (name === '') throw new TypeError(`${where}: a split has an empty name; name it, such as 'train'.`);
    return toSplit(name, definition as SplitDefinition<never>);
  });
}
