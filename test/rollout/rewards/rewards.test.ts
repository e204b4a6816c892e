import { expect, test } from '@jest/globals';
import {
  groupRewards,
  passAtK,
  REDUCERS,
  type Reducer,
  reduceRewards,
  rewardsByStep,
  rewardsByTool,
} from '../../../src/rollout/index.ts';
import fc from '../../support/fast-check.ts';

test.each<[Reducer, number]>([
  ['sum', 2.5],
  ['last', 0],
  ['mean', 0.625],
  ['max', 2],
  ['min', 0],
])('computes the %s of 0.5, null, 2, 0, 0 and null as %d', (reducer, expected) => {
  const reward = reduceRewards([0.5, null, 2, 0, 0, null], reducer);

  expect(reward).toBe(expected);
});

test.each(REDUCERS)('computes the %s of no rewards as null', (reducer) => {
  expect([reduceRewards([], reducer), reduceRewards([null, null], reducer)]).toEqual([null, null]);
});

test('ignores a missing reward at any position', () => {
  const rewards = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }), { minLength: 1 });
  fc.assert(
    fc.property(rewards, fc.nat(), fc.constantFrom(...REDUCERS), (given, at, reducer) => {
      const place = at % (given.length + 1);

      const withGap = reduceRewards([...given.slice(0, place), null, ...given.slice(place)], reducer);

      expect(withGap).toBe(reduceRewards(given, reducer));
    }),
  );
});

/** Computes pass@k by its definition: the fraction of all subsets of k samples with at least one that passed. */
function countedPassAtK(outcomes: readonly boolean[], k: number): number {
  const choose = (left: readonly boolean[], size: number): boolean[][] => {
    const [first, ...others] = left;
    if (size === 0) return [[]];
    if (first === undefined) return [];
    return [...choose(others, size - 1).map((rest) => [first, ...rest]), ...choose(others, size)];
  };
  const choices = choose(outcomes, k);
  return choices.filter((choice) => choice.includes(true)).length / choices.length;
}

test('computes pass@k as the fraction of all subsets of k samples with at least one that passed', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }), fc.nat(), (outcomes, seed) => {
      const k = (seed % outcomes.length) + 1;

      const estimate = passAtK(outcomes.length, outcomes.filter(Boolean).length, k);

      expect(estimate).toBeCloseTo(countedPassAtK(outcomes, k), 10);
    }),
  );
});

test('computes pass@k of thousands of samples without overflow or loss of precision', () => {
  expect(passAtK(10_000, 0, 5_000)).toBe(0);
  expect(passAtK(10_000, 1, 5_000)).toBeCloseTo(0.5, 10);
  expect(passAtK(10_000, 9_000, 1)).toBeCloseTo(0.9, 10);
});

test.each([
  [4, 2, 0],
  [4, 2, 5],
  [4, 5, 2],
  [0, 0, 1],
])('rejects pass@k of %d samples, %d of which passed, for k = %d', (samples, passed, k) => {
  expect(() => passAtK(samples, passed, k)).toThrow(RangeError);
});

test('computes advantages as normalized deviations from the mean of the group, and 0 if all rewards are equal', () => {
  const mixed = groupRewards([1, 0, 0, 1]);
  const equal = groupRewards([0.1, 0.1, 0.1]);

  const one = 0.5 / (0.5 + 1e-6);
  expect(mixed).toEqual({ mean: 0.5, std: 0.5, advantages: [one, -one, -one, one] });
  expect(equal.std).toBe(0);
  expect(equal.advantages).toEqual([0, 0, 0]);
});

test('computes advantages with mean 0 and a standard deviation of almost 1, or all 0', () => {
  const rewards = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(rewards, (given) => {
      const { std, advantages } = groupRewards(given);

      const again = groupRewards(advantages);
      expect(again.mean).toBeCloseTo(0, 8);
      if (std) expect(again.std).toBeCloseTo(std / (std + 1e-6), 8);
      else expect(advantages).toEqual(given.map(() => 0));
    }),
  );
});

test('groups rewards by tool and by position of the call', () => {
  const episodes = [
    [
      { tool: 'look', reward: null },
      { tool: 'submit', reward: 1 },
    ],
    [{ tool: 'submit', reward: 0 }],
  ];

  expect(rewardsByTool(episodes)).toEqual({
    look: { calls: 1, rewardedCalls: 0, reward: 0 },
    submit: { calls: 2, rewardedCalls: 2, reward: 1 },
  });
  expect(rewardsByStep(episodes)).toEqual([
    { calls: 2, rewardedCalls: 1, reward: 0 },
    { calls: 1, rewardedCalls: 1, reward: 1 },
  ]);
});
