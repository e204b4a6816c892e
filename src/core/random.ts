import { toHex } from './bytes.ts';

/** Creates a generator of numbers of at least 0 and less than 1, the same sequence for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a hash of 32 bits, for seeds (FNV-1a over code points). */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}

/** Random bytes that were not given out yet: fetching them costs more than the rest of an id, however few they are. */
const pool = new Uint8Array(4096);
let used = pool.length;

/** Returns random bytes of the platform's secure generator. */
export function randomBytes(count: number): Uint8Array {
  if (count > pool.length) return crypto.getRandomValues(new Uint8Array(count));
  if (used + count > pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  used += count;
  return pool.slice(used - count, used);
}

/** Returns an id with 128 random bits. `crypto.randomUUID` is missing in pages that did not come over HTTPS. */
export const randomId = (prefix: string): string => prefix + toHex(randomBytes(16));
