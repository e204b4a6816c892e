import type { Settings } from '../settings.ts';

/** A completed call that is remembered for a while. */
export interface Kept {
  /** What it takes, about. */
  bytes: number;
  expiresAt: number;
  /** Is told when it is forgotten. */
  readonly keeper: { forget(kept: Kept): void };
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
  /** Stands before the oldest: a walk from the start would pass, each time, the places of all that was forgotten lately. */
  readonly #oldest = this.#kept.values();
  #bytes = 0;

  constructor({ lingerMs, lingerBytes, lingerCount, now }: Linger) {
    this.#lingerMs = lingerMs;
    this.#maxBytes = lingerBytes;
    this.#maxCount = lingerCount;
    this.#now = now;
  }

  /** Keeps a result of this size until it expires or younger ones need its room; its keeper is told then. */
  keep(kept: Kept, bytes: number): void {
    kept.bytes = bytes + OVERHEAD_BYTES;
    kept.expiresAt = this.#now() + this.#lingerMs;
    this.#kept.add(kept);
    this.#bytes += kept.bytes;
    while (this.#isOverfull() && this.#kept.size > 1) this.#dropOldest();
  }

  /** Keeps it no longer; its keeper knows. */
  release(kept: Kept): void {
    if (this.#kept.delete(kept)) this.#bytes -= kept.bytes;
  }

  #isOverfull(): boolean {
    return this.#bytes > this.#maxBytes || this.#kept.size > this.#maxCount;
  }

  /** Forgets what has expired. */
  sweep(): void {
    const now = this.#now();
    for (const kept of this.#kept) {
      if (kept.expiresAt > now) return;
      this.#drop(kept);
    }
  }

  #dropOldest(): void {
    const next = this.#oldest.next();
    if (!next.done) this.#drop(next.value);
  }

  #drop(kept: Kept): void {
    this.release(kept);
    kept.keeper.forget(kept);
  }
}
