/** One of a list that is not empty. */
export const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)] as T;

/** So many different indexes from 0 to count - 1, in order: the first, the last, and others by chance. */
export function sampleIndexes(count: number, size: number, random: () => number): number[] {
  if (count <= size) return Array.from({ length: count }, (_, index) => index);
  const chosen = new Set([0, count - 1].slice(0, size));
  while (chosen.size < size) chosen.add(Math.floor(random() * count));
  return [...chosen].sort((a, b) => a - b);
}

/** So many of a list, the first among them, from all over it. */
export const spreadSample = <T>(list: readonly T[], size: number): readonly T[] =>
  list.length <= size
    ? list
    : Array.from({ length: size }, (_, at) => list[Math.floor((at * list.length) / size)] as T);
