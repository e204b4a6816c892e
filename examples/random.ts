/** Gives an integer from 0 to `below` - 1. */
export type Random = (below: number) => number;

/**
 * A stream of numbers that is fixed by its keys (integers): the same keys give the same numbers on every machine.
 * With `[seed, index]` any task of a million can be made alone, without the ones before it.
 */
export function seededRandom(...keys: readonly number[]): Random {
  let state = keys.reduce((hash, key) => scramble(hash ^ key), keys.length);

  return (below) => {
    state = (state + 0x9e3779b9) | 0;
    return Math.floor((scramble(state) / 2 ** 32) * below);
  };
}

/** Removes one item of the list, which it changes, and returns it. */
export function takeOne<Item>(random: Random, items: Item[]): Item {
  const [item] = items.splice(random(items.length), 1);
  if (item === undefined) throw new RangeError('There is nothing left to take.');
  return item;
}

/** Spreads every bit of a 32-bit integer over all the others (the finishing step of MurmurHash3). */
function scramble(value: number): number {
  let hash = value + 0x9e3779b9;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
