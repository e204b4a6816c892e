import type { HashList } from './hash-list.ts';

/** How the tasks of a split became others, by their indexes. Every index of either side is in one place. */
export interface SplitComparison {
  /** How many have the same hash at the same index. */
  readonly same: number;
  /** Other tasks at the same index; neither is anywhere on the other side. */
  readonly changed: readonly number[];
  /** The same hash at another index; of several that are the same, the first becomes the first. */
  readonly moved: readonly { readonly from: number; readonly to: number }[];
  /** Only on the second side. */
  readonly added: readonly number[];
  /** Only on the first side. */
  readonly removed: readonly number[];
}

/** Compares the tasks of a split by their hashes. */
export function compareSplits(before: HashList, after: HashList): SplitComparison {
  const open = openPlaces(before, after);
  const moved: { from: number; to: number }[] = [];
  const added: number[] = [];
  for (const to of open.after) {
    const from = open.before.get(after.at(to))?.pop();
    if (from === undefined) added.push(to);
    else moved.push({ from, to });
  }
  const removed = [...open.before.values()].flat().sort((one, other) => one - other);
  const replaced = new Set(removed);
  const changed = added.filter((index) => replaced.has(index));
  const inBoth = new Set(changed);
  const isAlone = (index: number) => !inBoth.has(index);
  return { same: open.same, changed, moved, added: added.filter(isAlone), removed: removed.filter(isAlone) };
}

/** Those that are not the same at the same index: of the first side by hash, of the second in order. */
function openPlaces(before: HashList, after: HashList) {
  const places = new Map<string, number[]>();
  const others: number[] = [];
  let same = 0;
  for (let index = 0; index < Math.max(before.length, after.length); index++) {
    if (index < before.length && index < after.length && before.sameAt(index, after)) {
      same += 1;
      continue;
    }
    if (index < after.length) others.push(index);
    if (index >= before.length) continue;
    const hash = before.at(index);
    const there = places.get(hash);
    if (there) there.push(index);
    else places.set(hash, [index]);
  }
  // The last one is taken first: taking from the front of a long list is slow.
  for (const there of places.values()) there.reverse();
  return { same, before: places, after: others };
}
