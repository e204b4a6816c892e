import { appendKey, isRecord } from './json.ts';

/** Place where two JSON values differ. Something that only one of them has is undefined in the other. */
export interface JsonDifference {
  /** Such as `output.blocks[0].text`; empty for the values themselves. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the first place where two JSON values differ, whatever the order of their keys; undefined if they are equal. */
export function firstJsonDifference(before: unknown, after: unknown, path = ''): JsonDifference | undefined {
  if (Object.is(before, after)) return undefined;
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return firstDifferenceAt(Array.from({ length }).keys(), before, after, path);
  }
  if (!isRecord(before) || !isRecord(after)) return { path, before, after };
  return firstDifferenceAt(Object.keys({ ...before, ...after }), before, after, path);
}

function firstDifferenceAt(
  keys: Iterable<PropertyKey>,
  before: object,
  after: object,
  path: string,
): JsonDifference | undefined {
  for (const key of keys) {
    const valueIn = (value: object) => (Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined);
    const difference = firstJsonDifference(valueIn(before), valueIn(after), appendKey(path, key));
    if (difference) return difference;
  }
  return undefined;
}
