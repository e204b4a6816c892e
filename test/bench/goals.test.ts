import { expect, test } from '@jest/globals';
import { type Goal, judge } from '../../bench/goals.ts';
import { Results, type Row, ratio } from '../../bench/results.ts';
import { storeVerdicts } from '../../bench/traces/table.ts';

const rowOf = (medians: Record<string, number>): Row => ({
  measure: 'calls, 32 connections',
  name: 'CPU us/call',
  better: 'less',
  figures: Object.fromEntries(
    Object.entries(medians).map(([name, median]) => [name, { median, min: median, max: median, rounds: 1 }]),
  ),
});

const value = { measure: 'calls', metric: 'CPU us/call', of: 'ours' };
const byBare: Goal = { what: 'CPU', value, dividedBy: { ...value, of: 'bare' }, atMost: 1.3 };

test.each([
  [26, '1.30', true],
  [27, '1.35', false],
])('divides a figure of %d by one of 20 to %s, and judges a goal of at most 1.3 as %j', (ours, found, met) => {
  const rows = [rowOf({ ours, bare: 20 })];

  const judged = judge(byBare, rows);

  const share = expect.closeTo(ours / 20 / 1.3);
  expect(judged).toEqual({ what: 'CPU', bound: 'at most 1.30', found, rounds: undefined, met, share });
});

test('computes the median of the ratios of the rounds, and falls back to the ratio of the medians', () => {
  const results = new Results();
  const metric = { measure: 'calls, 32 connections', name: 'CPU us/call', better: 'less' } as const;
  for (const [ours, bare] of [
    [12, 10],
    [30, 10],
    [24, 20],
  ]) {
    results.record(metric, 'ours', ours ?? 0);
    results.record(metric, 'bare', bare ?? 0);
  }
  results.record(metric, 'other', 10);

  expect(results.rows.map((row) => ratio(row, 'bare'))).toEqual([1.2]);
  expect(results.rows.map((row) => ratio(row, 'other'))).toEqual([2.4]);
  expect(results.rows.map((row) => ratio(row, 'unknown'))).toEqual([undefined]);
  expect(judge(byBare, results.rows)).toMatchObject({ found: '1.20', rounds: { met: 2, of: 3 }, met: true });
});

test.each([
  ['less', '0.50'],
  ['more', '0.25'],
] as const)('divides by the best of several contestants, if %s is better', (better, found) => {
  const goal: Goal = { what: 'CPU', value, dividedBy: { ...value, of: ['bare', 'reference', 'absent'] }, atMost: 1 };

  const judged = judge(goal, [{ ...rowOf({ ours: 10, bare: 40, reference: 20 }), better }]);

  expect(judged).toMatchObject({ found, met: true });
});

test('judges a figure of the trace store relative to the best of the other stores', () => {
  const row = { ...rowOf({ store: 10, Phoenix: 40, MLflow: 20 }), name: 'page ms', atMost: 1 };

  const [verdict] = storeVerdicts([row]);

  expect(verdict).toMatchObject({ what: 'page ms, store/best other', found: '0.50', met: true });
});

test('a result that misses a minimum has a share above 1', () => {
  const goal: Goal = { what: 'calls', value, dividedBy: { ...value, of: 'bare' }, atLeast: 0.95 };

  const judged = judge(goal, [rowOf({ ours: 19, bare: 40 })]);

  expect(judged).toMatchObject({ found: '0.47', met: false, share: expect.closeTo(2) });
});

test('formats a small ratio as a fraction', () => {
  const goal: Goal = { what: 'CPU', value, dividedBy: { ...value, of: 'reference' }, atMost: 1 / 45 };

  const judged = judge(goal, [rowOf({ ours: 20, reference: 1000 })]);

  expect(judged).toMatchObject({ bound: 'at most 1/45', found: '1/50', met: true });
});

test('judges a goal with a minimum', () => {
  const goal: Goal = { what: 'rate', value, dividedBy: { ...value, of: 'bare' }, atLeast: 0.95 };

  const judged = judge(goal, [rowOf({ ours: 90, bare: 100 })]);

  expect(judged).toMatchObject({ bound: 'at least 0.95', found: '0.90', met: false });
});

test('judges no goal without figures', () => {
  expect(judge(byBare, [rowOf({ ours: 20 })])).toMatchObject({ found: undefined, met: undefined });
  expect(judge(byBare, [])).toMatchObject({ found: undefined, met: undefined });
});
