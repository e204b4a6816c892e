import { expect, test } from '@jest/globals';
import { advantageOf, exceedsBound, reachesBound } from '../../src/protocol/rewards.ts';
import fc from '../support/fast-check.ts';

test('reaches a bound with parts that add up to it, in any number and order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 200 }), (weights) => {
      const all = weights.reduce((sum, weight) => sum + weight, 0);

      const total = weights.reduce((sum, weight) => sum + weight / all, 0);

      expect(reachesBound(total, 1)).toBe(true);
      expect(exceedsBound(total, 1)).toBe(false);
    }),
  );
});

test.each([
  [0.999, 1, false, false],
  [1, 1, true, false],
  [1.001, 1, true, true],
  [-1, -1, true, false],
  [0, 0, true, false],
  [-0.001, 0, false, false],
  [1e12 - 1, 1e12, true, false],
  [Number.NaN, 1, false, false],
])('compares %d with the bound %d: at least is %j, above is %j', (reward, bound, atLeast, above) => {
  expect([reachesBound(reward, bound), exceedsBound(reward, bound)]).toEqual([atLeast, above]);
});

test.each([
  [1, 0.5, 0.5, 0.5 / 0.500001],
  [0, 0.5, 0.5, -0.5 / 0.500001],
  [0.1, 0.1 + Number.EPSILON, 0, 0],
  [1 + 1e-12, 1, 1e-12, 1e-12 / (1e-12 + 1e-6)],
])(
  'computes for the reward %d in a group with the mean %d and the deviation %d the advantage %d',
  (reward, mean, std, advantage) => {
    expect(advantageOf(reward, mean, std)).toBeCloseTo(advantage, 9);
  },
);
