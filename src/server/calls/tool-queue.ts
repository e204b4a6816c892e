import { type Awaitable, isComing } from '../../awaitable/index.ts';

/**
 * Lets calls of the same name run one at a time, in the order in which they came, and calls of different names overlap.
 * A grader that runs twice at once may pay twice.
 */
export class ToolQueue {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #running = new Set<Promise<unknown>>();

  /** `waiting` is told if the task has to wait for its turn; what comes back is told when that has come. */
  run<T>(name: string, concurrent: boolean, task: () => Awaitable<T>, waiting: () => () => void): Awaitable<T> {
    const before = concurrent ? undefined : this.#last.get(name);
    const result = before ? before.then(waiting()).then(task) : task();
    if (!isComing(result)) return result;
    const settle = () => this.#settle(name, settled);
    const settled: Promise<unknown> = result.then(settle, settle);
    this.#running.add(settled);
    if (!concurrent) this.#last.set(name, settled);
    return result;
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  #settle(name: string, settled: Promise<unknown>): void {
    this.#running.delete(settled);
    if (this.#last.get(name) === settled) this.#last.delete(name);
  }
}
