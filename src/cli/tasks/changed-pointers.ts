import { isRecord, ownProperty, pointerSegment } from '../../core/index.ts';

/** Returns JSON pointers of the places where two JSON values differ, in the order of the first; at most `most`. */
export function changedPointers(before: unknown, after: unknown, max: number): readonly string[] {
  const found: string[] = [];
  const open: { pointer: string; before: unknown; after: unknown }[] = [{ pointer: '', before, after }];
  for (let next = open.pop(); next && found.length < max; next = open.pop()) {
    const { pointer } = next;
    const parts = partsOf(next.before, next.after);
    // Of values without parts on both sides; JSON knows no undefined, and no -0.
    if (!parts && next.before !== next.after) found.push(pointer);
    for (const { key, ...part } of parts?.reverse() ?? [])
      open.push({ ...part, pointer: pointer + pointerSegment(key) });
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
  return [...keys].map((key) => ({ key, before: ownProperty(before, key), after: ownProperty(after, key) }));
}
