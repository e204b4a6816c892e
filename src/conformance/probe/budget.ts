import { UntestableError } from '../verdict.ts';

/** What a run may do at most; nothing goes beyond it. */
export interface BudgetLimits {
  readonly sessions: number;
  readonly calls: number;
  /** From the beginning of the run. */
  readonly seconds: number;
}

/** Counts sessions, calls and time of a run. */
export class RunBudget {
  readonly limits: BudgetLimits;
  readonly used = { sessions: 0, calls: 0 };
  readonly #now: () => number;

  constructor(allowance: BudgetLimits, now: () => number) {
    this.limits = allowance;
    this.#now = now;
  }

  /** Whether there is one left. */
  has(kind: 'sessions' | 'calls'): boolean {
    return this.used[kind] < this.limits[kind];
  }

  /** Throws Untestable where the budget is used up. */
  spend(kind: 'sessions' | 'calls'): void {
    if (!this.has(kind)) {
      throw new UntestableError(`the budget of ${this.limits[kind]} ${kind} is used up`);
    }
    this.used[kind]++;
  }

  /** Whether another check may begin. */
  get hasTime(): boolean {
    return this.#now() < this.limits.seconds * 1_000;
  }
}
