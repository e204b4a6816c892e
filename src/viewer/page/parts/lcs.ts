/**
 * The places of a longest common subsequence of two lists, ascending in both: `[place in one, place in other]`.
 *
 * Lists of 20,000 take 50 MB for a moment, and some tenths of a second; equal ends cost nothing.
 */
export function longestCommonSubsequence<Item>(
  one: readonly Item[],
  other: readonly Item[],
): (readonly [number, number])[] {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  const inner = commonOf(one.slice(start, one.length - end), other.slice(start, other.length - end));
  return [
    ...Array.from({ length: start }, (_, place) => [place, place] as const),
    ...inner.map(([a, b]) => [a + start, b + start] as const),
    ...Array.from({ length: end }, (_, place) => [one.length - end + place, other.length - end + place] as const),
  ];
}

const WORD = 32;

/**
 * 32 columns of the usual table at a time: a bit of row j is 0 where one more item of `one` has made the common
 * subsequence with the first j + 1 items of `other` longer.
 */
function commonOf<Item>(one: readonly Item[], other: readonly Item[]): (readonly [number, number])[] {
  if (one.length === 0 || other.length === 0) return [];
  const words = Math.ceil(one.length / WORD);
  const places = bitsByItem(one, words);
  const none = new Uint32Array(words);
  const table = new Uint32Array(words * other.length);
  let above = new Uint32Array(words).fill(0xffff_ffff);
  for (const [row, item] of other.entries()) {
    const current = table.subarray(row * words, (row + 1) * words);
    nextRow(above, places.get(item) ?? none, current);
    above = current;
  }
  return wayBack(table, words, one.length, other.length);
}

function bitsByItem<Item>(items: readonly Item[], words: number): ReadonlyMap<Item, Uint32Array> {
  const places = new Map<Item, Uint32Array>();
  for (const [place, item] of items.entries()) {
    const bits = places.get(item) ?? new Uint32Array(words);
    const word = Math.floor(place / WORD);
    bits[word] = (bits[word] ?? 0) | (1 << (place % WORD));
    places.set(item, bits);
  }
  return places;
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

function wayBack(table: Uint32Array, words: number, columns: number, rows: number): (readonly [number, number])[] {
  const isSet = (row: number, column: number) =>
    (((table[row * words + Math.floor(column / WORD)] ?? 0) >>> (column % WORD)) & 1) === 1;
  const found: (readonly [number, number])[] = [];
  let [column, row] = [columns - 1, rows - 1];
  while (column >= 0 && row >= 0) {
    if (isSet(row, column)) column--;
    else if (row > 0 && !isSet(row - 1, column)) row--;
    else found.push([column--, row--]);
  }
  return found.reverse();
}
