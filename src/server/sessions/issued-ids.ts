import { Condition } from '../../core/index.ts';

/** How long a client may take from `/create_session` to `/create` while the server is going away. */
const WAIT_MS = 5_000;

const MOST = 10_000;

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
    if (this.#issuedAt.size <= MOST) return;
    const [oldest = ''] = this.#issuedAt.keys();
    this.#issuedAt.delete(oldest);
  }

  has(sid: string): boolean {
    return this.#issuedAt.has(sid);
  }

  /** Its episode has been created. */
  used(sid: string): void {
    this.#issuedAt.delete(sid);
    this.#checkNone();
  }

  /** Forgets those whose episodes nobody creates any more. */
  sweep(): void {
    const since = this.#now() - WAIT_MS;
    for (const [sid, issuedAt] of this.#issuedAt) {
      if (issuedAt > since) break;
      this.#issuedAt.delete(sid);
    }
    this.#checkNone();
  }

  clear(): void {
    this.#issuedAt.clear();
    this.#checkNone();
  }

  /** Resolves when there is none. */
  async none(): Promise<void> {
    await this.#changed.until(() => this.#issuedAt.size === 0);
  }

  #checkNone(): void {
    if (this.#issuedAt.size === 0) this.#changed.notify();
  }
}
