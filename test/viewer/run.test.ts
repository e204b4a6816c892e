import { expect, test } from '@jest/globals';
import type { Group, RunStats } from '../../generated/trace.ts';
import { meanOf } from '../../src/core/index.ts';
import { groupRewards } from '../../src/rollout/rewards.ts';
import { countIntoBins } from '../../src/trace/store/summaries.ts';
import {
  advantageWithin,
  explainZeroAdvantage,
  rewardStandardError,
  stopReason,
  summarizeShownRewards,
} from '../../src/viewer/page/parts/rewards.ts';
import { binsToRange, mergeEqualBins, previousFloat, rangeToBins } from '../../src/viewer/page/run/bins.ts';
import {
  addFilterChoices,
  NO_CHOICES,
  readGroupSortOrder,
  readSortOrder,
  readTraceFilters,
  sortGroups,
  unknownFilterParams,
} from '../../src/viewer/page/run/filters.ts';
import fc from '../support/fast-check.ts';

const query = (text: string) => new URLSearchParams(text);
const rewards = fc.array(
  fc.integer({ min: -50, max: 50 }).map((value) => value / 8),
  { minLength: 1, maxLength: 40 },
);

test('selects as many rewards by bins as by their range', () => {
  const sizes = fc.integer({ min: 1, max: 30 });
  fc.assert(
    fc.property(rewards, sizes, fc.nat(40), fc.nat(40), (values, size, one, other) => {
      const [min, max] = [Math.min(...values), Math.max(...values)];
      const edges =
        min === max ? [min, max] : Array.from({ length: size + 1 }, (_, index) => min + ((max - min) * index) / size);
      edges[edges.length - 1] = max;
      const last = edges.length - 2;
      const [from, to] = [Math.min(one, other, last), Math.min(Math.max(one, other), last)];

      const range = binsToRange(edges, to, from);

      const histogram = countIntoBins(
        values.map((reward) => ({ reward, count: 1 })),
        edges,
      );
      const within = values.filter((value) => value >= Number(range.min) && value <= Number(range.max));
      expect(within).toHaveLength(histogram.slice(from, to + 1).reduce((sum, each) => sum + each, 0));
      if (min !== max) expect(rangeToBins(edges, range)).toEqual([from, to]);
    }),
  );
});

test('selects no bins without bounds, and all up to the end with one bound', () => {
  const edges = [0, 1, 2, 3, 4];

  const bins = [{}, { min: 1.5 }, { max: 1.5 }, { min: -9, max: 9 }].map((range) =>
    rangeToBins(edges, { min: undefined, max: undefined, ...range }),
  );

  expect(bins).toEqual([undefined, [1, 3], [0, 1], [0, 3]]);
});

test('returns the next smaller number', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300 }), (value) => {
      const below = previousFloat(value);

      expect(below).toBeLessThan(value);
      const middle = below + (value - below) / 2;
      expect(middle === below || middle === value).toBe(true);
    }),
  );
});

test('computes the same mean, deviation and advantages as a rollout', () => {
  fc.assert(
    fc.property(rewards, (values) => {
      const expected = groupRewards(values);

      const summary = summarizeShownRewards(values);

      expect(summary.mean).toBeCloseTo(Number(expected.mean), 10);
      expect(summary.std).toBeCloseTo(Number(expected.std), 10);
      for (const [index, value] of values.entries())
        expect(advantageWithin(value, summary)).toBeCloseTo(expected.advantages[index] ?? Number.NaN, 6);
    }),
  );
});

test.each([
  [[0, 0, 0], 'all 0', 0],
  [[1, 1], 'all 1', 0],
  [[-0.25, -0.25], 'all −0.25', 0],
  [[0.1 + 0.2, 0.1 + 0.2], 'all 0.3', 0],
  [[1], 'one reward', 0],
  [[null, null], 'no rewards', null],
  [[0, null], 'one reward', 0],
  [[0, 1], undefined, -0.5 / (0.5 + 1e-6)],
])('explains why the rewards %j give no learning signal: %j', (values, why, advantage) => {
  const summary = summarizeShownRewards(values);

  expect(explainZeroAdvantage(summary)).toBe(why);
  expect(advantageWithin(values[0] ?? null, summary)).toBe(advantage);
});

test('computes the standard error of a sample, and none for fewer than two rewards', () => {
  const values = [1, 2, 4, 8];
  const mean = Number(meanOf(values));
  const sample = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 3);

  expect(rewardStandardError(summarizeShownRewards(values))).toBeCloseTo(sample / 2, 12);
  expect([[], [3], [null, 3]].map((each) => rewardStandardError(summarizeShownRewards(each)))).toEqual([
    null,
    null,
    null,
  ]);
});

test('reads filters from the address, and ignores invalid values', () => {
  const given =
    'run=r&step=3&status=error&has_error=true&reward_min=-0.5&reward_max=1e2&tag=a%26b&q=x&model=&task_key=k';

  expect(readTraceFilters(query(given))).toEqual({
    step: 3,
    status: 'error',
    has_error: true,
    reward_min: -0.5,
    reward_max: 100,
    tag: 'a&b',
    q: 'x',
    task_key: 'k',
  });
  expect(readTraceFilters(query('step=-1&status=lost&has_error=yes&reward_min=NaN&reward_max=Infinity&q='))).toEqual(
    {},
  );
  expect(readTraceFilters(query('step=1.5&reward_min=%20'))).toEqual({});
  expect(readTraceFilters(query('step=0'))).toEqual({ step: 0 });
});

test.each([
  ['run=r&step=3&status=error&reward_min=-1e2&tag=t&sort=reward&order=asc&gsort=mean&gorder=asc&q=&step=', []],
  ['status=lost&step=-1&reward_min=abc&reward_max=1', ['step', 'status', 'reward_min']],
  ['sort=colour&order=up&gsort=x&gorder=y&has_error=maybe', ['has_error', 'sort', 'order', 'gsort', 'gorder']],
])('reports the invalid parameters of the address %s: %j', (address, names) => {
  expect(unknownFilterParams(query(address))).toEqual(names);
});

test('reads the order of traces from the address, newest first by default', () => {
  expect(readSortOrder(query('sort=reward&order=asc'))).toEqual({ sort: 'reward', order: 'asc' });
  expect(readSortOrder(query('sort=colour&order=up'))).toEqual({ sort: 'created', order: 'desc' });
});

test('sorts groups by deviation, mean, step or task, those without a value last', () => {
  const groups = [
    { key: 'a', step: 1, task_index: null, reward: { std: 0.5, mean: 1 } },
    { key: 'b', step: null, task_index: 4, reward: { std: null, mean: null } },
    { key: 'c', step: 3, task_index: 2, reward: { std: 2, mean: 0 } },
  ] as unknown as Group[];
  const keys = (address: string) =>
    sortGroups(groups, readGroupSortOrder(query(address)))
      .map(({ key }) => key)
      .join('');

  const orders = ['', 'gorder=asc', 'gsort=mean', 'gsort=step&gorder=asc', 'gsort=task'].map(keys);

  expect(orders).toEqual(['cab', 'acb', 'acb', 'acb', 'bca']);
});

test('offers every value that was seen as a filter, and returns the same object if nothing is new', () => {
  const trace = { environment: 'e', split: null, task_key: 'k', task_index: 7, model: 'm', tags: ['t'] };

  const known = addFilterChoices(NO_CHOICES, [trace]);

  expect(Object.entries(known).map(([name, labels]) => [name, ...labels])).toEqual([
    ['task_key', ['k', 'e[7]']],
    ['environment', ['e', 'e']],
    ['split'],
    ['model', ['m', 'm']],
    ['tag', ['t', 't']],
  ]);
  expect(addFilterChoices(known, [trace])).toBe(known);
});

test.each([
  [{ tags: ['a', 'stop:turn_limit'], metadata: { stop_reason: 'x' }, rollout_info: {} }, 'turn_limit'],
  [{ tags: [], metadata: {}, rollout_info: { finish_reason: 'length' } }, 'length'],
  [{ tags: [], metadata: { stop_reason: 7 }, rollout_info: {} }, undefined],
])('reads from %j the stop reason %j', (trace, reason) => {
  expect(stopReason(trace)).toBe(reason);
});

test('treats rewards that differ by the rounding error of sums as equal', () => {
  const sums = [0.1 + 0.2 + 0.7, 0.7 + 0.2 + 0.1, 0.2 + 0.7 + 0.1, 0.7 + 0.1 + 0.2];

  const summary = summarizeShownRewards(sums);

  expect(new Set(sums).size).toBe(2);
  expect(summary.std).toBe(0);
  expect(explainZeroAdvantage({ ...summary, std: 1e-17 })).toBe('all 1');
  expect(sums.map((sum) => advantageWithin(sum, summary))).toEqual([0, 0, 0, 0]);
  expect(explainZeroAdvantage(summarizeShownRewards([1, 1.001]))).toBeUndefined();
});

test('puts rewards that differ by rounding errors into one bin', () => {
  const least = 0.9999999999999998;
  const run = {} as RunStats['run'];
  const step = { step: 1, trace_count: 3, reward: summarizeShownRewards([least, 1, 1]) };
  const of = (edges: number[], histogram: number[]): RunStats => ({
    ...{ run, edges, histogram, steps: [{ ...step, histogram }] },
  });

  const joined = mergeEqualBins(of([least, 1, 1], [1, 2]));

  expect(joined).toEqual(of([least, 1], [3]));
  expect(mergeEqualBins(of([0, 0.5, 1], [1, 2]))).toEqual(of([0, 0.5, 1], [1, 2]));
  expect(mergeEqualBins(of([], []))).toEqual(of([], []));
});
