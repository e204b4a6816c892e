import { oneLine, sum } from '../../core/index.ts';
import { Failure } from '../failure.ts';
import { changedPointers } from './changed-pointers.ts';
import { compare } from './compare.ts';
import { type HashList, hashList } from './hash-list.ts';
import type { TasksHeader } from './manifest.ts';
import { type IndexRun, indexRuns, type MovedRun, movedRuns } from './runs.ts';
import type { TaskSource } from './task-source.ts';

/** Of one task. */
const MOST_POINTERS = 5;

/** A task that is not what it was. */
export interface ChangedTask {
  readonly index: number;
  /** Where, as JSON pointers, five at most; null where only the hash is kept. */
  readonly pointers: readonly string[] | null;
}

/** How one split differs. The counts are whole; of each list there is no more than was asked for. */
export interface SplitDifference {
  readonly name: string;
  /** How many tasks there were and are; null where there is no such split. */
  readonly before: number | null;
  readonly after: number | null;
  /** Where it counts as something else than it did. */
  readonly type: { readonly before: string; readonly after: string } | null;
  readonly counts: Readonly<Record<'same' | 'changed' | 'moved' | 'added' | 'removed', number>>;
  readonly changed: readonly ChangedTask[];
  /** Tasks that follow each other are one entry; so in the next two. */
  readonly moved: readonly MovedRun[];
  readonly added: readonly IndexRun[];
  readonly removed: readonly IndexRun[];
}

/** How the tasks of two sources differ. */
export interface Difference {
  readonly same: boolean;
  readonly before: TasksHeader & { readonly taken_at: string | null };
  readonly after: TasksHeader & { readonly taken_at: string | null };
  readonly splits: readonly SplitDifference[];
}

export interface DifferenceOptions {
  /** Default: all that both sides answer for. */
  readonly splits?: readonly string[] | undefined;
  /** How many of each kind are listed, in each split. */
  readonly limit: number;
  readonly onProgress: (done: number, all: number) => void;
}

/** Compares the tasks of two sources, of which it holds the hashes only. @throws Failure if they have no split to compare. */
export async function difference(
  before: TaskSource,
  after: TaskSource,
  { splits: chosen, limit, onProgress }: DifferenceOptions,
): Promise<Difference> {
  const names = comparedSplits(before, after, chosen);
  const wanted = new Set(names);
  const count = ({ header }: TaskSource) =>
    sum(header.splits.filter(({ name }) => wanted.has(name)).map(({ tasks }) => tasks));
  const all = count(before) + count(after);
  let done = 0;
  onProgress(done, all);
  const read = () => onProgress(++done, all);
  const hashes = [await hashesOf(before, wanted, read), await hashesOf(after, wanted, read)] as const;
  const splits: SplitDifference[] = [];
  for (const name of names) splits.push(await splitDifference(name, [before, after], hashes, limit));
  const same = splits.every(isSame);
  return { same, before: sideOf(before), after: sideOf(after), splits };
}

/** A source that has only some splits says nothing of others. */
function comparedSplits(before: TaskSource, after: TaskSource, chosen: readonly string[] | undefined): string[] {
  const all = [...new Set([...before.header.splits, ...after.header.splits].map(({ name }) => name))];
  const unknown = chosen?.find((name) => !all.includes(name));
  if (unknown !== undefined) {
    throw new Failure(`neither side has a split '${oneLine(unknown)}'; there are: ${all.map(oneLine).join(', ')}`);
  }
  const names = all.filter((name) => before.knows(name) && after.knows(name) && (chosen?.includes(name) ?? true));
  if (names.length > 0 || (all.length === 0 && chosen === undefined)) return names;
  const has = ({ header }: TaskSource) => header.splits.map(({ name }) => oneLine(name)).join(', ') || 'none';
  throw new Failure(
    `there is no split that both sides know: one has ${has(before)}, the other ${has(after)}; snapshot the same ones`,
  );
}

async function hashesOf(source: TaskSource, wanted: ReadonlySet<string>, onRow: () => void) {
  const lists = new Map<string, HashList>();
  for (const { name } of source.header.splits) if (wanted.has(name)) lists.set(name, hashList());
  for await (const { split, hash } of source.rows(wanted)) {
    lists.get(split)?.add(hash);
    onRow();
  }
  return lists;
}

async function splitDifference(
  name: string,
  [before, after]: readonly [TaskSource, TaskSource],
  [hashesBefore, hashesAfter]: readonly [ReadonlyMap<string, HashList>, ReadonlyMap<string, HashList>],
  limit: number,
): Promise<SplitDifference> {
  const [first, second] = [hashesBefore.get(name), hashesAfter.get(name)];
  const { same, changed, moved, added, removed } = compare(first ?? hashList(), second ?? hashList());
  const places = changed.slice(0, limit).map((index) => ({ split: name, index }));
  const [were, are] = [await tasksAt(before, places), await tasksAt(after, places)];
  const typeIn = ({ header }: TaskSource) => header.splits.find((split) => split.name === name)?.type;
  const types = { before: typeIn(before), after: typeIn(after) };
  const isOther = types.before !== undefined && types.after !== undefined && types.before !== types.after;
  return {
    name,
    before: first?.length ?? null,
    after: second?.length ?? null,
    type: isOther ? (types as { before: string; after: string }) : null,
    counts: { same, changed: changed.length, moved: moved.length, added: added.length, removed: removed.length },
    changed: places.map(({ index }, order) => ({ index, pointers: pointersOf(were[order], are[order]) })),
    moved: movedRuns(moved).slice(0, limit),
    added: indexRuns(added).slice(0, limit),
    removed: indexRuns(removed).slice(0, limit),
  };
}

const tasksAt = (source: TaskSource, places: Parameters<TaskSource['tasksAt']>[0]) =>
  places.length === 0 ? [] : source.tasksAt(places);

const pointersOf = (before: unknown, after: unknown): readonly string[] | null =>
  before === undefined || after === undefined ? null : changedPointers(before, after, MOST_POINTERS);

const isSame = ({ before, after, type, counts }: SplitDifference): boolean =>
  before === after && type === null && counts.same === before;

const sideOf = ({ header, takenAt }: TaskSource) => ({ ...header, taken_at: takenAt });
