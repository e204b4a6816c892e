import { isRecord } from '../../protocol/index.ts';

/** Where two values of JSON differ, as JSON pointers in the order of the first; as many as are wanted. Source: RFC 6901. */
export function changedPointers(before: unknown, after: unknown, most: number): readonly string[] {
  const found: string[] = [];
  const open: { pointer: string; before: unknown; after: unknown }[] = [{ pointer: '', before, after }];
  for (let next = open.pop(); next && found.length < most; next = open.pop()) {
    const { pointer } = next;
    const parts = partsOf(next.before, next.after);
    // Of values without parts on both sides; JSON knows no undefined, and no -0.
    if (!parts && next.before !== next.after) found.push(pointer);
    for (const { key, ...part } of parts?.reverse() ?? []) open.push({ ...part, pointer: pointer + step(key) });
  }
  return found;
}

function partsOf(before: unknown, after: unknown) {
  if (Array.isArray(before) && Array.isArray(after)) {
    const keys = Array.from({ length: Math.max(before.length, after.length) }, (_, index) => index);
    return keys.map((key) => ({ key, before: before[key], after: after[key] }));
  }
  if (!isRecord(before) || !isRecord(after)) return undefined;
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].map((key) => ({ key, before: own(before, key), after: own(after, key) }));
}

const own = (value: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined;

const step = (key: string | number): string => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
