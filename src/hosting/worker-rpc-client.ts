import { abortable, onAbort } from '../core/index.ts';
import { traceHeaders } from '../telemetry/index.ts';
import { deserializeError, WorkerLostError } from './errors.ts';
import type {
  WorkerMethodName,
  WorkerMethodParams,
  WorkerMethodResult,
  WorkerNotification,
} from './worker-messages.ts';
import type { WorkerThread } from './worker-thread.ts';

interface PendingCall {
  readonly method: WorkerMethodName;
  readonly params: unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/** The side of the host: calls methods of a worker, and receives their results. */
export class WorkerRpcClient {
  readonly #thread: WorkerThread;
  readonly #pending = new Map<number, PendingCall>();
  /** Shared memory where the worker, which may be blocked, writes the id of the last call that it started. */
  readonly #lastStarted = new BigInt64Array(new SharedArrayBuffer(8));
  #lastId = 0;
  #lostError: WorkerLostError | undefined;

  constructor(thread: WorkerThread, onNotification: (notification: WorkerNotification) => void) {
    this.#thread = thread;
    thread.post({ lastStarted: this.#lastStarted });
    thread.onMessage((message) => {
      if (!('id' in message)) return onNotification(message);
      const call = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if ('failure' in message) call?.reject(deserializeError(message.failure));
      else call?.resolve(message.result as never);
    });
  }

  get pendingCount(): number {
    return this.#pending.size;
  }

  /**
   * Calls that the worker has started and not finished, the latest first: descriptions such as `tool 'submit'`, and the
   * numbers of their episodes, if they belong to one.
   */
  get running() {
    const calls = [...this.#pending].filter(([id, { method }]) => method !== 'ping' && this.#hasStarted(id)).reverse();
    return calls.map(([, { method, params }]) => ({
      name: describeCall(method, params),
      episode: (params as { episode?: number }).episode,
    }));
  }

  /**
   * Calls a method. If the signal aborts, the worker aborts the call, which still settles with the outcome.
   *
   * @throws WorkerLostError if the worker is lost before it responds; otherwise the error of the method.
   */
  call<Name extends WorkerMethodName>(
    method: Name,
    params: WorkerMethodParams<Name>,
    signal?: AbortSignal,
  ): Promise<WorkerMethodResult<Name>> {
    const { id, result } = this.#post(method, params);
    if (!signal) return result;
    const stopListening = onAbort(signal, () => this.#thread.post({ abortRun: id }));
    return result.finally(stopListening);
  }

  /**
   * Calls a method, and stops waiting when the signal aborts: then rejects with its reason, and calls `onAbandoned` if the
   * worker had started the call.
   */
  callUntil<Name extends WorkerMethodName>(
    signal: AbortSignal | undefined,
    method: Name,
    params: WorkerMethodParams<Name>,
    onAbandoned: () => void,
  ): Promise<WorkerMethodResult<Name>> {
    return abortable(signal, () => {
      const { id, result } = this.#post(method, params);
      const stopListening = onAbort(signal, () => {
        if (this.#hasStarted(id)) onAbandoned();
      });
      return result.finally(stopListening);
    });
  }

  /** Rejects pending and later calls, since the worker is lost. */
  end(why: string): void {
    this.#lostError = new WorkerLostError(why);
    for (const { reject } of this.#pending.values()) reject(this.#lostError);
    this.#pending.clear();
  }

  #post<Name extends WorkerMethodName>(method: Name, params: WorkerMethodParams<Name>) {
    const id = ++this.#lastId;
    const result = new Promise<WorkerMethodResult<Name>>((resolve, reject) => {
      if (this.#lostError) return reject(this.#lostError);
      this.#pending.set(id, { method, params, resolve, reject });
      const trace = traceHeaders();
      this.#thread.post({ id, method, params, ...(trace && { trace }) });
    });
    return { id, result };
  }

  #hasStarted(id: number): boolean {
    return BigInt(id) <= Atomics.load(this.#lastStarted, 0);
  }
}

const LOOKUPS: ReadonlySet<WorkerMethodName> = new Set(['countTasks', 'task', 'tasks', 'open']);

function describeCall(method: WorkerMethodName, params: unknown): string {
  if (method === 'run') return `tool '${(params as WorkerMethodParams<'run'>).tool}'`;
  return LOOKUPS.has(method) ? 'lookup of tasks' : method;
}
