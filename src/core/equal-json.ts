/** Depth to which `isEqual` calls itself. */
const MAX_DEPTH = 500;

/**
 * Compares two JSON values. The order of keys does not matter, undefined properties equal absent ones, and -0 equals 0.
 * Accepts values of any depth, and finds only own properties.
 */
export function equalJson(one: unknown, other: unknown): boolean {
  const deeper: unknown[] = [];
  if (!isEqual(one, other, MAX_DEPTH, deeper)) return false;
  while (deeper.length > 0) if (!isEqual(deeper.pop(), deeper.pop(), MAX_DEPTH, deeper)) return false;
  return true;
}

/** @param deeper receives the pairs of values that are nested more deeply than `depth`. */
function isEqual(a: unknown, b: unknown, depth: number, deeper: unknown[]): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (depth === 0) return deeper.push(a, b) > 0;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) {
      if (!isEqual(a[index], b[index], depth - 1, deeper)) return false;
    }
    return true;
  }
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key in one) {
    if (!Object.hasOwn(one, key)) continue;
    if (!isEqual(one[key], Object.hasOwn(other, key) ? other[key] : undefined, depth - 1, deeper)) return false;
  }
  for (const key in other) {
    if (Object.hasOwn(other, key) && other[key] !== undefined && !Object.hasOwn(one, key)) return false;
  }
  return true;
}
