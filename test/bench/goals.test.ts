import { expect, test } from '@jest/globals';
import { type Goal, judge } from '../../bench/goals.ts';
import { Results, type Row, ratio } from '../../bench/results.ts';

const rowOf = (medians: Record<string, number>): Row => ({
  measure: 'calls, 32 connections',
  name: 'CPU us/call',
  better: 'less',
  figures: Object.fromEntries(
    Object.entries(medians).map(([name, median]) => [name, { median, min: median, max: median, rounds: 1 }]),
  ),
});

const value = { measure: 'calls', metric: 'CPU us/call', of: 'ours' };
const byBare: Goal = { what: 'CPU', value, through: { ...value, of: 'bare' }, atMost: 1.3 };

test.each([
  [26, '1.30', true],
  [27, '1.35', false],
])('a figure of %d beside one of 20 is %s, which a goal of at most 1.3 makes %j', (ours, found, met) => {
  const rows = [rowOf({ ours, bare: 20 })];

  const judged = judge(byBare, rows);

  expect(judged).toEqual({ what: 'CPU', bound: 'at most 1.30', found, rounds: undefined, met });
});

test('a ratio is that of most rounds, whatever the machine took from all of a round', () => {
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
  expect(results.rows.map((row) => ratio(row, 'nobody'))).toEqual([undefined]);
  expect(judge(byBare, results.rows)).toMatchObject({ found: '1.20', rounds: { met: 2, of: 3 }, met: true });
});

test('a small part is written as one of many', () => {
  const goal: Goal = { what: 'CPU', value, through: { ...value, of: 'reference' }, atMost: 1 / 45 };

  const judged = judge(goal, [rowOf({ ours: 20, reference: 1000 })]);

  expect(judged).toMatchObject({ bound: 'at most 1/45', found: '1/50', met: true });
});

test('a figure may have a least that it must reach', () => {
  const goal: Goal = { what: 'rate', value, through: { ...value, of: 'bare' }, atLeast: 0.95 };

  const judged = judge(goal, [rowOf({ ours: 90, bare: 100 })]);

  expect(judged).toMatchObject({ bound: 'at least 0.95', found: '0.90', met: false });
});

test('a goal whose figures are not there is not judged', () => {
  expect(judge(byBare, [rowOf({ ours: 20 })])).toMatchObject({ found: undefined, met: undefined });
  expect(judge(byBare, [])).toMatchObject({ found: undefined, met: undefined });
});
