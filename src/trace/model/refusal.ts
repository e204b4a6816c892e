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

/** The store has no room at the moment: too much is waiting to be written, or the disk is full. Nothing was stored. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}
