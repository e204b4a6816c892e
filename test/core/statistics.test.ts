import { expect, test } from '@jest/globals';
import {
  countedQuantiles,
  meanOf,
  nearestRankOf,
  pairedDifference,
  passCurve,
  quantilesOf,
  smooth,
  standardErrorFrom,
  standardErrorOf,
  studentT95,
} from '../../src/core/index.ts';

test('computes the mean and its standard error: the sample deviation of 1, 2, 4 and 8, divided by 2', () => {
  // The squared distances from 3.75 sum to 28.75.
  expect(meanOf([1, 2, 4, 8])).toBe(3.75);
  expect(standardErrorOf([1, 2, 4, 8])).toBeCloseTo(Math.sqrt(28.75 / 3) / 2, 12);
  expect([standardErrorOf([]), standardErrorOf([3]), standardErrorOf([3, 3])]).toEqual([null, null, 0]);
  expect(standardErrorFrom(5, 2)).toBe(1);
});

test('interpolates quantiles, also of counted numbers', () => {
  expect(quantilesOf([4, 1, 3, 2], [0, 0.25, 0.5, 0.9, 1])).toEqual([1, 1.75, 2.5, expect.closeTo(3.7), 4]);
  expect(
    countedQuantiles(
      [
        { value: 1, count: 1 },
        { value: 0, count: 3 },
      ],
      [0.5, 0.75, 1],
    ),
  ).toEqual([0, 0.25, 1]);
  expect(quantilesOf([], [0.5])).toEqual([null]);
  expect(quantilesOf([-Number.MAX_VALUE, Number.MAX_VALUE], [0.5])).toEqual([0]);
  expect([nearestRankOf([5, 1, 3], 0.5), nearestRankOf([5, 1], 0.5)]).toEqual([3, 1]);
});

// From printed tables of the distribution.
test.each([
  [1, 12.7062],
  [2, 4.30265],
  [3, 3.18245],
  [4, 2.77645],
  [7, 2.36462],
  [10, 2.22814],
  [30, 2.04227],
  [100, 1.98397],
  [200, 1.9719],
  [1000, 1.96234],
])("computes the two-sided 95 %% quantile of Student's t with %d degrees of freedom as %d", (degrees, expected) => {
  expect(studentT95(degrees)).toBeCloseTo(expected, 4);
});

test("continues the quantiles of Student's t without a step where the computation changes", () => {
  expect(studentT95(200) - studentT95(201)).toBeGreaterThan(0);
  expect(studentT95(200) - studentT95(201)).toBeLessThan(1e-4);
});

test('computes the paired difference of 0.5, 0, 1 and 0.5 with its 95 % interval', () => {
  // Mean 0.5; the squared distances sum to 0.5, so the standard error is sqrt(0.5 / 3 / 4).
  const error = Math.sqrt(0.5 / 12);

  expect(pairedDifference([0.5, 0, 1, 0.5])).toEqual({
    pairs: 4,
    mean: 0.5,
    standard_error: expect.closeTo(error, 10),
    low: expect.closeTo(0.5 - 3.182446 * error, 5),
    high: expect.closeTo(0.5 + 3.182446 * error, 5),
  });
  expect(pairedDifference([])).toBeUndefined();
  expect(pairedDifference([2])).toEqual({ pairs: 1, mean: 2, standard_error: null, low: null, high: null });
});

test('averages pass@k over the tasks with at least k samples', () => {
  // Of four samples with one pass: 1/4, 1/2, 1. Of two samples with two passes: 1, 1.
  const curve = passCurve([
    { samples: 4, passed: 1 },
    { samples: 2, passed: 2 },
  ]);

  expect(curve.map(({ k, pass, tasks }) => [k, pass, tasks])).toEqual([
    [1, 0.625, 2],
    [2, 0.75, 2],
    [4, 1, 1],
  ]);
  expect(curve.map(({ standard_error }) => standard_error)).toEqual([
    expect.closeTo(0.375, 10),
    expect.closeTo(0.25, 10),
    null,
  ]);
  expect(passCurve([])).toEqual([]);
});

test('smooths by an average whose first value is the first number, and skips missing ones', () => {
  // 1; (0.25 * 1 + 0.5 * 3) / 0.75; (0.125 * 1 + 0.25 * 3 + 0.5 * 0) / 0.875.
  expect(smooth([1, null, 3, 0], 0.5)).toEqual([1, null, expect.closeTo(7 / 3), expect.closeTo(1)]);
  expect(smooth([1, 5], 0)).toEqual([1, 5]);
});
