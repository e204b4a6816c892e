import { Untestable } from '../verdict.ts';

/** What a run may do at most; nothing goes beyond it. */
export interface Allowance {
  readonly sessions: number;
  readonly calls: number;
  /** From the beginning of the run. */
  readonly seconds: number;
}

/** Counts sessions, calls and time of a run. */
export class Budget {
  readonly allowance: Allowance;
  readonly used = { sessions: 0, calls: 0 };
  readonly #now: () => number;

  constructor(allowance: Allowance, now: () => number) {
    this.allowance = allowance;
    this.#now = now;
  }

  /** Whether there is one left. */
  has(kind: 'sessions' | 'calls'): boolean {
    return this.used[kind] < this.allowance[kind];
  }

  /** Throws Untestable where the budget is used up. */
  take(kind: 'sessions' | 'calls'): void {
    if (!this.has(kind)) {
      throw new Untestable(`the budget of ${this.allowance[kind]} ${kind} is used up`);
    }
    this.used[kind]++;
  }

  /** Whether another check may begin. */
  get hasTime(): boolean {
    return this.#now() < this.allowance.seconds * 1_000;
  }
}
