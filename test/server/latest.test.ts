import { expect, test } from '@jest/globals';
import { Latest } from '../../src/server/sessions/latest.ts';
import fc from '../support/fast-check.ts';

const most = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom(100, 1_000, Infinity));
const keys = fc.array(fc.nat({ max: 60 }), { maxLength: 300 });

test('keeps the keys that were set last, at most the capacity, each with its last value', () => {
  fc.assert(
    fc.property(most, keys, (most, keys) => {
      const latest = new Latest<{ readonly at: number }>(most);
      for (const [at, key] of keys.entries()) latest.set(`${key}`, { at });

      const lastAt = new Map(keys.map((key, at) => [key, at]));
      const youngestFirst = [...lastAt].sort(([, one], [, other]) => other - one);
      const kept = youngestFirst.map(([key, at]) => latest.get(`${key}`)?.at === at);

      const count = kept.filter(Boolean).length;
      expect(kept).toEqual(kept.map((_, place) => place < count));
      expect(count).toBeLessThanOrEqual(most);
    }),
  );
});

test.each([2, 15, 16, 23, 71, 1_000])('with a capacity of %d and distinct keys, keeps at least four fifths', (most) => {
  const latest = new Latest<object>(most);
  for (let set = 1; set <= 3 * most; set++) {
    latest.set(`${set}`, {});

    const kept = Array.from({ length: set }, (_, place) => latest.get(`${place + 1}`) !== undefined);
    expect(kept.filter(Boolean).length).toBeGreaterThanOrEqual(Math.min(set, 0.8 * most));
  }
});
