import { ByAge } from './by-age.ts';

/** How long a client may take from `/create_session` to `/create` while the server is going away. */
const WAIT_MS = 5_000;

const MOST = 10_000;

/**
 * The session ids issued a moment ago whose episodes have not been created yet. A server that is going away still takes
 * those: behind a proxy that knows whose an id is, no other server would ever be asked.
 */
export class IssuedIds {
  readonly #now: () => number;
  readonly #issuedAt = new ByAge<number>();
  readonly #onNone = new Set<() => void>();

  constructor(now: () => number) {
    this.#now = now;
  }

  add(sid: string): void {
    this.#issuedAt.set(sid, this.#now());
    const { size, oldest } = this.#issuedAt;
    if (size > MOST && oldest) this.#issuedAt.delete(oldest.key);
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
    let { oldest } = this.#issuedAt;
    while (oldest && oldest.value <= since) {
      this.#issuedAt.delete(oldest.key);
      oldest = this.#issuedAt.oldest;
    }
    this.#checkNone();
  }

  clear(): void {
    this.#issuedAt.clear();
    this.#checkNone();
  }

  /** Resolves when there is none. */
  none(): Promise<void> {
    return new Promise((resolve) => {
      this.#onNone.add(resolve);
      this.#checkNone();
    });
  }

  #checkNone(): void {
    if (this.#issuedAt.size > 0) return;
    for (const tell of this.#onNone) tell();
    this.#onNone.clear();
  }
}
