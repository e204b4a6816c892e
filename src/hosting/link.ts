import { abortable, onAbort } from '../core/index.ts';
import { errorOf } from './failure.ts';
import type { Answered, Asked, FromWorker, Question } from './messages.ts';
import type { Thread } from './thread.ts';
import { traceHeaders } from './trace-context.ts';
import { WorkerGone } from './worker-gone.ts';

interface Asking {
  readonly question: Question;
  readonly parameters: unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Something that a thread has begun with and not ended. */
export interface Running {
  /** In words: `tool 'submit'`. */
  readonly name: string;
  /** The number of its episode, if it belongs to one. */
  readonly episode: number | undefined;
}

/** A message that is no answer. */
export type Notice = Exclude<FromWorker, { readonly id: number }>;

/** Questions to a thread, and its answers. */
export class Link {
  readonly #thread: Thread;
  readonly #asking = new Map<number, Asking>();
  /** Where the thread, which may not be able to say anything, notes the last question that it has begun with. */
  readonly #begun = new BigInt64Array(new SharedArrayBuffer(8));
  #count = 0;
  #gone: WorkerGone | undefined;

  constructor(thread: Thread, onNotice: (notice: Notice) => void) {
    this.#thread = thread;
    thread.post({ begun: this.#begun });
    thread.onMessage((message) => {
      if (!('id' in message)) return onNotice(message);
      const asking = this.#asking.get(message.id);
      this.#asking.delete(message.id);
      if ('failure' in message) asking?.reject(errorOf(message.failure));
      else asking?.resolve(message.result as never);
    });
  }

  get unanswered(): number {
    return this.#asking.size;
  }

  /** What the thread has begun with and not ended, the latest first. */
  get running(): readonly Running[] {
    const begun = [...this.#asking].filter(([id]) => this.#hasBegun(id)).reverse();
    return begun.flatMap(([, { question, parameters }]) => {
      if (question === 'ping') return [];
      return { name: nameOf(question, parameters), episode: (parameters as { episode?: number }).episode };
    });
  }

  /**
   * Asks a question. A signal that aborts tells the thread to stop its work on it.
   *
   * @throws WorkerGone if the thread is gone, now or before it answers; what the answer is otherwise.
   */
  ask<Name extends Question>(question: Name, parameters: Asked<Name>, signal?: AbortSignal): Promise<Answered<Name>> {
    const { id, answer } = this.#post(question, parameters);
    if (!signal) return answer;
    const stopListening = onAbort(signal, () => this.#thread.post({ abortRun: id }));
    return answer.finally(stopListening);
  }

  /**
   * Asks a question that nobody waits for any more once the signal aborts: then its reason rejects, and `onLeft` is
   * called if the thread had begun with it.
   */
  askUntil<Name extends Question>(
    signal: AbortSignal | undefined,
    question: Name,
    parameters: Asked<Name>,
    onLeft: () => void,
  ): Promise<Answered<Name>> {
    return abortable(signal, () => {
      const { id, answer } = this.#post(question, parameters);
      const stopListening = onAbort(signal, () => {
        if (this.#hasBegun(id)) onLeft();
      });
      return answer.finally(stopListening);
    });
  }

  /** Nothing will be answered any more. */
  end(why: string): void {
    this.#gone = new WorkerGone(why);
    for (const { reject } of this.#asking.values()) reject(this.#gone);
    this.#asking.clear();
  }

  #post<Name extends Question>(question: Name, parameters: Asked<Name>) {
    const id = ++this.#count;
    const answer = new Promise<Answered<Name>>((resolve, reject) => {
      if (this.#gone) return reject(this.#gone);
      this.#asking.set(id, { question, parameters, resolve, reject });
      const trace = traceHeaders();
      this.#thread.post({ id, question, parameters, ...(trace && { trace }) });
    });
    return { id, answer };
  }

  #hasBegun(id: number): boolean {
    return BigInt(id) <= Atomics.load(this.#begun, 0);
  }
}

const LOOKUPS: ReadonlySet<Question> = new Set(['countTasks', 'task', 'tasks', 'open']);

function nameOf(question: Question, parameters: unknown): string {
  if (question === 'run') return `tool '${(parameters as Asked<'run'>).tool}'`;
  return LOOKUPS.has(question) ? 'lookup of tasks' : question;
}
