import { isRecord, ownProperty } from './json.ts';

/**
 * Compares two JSON values. The order of keys does not matter, undefined properties equal absent ones, and -0 equals 0.
 * Iterative: accepts values of any depth.
 */
export function equalJson(one: unknown, other: unknown): boolean {
  const open: [unknown, unknown][] = [[one, other]];
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) return false;
      for (const [index, item] of a.entries()) open.push([item, b[index]]);
    } else if (isRecord(a) && isRecord(b)) {
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
        open.push([ownProperty(a, key), ownProperty(b, key)]);
      }
    } else {
      return false;
    }
  }
  return true;
}
