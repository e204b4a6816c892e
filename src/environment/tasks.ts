import {
  type Awaitable,
  andThen,
  canonicalJson,
  groupBy,
  hasToJson,
  isRecord,
  jsonProblem,
  previewJson,
} from '../core/index.ts';
import { type JSONObject, OrsError, type Split } from '../protocol/index.ts';

/**
 * Tasks by index, for splits that are too large or too expensive to list.
 *
 * @example
 * const train: TaskLookup<{ seed: number }> = { count: 1_000_000, get: (index) => ({ seed: index }) };
 */
export interface TaskLookup<Task> {
  /** Number of tasks. */
  readonly count: number | (() => Awaitable<number>);
  /** Returns the task of an index from 0 to count - 1; always the same task for the same index. */
  readonly get: (index: number) => Awaitable<Task>;
}

/** List of tasks, or a function that returns it. */
export type TaskList<Task> = readonly Task[] | (() => Awaitable<readonly Task[]>);

/**
 * Tasks of a split: a list, a function that returns the list and is called once, or a lookup by index.
 * Source: data types, "Split".
 *
 * @example
 * const hard: SplitDefinition<{ seed: number }> = { type: 'test', tasks: [{ seed: 1 }, { seed: 2 }] };
 */
export type SplitDefinition<Task> =
  | TaskList<Task>
  | TaskLookup<Task>
  /**
   * Sets the type of the split: train, validation or test; any other is rejected. Its default is the name if it is one of
   * these, otherwise validation.
   */
  | { readonly type: Split['type']; readonly tasks: TaskList<Task> | TaskLookup<Task> };

/** Maximum number of tasks that are looked up one by one for one response. */
const MAX_LOOKUPS = 10_000;

/** Tasks of a split, independent of their definition. */
export interface SplitTasks {
  count(): Awaitable<number>;
  /** Returns the full task. The index must be within bounds. */
  get(index: number): Awaitable<JSONObject>;
  /** Returns the tasks from start to stop; at most MAX_LOOKUPS if each has to be looked up. */
  slice(start: number, stop: number): Awaitable<readonly JSONObject[]>;
  /** Indexes the tasks by the canonical JSON of their public form; undefined if tasks are not listed. */
  readonly index:
    | ((publicTask: (task: JSONObject) => JSONObject) => Awaitable<ReadonlyMap<string, JSONObject[]>>)
    | undefined;
}

const SPLIT_TYPES = ['train', 'validation', 'test'] as const satisfies readonly Split['type'][];

/** @throws TypeError for a type that is not one of the standard. */
export function toSplit(name: string, definition: SplitDefinition<never>): { split: Split; source: SplitTasks } {
  const typed = isRecord(definition) && 'tasks' in definition;
  const tasks = typed ? definition.tasks : definition;
  const declared = typed ? (definition as { type?: unknown }).type : undefined;
  const type = SPLIT_TYPES.find((each) => each === (declared ?? name));
  if (declared !== undefined && type !== declared) {
    throw new TypeError(
      `split '${name}': invalid type: expected train, validation or test, got ${previewJson(declared)}`,
    );
  }
  return {
    split: { name, type: type ?? 'validation' },
    source: isLookup(tasks) ? lookupSource(tasks, name) : listSource(tasks as TaskList<unknown>, name),
  };
}

const isLookup = (tasks: unknown): tasks is TaskLookup<unknown> => isRecord(tasks) && typeof tasks.get === 'function';

function listSource(list: TaskList<unknown>, split: string): SplitTasks {
  const load = once(async () => {
    const tasks: unknown = typeof list === 'function' ? await list() : list;
    if (!Array.isArray(tasks)) throw new TypeError(`split '${split}': the tasks are not an array`);
    return tasks.map((task, index) => validateTask(task, `split '${split}', task ${index}`));
  });
  return {
    count: () => andThen(load(), (tasks) => tasks.length),
    get: (index) => andThen(load(), (tasks) => tasks[index] as JSONObject),
    slice: (start, stop) => andThen(load(), (tasks) => tasks.slice(start, stop)),
    index: once(async (publicTask) => groupBy(await load(), (task) => canonicalJson(publicTask(task)))),
  };
}

function lookupSource(lookup: TaskLookup<unknown>, split: string): SplitTasks {
  const get = (index: number) =>
    andThen(lookup.get(index), (task) => validateTask(task, `split '${split}', task ${index}`));
  const checkCount = (count: number) => {
    if (!Number.isSafeInteger(count) || count < 0) throw new TypeError(`split '${split}': count is ${count}`);
    return count;
  };
  return {
    count: () => andThen(typeof lookup.count === 'function' ? lookup.count() : lookup.count, checkCount),
    get,
    async slice(start, stop) {
      const size = stop - start;
      if (size > MAX_LOOKUPS) {
        throw new OrsError(
          'bad_request',
          `split '${split}' looks tasks up one by one; request at most ${MAX_LOOKUPS} by /task_range, not ${size}`,
        );
      }
      return Promise.all(Array.from({ length: Math.max(size, 0) }, async (_, offset) => get(start + offset)));
    },
    index: undefined,
  };
}

/** Calls a function once and keeps its result; a failure is not kept. */
function once<Args extends unknown[], T>(run: (...args: Args) => Promise<T>): (...args: Args) => Awaitable<T> {
  let result: Awaitable<T> | undefined;
  return (...args) => {
    result ??= run(...args).then(
      (value) => {
        result = value;
        return value;
      },
      (error: unknown) => {
        result = undefined;
        throw error;
      },
    );
    return result;
  };
}

/** Validates that a task is an object that JSON can represent, because tasks are sent to clients. */
export function validateTask(task: unknown, where: string): JSONObject {
  if (!isRecord(task) || hasToJson(task)) throw new TypeError(`${where} is not an object`);
  const problem = jsonProblem(task, where);
  if (problem) throw new TypeError(`${problem}, which JSON cannot keep`);
  return task as JSONObject;
}

/**
 * Returns the bounds of a slice by Python's rules: negative numbers count from the end, all numbers are clamped.
 * Source: HTTP API, "POST /{env_name}/task_range".
 */
export function sliceBounds(count: number, start: number | null | undefined, stop: number | null | undefined) {
  const clamp = (bound: number) => Math.min(Math.max(bound < 0 ? bound + count : bound, 0), count);
  const from = clamp(start ?? 0);
  return { start: from, stop: Math.max(clamp(stop ?? count), from) };
}
