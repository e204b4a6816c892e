import type { Failure } from './failures.ts';

/** A request that breaks a rule; nothing of it was stored. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The store cannot write: too much is waiting, the disk is full, or the database is gone. Nothing was stored. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
  /** Seconds after which trying again makes sense. */
  readonly retryAfter: number;

  constructor(message: string, { retryAfter = 1, ...options }: ErrorOptions & { readonly retryAfter?: number } = {}) {
    super(message, options);
    this.retryAfter = retryAfter;
  }
}
