import { expect, test } from '@jest/globals';
import { type AlignedItem, alignColumns } from '../../src/viewer/page/parts/align.ts';
import fc from '../support/fast-check.ts';

/** Creates an item per letter, with the letter as its tool. */
const itemsOf = (letters: Iterable<string>): AlignedItem[] => Array.from(letters, (key) => ({ key, tool: key }));

const shown = (columns: readonly string[], reference = 0) => {
  const lists = columns.map((column) => [...column]);
  const { rows, ...others } = alignColumns(lists.map(itemsOf), reference);
  return {
    rows: rows.map((row) => row.map((index, column) => lists[column]?.[index ?? -1] ?? '-').join('')),
    ...others,
  };
};

test.each([
  [
    'equal lists',
    ['abc', 'abc'],
    { rows: ['aa', 'bb', 'cc'], firstDifferences: [undefined, undefined], commonCount: 3 },
  ],
  [
    'one instead of another',
    ['abc', 'axc'],
    { rows: ['aa', 'bx', 'cc'], firstDifferences: [undefined, 1], commonCount: 1 },
  ],
  ['one more', ['ac', 'abc'], { rows: ['aa', '-b', 'cc'], firstDifferences: [undefined, 1], commonCount: 1 }],
  ['one less', ['abc', 'ac'], { rows: ['aa', 'b-', 'cc'], firstDifferences: [undefined, 1], commonCount: 1 }],
  ['an early end', ['abc', 'ab'], { rows: ['aa', 'bb', 'c-'], firstDifferences: [undefined, 2], commonCount: 2 }],
  [
    'two for one',
    ['abc', 'axyc'],
    { rows: ['aa', 'bx', '-y', 'cc'], firstDifferences: [undefined, 1], commonCount: 1 },
  ],
  ['nothing in common', ['ab', 'xyz'], { rows: ['ax', 'by', '-z'], firstDifferences: [undefined, 0], commonCount: 0 }],
  ['an empty reference', ['', 'ab'], { rows: ['-a', '-b'], firstDifferences: [undefined, 0], commonCount: 0 }],
  ['one column', ['abc'], { rows: ['a', 'b', 'c'], firstDifferences: [undefined], commonCount: 3 }],
  ['no items', ['', ''], { rows: [], firstDifferences: [undefined, undefined], commonCount: 0 }],
  [
    'three columns that share rows where they differ',
    ['ad', 'axd', 'ayzd'],
    { rows: ['aaa', '-xy', '--z', 'ddd'], firstDifferences: [undefined, 1, 1], commonCount: 1 },
  ],
])('aligns %s', (_, columns, expected) => {
  expect(shown(columns)).toEqual(expected);
});

test('compares the columns with another reference', () => {
  const { rows, firstDifferences } = shown(['abc', 'xbc', 'xbd'], 1);

  expect(rows).toEqual(['axx', 'bbb', 'ccd']);
  expect(firstDifferences).toEqual([0, undefined, 2]);
});

test('puts calls of one tool into the same row even if their arguments differ', () => {
  const call = (key: string): AlignedItem => ({ key, tool: key.slice(0, 1) });
  const lists = [['r1', 'w1', 's1'].map(call), ['r1', 'w2', 'w3', 's2'].map(call), ['r2', 's3'].map(call)];

  const { rows, firstDifferences } = alignColumns(lists, 0);

  expect(rows.map((row) => row.map((index, list) => lists[list]?.[index ?? -1]?.key ?? '-').join(' '))).toEqual([
    'r1 r1 r2',
    'w1 w2 -',
    '- w3 -',
    's1 s2 s3',
  ]);
  expect(firstDifferences).toEqual([undefined, 1, 0]);
});

const column = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 25 });
const columns = fc.array(column, { minLength: 1, maxLength: 6 });

test('puts every item into one row, in the order of its list, without empty rows', () => {
  fc.assert(
    fc.property(columns, fc.nat(), (lists, seed) => {
      const { rows } = alignColumns(lists.map(itemsOf), seed % lists.length);

      for (const [index, list] of lists.entries()) {
        const seen = rows.map((row) => row[index]).filter((item) => item !== undefined);
        expect(seen).toEqual([...list.keys()]);
      }
      for (const row of rows) expect(row.some((item) => item !== undefined)).toBe(true);
    }),
  );
});

test('reports the first row in which two lists have different items', () => {
  fc.assert(
    fc.property(column, column, (one, other) => {
      const { firstDifferences, commonCount } = alignColumns([itemsOf(one), itemsOf(other)], 0);
      let same = 0;
      while (same < one.length && one[same] === other[same]) same++;
      const isEqual = one.length === other.length && same === one.length;

      expect(firstDifferences).toEqual([undefined, isEqual ? undefined : same]);
      expect(commonCount).toBe(same);
    }),
  );
});

test('aligns 64 lists of 1,000 items without losing items', () => {
  const names = ['read', 'write', 'run', 'list'];
  const lists = Array.from({ length: 64 }, (_, list) =>
    Array.from({ length: 1_000 }, (__, index): AlignedItem => {
      const tool = names[(index * 7 + list * index) % 4] ?? '';
      return { tool, key: `${tool} ${(index * list) % 13}` };
    }),
  );

  const { rows } = alignColumns(lists, 5);

  expect(rows.length).toBeGreaterThanOrEqual(1_000);
  expect(rows.map((row) => row[63]).filter((index) => index !== undefined)).toHaveLength(1_000);
});
