import type { Timestamp } from '../../../generated/trace.ts';

/** Most times that are written one after the other lie in one second, whose text is made once. */
let last = { second: 0, text: '1970-01-01T00:00:00' };

/** Microseconds since 1970 as RFC 3339 text in UTC with six decimals, which sorts as the number does. */
export function toTimestamp(us: number): Timestamp {
  const second = Math.floor(us / 1_000_000);
  if (second !== last.second) last = { second, text: new Date(second * 1000).toISOString().slice(0, 19) };
  return `${last.text}.${String(us - second * 1_000_000).padStart(6, '0')}Z`;
}

/** @param timestamp in UTC, with any number of decimals; those past the sixth are cut. */
export function toMicroseconds(timestamp: Timestamp): number {
  const [, seconds = timestamp, decimals = ''] = timestamp.match(/^(.*?)(?:\.(\d+))?Z$/) ?? [];
  return Date.parse(`${seconds}Z`) * 1000 + Number(decimals.slice(0, 6).padEnd(6, '0'));
}

/**
 * When a change of a trace happens, in microseconds: now, but always after the change before, so that times order what
 * was written also within a millisecond and when the clock goes back.
 *
 * @param now milliseconds since 1970.
 */
export const nextMonotonicTime = (now: number, lastUs: number): number => Math.max(Math.floor(now * 1000), lastUs + 1);
