const pool = new Uint8Array(4096);
let taken = pool.length;

/**
 * Random bytes for ids, out of a pool: fetching them costs more than all else of an id, however few they are. Use them
 * before the next ones are asked for.
 */
export function randomBytes(count: number): Uint8Array {
  if (taken + count > pool.length) {
    crypto.getRandomValues(pool);
    taken = 0;
  }
  taken += count;
  return pool.subarray(taken - count, taken);
}
