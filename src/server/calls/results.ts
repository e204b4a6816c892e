import { type Link, LinkedList } from '../linked-list.ts';
import type { ServerSettings } from '../settings.ts';

/** A completed call that is remembered for a while, in order of completion. */
export interface CachedResult extends Link<CachedResult> {
  /** What it takes, about; 0 while it is not kept. */
  bytes: number;
  expiresAt: number;
  /** Is told when it is forgotten. */
  readonly owner: { forget(kept: CachedResult): void };
}

/** What remembering a call takes besides its result, about. */
const OVERHEAD_BYTES = 500;

type ResultCacheOptions = Pick<ServerSettings, 'lingerMs' | 'lingerBytes' | 'lingerCount'> & {
  readonly now: () => number;
};

/**
 * Decides how long completed calls are remembered: each for the same time, all together within a number of bytes and results.
 * Source: HTTP API, "POST /{env_name}/call" (results linger for 60 seconds).
 */
export class ResultCache {
  readonly #lingerMs: number;
  readonly #maxBytes: number;
  readonly #maxCount: number;
  readonly #now: () => number;
  /** The oldest is the first to expire. */
  readonly #list = new LinkedList<CachedResult>();
  #count = 0;
  #bytes = 0;

  constructor({ lingerMs, lingerBytes, lingerCount, now }: ResultCacheOptions) {
    this.#lingerMs = lingerMs;
    this.#maxBytes = lingerBytes;
    this.#maxCount = lingerCount;
    this.#now = now;
  }

  /** Keeps a result of this size until it expires or younger ones need its room; its keeper is told then. */
  add(kept: CachedResult, bytes: number): void {
    kept.bytes = bytes + OVERHEAD_BYTES;
    kept.expiresAt = this.#now() + this.#lingerMs;
    this.#list.add(kept);
    this.#count++;
    this.#bytes += kept.bytes;
    while (this.#list.oldest && this.#count > 1 && this.#isOverLimit()) this.#drop(this.#list.oldest);
  }

  /** Keeps it no longer; its keeper knows. */
  release(kept: CachedResult): void {
    if (kept.bytes === 0) return;
    this.#list.remove(kept);
    this.#count--;
    this.#bytes -= kept.bytes;
    kept.bytes = 0;
  }

  #isOverLimit(): boolean {
    return this.#bytes > this.#maxBytes || this.#count > this.#maxCount;
  }

  /** Forgets what has expired. */
  sweep(): void {
    const now = this.#now();
    while (this.#list.oldest && this.#list.oldest.expiresAt <= now) this.#drop(this.#list.oldest);
  }

  #drop(kept: CachedResult): void {
    this.release(kept);
    kept.owner.forget(kept);
  }
}
