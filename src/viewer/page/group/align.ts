import { longestCommonSubsequence } from '../parts/lcs.ts';

/** Lists side by side: equal items stand in one row, in each column in their order. */
export interface Alignment {
  /** By row, by column: the place of the item in its list; undefined where the list has none there. */
  readonly rows: readonly (readonly (number | undefined)[])[];
  /** By column: the first row in which it is not as the reference; undefined where it is so in all. */
  readonly firstDifferences: readonly (number | undefined)[];
  /** So many rows from the first on are the same in all columns. */
  readonly commonCount: number;
}

/** What is compared: equal keys are equal items; items of one tool are at least of a kind. */
export interface AlignedItem {
  readonly key: string;
  readonly tool: string;
}

/** Where the items of one column stand. */
interface ColumnPlacement {
  /** By place in the reference: the place of the item in the same row. */
  readonly beside: readonly (number | undefined)[];
  /** By place in the reference, and after its end: places of items that need rows of their own before it. */
  readonly before: readonly (readonly number[])[];
}

/**
 * Aligns each list with the reference by a longest common subsequence of keys. Where both have something else between
 * two equal items, it stands in the same rows as long as there are any, calls of one tool beside each other if possible:
 * one was done instead of the other.
 *
 * @param reference the column that the others are held against.
 */
export function alignColumns(columns: readonly (readonly AlignedItem[])[], reference: number): Alignment {
  const base = columns[reference] ?? [];
  const known = placedBeside.get(base) ?? new WeakMap<readonly AlignedItem[], ColumnPlacement>();
  placedBeside.set(base, known);
  const placed = columns.map((column) => {
    const before = known.get(column) ?? placeBeside(base, column);
    known.set(column, before);
    return before;
  });
  const rows: (number | undefined)[][] = [];
  for (let place = 0; place <= base.length; place++) {
    const more = Math.max(0, ...placed.map(({ before }) => before[place]?.length ?? 0));
    for (let extra = 0; extra < more; extra++) rows.push(placed.map(({ before }) => before[place]?.[extra]));
    if (place < base.length) rows.push(placed.map(({ beside }) => beside[place]));
  }
  return { rows, ...differencesOf(rows, columns, reference) };
}

/** Columns come one after the other: those that were there before need not be held against the reference again. */
const placedBeside = new WeakMap<readonly AlignedItem[], WeakMap<readonly AlignedItem[], ColumnPlacement>>();

type IndexPair = readonly [number, number];

function placeBeside(base: readonly AlignedItem[], column: readonly AlignedItem[]): ColumnPlacement {
  const beside: (number | undefined)[] = base.map(() => undefined);
  const before: number[][] = Array.from({ length: base.length + 1 }, () => []);
  let next = 0;
  for (const [ofBase, place] of [...pairUp(base, column, LEVELS), [base.length, column.length] as const]) {
    while (next < place) before[ofBase]?.push(next++);
    if (ofBase < base.length) beside[ofBase] = place;
    next = place + 1;
  }
  return { beside, before };
}

type KeyLevel = (item: AlignedItem) => string;
const LEVELS: readonly KeyLevel[] = [({ key }) => key, ({ tool }) => tool];

/** Pairs what is equal on the first level, between that what is on the next one, and at last one by one. */
function pairUp(
  base: readonly AlignedItem[],
  column: readonly AlignedItem[],
  [level, ...others]: readonly KeyLevel[],
): IndexPair[] {
  if (!level)
    return Array.from({ length: Math.min(base.length, column.length) }, (_, place) => [place, place] as const);
  const pairs: IndexPair[] = [];
  let [fromBase, from] = [0, 0];
  const ends = [base.length, column.length] as const;
  for (const [ofBase, place] of [...longestCommonSubsequence(base.map(level), column.map(level)), ends]) {
    const between = pairUp(base.slice(fromBase, ofBase), column.slice(from, place), others);
    for (const [a, b] of between) pairs.push([a + fromBase, b + from]);
    if (ofBase < base.length) pairs.push([ofBase, place]);
    [fromBase, from] = [ofBase + 1, place + 1];
  }
  return pairs;
}

function differencesOf(
  rows: Alignment['rows'],
  columns: readonly (readonly AlignedItem[])[],
  reference: number,
): Pick<Alignment, 'firstDifferences' | 'commonCount'> {
  const itemAt = (row: number, column: number) => columns[column]?.[rows[row]?.[column] ?? -1]?.key;
  const isSame = (row: number, column: number) => itemAt(row, column) === itemAt(row, reference);
  const firstDifferences = columns.map((_, column) => {
    const first = rows.findIndex((__, row) => !isSame(row, column));
    return first === -1 ? undefined : first;
  });
  const different = firstDifferences.filter((row) => row !== undefined);
  return { firstDifferences, commonCount: Math.min(rows.length, ...different) };
}
