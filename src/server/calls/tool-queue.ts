import { type Awaitable, isPromiseLike } from '../../core/index.ts';
import { type Link, LinkedList } from './linked-list.ts';

interface RunningCall extends Link<RunningCall> {
  readonly name: string;
  /** True if the next call with this name must wait. */
  readonly isExclusive: boolean;
  /** Settles when the call has ended. Never rejects. */
  readonly settled: Promise<unknown>;
}

/**
 * Runs calls of the same tool one at a time, in order of arrival; calls of different tools overlap. (A grader that runs
 * twice at once could pay twice.)
 */
export class ToolQueue {
  /** A session runs few calls, and the youngest one of a tool is found quickly; a Map would take several times the memory. */
  readonly #running = new LinkedList<RunningCall>();

  /**
   * Runs a task after earlier tasks with the same name, or at once if it is `concurrent`.
   *
   * @param waiting called if the task has to wait; the function that it returns is called at the end of the wait.
   */
  run<T>(name: string, concurrent: boolean, task: () => Awaitable<T>, waiting: () => () => void): Awaitable<T> {
    const before = concurrent ? undefined : this.#running.find((each) => each.isExclusive && each.name === name);
    const result = before ? before.settled.then(waiting()).then(task) : task();
    if (!isPromiseLike(result)) return result;
    const settle = () => this.#running.remove(own);
    const settled: Promise<unknown> = result.then(settle, settle);
    const own: RunningCall = { name, isExclusive: !concurrent, settled, older: undefined, younger: undefined };
    this.#running.add(own);
    return result;
  }

  get isIdle(): boolean {
    return this.#running.oldest === undefined;
  }

  /** Resolves when no task is running. */
  async idle(): Promise<void> {
    for (let each = this.#running.oldest; each; each = this.#running.oldest) await each.settled;
  }
}
