interface Waiter {
  readonly who: string | undefined;
  readonly admit: () => void;
}

/** A number of places. Who finds none waits, and those who wait get theirs in the order in which they came. */
export class Places {
  readonly #most: number;
  readonly #mostEach: number;
  readonly #waiting = new Set<Waiter>();
  readonly #takenBy = new Map<string, number>();
  #taken = 0;

  /** `mostEach` bounds the places of each `who`, and holds up nobody else. */
  constructor(most: number, mostEach = Infinity) {
    this.#most = most;
    this.#mostEach = mostEach;
  }

  get taken(): number {
    return this.#taken;
  }

  takenBy(who: string | undefined): number {
    return (who !== undefined && this.#takenBy.get(who)) || 0;
  }

  /** Whether `who` has as many as one may have. */
  isFullFor(who: string | undefined): boolean {
    return this.takenBy(who) >= this.#mostEach;
  }

  /** Takes a place if there is one; nobody who could have had it is waiting. Whether there was. */
  take(who?: string): boolean {
    if (this.#taken >= this.#most || this.isFullFor(who)) return false;
    this.#count(who, 1);
    return true;
  }

  /** Frees a place that `who` has taken. */
  leave(who?: string): void {
    this.#count(who, -1);
    for (const waiter of this.#waiting) {
      if (this.#taken >= this.#most) return;
      if (!this.take(waiter.who)) continue;
      this.#waiting.delete(waiter);
      waiter.admit();
    }
  }

  /** Waits for a place and takes it. False if the signal aborts before there is one. */
  wait(signal: AbortSignal, who?: string): Promise<boolean> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(false);
      const giveUp = () => {
        this.#waiting.delete(waiter);
        resolve(false);
      };
      const admit = () => {
        signal.removeEventListener('abort', giveUp);
        resolve(true);
      };
      const waiter: Waiter = { who, admit };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(waiter);
    });
  }

  #count(who: string | undefined, change: 1 | -1): void {
    this.#taken += change;
    if (who === undefined) return;
    const now = this.takenBy(who) + change;
    if (now > 0) this.#takenBy.set(who, now);
    else this.#takenBy.delete(who);
  }
}
