import { Condition } from '../../core/index.ts';

/** How long a client may take from `/create_session` to `/create` while the server is going away. */
const WAIT_MS = 5_000;

const MAX_COUNT = 10_000;

/**
 * The session ids issued a moment ago whose episodes have not been created yet. A server that is going away still takes
 * those: behind a proxy that knows whose an id is, no other server would ever be asked.
 */
export class IssuedIds {
  readonly #now: () => number;
  /** The oldest first. */
  readonly #issuedAt = new Map<string, number>();
  readonly #changed = new Condition();

  constructor(now: () => number) {
    this.#now = now;
  }

  add(sid: string): void {
    this.#issuedAt.delete(sid);
    this.#issuedAt.set(sid, this.#now());
    if (this.#issuedAt.size <= MAX_COUNT) return;
    const [oldest = ''] = this.#issuedAt.keys();
    this.#issuedAt.delete(oldest);
  }

  has(sid: string): boolean {
    return this.#issuedAt.has(sid);
  }

  /** Its episode has been created. */
  markUsed(sid: string): void {
    this.#issuedAt.delete(sid);
    this.#notifyIfEmpty();
  }

  /** Forgets those whose episodes nobody creates any more. */
  sweep(): void {
    const since = this.#now() - WAIT_MS;
    for (const [sid, issuedAt] of this.#issuedAt) {
      if (issuedAt > since) break;
      this.#issuedAt.delete(sid);
    }
    this.#notifyIfEmpty();
  }

  clear(): void {
    this.#issuedAt.clear();
    this.#notifyIfEmpty();
  }

  /** Resolves when there is none. */
  async waitUntilEmpty(): Promise<void> {
    await this.#changed.until(() => this.#issuedAt.size === 0);
  }

  #notifyIfEmpty(): void {
    if (this.#issuedAt.size === 0) this.#changed.notify();
  }
}
