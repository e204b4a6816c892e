import { isRecord } from '../core/index.ts';
import type { JSONObject } from '../protocol/index.ts';
import { OrsHttpError, OrsProtocolError } from './errors.ts';
import type { HttpClient } from './http.ts';
import type { SignalOption } from './signals.ts';

/** A task with its place, in plain JSON. An episode of it is created by the place, at which nothing is rounded. */
export interface TaskHandle {
  readonly environment: string;
  readonly split: string;
  readonly index: number;
  readonly task: JSONObject;
}

export interface TaskListOptions extends SignalOption {
  /** First index. Default: 0. */
  readonly start?: number;
  /** Index after the last. Default: the end of the split. */
  readonly stop?: number;
  /** Tasks per request. Default: 100. */
  readonly pageSize?: number;
}

/** Where tasks come from. */
export interface SplitRef {
  readonly http: HttpClient;
  readonly environment: string;
  readonly split: string;
}

/**
 * Goes through the tasks of a split, a page at a time. A server without /task_range is asked for the whole list, one
 * without that for task after task.
 *
 * @throws RangeError for bounds that are no integers from 0; OrsHttpError 400 for an unknown split, 404 for an unknown
 * environment; OrsConnectionError; the signal's reason.
 */
export async function* iterateTasks(
  source: SplitRef,
  { start = 0, stop = Number.POSITIVE_INFINITY, pageSize = 100, signal }: TaskListOptions,
): AsyncGenerator<TaskHandle> {
  checkBound('start', start);
  if (stop !== Number.POSITIVE_INFINITY) checkBound('stop', stop);
  if (!Number.isSafeInteger(pageSize) || pageSize < 1)
    throw new RangeError(`pageSize is ${pageSize}; give an integer from 1`);
  for (let index = start; index < stop; ) {
    const end = Math.min(stop, index + pageSize);
    const page = await unlessMissing(tasksOf(source, 'getTaskRange', { start: index, stop: end }, signal));
    if (!page) return yield* listWithoutRanges(source, index, stop, signal);
    if (page.length === 0) return;
    // Some servers give more than they are asked for.
    for (const task of page.slice(0, end - index)) yield handle(source, index++, task);
  }
}

/** The number of tasks of a split; counted where the server cannot tell. Throws as listTasks. */
export async function countTasks(source: SplitRef, signal?: AbortSignal): Promise<number> {
  const response = await unlessMissing(source.http.json('countTasks', request(source, {}, signal)));
  if (response === undefined) return (await tasksOf(source, 'listTasks', {}, signal)).length;
  const count = isRecord(response) ? response.num_tasks : undefined;
  if (Number.isSafeInteger(count) && (count as number) >= 0) return count as number;
  throw new OrsProtocolError(`the server's num_tasks of split '${source.split}' is no integer from 0`);
}

/** One task. @throws OrsHttpError 400 for an index out of range; RangeError for one that is no integer from 0. */
export async function getTask(source: SplitRef, index: number, signal?: AbortSignal): Promise<TaskHandle> {
  checkBound('index', index);
  const response = await unlessMissing(source.http.json('getTask', request(source, { index }, signal)));
  if (isRecord(response) && isRecord(response.task)) return handle(source, index, response.task as JSONObject);
  if (response !== undefined) throw new OrsProtocolError(`the server gave no task ${index} of split '${source.split}'`);
  const task = (await tasksOf(source, 'listTasks', {}, signal))[index];
  if (task) return handle(source, index, task);
  throw new RangeError(`split '${source.split}' has no task ${index}`);
}

async function* listWithoutRanges(
  source: SplitRef,
  start: number,
  stop: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<TaskHandle> {
  const tasks = await unlessRefused(tasksOf(source, 'listTasks', {}, signal));
  if (tasks) {
    for (const [offset, task] of tasks.slice(start, stop).entries()) yield handle(source, start + offset, task);
    return;
  }
  const count = await countTasks(source, signal);
  for (let index = start; index < Math.min(stop, count); index++) yield getTask(source, index, signal);
}

const handle = ({ environment, split }: SplitRef, index: number, task: JSONObject): TaskHandle => ({
  environment,
  split,
  index,
  task,
});

const request = ({ environment, split }: SplitRef, body: JSONObject, signal: AbortSignal | undefined) => ({
  environment,
  body: { split, ...body },
  signals: [signal],
});

async function tasksOf(
  source: SplitRef,
  operation: 'listTasks' | 'getTaskRange',
  body: JSONObject,
  signal: AbortSignal | undefined,
): Promise<JSONObject[]> {
  const response = await source.http.json(operation, request(source, body, signal));
  const tasks = isRecord(response) ? response.tasks : undefined;
  if (Array.isArray(tasks) && tasks.every(isRecord)) return tasks as JSONObject[];
  throw new OrsProtocolError(`the server gave no list of tasks of split '${source.split}'`);
}

/** Undefined where the server does not have the operation. */
const unlessMissing = <T>(response: Promise<T>) => unless(response, [404, 405, 501]);
/** The Python servers refuse lists of tasks that exist by index only with 400. */
const unlessRefused = <T>(response: Promise<T>) => unless(response, [400, 404, 405, 501]);

async function unless<T>(response: Promise<T>, statuses: readonly number[]): Promise<T | undefined> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof OrsHttpError && error.status !== null && statuses.includes(error.status)) return undefined;
    throw error;
  }
}

function checkBound(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name} is ${value}; give an integer from 0`);
}
