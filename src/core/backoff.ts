/** Exponential backoff with jitter. */
export interface Backoff {
  /** Delay after the first failure, in ms. */
  readonly firstMs: number;
  /** Longest delay, in ms. */
  readonly longestMs: number;
  /** Random part of the delay, from 0 to 1. @default 0.5 */
  readonly jitter?: number;
}

/**
 * Returns the delay before a retry, in ms: `firstMs * 2 ** failures`, at most `longestMs`, times a random number from
 * `1 - jitter` to 1.
 *
 * @param failures number of failures before the last one; 0 after the first.
 */
export function backoffMs(
  failures: number,
  { firstMs, longestMs, jitter = 0.5 }: Backoff,
  random: () => number = Math.random,
): number {
  return Math.min(longestMs, firstMs * 2 ** failures) * (1 - jitter * random());
}

/**
 * Returns the delay before a retry, in ms: the backoff, or the server's `Retry-After` if that is longer, spread by up to
 * 10 % so that clients do not all return at once. Callers with a time budget compare the delay with it before waiting.
 *
 * @param retryAfterMs result of `parseRetryAfter`.
 */
export function retryDelayMs(
  failures: number,
  backoff: Backoff,
  retryAfterMs: number | undefined,
  random: () => number = Math.random,
): number {
  return Math.max(backoffMs(failures, backoff, random), (retryAfterMs ?? 0) * (1 + random() / 10));
}

/**
 * Parses a `Retry-After` header: seconds, optionally with a fraction, or an HTTP date. Source: RFC 9110, section 10.2.3.
 *
 * @returns the delay in ms, at least 0; undefined if the header is missing or invalid.
 */
export function parseRetryAfter(value: string | null | undefined, now: number = Date.now()): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  // Date.parse reads '1.5' and '-1' as dates too; an HTTP date has letters.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
