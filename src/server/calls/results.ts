import type { Settings } from '../settings.ts';

/** A completed call that is remembered for a while. */
export interface Kept {
  /** What it takes, about; 0 while it is not kept. */
  bytes: number;
  expiresAt: number;
  /** Its neighbours in order of completion. */
  older: Kept | undefined;
  younger: Kept | undefined;
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
  /** The first to expire. A Set would be asked for its first entry past the places of all that was forgotten lately. */
  #oldest: Kept | undefined;
  #youngest: Kept | undefined;
  #count = 0;
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
    kept.older = this.#youngest;
    if (this.#youngest) this.#youngest.younger = kept;
    else this.#oldest = kept;
    this.#youngest = kept;
    this.#count++;
    this.#bytes += kept.bytes;
    while (this.#oldest && this.#count > 1 && this.#isOverfull()) this.#drop(this.#oldest);
  }

  /** Keeps it no longer; its keeper knows. */
  release(kept: Kept): void {
    if (kept.bytes === 0) return;
    const { older, younger } = kept;
    if (older) older.younger = younger;
    else this.#oldest = younger;
    if (younger) younger.older = older;
    else this.#youngest = older;
    this.#count--;
    this.#bytes -= kept.bytes;
    // What is gone must hold on to nothing that goes later.
    kept.bytes = 0;
    kept.older = undefined;
    kept.younger = undefined;
  }

  #isOverfull(): boolean {
    return this.#bytes > this.#maxBytes || this.#count > this.#maxCount;
  }

  /** Forgets what has expired. */
  sweep(): void {
    const now = this.#now();
    while (this.#oldest && this.#oldest.expiresAt <= now) this.#drop(this.#oldest);
  }

  #drop(kept: Kept): void {
    this.release(kept);
    kept.keeper.forget(kept);
  }
}
