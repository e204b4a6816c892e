import type { Settings } from '../settings.ts';

/** A result that is kept for a while. */
interface Kept {
  readonly bytes: number;
  readonly expiresAt: number;
  readonly forget: () => void;
}

/** What remembering a call takes besides its result, about. */
const OVERHEAD_BYTES = 500;

type Linger = Pick<Settings, 'lingerMs' | 'lingerBytes' | 'lingerCount'> & { readonly now: () => number };

/**
 * Decides how long completed calls are remembered: each for the same time, all together within a number of bytes and results.
 * Source: HTTP API, "POST /{env_name}/call" (results linger for 60 seconds).
 */
export class Results {
  readonly #lingerMs: number;
  readonly #maxBytes: number;
  readonly #maxCount: number;
  readonly #now: () => number;
  /** In order of completion, so the first ones expire first. */
  readonly #kept = new Set<Kept>();
  #bytes = 0;

  constructor({ lingerMs, lingerBytes, lingerCount, now }: Linger) {
    this.#lingerMs = lingerMs;
    this.#maxBytes = lingerBytes;
    this.#maxCount = lingerCount;
    this.#now = now;
  }

  /** Keeps a result of this size until it expires or younger ones need its room; `forget` is called then. */
  keep(bytes: number, forget: () => void): () => void {
    const kept: Kept = { bytes: bytes + OVERHEAD_BYTES, expiresAt: this.#now() + this.#lingerMs, forget };
    this.#kept.add(kept);
    this.#bytes += kept.bytes;
    while (this.#isOverfull() && this.#kept.size > 1) this.#dropFirst();
    return () => this.#release(kept);
  }

  #isOverfull(): boolean {
    return this.#bytes > this.#maxBytes || this.#kept.size > this.#maxCount;
  }

  /** Forgets what has expired. */
  sweep(): void {
    for (const { expiresAt } of this.#kept) {
      if (expiresAt > this.#now()) return;
      this.#dropFirst();
    }
  }

  #dropFirst(): void {
    const [first] = this.#kept;
    if (!first) return;
    this.#release(first);
    first.forget();
  }

  #release(kept: Kept): void {
    if (this.#kept.delete(kept)) this.#bytes -= kept.bytes;
  }
}
