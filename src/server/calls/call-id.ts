import { randomUUID } from 'node:crypto';

/**
 * Digits 17 to 24 of every id that servers of this package issue, between the prefix of the session and the number of the
 * call. They make an issued id recognizable in every session and after a restart. No UUID has them, with or without
 * hyphens: digit 17 is its variant, which is never `e`. Source: RFC 9562, section 4.1.
 */
const MARKER = 'e0000000';

const ISSUED = new RegExp(`^[0-9a-f]{16}${MARKER}[0-9a-f]{8}$`);

const NUMBER_LENGTH = 8;

/** Returns the first half of the ids of a session. Node caches random UUIDs, which makes them cheaper than random bytes. */
export function newCallPrefix(): string {
  const uuid = randomUUID();
  return uuid.slice(19, 23) + uuid.slice(24);
}

/** Ids within a session need not be random: they are useless without the session id. */
export const callIdOf = (prefix: string, number: number): string =>
  prefix + MARKER + number.toString(16).padStart(NUMBER_LENGTH, '0');

/**
 * Returns the number of an id that a session with this prefix issued or will issue, NaN for an id of another session, and
 * undefined for an id that a client chose.
 */
export function parseCallId(prefix: string, id: string): number | undefined {
  if (!ISSUED.test(id)) return undefined;
  return id.startsWith(prefix) ? Number.parseInt(id.slice(-NUMBER_LENGTH), 16) : Number.NaN;
}
