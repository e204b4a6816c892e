import { groupBy, isRecord, oneLine, ownProperty, pointerSegment, sum } from '../../core/index.ts';
import { CliError } from '../failure.ts';
import type { TaskReader } from './manifest.ts';

/** Maximum number of JSON pointers per task. */
const MAX_POINTERS = 5;

/** Differences of a split. Counts are complete; lists are limited by `limit`. */
export interface SplitDiff {
  readonly name: string;
  /** Number of tasks; null if the split does not exist on that side, like `after`. */
  readonly before: number | null;
  readonly after: number | null;
  /** Set if the type of the split changed. */
  readonly type: { readonly before: string; readonly after: string } | null;
  readonly counts: Readonly<Record<'same' | 'changed' | 'moved' | 'added' | 'removed', number>>;
  /** JSON pointers of the differences, at most five; null if a side has only the hash. */
  readonly changed: readonly { readonly index: number; readonly pointers: readonly string[] | null }[];
  /** Consecutive tasks are one entry, as in `added` and `removed`. */
  readonly moved: ReturnType<typeof toMovedRanges>;
  readonly added: ReturnType<typeof toIndexRanges>;
  readonly removed: ReturnType<typeof toIndexRanges>;
}

/** Differences between the tasks of two sources. */
export type TasksDiff = Awaited<ReturnType<typeof diffTasks>>;

interface TasksDiffOptions {
  /** @default all splits that both sides know */
  readonly splits?: readonly string[] | undefined;
  /** Maximum number of tasks listed per kind and split. */
  readonly limit: number;
  readonly onProgress: (done: number, all: number) => void;
}

/** Compares the tasks of two sources, holding only hashes. @throws CliError if they have no split in common. */
export async function diffTasks(
  before: TaskReader,
  after: TaskReader,
  { splits: chosen, limit, onProgress }: TasksDiffOptions,
) {
  const names = comparedSplits(before, after, chosen);
  const requested = new Set(names);
  const count = ({ header }: TaskReader) =>
    sum(header.splits.filter(({ name }) => requested.has(name)).map(({ tasks }) => tasks));
  const all = count(before) + count(after);
  let done = 0;
  onProgress(done, all);
  const read = () => onProgress(++done, all);
  const hashes = [await hashesOf(before, requested, read), await hashesOf(after, requested, read)] as const;
  const splits: SplitDiff[] = [];
  for (const name of names) splits.push(await splitDifference(name, [before, after], hashes, limit));
  const same = splits.every(isSame);
  return { same, before: sideOf(before), after: sideOf(after), splits };
}

/** Returns the splits to compare: a source with some of the splits says nothing about the others. */
function comparedSplits(before: TaskReader, after: TaskReader, chosen: readonly string[] | undefined): string[] {
  const all = [...new Set([...before.header.splits, ...after.header.splits].map(({ name }) => name))];
  const unknown = chosen?.find((name) => !all.includes(name));
  if (unknown !== undefined) {
    throw new CliError(`neither side has a split '${oneLine(unknown)}'; there are: ${all.map(oneLine).join(', ')}`);
  }
  const names = all.filter((name) => before.hasSplit(name) && after.hasSplit(name) && (chosen?.includes(name) ?? true));
  if (names.length > 0 || (all.length === 0 && chosen === undefined)) return names;
  const has = ({ header }: TaskReader) => header.splits.map(({ name }) => oneLine(name)).join(', ') || 'none';
  throw new CliError(
    `the sides have no split in common: one has ${has(before)}, the other ${has(after)}; snapshot the same splits`,
  );
}

async function hashesOf(source: TaskReader, requested: ReadonlySet<string>, onRow: () => void) {
  const lists = new Map<string, HashList>();
  for (const { name } of source.header.splits) if (requested.has(name)) lists.set(name, createHashList());
  for await (const { split, hash } of source.rows(requested)) {
    lists.get(split)?.add(hash);
    onRow();
  }
  return lists;
}

async function splitDifference(
  name: string,
  [before, after]: readonly [TaskReader, TaskReader],
  [hashesBefore, hashesAfter]: readonly [ReadonlyMap<string, HashList>, ReadonlyMap<string, HashList>],
  limit: number,
): Promise<SplitDiff> {
  const first = hashesBefore.get(name);
  const second = hashesAfter.get(name);
  const { same, changed, moved, added, removed } = compareSplits(first ?? createHashList(), second ?? createHashList());
  const places = changed.slice(0, limit).map((index) => ({ split: name, index }));
  const tasksBefore = await tasksAt(before, places);
  const tasksAfter = await tasksAt(after, places);
  const typeIn = ({ header }: TaskReader) => header.splits.find((split) => split.name === name)?.type;
  const types = { before: typeIn(before), after: typeIn(after) };
  const isOther = types.before !== undefined && types.after !== undefined && types.before !== types.after;
  return {
    name,
    before: first?.length ?? null,
    after: second?.length ?? null,
    type: isOther ? (types as { before: string; after: string }) : null,
    counts: { same, changed: changed.length, moved: moved.length, added: added.length, removed: removed.length },
    changed: places.map(({ index }, order) => ({ index, pointers: pointersOf(tasksBefore[order], tasksAfter[order]) })),
    moved: toMovedRanges(moved).slice(0, limit),
    added: toIndexRanges(added).slice(0, limit),
    removed: toIndexRanges(removed).slice(0, limit),
  };
}

const tasksAt = (source: TaskReader, places: Parameters<TaskReader['tasksAt']>[0]) =>
  places.length === 0 ? [] : source.tasksAt(places);

const pointersOf = (before: unknown, after: unknown): readonly string[] | null =>
  before === undefined || after === undefined ? null : changedPointers(before, after, MAX_POINTERS);

const isSame = ({ before, after, type, counts }: SplitDiff): boolean =>
  before === after && type === null && counts.same === before;

const sideOf = ({ header, takenAt }: TaskReader) => ({ ...header, taken_at: takenAt });

/**
 * Compares the tasks of a split by their hashes. Every index of either side counts as `same` or is in one list: `moved` has
 * equal tasks at different indexes, matched in order; `changed` has indexes with different tasks that were not moved;
 * `added` has indexes of the second side only, `removed` of the first.
 */
export function compareSplits(before: HashList, after: HashList) {
  const open = differingIndexes(before, after);
  const places = groupBy(open, (index) => before.at(index));
  // Reversed, because `pop` is faster than `shift`.
  for (const indexes of places.values()) indexes.reverse();
  const moved: { from: number; to: number }[] = [];
  const added: number[] = [];
  for (const to of differingIndexes(after, before)) {
    const from = places.get(after.at(to))?.pop();
    if (from === undefined) added.push(to);
    else moved.push({ from, to });
  }
  const removed = [...places.values()].flat().sort((one, other) => one - other);
  const replaced = new Set(removed);
  const changed = added.filter((index) => replaced.has(index));
  const inBoth = new Set(changed);
  const isAlone = (index: number) => !inBoth.has(index);
  const same = before.length - open.length;
  return { same, changed, moved, added: added.filter(isAlone), removed: removed.filter(isAlone) };
}

/** Returns the indexes of a list at which `other` has another hash, or none. */
function differingIndexes(list: HashList, other: HashList): number[] {
  const indexes: number[] = [];
  for (let index = 0; index < list.length; index++) {
    if (index >= other.length || list.at(index) !== other.at(index)) indexes.push(index);
  }
  return indexes;
}

/** Returns JSON pointers of at most `max` differences between two JSON values, in the order of the first. */
export function changedPointers(before: unknown, after: unknown, max: number): readonly string[] {
  const found: string[] = [];
  const open: { pointer: string; before: unknown; after: unknown }[] = [{ pointer: '', before, after }];
  for (let next = open.pop(); next && found.length < max; next = open.pop()) {
    const { pointer } = next;
    const parts = partsOf(next.before, next.after);
    // Compares leaves with `!==`: JSON has neither NaN nor -0.
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

/** Joins ascending indexes to ranges. */
export function toIndexRanges(indexes: readonly number[]) {
  const ranges = toMovedRanges(indexes.map((index) => ({ from: index, to: index })));
  return ranges.map(({ from, count }) => ({ index: from, count }));
}

/** Joins ascending moves to ranges of consecutive tasks. */
export function toMovedRanges(moves: readonly { readonly from: number; readonly to: number }[]) {
  const runs: { from: number; to: number; count: number }[] = [];
  for (const { from, to } of moves) {
    const last = runs.at(-1);
    if (last && from === last.from + last.count && to === last.to + last.count) last.count += 1;
    else runs.push({ from, to, count: 1 });
  }
  return runs;
}

const HASH_BYTES = 32;
const INITIAL_CAPACITY = 1024;

/** Hashes of the tasks of a split by index, 32 bytes each. */
export type HashList = ReturnType<typeof createHashList>;

/** Creates an empty list. */
export function createHashList() {
  let bytes = Buffer.allocUnsafe(INITIAL_CAPACITY * HASH_BYTES);
  let length = 0;
  return {
    get length() {
      return length;
    },
    /** Appends a hash in hex. */
    add(hash: string): void {
      if ((length + 1) * HASH_BYTES > bytes.length) {
        const larger = Buffer.allocUnsafe(bytes.length * 2);
        bytes.copy(larger);
        bytes = larger;
      }
      bytes.write(hash, length * HASH_BYTES, 'hex');
      length += 1;
    },
    /** Returns a hash as a text of 32 characters, for comparison. */
    at: (index: number) => bytes.toString('latin1', index * HASH_BYTES, (index + 1) * HASH_BYTES),
  };
}
