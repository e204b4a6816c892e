/** Returns a random integer from 0 to `below` - 1. */
export type Random = (below: number) => number;

/**
 * Creates a random generator from integer keys: the same keys produce the same numbers on every machine. With the keys
 * `seed, index` each of a million tasks can be created without the ones before it.
 */
export function seededRandom(...keys: readonly number[]): Random {
  let state = keys.reduce((hash, key) => mix(hash ^ key), keys.length);

  return (below) => {
    state = (state + 0x9e3779b9) | 0;
    return Math.floor((mix(state) / 2 ** 32) * below);
  };
}

/** Removes a random item from the list, and returns it. */
export function takeOne<Item>(random: Random, items: Item[]): Item {
  const [item] = items.splice(random(items.length), 1);
  if (item === undefined) throw new RangeError('the list is empty');
  return item;
}

/** Mixes the bits of a 32-bit integer (the finalizer of MurmurHash3). */
function mix(value: number): number {
  let hash = value + 0x9e3779b9;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
