/** Set of pending promises. */
export class PendingPromises {
  readonly #promises = new Set<Promise<unknown>>();

  get size(): number {
    return this.#promises.size;
  }

  /** Adds a promise until it settles. @returns the same promise. */
  add<T>(promise: Promise<T>): Promise<T> {
    this.#promises.add(promise);
    const remove = () => this.#promises.delete(promise);
    promise.then(remove, remove);
    return promise;
  }

  /** Resolves when no promise is pending, including those that are added while waiting. Never rejects. */
  async settled(): Promise<void> {
    while (this.#promises.size > 0) await Promise.allSettled(this.#promises);
  }
}
