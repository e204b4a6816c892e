import type { ServerSettings } from '../settings.ts';
import { type Link, LinkedList } from './linked-list.ts';

/** The result of a completed call, in order of completion. */
export interface CachedResult extends Link<CachedResult> {
  /** Approximate size in memory; 0 while the result is not in the cache. */
  bytes: number;
  expiresAt: number;
  /** Notified when the cache drops the result. */
  readonly owner: { forget(result: CachedResult): void };
}

/** Approximate size of a completed call without its result. */
const OVERHEAD_BYTES = 500;

type ResultCacheOptions = Pick<ServerSettings, 'lingerMs' | 'lingerBytes' | 'lingerCount'> & {
  readonly now: () => number;
};

/**
 * Decides how long results can be fetched again: each one for the same time, all of them limited by bytes and count.
 * Source: HTTP API, "POST /{env_name}/call" (results linger for 60 seconds).
 */
export class ResultCache {
  readonly #options: ResultCacheOptions;
  /** All results have the same lifetime, so the oldest one expires first. */
  readonly #list = new LinkedList<CachedResult>();
  #count = 0;
  #bytes = 0;

  constructor(options: ResultCacheOptions) {
    this.#options = options;
  }

  /** Adds a result, and drops the oldest ones while the cache is over its limits. The newest one always stays. */
  add(result: CachedResult, bytes: number): void {
    result.bytes = bytes + OVERHEAD_BYTES;
    result.expiresAt = this.#options.now() + this.#options.lingerMs;
    this.#list.add(result);
    this.#count++;
    this.#bytes += result.bytes;
    while (this.#list.oldest && this.#count > 1 && this.#isOverLimit()) this.#drop(this.#list.oldest);
  }

  /** Removes a result without notifying its owner. */
  remove(result: CachedResult): void {
    if (result.bytes === 0) return;
    this.#list.remove(result);
    this.#count--;
    this.#bytes -= result.bytes;
    result.bytes = 0;
  }

  /** Drops expired results. */
  sweep(): void {
    const now = this.#options.now();
    while (this.#list.oldest && this.#list.oldest.expiresAt <= now) this.#drop(this.#list.oldest);
  }

  #isOverLimit(): boolean {
    return this.#bytes > this.#options.lingerBytes || this.#count > this.#options.lingerCount;
  }

  #drop(result: CachedResult): void {
    this.remove(result);
    result.owner.forget(result);
  }
}
