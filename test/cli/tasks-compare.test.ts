import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import {
  changedPointers,
  compareSplits,
  createHashList,
  type HashList,
  toIndexRanges,
  toMovedRanges,
} from '../../src/cli/tasks/difference.ts';
import fc from '../support/fast-check.ts';

const hashesOf = (tasks: readonly number[]): HashList => {
  const list = createHashList();
  for (const task of tasks) list.add(createHash('sha256').update(String(task)).digest('hex'));
  return list;
};
const compared = (before: readonly number[], after: readonly number[]) =>
  compareSplits(hashesOf(before), hashesOf(after));

// Few different tasks, so that many are the same.
const tasks = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 40 });
const ascending = (indexes: readonly number[]) => [...indexes].sort((one, other) => one - other);
const upTo = (length: number) => Array.from({ length }, (_, index) => index);

test('lists every task of either side once: same, changed, moved, added or removed', () => {
  fc.assert(
    fc.property(tasks, tasks, (before, after) => {
      const { same, changed, moved, added, removed } = compared(before, after);

      const were = [...changed, ...removed, ...moved.map(({ from }) => from)];
      const are = [...changed, ...added, ...moved.map(({ to }) => to)];
      expect([new Set(were).size, new Set(are).size]).toEqual([were.length, are.length]);
      expect([were.length + same, are.length + same]).toEqual([before.length, after.length]);
      const isSame = (index: number) => before[index] === after[index];
      expect(ascending(were)).toEqual(upTo(before.length).filter((index) => index >= after.length || !isSame(index)));
      expect(ascending(are)).toEqual(upTo(after.length).filter((index) => index >= before.length || !isSame(index)));
    }),
  );
});

test('reports a task as moved, not changed, if it exists at another index', () => {
  fc.assert(
    fc.property(tasks, tasks, (before, after) => {
      const { changed, moved, added, removed } = compared(before, after);

      for (const { from, to } of moved) expect([before[from], from]).not.toEqual([after[to], to]);
      for (const { from, to } of moved) expect(before[from]).toBe(after[to]);
      const gone = new Set([...changed, ...removed].map((index) => before[index]));
      expect([...changed, ...added].filter((index) => gone.has(after[index] as number))).toEqual([]);
    }),
  );
});

test('reports added tasks as removed in the other direction', () => {
  fc.assert(
    fc.property(tasks, tasks, (before, after) => {
      const [there, back] = [compared(before, after), compared(after, before)];

      expect(back).toMatchObject({ same: there.same, changed: there.changed, added: there.removed });
      expect(back.removed).toEqual(there.added);
      const turned = back.moved.map(({ from, to }) => ({ from: to, to: from }));
      expect(turned.sort((one, other) => one.to - other.to)).toEqual(there.moved);
    }),
  );
});

test('reports only moves for another order', () => {
  const shuffled = fc
    .uniqueArray(fc.nat(), { maxLength: 30 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
  fc.assert(
    fc.property(shuffled, ([before, after]) => {
      const { same, changed, moved, added, removed } = compared(before, after);

      expect([changed, added, removed]).toEqual([[], [], []]);
      expect(same + moved.length).toBe(before.length);
    }),
  );
});

test('reports one added task and moves for a task that was inserted first', () => {
  const { moved, ...rest } = compared([1, 2, 3, 4], [9, 1, 2, 3, 4]);

  expect(rest).toEqual({ same: 0, changed: [], added: [0], removed: [] });
  expect(toMovedRanges(moved)).toEqual([{ from: 0, to: 1, count: 4 }]);
});

test('matches equal tasks one by one', () => {
  const count = 200_000;
  const before = upTo(count).map((index) => index % 2);
  const [one, other] = [hashesOf([0]).at(0), hashesOf([1]).at(0)].map((text) =>
    Buffer.from(text, 'latin1').toString('hex'),
  );
  const lists = [createHashList(), createHashList()] as const;
  for (const task of before) {
    lists[0].add((task === 0 ? one : other) as string);
    lists[1].add((task === 0 ? other : one) as string);
  }

  const { moved, changed, added, removed } = compareSplits(...lists);

  expect([moved.length, changed, added, removed]).toEqual([count, [], [], []]);
});

test('joins indexes to ranges that do not touch', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat({ max: 60 })), (list) => {
      const indexes = ascending(list);

      const runs = toIndexRanges(indexes);

      expect(runs.flatMap(({ index, count }) => upTo(count).map((offset) => index + offset))).toEqual(indexes);
      for (const [order, { index, count }] of runs.entries()) expect(runs[order + 1]?.index).not.toBe(index + count);
    }),
  );
});

test.each<[unknown, unknown, string[]]>([
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, []],
  [{ a: 1, b: 2 }, { a: 1, b: 3 }, ['/b']],
  [{ a: [1, 2, 3] }, { a: [1, 5] }, ['/a/1', '/a/2']],
  [{ a: { b: [{ c: 1 }] } }, { a: { b: [{ c: null }] } }, ['/a/b/0/c']],
  [{ a: [] }, { a: {} }, ['/a']],
  [{ a: null }, {}, ['/a']],
  [{ 'a/b': 1, '~': 1 }, { 'a/b': 2, '~': 2 }, ['/a~1b', '/~0']],
  [JSON.parse('{"__proto__": 1}'), {}, ['/__proto__']],
  [{ constructor: 1 }, {}, ['/constructor']],
])('from %j to %j the pointers are %j', (before, after, pointers) => {
  expect(changedPointers(before, after, 5)).toEqual(pointers);
});

test('returns pointers of all differences, and only of those', () => {
  const objects = fc.dictionary(fc.string({ maxLength: 2 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
  fc.assert(
    fc.property(objects, objects, (one, other) => {
      const [before, after] = [JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other))];

      const pointers = changedPointers(before, after, 1_000);

      for (const pointer of pointers) expect(valueAt(before, pointer)).not.toEqual(valueAt(after, pointer));
      const isSame = JSON.stringify(sorted(before)) === JSON.stringify(sorted(after));
      expect(pointers.length === 0).toBe(isSame);
    }),
  );
});

/** Undefined in JSON would be lost; a marker is not. */
function valueAt(value: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1);
  let found = value;
  for (const key of keys.map((text) => text.replaceAll('~1', '/').replaceAll('~0', '~'))) {
    const isThere = typeof found === 'object' && found !== null && Object.hasOwn(found, key);
    if (!isThere) return 'nothing is there';
    found = (found as Record<string, unknown>)[key];
  }
  return found === undefined ? 'nothing is there' : { found };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, part]) => [key, sorted(part), Array.isArray(part)]);
}

test('stops at the maximum number of pointers', () => {
  const after = Object.fromEntries(upTo(100).map((index) => [`key${index}`, index]));

  expect(changedPointers({}, after, 3)).toEqual(['/key0', '/key1', '/key2']);
});
