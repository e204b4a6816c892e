import { type Awaitable, isPromiseLike } from '../../core/index.ts';
import { type Link, LinkedList } from '../linked-list.ts';

interface Running extends Link<Running> {
  readonly name: string;
  /** Whether the next one of its name waits for it. */
  readonly isAlone: boolean;
  /** When it has ended, well or not. */
  readonly settled: Promise<unknown>;
}

/**
 * Lets calls of the same name run one at a time, in the order in which they came, and calls of different names overlap.
 * A grader that runs twice at once may pay twice.
 */
export class ToolQueue {
  /** Those of a session are few, and of the same name the youngest is at hand; a Map would take several times as much. */
  readonly #running = new LinkedList<Running>();

  /** `waiting` is told if the task has to wait for its turn; what comes back is told when that has come. */
  run<T>(name: string, concurrent: boolean, task: () => Awaitable<T>, waiting: () => () => void): Awaitable<T> {
    const before = concurrent ? undefined : this.#running.find((each) => each.isAlone && each.name === name);
    const result = before ? before.settled.then(waiting()).then(task) : task();
    if (!isPromiseLike(result)) return result;
    const settle = () => this.#running.remove(own);
    const settled: Promise<unknown> = result.then(settle, settle);
    const own: Running = { name, isAlone: !concurrent, settled, older: undefined, younger: undefined };
    this.#running.add(own);
    return result;
  }

  get isIdle(): boolean {
    return this.#running.oldest === undefined;
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    for (let each = this.#running.oldest; each; each = this.#running.oldest) await each.settled;
  }
}
