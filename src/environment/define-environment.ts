import { type Awaitable, isRecord } from '../core/index.ts';
import {
  type Block,
  describeValue,
  type GroupScore,
  type JSONObject,
  type JSONValue,
  type Message,
  RESERVED_NAMES,
  type ScoreGroupCandidate,
  type Split,
  type ToolSpec,
} from '../protocol/index.ts';
import { type InferOutput, type Schema, toSchema } from '../schema/index.ts';
import { assertFieldNames, type Tool, type ToolDefinition, toTools } from './define-tool.ts';
import { type SplitDefinition, type SplitTasks, toSplit } from './tasks.ts';

/**
 * Context of `setup`.
 *
 * @example
 * const setup = async ({ onCleanup }: SetupContext<object>) => {
 *   const folder = await mkdtemp('/tmp/episode-');
 *   onCleanup(() => rm(folder, { recursive: true }));
 *   return { folder };
 * };
 */
export interface SetupContext<Task> {
  readonly task: Task;
  /** Secrets that the client sent with the episode; never log or return them. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Aborts when the episode is deleted while `setup` runs. */
  readonly signal: AbortSignal;
  /** Unique among the open sessions of all API keys; begins with the client's `X-Session-ID`. */
  readonly sessionId: string;
  /** Registers a cleanup function. It runs once, in reverse order of registration, also if `setup` fails. */
  readonly onCleanup: (cleanup: () => Awaitable<void>) => void;
  /**
   * Registers a resource outside of the process, such as the name of a container, preferably before it is created. If
   * the worker is lost before teardown, `reap` gets the handle. Throws TypeError for a value that JSON cannot represent.
   */
  readonly registerHandle: (handle: JSONValue) => void;
  /** Random numbers from 0 to below 1; the same ones when the episode comes back from a journal. */
  readonly random: () => number;
  /** Time at which the episode was created, in milliseconds since 1970; the same when it comes back from a journal. */
  readonly now: number;
}

/** How an episode comes back after its server was stopped: its calls run again, or its state is restored. */
export type Durability = 'replay' | 'snapshot';

/** Thread that runs an environment's code: that of the server, or worker threads. */
export type EnvironmentIsolation = 'inline' | 'worker';

/**
 * Context of `prompt`, `messages`, `taskTools` and `teardown`.
 *
 * @example
 * const prompt = ({ task }: EpisodeContext<{ question: string }, undefined>) => task.question;
 */
export interface EpisodeContext<Task, State> {
  readonly task: Task;
  readonly state: State;
  readonly sessionId: string;
}

/**
 * Context of `scoreGroup`.
 *
 * @example
 * const scoreGroup = ({ candidates }: ScoreGroupContext<object, undefined>) =>
 *   candidates.map(({ messages }) => 1 / messages.length);
 */
export interface ScoreGroupContext<Task, State> extends EpisodeContext<Task, State> {
  /** Rollouts of the task, with all messages of each. */
  readonly candidates: readonly ScoreGroupCandidate[];
  /** Secrets that the client sent with the episode, such as the key of a judge. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Aborts when the episode is deleted or the scoring exceeds the timeout of calls. */
  readonly signal: AbortSignal;
}

/**
 * Output of a tool as a player receives it.
 *
 * @example
 * const isSolved = ({ reward, finished }: PlayerOutput) => finished && reward === 1;
 */
export interface PlayerOutput {
  readonly blocks: readonly Block[];
  /** The text blocks, joined by a line feed. */
  readonly text: string;
  readonly reward: number | null;
  readonly finished: boolean;
  readonly metadata: JSONObject | null;
}

/**
 * Context of `solve`.
 *
 * @example
 * const solve = async ({ task, call }: SolveContext<{ answer: string }>) => {
 *   await call('submit', { answer: task.answer });
 * };
 */
export interface SolveContext<Task> {
  readonly task: Task;
  readonly prompt: readonly Block[];
  readonly tools: readonly ToolSpec[];
  /** Calls a tool; rejects if the tool fails. */
  readonly call: (name: string, input?: JSONObject) => Promise<PlayerOutput>;
  /** Submits a final message to the terminal tool; rejects if there is none, or it fails. @default an empty text */
  readonly answer: (text?: string) => Promise<PlayerOutput>;
}

/**
 * Definition of an environment. Source: protocol overview, tools, data types.
 *
 * @example
 * const environment = defineEnvironment({
 *   name: 'countdown',
 *   splits: { train: [{ from: 3 }] },
 *   task: z.object({ from: z.number() }),
 *   setup: ({ task }) => ({ left: task.from }),
 *   prompt: ({ task }) => `Call tick ${task.from} times.`,
 *   tools: {
 *     tick: { description: 'Counts down.', run: ({ state }) => ({ text: 'Tick.', finished: --state.left === 0 }) },
 *   },
 * });
 */
export interface EnvironmentDefinition<S, State, Tools, Public> {
  /** Name in paths: letters, digits, '_', '-', '.'; case-insensitive. */
  readonly name: string;
  /** Description for people. @default none */
  readonly description?: string;
  /** Lists of tasks by name; at least one. */
  readonly splits: Readonly<Record<string, SplitDefinition<TaskOf<S>>>>;
  /** Schema of a task: its type, and the validation of tasks that clients send. @default any object */
  readonly task?: S;
  /** Prepares an episode and returns its state. @default the state is undefined */
  readonly setup?: (context: SetupContext<TaskOf<S>>) => Awaitable<State>;
  /**
   * Returns the first message to the agent: a text or blocks. `prompt`, `messages` or both are required.
   *
   * @default the messages in one list of blocks, with their roles as text
   */
  readonly prompt?: (context: EpisodeContext<TaskOf<S>, State>) => Awaitable<string | readonly Block[]>;
  /**
   * Returns the conversation that the agent continues: instructions of the system, turns of user and assistant, with
   * reasoning, tool calls and results.
   *
   * @default one message of the user with the prompt
   * @example
   * const messages = ({ task }: EpisodeContext<{ question: string }, undefined>): Message[] => [
   *   { role: 'system', blocks: [text('You answer in one word.')] },
   *   { role: 'user', blocks: [text(task.question)] },
   * ];
   */
  readonly messages?: (context: EpisodeContext<TaskOf<S>, State>) => Awaitable<readonly Message[]>;
  /** Tools of all tasks. */
  readonly tools?: { readonly [Name in keyof Tools]: ToolDefinition<Tools[Name], TaskOf<S>, State> };
  /**
   * Returns additional tools of one task, created by `defineTool`; undefined ones are omitted. Called once per episode,
   * after `setup`.
   */
  readonly taskTools?: (
    context: EpisodeContext<TaskOf<S>, State>,
  ) => Awaitable<Readonly<Record<string, TaskTool<TaskOf<S>, State> | undefined>>>;
  /**
   * Further tools by the name of their toolset, created by `defineTool`. A client selects at most one toolset per episode
   * (`toolset_name` of `/create`). Its tools replace those of the same name. @default none
   */
  readonly toolsets?: Readonly<Record<string, Readonly<Record<string, TaskTool<TaskOf<S>, State>>>>>;
  /**
   * Compares rollouts of one task and returns a reward for each, in order: a number, or a number with metadata. For rewards
   * that need a comparison; they are added to the rewards of the episodes. If no comparison is possible, throw: zeros
   * would be rewards. @default clients learn that the environment cannot compare rollouts
   *
   * @example
   * const scoreGroup = ({ candidates }: ScoreGroupContext<object, undefined>) => {
   *   const lengths = candidates.map(({ messages }) => JSON.stringify(messages).length);
   *   return lengths.map((length) => (length === Math.min(...lengths) ? 1 : 0));
   * };
   */
  readonly scoreGroup?: (context: ScoreGroupContext<TaskOf<S>, State>) => Awaitable<readonly (number | GroupScore)[]>;
  /** Names of the secrets that an episode needs, for programs that ask before they start. @default none */
  readonly secrets?: readonly string[];
  /** Returns the part of a task that clients may see. @default the whole task, including answers */
  readonly publicTask?: (task: TaskOf<S>) => Public;
  /** Inverse of `publicTask`: restores the task that a client sent. @default a search in the listed tasks */
  readonly resolveTask?: (task: NoInfer<Public>) => Awaitable<TaskOf<S>>;
  /** Maximum sum of the rewards of an episode. @default unknown */
  readonly maxReward?: number;
  /** Plays an episode with the best possible reward, for oracle runs and tests. @default none */
  readonly solve?: (context: SolveContext<TaskOf<S>>) => Awaitable<void>;
  /** Reverts `setup`. Runs exactly once, after the last call and before the functions of `onCleanup`. */
  readonly teardown?: (context: EpisodeContext<TaskOf<S>, State>) => Awaitable<void>;
  /**
   * Cleans up after a lost worker: called in a new worker with each registered handle, in reverse order of registration.
   * May be called several times for the same handle.
   */
  readonly reap?: (handle: JSONValue) => Awaitable<void>;
  /**
   * How an episode comes back after its server was stopped, if the server keeps a journal. `'replay'`: setup and the calls
   * run again, and must give the same results; they take random numbers and the time from their contexts, and have no
   * effects outside of the episode. Calls then run one at a time, except those of concurrent tools. With `snapshot` and
   * `restore`, nothing runs again. @default episodes end with the process
   */
  readonly durability?: 'replay';
  /**
   * Version of the environment, such as `'2'`: an episode of a journal comes back only on servers with the version with
   * which it began. Change it with changes after which the same calls have other results. @default none
   */
  readonly version?: string;
  /**
   * Returns what `restore` needs, as JSON or bytes. Called after each call, before its result is sent. With `restore`, in
   * place of `durability`.
   *
   * @example
   * const snapshot = ({ state }: EpisodeContext<object, { words: string[] }>) => state.words;
   */
  readonly snapshot?: (context: EpisodeContext<TaskOf<S>, State>) => Awaitable<JSONValue | Uint8Array>;
  /** Returns the state of an episode that comes back, in place of `setup`. */
  readonly restore?: (saved: never, context: SetupContext<TaskOf<S>>) => Awaitable<State>;
  /** Isolation, unless the server sets another. @default 'inline' */
  readonly isolation?: EnvironmentIsolation;
}

type TaskOf<S> = [S] extends [object] ? InferOutput<S> : JSONObject;
/** Tool of any input type. */
// biome-ignore lint/suspicious/noExplicitAny: only `any` lets tools of every input type into one record
type TaskTool<Task, State> = ToolDefinition<any, Task, State>;

/**
 * Validated environment, ready to serve.
 *
 * @example
 * const splitNames = ({ splits }: Environment) => splits.map(({ name }) => name);
 */
export interface Environment {
  readonly name: string;
  readonly description: string | undefined;
  readonly splits: readonly Split[];
  readonly splitTasks: ReadonlyMap<string, SplitTasks>;
  readonly tools: ReadonlyMap<string, Tool>;
  /** Tools by toolset. */
  readonly toolsets: ReadonlyMap<string, ReadonlyMap<string, Tool>>;
  /** Names of the required secrets. */
  readonly secrets: readonly string[];
  readonly task: Schema<unknown> | undefined;
  readonly maxReward: number | undefined;
  readonly isolation: EnvironmentIsolation;
  readonly durability: Durability | undefined;
  /** Undefined if the definition names none. */
  readonly version: string | undefined;
  /** Functions of the author; the type of the definition has checked their types. */
  readonly hooks: EnvironmentHooks;
}

type EnvironmentHooks = Pick<
  EnvironmentDefinition<object, unknown, Record<string, object>, JSONObject>,
  | 'setup'
  | 'prompt'
  | 'messages'
  | 'taskTools'
  | 'scoreGroup'
  | 'publicTask'
  | 'resolveTask'
  | 'solve'
  | 'teardown'
  | 'reap'
  | 'snapshot'
  | 'restore'
>;

const TOOLSET_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;
const ENVIRONMENT_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;

/** Fields of a definition. Any other field that resembles one of them is a mistake. */
const FIELDS: Readonly<Record<keyof EnvironmentDefinition<undefined, undefined, object, JSONObject>, true>> = {
  name: true,
  description: true,
  splits: true,
  task: true,
  setup: true,
  prompt: true,
  messages: true,
  tools: true,
  taskTools: true,
  toolsets: true,
  scoreGroup: true,
  secrets: true,
  publicTask: true,
  resolveTask: true,
  maxReward: true,
  solve: true,
  teardown: true,
  reap: true,
  isolation: true,
  durability: true,
  version: true,
  snapshot: true,
  restore: true,
};

/**
 * Defines an environment. The types of tasks, state and inputs are inferred from the definition.
 *
 * @throws TypeError with advice for a definition that cannot be served: a misspelled field, no tools, no splits, an empty
 *   description, a reserved name, two terminal tools, or a schema that does not describe an object, has no JSON Schema form
 *   or has a default that it refuses.
 * @example
 * export default defineEnvironment({
 *   name: 'addition',
 *   splits: { train: [{ a: 1, b: 2 }] },
 *   prompt: ({ task }) => `What is ${task.a} + ${task.b}?`,
 *   tools: {
 *     submit: {
 *       description: 'Submits the answer.',
 *       input: z.object({ answer: z.number() }),
 *       run: ({ input, task }) => ({
 *         text: 'Done.',
 *         reward: input.answer === Number(task.a) + Number(task.b) ? 1 : 0,
 *         finished: true,
 *       }),
 *     },
 *   },
 * });
 */
export function defineEnvironment<
  const S extends object | undefined = undefined,
  State = undefined,
  Tools = Record<never, never>,
  Public = JSONObject,
>(definition: EnvironmentDefinition<S, State, Tools, Public>): Environment {
  const { name, description, maxReward, version, isolation = 'inline' } = definition;
  const where = `environment '${name}'`;
  assertFieldNames(definition, Object.keys(FIELDS), where);
  if (typeof name !== 'string' || !ENVIRONMENT_NAME.test(name)) {
    throw new TypeError(
      `${where}: invalid name; expected 1 to 64 letters, digits, '_', '-' or '.', starting with a letter, digit or '_'.`,
    );
  }
  if (RESERVED_NAMES.has(name.toLowerCase())) {
    throw new TypeError(`${where}: the name is a path of the protocol; choose another, such as '${name}_env'.`);
  }
  if (description !== undefined && description.trim() === '') {
    throw new TypeError(`${where}: the description is empty; describe the environment in one sentence, or omit it.`);
  }
  if (typeof definition.prompt !== 'function' && typeof definition.messages !== 'function') {
    throw new TypeError(`${where}: has no prompt; add prompt: ({ task }) => '...', or messages for a conversation.`);
  }
  if (isolation !== 'inline' && isolation !== 'worker') {
    throw new TypeError(`${where}: invalid isolation: expected 'inline' or 'worker', got '${isolation}'.`);
  }
  if (version !== undefined && (typeof version !== 'string' || version === '')) {
    throw new TypeError(`${where}: invalid version: expected a text such as '2', got ${describeValue(version)}.`);
  }
  const durability = readDurability(definition, where);
  const tools = toTools(definition.tools ?? {}, where);
  if (tools.size === 0 && !definition.taskTools) {
    throw new TypeError(`${where}: has no tools, and agents can act only by tools; add one to tools or taskTools.`);
  }
  const toolsets = readToolsets(definition.toolsets ?? {}, tools, where);
  const splits = readSplits(definition.splits, where);
  if (definition.publicTask && !definition.resolveTask && splits.some(({ source }) => !source.index)) {
    throw new TypeError(
      `${where}: publicTask hides part of tasks that are not listed; add resolveTask, the inverse of publicTask.`,
    );
  }
  return {
    name,
    description,
    splits: splits.map(({ split }) => split),
    splitTasks: new Map(splits.map(({ split, source }) => [split.name, source])),
    tools,
    toolsets,
    secrets: readSecretNames(definition.secrets ?? [], where),
    task: definition.task === undefined ? undefined : toSchema(definition.task, `${where}, task`),
    maxReward,
    isolation,
    durability,
    version,
    hooks: definition as unknown as EnvironmentHooks,
  };
}

function readDurability(
  {
    durability,
    snapshot,
    restore,
  }: { readonly durability?: unknown; readonly snapshot?: unknown; readonly restore?: unknown },
  where: string,
): Durability | undefined {
  if (durability !== undefined && durability !== 'replay') {
    throw new TypeError(`${where}: invalid durability: expected 'replay', got ${describeValue(durability)}.`);
  }
  if (snapshot === undefined && restore === undefined) return durability;
  if (typeof snapshot !== 'function' || typeof restore !== 'function') {
    throw new TypeError(
      `${where}: snapshot and restore need each other: add the other function, or durability: 'replay'.`,
    );
  }
  if (durability !== undefined) {
    throw new TypeError(`${where}: an episode comes back by replay, or by snapshot and restore; remove one of them.`);
  }
  return 'snapshot';
}

function readSplits(definitions: unknown, where: string): ReturnType<typeof toSplit>[] {
  if (Array.isArray(definitions)) {
    throw new TypeError(`${where}: invalid splits: expected an object, such as { train: [...] }, got an array.`);
  }
  if (!isRecord(definitions) || Object.keys(definitions).length === 0) {
    throw new TypeError(`${where}: has no splits; add one, such as splits: { train: [...] }.`);
  }
  return Object.entries(definitions).map(([name, definition]) => {
    if (name === '') throw new TypeError(`${where}: a split has an empty name; name it, such as 'train'.`);
    return toSplit(name, definition as SplitDefinition<never>);
  });
}

function readToolsets(
  definitions: Readonly<Record<string, object>>,
  shared: ReadonlyMap<string, Tool>,
  where: string,
): Environment['toolsets'] {
  return new Map(
    Object.entries(definitions).map(([name, definition]) => {
      if (!TOOLSET_NAME.test(name)) {
        throw new TypeError(
          `${where}: invalid name of a toolset, '${name}'; expected 1 to 64 letters, digits, '_', '-' or '.'.`,
        );
      }
      const tools = toTools(definition, `${where}, toolset '${name}'`);
      const hidden = [...tools].find(([tool, { terminal }]) => shared.get(tool)?.terminal && !terminal)?.[0];
      if (hidden === undefined) return [name, tools] as const;
      throw new TypeError(
        `${where}, toolset '${name}': '${hidden}' replaces the terminal tool; make it terminal too, or rename it.`,
      );
    }),
  );
}

function readSecretNames(names: readonly unknown[], where: string): readonly string[] {
  const isName = (name: unknown) => typeof name === 'string' && name !== '';
  if (Array.isArray(names) && names.every(isName)) return [...new Set(names as readonly string[])];
  throw new TypeError(`${where}: invalid secrets: expected an array of names, such as ['API_KEY'].`);
}
