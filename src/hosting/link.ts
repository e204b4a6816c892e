import { OrsError } from '../protocol/index.ts';
import { errorOf } from './failure.ts';
import type { Answered, Asked, FromWorker, Question } from './messages.ts';
import type { Thread } from './thread.ts';
import { traceHeaders } from './trace-context.ts';

interface Asking {
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/** A message that is no answer. */
export type Notice = Exclude<FromWorker, { readonly id: number }>;

/** Questions to a thread, and its answers. */
export class Link {
  readonly #thread: Thread;
  readonly #asking = new Map<number, Asking>();
  #count = 0;
  #ended: Error | undefined;

  constructor(thread: Thread, onNotice: (notice: Notice) => void) {
    this.#thread = thread;
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

  /**
   * Asks a question. A signal that aborts tells the thread to stop its work on it.
   *
   * @throws OrsError unavailable if the thread is gone, now or before it answers; what the answer is otherwise.
   */
  ask<Name extends Question>(question: Name, parameters: Asked<Name>, signal?: AbortSignal): Promise<Answered<Name>> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = ++this.#count;
    const stop = () => this.#thread.post({ abortRun: id });
    const answer = new Promise<Answered<Name>>((resolve, reject) => {
      this.#asking.set(id, { resolve, reject });
    });
    const trace = traceHeaders();
    this.#thread.post({ id, question, parameters, ...(trace && { trace }) });
    if (!signal) return answer;
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    return answer.finally(() => signal.removeEventListener('abort', stop));
  }

  /** Nothing will be answered any more. */
  end(why: string): void {
    this.#ended = new OrsError('unavailable', `the environment cannot be reached: ${why}`);
    for (const { reject } of this.#asking.values()) reject(this.#ended);
    this.#asking.clear();
  }
}
