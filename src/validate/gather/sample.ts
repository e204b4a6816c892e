/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of a list that is not empty. */
export const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)] as T;

/** So many different indexes from 0 to count - 1, in order: the first, the last, and others by chance. */
export function sample(count: number, size: number, random: () => number): number[] {
  if (count <= size) return Array.from({ length: count }, (_, index) => index);
  const chosen = new Set([0, count - 1].slice(0, size));
  while (chosen.size < size) chosen.add(Math.floor(random() * count));
  return [...chosen].sort((a, b) => a - b);
}

/** So many of a list, the first among them, from all over it. */
export const spread = <T>(list: readonly T[], size: number): readonly T[] =>
  list.length <= size
    ? list
    : Array.from({ length: size }, (_, at) => list[Math.floor((at * list.length) / size)] as T);
