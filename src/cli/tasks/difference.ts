import { oneLine, sum } from '../../core/index.ts';
import { CliError } from '../failure.ts';
import { changedPointers } from './changed-pointers.ts';
import { compareSplits } from './compare.ts';
import { createHashList, type HashList } from './hash-list.ts';
import type { TasksHeader } from './manifest.ts';
import { type IndexRange, type MovedRange, toIndexRanges, toMovedRanges } from './runs.ts';
import type { TaskReader } from './task-source.ts';

/** Of one task. */
const MAX_POINTERS = 5;

/** A task that is not what it was. */
export interface ChangedTask {
  readonly index: number;
  /** Where, as JSON pointers, five at most; null where only the hash is kept. */
  readonly pointers: readonly string[] | null;
}

/** How one split differs. The counts are whole; of each list there is no more than was asked for. */
export interface SplitDiff {
  readonly name: string;
  /** How many tasks there were and are; null where there is no such split. */
  readonly before: number | null;
  readonly after: number | null;
  /** Where it counts as something else than it did. */
  readonly type: { readonly before: string; readonly after: string } | null;
  readonly counts: Readonly<Record<'same' | 'changed' | 'moved' | 'added' | 'removed', number>>;
  readonly changed: readonly ChangedTask[];
  /** Tasks that follow each other are one entry; so in the next two. */
  readonly moved: readonly MovedRange[];
  readonly added: readonly IndexRange[];
  readonly removed: readonly IndexRange[];
}

/** How the tasks of two sources differ. */
export interface TasksDiff {
  readonly same: boolean;
  readonly before: TasksHeader & { readonly taken_at: string | null };
  readonly after: TasksHeader & { readonly taken_at: string | null };
  readonly splits: readonly SplitDiff[];
}

export interface TasksDiffOptions {
  /** Default: all that both sides answer for. */
  readonly splits?: readonly string[] | undefined;
  /** How many of each kind are listed, in each split. */
  readonly limit: number;
  readonly onProgress: (done: number, all: number) => void;
}

/** Compares the tasks of two sources, of which it holds the hashes only. @throws Failure if they have no split to compare. */
export async function diffTasks(
  before: TaskReader,
  after: TaskReader,
  { splits: chosen, limit, onProgress }: TasksDiffOptions,
): Promise<TasksDiff> {
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

/** A source that has only some splits says nothing of others. */
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
    `there is no split that both sides know: one has ${has(before)}, the other ${has(after)}; snapshot the same ones`,
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
  const [first, second] = [hashesBefore.get(name), hashesAfter.get(name)];
  const { same, changed, moved, added, removed } = compareSplits(first ?? createHashList(), second ?? createHashList());
  const places = changed.slice(0, limit).map((index) => ({ split: name, index }));
  const [were, are] = [await tasksAt(before, places), await tasksAt(after, places)];
  const typeIn = ({ header }: TaskReader) => header.splits.find((split) => split.name === name)?.type;
  const types = { before: typeIn(before), after: typeIn(after) };
  const isOther = types.before !== undefined && types.after !== undefined && types.before !== types.after;
  return {
    name,
    before: first?.length ?? null,
    after: second?.length ?? null,
    type: isOther ? (types as { before: string; after: string }) : null,
    counts: { same, changed: changed.length, moved: moved.length, added: added.length, removed: removed.length },
    changed: places.map(({ index }, order) => ({ index, pointers: pointersOf(were[order], are[order]) })),
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
