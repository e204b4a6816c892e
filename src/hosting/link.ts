import { abortable, onAbort } from '../core/index.ts';
import { deserializeError } from './failure.ts';
import type { WorkerMessage, WorkerMethodName, WorkerMethodParams, WorkerMethodResult } from './messages.ts';
import type { WorkerThread } from './thread.ts';
import { traceHeaders } from './trace-context.ts';
import { WorkerLostError } from './worker-gone.ts';

interface PendingRequest {
  readonly question: WorkerMethodName;
  readonly parameters: unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Something that a thread has begun with and not ended. */
export interface RunningRequest {
  /** In words: `tool 'submit'`. */
  readonly name: string;
  /** The number of its episode, if it belongs to one. */
  readonly episode: number | undefined;
}

/** A message that is no answer. */
export type WorkerNotification = Exclude<WorkerMessage, { readonly id: number }>;

/** Questions to a thread, and its answers. */
export class WorkerRpcClient {
  readonly #thread: WorkerThread;
  readonly #pending = new Map<number, PendingRequest>();
  /** Where the thread, which may not be able to say anything, notes the last question that it has begun with. */
  readonly #lastStarted = new BigInt64Array(new SharedArrayBuffer(8));
  #count = 0;
  #lostError: WorkerLostError | undefined;

  constructor(thread: WorkerThread, onNotice: (notice: WorkerNotification) => void) {
    this.#thread = thread;
    thread.post({ lastStarted: this.#lastStarted });
    thread.onMessage((message) => {
      if (!('id' in message)) return onNotice(message);
      const asking = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if ('failure' in message) asking?.reject(deserializeError(message.failure));
      else asking?.resolve(message.result as never);
    });
  }

  get pendingCount(): number {
    return this.#pending.size;
  }

  /** What the thread has begun with and not ended, the latest first. */
  get running(): readonly RunningRequest[] {
    const started = [...this.#pending].filter(([id]) => this.#hasStarted(id)).reverse();
    return started.flatMap(([, { question, parameters }]) => {
      if (question === 'ping') return [];
      return { name: nameOf(question, parameters), episode: (parameters as { episode?: number }).episode };
    });
  }

  /**
   * Asks a question. A signal that aborts tells the thread to stop its work on it.
   *
   * @throws WorkerGone if the thread is gone, now or before it answers; what the answer is otherwise.
   */
  call<Name extends WorkerMethodName>(
    question: Name,
    parameters: WorkerMethodParams<Name>,
    signal?: AbortSignal,
  ): Promise<WorkerMethodResult<Name>> {
    const { id, answer: response } = this.#post(question, parameters);
    if (!signal) return response;
    const stopListening = onAbort(signal, () => this.#thread.post({ abortRun: id }));
    return response.finally(stopListening);
  }

  /**
   * Asks a question that nobody waits for any more once the signal aborts: then its reason rejects, and `onLeft` is
   * called if the thread had begun with it.
   */
  callUntil<Name extends WorkerMethodName>(
    signal: AbortSignal | undefined,
    question: Name,
    parameters: WorkerMethodParams<Name>,
    onLeft: () => void,
  ): Promise<WorkerMethodResult<Name>> {
    return abortable(signal, () => {
      const { id, answer: response } = this.#post(question, parameters);
      const stopListening = onAbort(signal, () => {
        if (this.#hasStarted(id)) onLeft();
      });
      return response.finally(stopListening);
    });
  }

  /** Nothing will be answered any more. */
  end(why: string): void {
    this.#lostError = new WorkerLostError(why);
    for (const { reject } of this.#pending.values()) reject(this.#lostError);
    this.#pending.clear();
  }

  #post<Name extends WorkerMethodName>(question: Name, parameters: WorkerMethodParams<Name>) {
    const id = ++this.#count;
    const response = new Promise<WorkerMethodResult<Name>>((resolve, reject) => {
      if (this.#lostError) return reject(this.#lostError);
      this.#pending.set(id, { question, parameters, resolve, reject });
      const trace = traceHeaders();
      this.#thread.post({ id, question, parameters, ...(trace && { trace }) });
    });
    return { id, answer: response };
  }

  #hasStarted(id: number): boolean {
    return BigInt(id) <= Atomics.load(this.#lastStarted, 0);
  }
}

const LOOKUPS: ReadonlySet<WorkerMethodName> = new Set(['countTasks', 'task', 'tasks', 'open']);

function nameOf(question: WorkerMethodName, parameters: unknown): string {
  if (question === 'run') return `tool '${(parameters as WorkerMethodParams<'run'>).tool}'`;
  return LOOKUPS.has(question) ? 'lookup of tasks' : question;
}
