/** A result that is kept for a while. */
interface Kept {
  readonly bytes: number;
  readonly expiresAt: number;
  readonly forget: () => void;
}

/** What remembering a call takes besides its result, about. */
const OVERHEAD_BYTES = 500;

/**
 * Decides how long completed calls are remembered: each for the same time, all together within a number of bytes.
 * Source: HTTP API, "POST /{env_name}/call" (results linger for 60 seconds).
 */
export class Results {
  readonly #lingerMs: number;
  readonly #maxBytes: number;
  readonly #now: () => number;
  /** In order of completion, so the first ones expire first. */
  readonly #kept = new Set<Kept>();
  #bytes = 0;

  constructor({ lingerMs, lingerBytes, now }: { lingerMs: number; lingerBytes: number; now: () => number }) {
    this.#lingerMs = lingerMs;
    this.#maxBytes = lingerBytes;
    this.#now = now;
  }

  /** Keeps a result of this size until it expires or younger ones need its room; `forget` is called then. */
  keep(bytes: number, forget: () => void): () => void {
    const kept: Kept = { bytes: bytes + OVERHEAD_BYTES, expiresAt: this.#now() + this.#lingerMs, forget };
    this.#kept.add(kept);
    this.#bytes += kept.bytes;
    while (this.#bytes > this.#maxBytes && this.#kept.size > 1) this.#dropFirst();
    return () => this.#release(kept);
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
