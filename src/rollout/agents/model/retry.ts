import { setTimeout as wait } from 'node:timers/promises';

const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** A provider that asks for more patience than this is not waited for as long as it asks. */
const LONGEST_ASKED_MS = 600_000;
/** Those who were refused together do not come back together. */
const SPREAD_MS = 1_000;

/**
 * The pause before the next attempt, in ms.
 *
 * @param failures so far, at least one.
 * @param askedMs what the provider asked for.
 * @param random from 0 to 1.
 */
export function retryDelayMs(failures: number, askedMs: number | undefined, random: number): number {
  if (askedMs !== undefined) return Math.min(askedMs, LONGEST_ASKED_MS) + Math.min(askedMs, SPREAD_MS) * random;
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1)) * (1 - random / 2);
}

/** What `Retry-After` asks for, in ms; some providers say it more finely. Undefined where nothing can be read. */
export function retryAfterMs(headers: Readonly<Record<string, unknown>>, now: number): number | undefined {
  const fine = numberIn(headers['retry-after-ms']);
  if (fine !== undefined) return fine;
  const asked = headers['retry-after'];
  const seconds = numberIn(asked);
  if (seconds !== undefined) return seconds * 1000;
  const date = typeof asked === 'string' && /[a-z]/i.test(asked) ? Date.parse(asked) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function numberIn(text: unknown): number | undefined {
  const number = typeof text === 'string' && text.trim() !== '' ? Number(text) : Number.NaN;
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** Waits. @throws the signal's reason. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}
