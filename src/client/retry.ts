import { backoffMs, joinSignals, retryDelayMs, sleep } from '../core/index.ts';
import { OrsConnectionError, OrsHttpError } from './errors.ts';
import { ConnectionFailure } from './transport.ts';

/**
 * Limits on the retries of one operation (a request or a tool call).
 *
 * @example
 * new OrsClient(url, { retry: { budgetMs: 30_000 } });
 */
export interface RetryPolicy {
  /** Total time that failures may cost, in ms; responses in between do not refill it. @default 300_000 */
  readonly budgetMs: number;
  /**
   * Total time that the server may ask to wait by 429 or 503 with `Retry-After`, in ms. Also the time from the first
   * request during which a server may say that the episode is still starting. @default 600_000
   */
  readonly queueMs: number;
  /** Pause after the first failure, in ms. It doubles with each failure, and up to half of it is random. @default 250 */
  readonly firstDelayMs: number;
  /** Maximum pause, in ms. @default 10_000 */
  readonly maxDelayMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  budgetMs: 300_000,
  queueMs: 600_000,
  firstDelayMs: 250,
  maxDelayMs: 10_000,
};

/** Signals of which each stops the work. */
export type AbortSignals = readonly (AbortSignal | undefined)[];

/** Rejection by a server that works but is busy, or whose episode is still starting. */
export class BusyError extends OrsHttpError {
  /** Time after which the server accepts another attempt, in ms. */
  readonly retryAfterMs: number;
  /** True if the server is still setting the episode up. */
  readonly isStarting: boolean;

  constructor({ message, status, detail, sid }: OrsHttpError, retryAfterMs: number, isStarting = false) {
    super(message, { status, detail, sid, retryable: true });
    this.retryAfterMs = retryAfterMs;
    this.isStarting = isStarting;
  }
}

const GATEWAY_FAILURES: readonly (number | null)[] = [502, 503, 504];

/** Returns true for the error of a gateway; whether the server received the request is unknown. */
export const isGatewayFailure = (error: unknown): boolean =>
  error instanceof OrsHttpError && !(error instanceof BusyError) && GATEWAY_FAILURES.includes(error.status);

export const isTransientError = (error: unknown): boolean =>
  error instanceof ConnectionFailure || error instanceof BusyError || isGatewayFailure(error);

/** Time that the failures of one operation may still cost. */
export class RetryBudget {
  readonly #policy: RetryPolicy;
  readonly #startedAt = performance.now();
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

  /** Restarts the backoff after a connection that worked for a while; the spent time stays spent. */
  resetBackoff(): void {
    this.#failures = 0;
  }

  /**
   * Waits before the next attempt.
   *
   * @param lostMs time that the failed attempt cost.
   * @param capMs current upper bound of the whole budget.
   * @param signals end the wait.
   * @throws the failure if it is not transient; OrsConnectionError caused by it if the budget is used up.
   */
  async waitBeforeRetry(failure: unknown, lostMs: number, capMs: number, ...signals: AbortSignals): Promise<void> {
    if (!isTransientError(failure)) throw failure;
    const { budgetMs, queueMs, firstDelayMs, maxDelayMs } = this.#policy;
    const backoff = { firstMs: firstDelayMs, longestMs: maxDelayMs };
    const failures = this.#failures++;
    let delay: number;
    if (failure instanceof BusyError) {
      const { isStarting, retryAfterMs } = failure;
      delay = retryDelayMs(isStarting && retryAfterMs > 0 ? 0 : failures, backoff, retryAfterMs);
      this.#queuedMs += delay;
      // A server holds each request for a while before it says that it is starting, and that time counts too.
      const waitedMs = isStarting ? performance.now() - this.#startedAt + delay : this.#queuedMs;
      if (waitedMs > queueMs) throw failure;
    } else {
      delay = backoffMs(failures, backoff);
      this.#lostMs += lostMs + delay;
      if (this.#lostMs > Math.min(budgetMs, capMs)) throw this.#exhausted(failure);
    }
    const joined = joinSignals(...signals);
    try {
      await sleep(delay, joined.signal);
    } finally {
      joined.release();
    }
    this.#attempts++;
  }

  #exhausted(failure: unknown): unknown {
    if (!(failure instanceof ConnectionFailure)) return failure;
    const attempts = this.#attempts === 1 ? 'one attempt' : `${this.#attempts} attempts`;
    const message = `${failure.message} (given up after ${attempts})`;
    return new OrsConnectionError(message, { retryable: true, cause: failure.cause ?? failure });
  }
}
