import { expect, test } from '@jest/globals';
import { BoundedMap, firstTimes } from '../../src/core/index.ts';
import fc from '../support/fast-check.ts';

const most = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom(100, 1_000, Infinity));
const keys = fc.array(fc.nat({ max: 60 }), { maxLength: 300 });

test('keeps the keys that were set last, at most the capacity, each with its last value', () => {
  fc.assert(
    fc.property(most, keys, (most, keys) => {
      const map = new BoundedMap<string, { readonly at: number }>(most);
      for (const [at, key] of keys.entries()) map.set(`${key}`, { at });

      const lastAt = new Map(keys.map((key, at) => [key, at]));
      const youngestFirst = [...lastAt].sort(([, one], [, other]) => other - one);
      const kept = youngestFirst.map(([key, at]) => map.get(`${key}`)?.at === at);

      const count = kept.filter(Boolean).length;
      expect(kept).toEqual(kept.map((_, place) => place < count));
      expect(count).toBeLessThanOrEqual(most);
    }),
  );
});

test.each([2, 15, 16, 23, 71, 1_000])('keeps at least four fifths of %d distinct keys', (most) => {
  const map = new BoundedMap<string, object>(most);
  for (let set = 1; set <= 3 * most; set++) {
    map.set(`${set}`, {});

    const kept = Array.from({ length: set }, (_, place) => map.get(`${place + 1}`) !== undefined);
    expect(kept.filter(Boolean).length).toBeGreaterThanOrEqual(Math.min(set, 0.8 * most));
  }
});

test('keeps the age of other entries when a young one is replaced', () => {
  const map = new BoundedMap<string, number>(16);
  for (let index = 0; index < 16; index++) map.set(`${index}`, index);

  for (let round = 0; round < 100; round++) map.set('15', round);

  expect(map.get('0')).toBe(0);
  expect(map.get('15')).toBe(99);
});

test('returns true once for each text, up to the capacity of firstTimes', () => {
  const isFirst = firstTimes(2);

  expect(['a', 'b', 'a', 'c', 'b'].map(isFirst)).toEqual([true, true, false, false, false]);
});
