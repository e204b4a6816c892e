/** Lists side by side, with equal items in one row. */
export interface Alignment {
  /** By row and column: index of the item in its list, if any. */
  readonly rows: readonly (readonly (number | undefined)[])[];
  /** By column: first row that differs from the reference, if any. */
  readonly firstDifferences: readonly (number | undefined)[];
  /** Number of leading rows that are equal in all columns. */
  readonly commonCount: number;
}

/** Items with the same key are equal; of the others, those with the same tool are paired first. */
export interface AlignedItem {
  readonly key: string;
  readonly tool: string;
}

/** Placement of one column relative to the reference. */
interface Placement {
  /** By index in the reference: index of the item in the same row. */
  readonly beside: readonly (number | undefined)[];
  /** By index in the reference, and after its end: indexes of the items in extra rows before it. */
  readonly before: readonly (readonly number[])[];
}

/**
 * Aligns each list with the reference by a longest common subsequence of keys. Between two equal items, different items
 * share rows as long as both lists have any, calls of one tool first: one was made instead of the other.
 *
 * @param reference index of the column to compare with.
 */
export function alignColumns(columns: readonly (readonly AlignedItem[])[], reference: number): Alignment {
  const base = columns[reference] ?? [];
  const known = placements.get(base) ?? new WeakMap<readonly AlignedItem[], Placement>();
  placements.set(base, known);
  const placed = columns.map((column) => {
    const placement = known.get(column) ?? placeColumn(base, column);
    known.set(column, placement);
    return placement;
  });
  const rows: (number | undefined)[][] = [];
  for (let index = 0; index <= base.length; index++) {
    const more = Math.max(0, ...placed.map(({ before }) => before[index]?.length ?? 0));
    for (let extra = 0; extra < more; extra++) rows.push(placed.map(({ before }) => before[index]?.[extra]));
    if (index < base.length) rows.push(placed.map(({ beside }) => beside[index]));
  }
  return { rows, ...differencesOf(rows, columns, reference) };
}

/** Columns arrive one after the other; those that are placed already are not aligned again. */
const placements = new WeakMap<readonly AlignedItem[], WeakMap<readonly AlignedItem[], Placement>>();

type IndexPair = readonly [number, number];

function placeColumn(base: readonly AlignedItem[], column: readonly AlignedItem[]): Placement {
  const beside: (number | undefined)[] = base.map(() => undefined);
  const before: number[][] = Array.from({ length: base.length + 1 }, () => []);
  let next = 0;
  for (const [inBase, inColumn] of [...pairUp(base, column, LEVELS), [base.length, column.length] as const]) {
    while (next < inColumn) before[inBase]?.push(next++);
    if (inBase < base.length) beside[inBase] = inColumn;
    next = inColumn + 1;
  }
  return { beside, before };
}

type KeyLevel = (item: AlignedItem) => string;
const LEVELS: readonly KeyLevel[] = [({ key }) => key, ({ tool }) => tool];

/** Pairs items that are equal on the first level, those in between on the next level, and the rest by index. */
function pairUp(
  base: readonly AlignedItem[],
  column: readonly AlignedItem[],
  [level, ...others]: readonly KeyLevel[],
): IndexPair[] {
  if (!level)
    return Array.from({ length: Math.min(base.length, column.length) }, (_, index) => [index, index] as const);
  const pairs: IndexPair[] = [];
  let [fromBase, from] = [0, 0];
  const ends = [base.length, column.length] as const;
  for (const [inBase, inColumn] of [...longestCommonSubsequence(base.map(level), column.map(level)), ends]) {
    const between = pairUp(base.slice(fromBase, inBase), column.slice(from, inColumn), others);
    for (const [a, b] of between) pairs.push([a + fromBase, b + from]);
    if (inBase < base.length) pairs.push([inBase, inColumn]);
    [fromBase, from] = [inBase + 1, inColumn + 1];
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

/**
 * Returns the index pairs of a longest common subsequence, ascending in both lists.
 *
 * Two lists of 20,000 items take 50 MB and some tenths of a second; a common prefix and suffix cost nothing.
 */
export function longestCommonSubsequence<Item>(one: readonly Item[], other: readonly Item[]): IndexPair[] {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  const inner = commonPairs(one.slice(start, one.length - end), other.slice(start, other.length - end));
  return [
    ...Array.from({ length: start }, (_, index) => [index, index] as const),
    ...inner.map(([a, b]) => [a + start, b + start] as const),
    ...Array.from({ length: end }, (_, index) => [one.length - end + index, other.length - end + index] as const),
  ];
}

const WORD_BITS = 32;

/**
 * Computes 32 columns of the LCS table at a time: a bit of row j is 0 where one more item of `one` extends the common
 * subsequence with the first j + 1 items of `other`.
 */
function commonPairs<Item>(one: readonly Item[], other: readonly Item[]): IndexPair[] {
  if (one.length === 0 || other.length === 0) return [];
  const words = Math.ceil(one.length / WORD_BITS);
  const bits = bitsByItem(one, words);
  const none = new Uint32Array(words);
  const table = new Uint32Array(words * other.length);
  let above = new Uint32Array(words).fill(0xffff_ffff);
  for (const [row, item] of other.entries()) {
    const current = table.subarray(row * words, (row + 1) * words);
    nextRow(above, bits.get(item) ?? none, current);
    above = current;
  }
  return backtrack(table, words, one.length, other.length);
}

function bitsByItem<Item>(items: readonly Item[], words: number): ReadonlyMap<Item, Uint32Array> {
  const bitsOf = new Map<Item, Uint32Array>();
  for (const [index, item] of items.entries()) {
    const bits = bitsOf.get(item) ?? new Uint32Array(words);
    const word = Math.floor(index / WORD_BITS);
    bits[word] = (bits[word] ?? 0) | (1 << (index % WORD_BITS));
    bitsOf.set(item, bits);
  }
  return bitsOf;
}

function nextRow(above: Uint32Array, matches: Uint32Array, into: Uint32Array): void {
  let carry = 0;
  for (let word = 0; word < into.length; word++) {
    const before = above[word] ?? 0;
    const match = matches[word] ?? 0;
    const sum = before + ((before & match) >>> 0) + carry;
    carry = sum > 0xffff_ffff ? 1 : 0;
    into[word] = sum | (before & ~match);
  }
}

function backtrack(table: Uint32Array, words: number, columns: number, rows: number): IndexPair[] {
  const isSet = (row: number, column: number) =>
    (((table[row * words + Math.floor(column / WORD_BITS)] ?? 0) >>> (column % WORD_BITS)) & 1) === 1;
  const found: IndexPair[] = [];
  let [column, row] = [columns - 1, rows - 1];
  while (column >= 0 && row >= 0) {
    if (isSet(row, column)) column--;
    else if (row > 0 && !isSet(row - 1, column)) row--;
    else found.push([column--, row--]);
  }
  return found.reverse();
}
