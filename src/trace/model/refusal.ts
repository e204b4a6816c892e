import type { TraceErrorBody } from './failures.ts';

/** A request that breaks a rule; nothing of it was stored. */
export class TraceStoreError extends Error {
  override readonly name = 'Refusal';
  readonly body: TraceErrorBody;

  constructor(failure: TraceErrorBody) {
    super(failure.message);
    this.body = failure;
  }
}

/** The store cannot write: too much is waiting, the disk is full, or the database is gone. Nothing was stored. */
export class StoreUnavailableError extends Error {
  override readonly name = 'Overloaded';
  /** Seconds after which trying again makes sense. */
  readonly retryAfterSeconds: number;

  constructor(
    message: string,
    { retryAfterSeconds = 1, ...options }: ErrorOptions & { readonly retryAfterSeconds?: number } = {},
  ) {
    super(message, options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
