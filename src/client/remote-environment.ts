import { isRecord, previewJson, warnOnce } from '../core/index.ts';
import { type JSONObject, MISSING_STATUSES, type Split, type TerminalTool, type ToolSpec } from '../protocol/index.ts';
import { OrsHttpError, OrsProtocolError, WARNING } from './errors.ts';
import type { ToolFormat, ToolFormats } from './formats/index.ts';
import type { HttpClient, SignalOption } from './http.ts';
import { assertSecrets, type OpenSessionOptions, parseTaskSelector, type TaskSelector } from './open-session.ts';
import { parseToolListExtras, parseTools } from './responses.ts';
import { loadFormats, type Session } from './session.ts';

/**
 * A task with its position, as plain JSON. An episode of it is created by the position, so that no number is rounded.
 *
 * @example
 * const handle: TaskHandle = await maze.task('train', 0);
 * const session = await maze.session(handle);
 */
export interface TaskHandle {
  readonly environment: string;
  readonly split: string;
  readonly index: number;
  readonly task: JSONObject;
}

/**
 * Range of tasks to list.
 *
 * @example
 * for await (const { index, task } of maze.tasks('train', { start: 10, stop: 20 })) console.log(index, task);
 */
export interface TaskListOptions extends SignalOption {
  /** First index. @default 0 */
  readonly start?: number;
  /** Index after the last one. @default the end of the split */
  readonly stop?: number;
  /** Tasks per request. @default 100 */
  readonly pageSize?: number;
}

/** Opens a session of an environment for a validated task. */
type SessionOpener = (environment: string, selector: TaskSelector, options: OpenSessionOptions) => Promise<Session>;

/**
 * An environment of a server. All methods throw OrsHttpError if the server rejects the request (404 if it does not have
 * the environment), OrsConnectionError, OrsProtocolError, or the reason of the signal.
 *
 * @example
 * const maze = client.environment('maze');
 * const count = await maze.countTasks('train');
 * const session = await maze.session({ split: 'train', index: 0 });
 */
export class RemoteEnvironment {
  readonly name: string;
  readonly #http: HttpClient;
  readonly #open: SessionOpener;

  constructor(http: HttpClient, name: string, open: SessionOpener) {
    this.#http = http;
    this.name = name;
    this.#open = open;
  }

  /** Lists the splits in the order of the server. Source: HTTP API, "GET /{env_name}/splits". */
  async splits({ signal }: SignalOption = {}): Promise<Split[]> {
    const response = await this.#http.json('listSplits', { environment: this.name, signals: [signal] });
    const splits = isRecord(response) ? response.splits : response;
    if (!Array.isArray(splits)) throw new OrsProtocolError(`the server returned no list of splits of '${this.name}'`);
    return splits.flatMap((split) => parseSplit(split, this.name));
  }

  /**
   * Lists the tools that all tasks have in common, as they are or in the format of a model provider.
   * Source: HTTP API, "GET /{env_name}/tools".
   */
  tools(options?: SignalOption): Promise<ToolSpec[]>;
  tools<F extends ToolFormat>(options: SignalOption & { readonly format: F }): Promise<ToolFormats[F][]>;
  async tools({ format, signal }: SignalOption & { readonly format?: ToolFormat } = {}) {
    const tools = parseTools(await this.#http.json('listTools', { environment: this.name, signals: [signal] }));
    if (!format) return tools;
    const { formatTools } = await loadFormats();
    return formatTools(tools, format);
  }

  /** Returns the tool that grades the final message of the agent, or null if there is none; as `session.terminalTool`. */
  async terminalTool({ signal }: SignalOption = {}): Promise<TerminalTool | null> {
    const response = await this.#http.json('listTools', { environment: this.name, signals: [signal] });
    return parseToolListExtras(response).terminalTool;
  }

  /**
   * Lists the names of the secrets that the environment needs (`session(task, { secrets })`); none if the server does not
   * announce them.
   */
  async requiredSecrets({ signal }: SignalOption = {}): Promise<string[]> {
    const request = { environment: this.name, signals: [signal] };
    const response = await unlessMissing(this.#http.json('listRequiredSecrets', request));
    const names = response === undefined ? [] : isRecord(response) ? response.secrets : undefined;
    if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names;
    throw new OrsProtocolError(`the server returned no list of secrets of '${this.name}'`);
  }

  /**
   * Returns the number of tasks of a split; lists them on servers that cannot count.
   * Source: HTTP API, "POST /{env_name}/num_tasks".
   */
  async countTasks(split: string, { signal }: SignalOption = {}): Promise<number> {
    const response = await unlessMissing(this.#http.json('countTasks', this.#taskRequest(split, {}, signal)));
    if (response === undefined) return (await this.#listTasks(split, signal)).length;
    const count = isRecord(response) ? response.num_tasks : undefined;
    if (Number.isSafeInteger(count) && (count as number) >= 0) return count as number;
    throw new OrsProtocolError(`invalid num_tasks of split '${split}': expected an integer from 0`);
  }

  /**
   * Returns one task. Source: HTTP API, "POST /{env_name}/task".
   *
   * @param index index of the task, from 0.
   * @throws OrsHttpError 400 for an index that is out of range; RangeError for one that is not an integer from 0.
   */
  async task(split: string, index: number, { signal }: SignalOption = {}): Promise<TaskHandle> {
    assertIndex('index', index);
    const response = await unlessMissing(this.#http.json('getTask', this.#taskRequest(split, { index }, signal)));
    if (isRecord(response) && isRecord(response.task)) return this.#handle(split, index, response.task as JSONObject);
    if (response !== undefined) throw new OrsProtocolError(`the server returned no task ${index} of split '${split}'`);
    const task = (await this.#listTasks(split, signal))[index];
    if (task) return this.#handle(split, index, task);
    throw new RangeError(`split '${split}' has no task ${index}`);
  }

  /**
   * Iterates over the tasks of a split and fetches them page by page. Servers without /task_range are asked for the
   * whole list, and those without a list for one task at a time. Source: HTTP API, "POST /{env_name}/task_range".
   *
   * @throws RangeError for bounds that are not integers from 0; OrsHttpError 400 for an unknown split.
   */
  async *tasks(
    split: string,
    { start = 0, stop = Number.POSITIVE_INFINITY, pageSize = 100, signal }: TaskListOptions = {},
  ): AsyncGenerator<TaskHandle, void, undefined> {
    assertIndex('start', start);
    if (stop !== Number.POSITIVE_INFINITY) assertIndex('stop', stop);
    if (!Number.isSafeInteger(pageSize) || pageSize < 1) {
      throw new RangeError(`invalid pageSize: expected an integer from 1, got ${pageSize}`);
    }
    for (let index = start; index < stop; ) {
      const end = Math.min(stop, index + pageSize);
      const page = await unlessMissing(this.#requestTasks('getTaskRange', split, { start: index, stop: end }, signal));
      if (!page) return yield* this.#tasksWithoutRanges(split, index, stop, signal);
      if (page.length === 0) return;
      // Some servers return more tasks than requested.
      for (const task of page.slice(0, end - index)) yield this.#handle(split, index++, task);
    }
  }

  /**
   * Creates an episode; its setup may still be running when this resolves. Secrets are sent in the body, or in the
   * header `X-Secrets` to servers that reject them in the body.
   *
   * @param selector the task, its position, or a task handle, which counts as its position.
   * @throws TypeError for a selector that identifies no task, and for secrets that are not strings; OrsHttpError 400 for a
   *   toolset that the environment does not have.
   */
  async session(selector: TaskSelector, options: OpenSessionOptions = {}): Promise<Session> {
    if (options.secrets !== undefined) assertSecrets(options.secrets);
    return this.#open(this.name, parseTaskSelector(selector, this.name), options);
  }

  async *#tasksWithoutRanges(split: string, start: number, stop: number, signal: AbortSignal | undefined) {
    // The Python servers respond with 400 if tasks exist by index only.
    const tasks = await unlessStatus([...MISSING_STATUSES, 400], this.#listTasks(split, signal));
    if (tasks) {
      for (const [offset, task] of tasks.slice(start, stop).entries()) yield this.#handle(split, start + offset, task);
      return;
    }
    const count = await this.countTasks(split, signal && { signal });
    for (let index = start; index < Math.min(stop, count); index++) yield this.task(split, index, signal && { signal });
  }

  #listTasks(split: string, signal: AbortSignal | undefined): Promise<JSONObject[]> {
    return this.#requestTasks('listTasks', split, {}, signal);
  }

  async #requestTasks(
    operation: 'listTasks' | 'getTaskRange',
    split: string,
    range: JSONObject,
    signal: AbortSignal | undefined,
  ): Promise<JSONObject[]> {
    const response = await this.#http.json(operation, this.#taskRequest(split, range, signal));
    const tasks = isRecord(response) ? response.tasks : undefined;
    if (Array.isArray(tasks) && tasks.every(isRecord)) return tasks as JSONObject[];
    throw new OrsProtocolError(`the server returned no list of tasks of split '${split}'`);
  }

  #taskRequest(split: string, body: JSONObject, signal: AbortSignal | undefined) {
    return { environment: this.name, body: { split, ...body }, signals: [signal] };
  }

  #handle(split: string, index: number, task: JSONObject): TaskHandle {
    return { environment: this.name, split, index, task };
  }
}

const unlessMissing = <T>(response: Promise<T>): Promise<T | undefined> => unlessStatus(MISSING_STATUSES, response);

/** Resolves with undefined if the server rejects the request with one of these status codes. */
async function unlessStatus<T>(statuses: readonly (number | null)[], response: Promise<T>): Promise<T | undefined> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof OrsHttpError && statuses.includes(error.status)) return undefined;
    throw error;
  }
}

function assertIndex(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw new RangeError(`invalid ${name}: expected an integer from 0, got ${value}`);
}

/** Splits are objects; some servers send only their names. */
function parseSplit(split: unknown, environment: string): Split[] {
  if (typeof split === 'string') return [{ name: split, type: splitType(split) }];
  if (isRecord(split) && typeof split.name === 'string') return [{ name: split.name, type: splitType(split.type) }];
  warnOnce(`a split of '${environment}' has no name and is left out: ${previewJson(split)}`, WARNING);
  return [];
}

const splitType = (type: unknown): Split['type'] => (type === 'validation' || type === 'test' ? type : 'train');
