import { backoffMs, joinSignals, retryDelayMs, sleep } from '../core/index.ts';
import { ConnectionFailure } from './connection-failure.ts';
import { OrsConnectionError, OrsHttpError } from './errors.ts';

/** How long one operation (a request, a call) goes on against failures. */
export interface RetryPolicy {
  /** Time that failures may cost in all, in ms; never refilled, however often the server answers. Default: 300,000. */
  readonly budgetMs: number;
  /** Time that a server may ask to wait in all, by 429 or 503 with Retry-After, in ms. Default: 600,000. */
  readonly queueMs: number;
  /** Pause after the first failure, in ms; it doubles, and up to half of it is left to chance. Default: 250. */
  readonly firstDelayMs: number;
  /** The longest pause, in ms. Default: 10,000. */
  readonly maxDelayMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  budgetMs: 300_000,
  queueMs: 600_000,
  firstDelayMs: 250,
  maxDelayMs: 10_000,
};

/** The server works, but not on this now: the time after which it wants to be asked again, in ms. */
export class BusyError extends OrsHttpError {
  readonly retryAfterMs: number;

  constructor({ message, status, detail, sid }: OrsHttpError, retryAfterMs: number) {
    super(message, { status: status ?? undefined, detail, sid: sid ?? undefined, retryable: true });
    this.retryAfterMs = retryAfterMs;
  }
}

const GATEWAY_FAILURES: readonly (number | null)[] = [502, 503, 504];

/** A gateway that gives up; what it did with the request is unknown. */
export const isGatewayFailure = (error: unknown): boolean =>
  error instanceof OrsHttpError && !(error instanceof BusyError) && GATEWAY_FAILURES.includes(error.status);

export const isTransientError = (error: unknown): boolean =>
  error instanceof ConnectionFailure || error instanceof BusyError || isGatewayFailure(error);

/** What one operation has left for failures. */
export class RetryBudget {
  readonly #policy: RetryPolicy;
  #lostMs = 0;
  #queuedMs = 0;
  #failures = 0;
  #attempts = 1;

  constructor(policy: RetryPolicy) {
    this.#policy = policy;
  }

  get leftMs(): number {
    return this.#policy.budgetMs - this.#lostMs;
  }

  /** The connection did its work for a while: pauses begin small again, and what is spent remains spent. */
  resetBackoff(): void {
    this.#failures = 0;
  }

  /**
   * Waits before the next attempt.
   *
   * @param lostMs the time that the failed attempt cost.
   * @param capMs a bound on the whole budget that holds for now.
   * @param signals end the wait.
   * @throws the failure, or OrsConnectionError because of it, if nothing is left.
   */
  async waitBeforeRetry(
    failure: unknown,
    lostMs: number,
    capMs: number,
    ...signals: readonly (AbortSignal | undefined)[]
  ): Promise<void> {
    if (!isTransientError(failure)) throw failure;
    const { budgetMs, queueMs, firstDelayMs, maxDelayMs } = this.#policy;
    const backoff = { firstMs: firstDelayMs, longestMs: maxDelayMs };
    const failures = this.#failures++;
    if (failure instanceof BusyError) {
      const delay = retryDelayMs(failures, backoff, failure.retryAfterMs);
      this.#queuedMs += delay;
      if (this.#queuedMs > queueMs) throw failure;
      await sleepUnlessAborted(delay, signals);
    } else {
      const delay = backoffMs(failures, backoff);
      this.#lostMs += lostMs + delay;
      if (this.#lostMs > Math.min(budgetMs, capMs)) throw this.#exhausted(failure);
      await sleepUnlessAborted(delay, signals);
    }
    this.#attempts++;
  }

  #exhausted(failure: unknown): unknown {
    if (!(failure instanceof ConnectionFailure)) return failure;
    const tries = this.#attempts === 1 ? 'one attempt' : `${this.#attempts} attempts`;
    const message = `${failure.message} (given up after ${tries})`;
    return new OrsConnectionError(message, { retryable: true, cause: failure.cause ?? failure });
  }
}

async function sleepUnlessAborted(ms: number, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  const joined = joinSignals(...signals);
  try {
    await sleep(ms, joined.signal);
  } finally {
    joined.release();
  }
}
