/** So many values are kept; beyond it those go first that were added first. */
const MAX_COUNT = 1_000;

/** The secrets of sessions that are over, for errors that come late. */
export class RecentSecrets {
  readonly #values = new Set<string>();

  get values(): readonly string[] {
    return [...this.#values];
  }

  add(secrets: readonly string[]): void {
    for (const value of secrets) {
      this.#values.delete(value);
      this.#values.add(value);
    }
    for (const value of this.#values) {
      if (this.#values.size <= MAX_COUNT) break;
      this.#values.delete(value);
    }
  }
}
