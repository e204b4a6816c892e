import { toHex } from './bytes.ts';

/** Creates a generator of numbers from 0 to below 1, with the same sequence for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a seed of an own sequence for each number, such as the number of a call. */
export const deriveSeed = (seed: number, number: number): number =>
  Math.imul(seed ^ Math.imul(number + 1, 0x9e3779b9), 0x85ebca6b);

/** Returns a random seed for `seededRandom`. */
export const randomSeed = (): number => new DataView(randomBytes(4).buffer).getInt32(0);

/** Unused random bytes. Fetching even a few takes longer than the rest of creating an id. */
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

/** Returns an id with 128 random bits. `crypto.randomUUID` is not available in pages without HTTPS. */
export const randomId = (prefix: string): string => prefix + toHex(randomBytes(16));
