import { isRecord } from '../core/index.ts';
import type { Split, ToolSpec } from '../protocol/index.ts';
import { assertSecrets, parseTaskSelector } from './checks.ts';
import { OrsProtocolError } from './errors.ts';
import { formatTools, type ToolFormat, type ToolFormats } from './formats/index.ts';
import type { HttpClient } from './http.ts';
import type { OpenSessionOptions, TaskSelector } from './open-session.ts';
import type { Session } from './session.ts';
import type { SignalOption } from './signals.ts';
import {
  countTasks,
  getTask,
  iterateTasks,
  type SplitRef,
  type TaskHandle,
  type TaskListOptions,
} from './task-source.ts';
import { parseTools } from './tools.ts';

/** Opens a session of an environment with a choice that was checked. */
export type SessionOpener = (
  environment: string,
  choice: TaskSelector,
  options: OpenSessionOptions,
) => Promise<Session>;

/**
 * An environment of a server. All methods throw OrsHttpError for what the server refuses (404 for an environment that
 * it does not have), OrsConnectionError, OrsProtocolError, or the reason of the signal.
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

  /** The splits, in the server's order. Source: HTTP API, "GET /{env_name}/splits". */
  async splits({ signal }: SignalOption = {}): Promise<Split[]> {
    const response = await this.#http.json('listSplits', { environment: this.name, signals: [signal] });
    const splits = isRecord(response) ? response.splits : response;
    if (!Array.isArray(splits)) throw new OrsProtocolError(`the server gave no list of splits of '${this.name}'`);
    return splits.map(readSplit);
  }

  /**
   * The tools that all tasks share, as they are or as a model provider wants them.
   * Source: HTTP API, "GET /{env_name}/tools".
   */
  tools(options?: SignalOption): Promise<ToolSpec[]>;
  tools<F extends ToolFormat>(options: SignalOption & { readonly format: F }): Promise<ToolFormats[F][]>;
  async tools({ format, signal }: SignalOption & { readonly format?: ToolFormat } = {}) {
    const tools = parseTools(await this.#http.json('listTools', { environment: this.name, signals: [signal] }));
    return format ? formatTools(tools, format) : tools;
  }

  /** How many tasks a split has. Source: HTTP API, "POST /{env_name}/num_tasks". */
  countTasks(split: string, { signal }: SignalOption = {}): Promise<number> {
    return countTasks(this.#source(split), signal);
  }

  /** One task, by its index from 0. Source: HTTP API, "POST /{env_name}/task". */
  task(split: string, index: number, { signal }: SignalOption = {}): Promise<TaskHandle> {
    return getTask(this.#source(split), index, signal);
  }

  /** The tasks of a split, fetched page by page as they are asked for. Source: HTTP API, "POST /{env_name}/task_range". */
  tasks(split: string, range: TaskListOptions = {}): AsyncIterable<TaskHandle> {
    return iterateTasks(this.#source(split), range);
  }

  /**
   * Creates an episode; its setup may still run when this resolves. Secrets go into the body, or into the header
   * `X-Secrets` for servers that refuse them there. A handle of a task counts as its place.
   *
   * @throws TypeError for a choice that names no task.
   */
  async session(choice: TaskSelector, options: OpenSessionOptions = {}): Promise<Session> {
    if (options.secrets !== undefined) assertSecrets(options.secrets);
    return this.#open(this.name, parseTaskSelector(choice, this.name), options);
  }

  #source(split: string): SplitRef {
    return { http: this.#http, environment: this.name, split };
  }
}

/** Splits are objects; some servers give their names alone. */
function readSplit(split: unknown): Split {
  if (typeof split === 'string') return { name: split, type: typeOf(split) };
  if (isRecord(split) && typeof split.name === 'string') return { name: split.name, type: typeOf(split.type) };
  throw new OrsProtocolError(`the server gave a split without name: ${JSON.stringify(split)}`);
}

const typeOf = (type: unknown): Split['type'] => (type === 'validation' || type === 'test' ? type : 'train');
