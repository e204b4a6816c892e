import { expect, test } from '@jest/globals';
import type { Run, RunDetails, StepStats } from '../../generated/trace.ts';
import { bandOf } from '../../src/viewer/page/run/bins.ts';
import { readColumns, readRunOrder, runColumn, settingColumns, sortRuns } from '../../src/viewer/page/runs/columns.tsx';

const query = (text: string) => new URLSearchParams(text);

const toRun = (run: string, mean: number | null, details: Partial<RunDetails> = {}) =>
  ({
    ...{ run, trace_count: 4, error_count: 0, bytes: 0, block_count: 0 },
    reward: { count: mean === null ? 0 : 4, count_without: 0, mean, std: 0, min: mean, max: mean },
    details: { environments: [], models: [], tags: [], trend: [], info: {}, passed: 1, tokens: null, ...details },
  }) as unknown as Run;

const RUNS = [
  toRun('run-2', 0.5, { info: { lr: 0.1 }, tags: ['kept'] }),
  toRun('run-10', null, { info: { lr: 'auto', 'a,b': true } }),
  toRun('run-1', -1, { trend: [0.25, null, 1] }),
];

const sorted = (text: string) => sortRuns(RUNS, readRunOrder(query(text))).map(({ run }) => run);

test.each([
  ['sort=run&order=asc', ['run-1', 'run-2', 'run-10']],
  ['sort=mean', ['run-2', 'run-1', 'run-10']],
  ['sort=mean&order=asc', ['run-1', 'run-2', 'run-10']],
  ['sort=trend', ['run-1', 'run-2', 'run-10']],
  ['sort=info.lr', ['run-10', 'run-2', 'run-1']],
])('sorts runs by %s, those without a value last', (order, names) => {
  expect(sorted(order)).toEqual(names);
});

test('sorts by the last change unless the address has a column', () => {
  expect(readRunOrder(query('sort=colour&order=up'))).toEqual({ sort: 'changed', order: 'desc' });
  expect(readRunOrder(query('sort=info.lr&order=asc'))).toEqual({ sort: 'info.lr', order: 'asc' });
});

test('reads columns from the address, ignores unknown ones, and begins with the name', () => {
  expect(readColumns(query('columns=mean,colour,run,info.a%252Cb'), RUNS)).toEqual(['run', 'mean', 'info.a,b']);
  expect(settingColumns(RUNS)).toEqual(['info.a,b', 'info.lr']);
  expect(runColumn('constructor')).toBeUndefined();
});

test('shows the columns of tags and of rewards by step only if a run has them', () => {
  expect(readColumns(query(''), RUNS)).toEqual(expect.arrayContaining(['trend', 'tags']));
  expect(readColumns(query(''), [toRun('plain', 1)])).not.toEqual(expect.arrayContaining(['trend']));
});

test('never draws the band of a mean beyond the rewards', () => {
  const reward = { count: 5, count_without: 0, mean: 0.9, std: 0.4, min: 0, max: 1 };
  const quantiles = { p10: 0.1, p25: 0.5, p50: 1, p75: 1, p90: 1 };
  const step = { step: 1, trace_count: 5, reward, histogram: [], quantiles } satisfies StepStats;

  expect(bandOf(step, 'error')).toEqual([expect.closeTo(0.7), 1]);
  expect(bandOf(step, 'std')).toEqual([0.5, 1]);
  expect(bandOf(step, 'quantiles')).toEqual([0.1, 1]);
  expect(bandOf({ ...step, reward: { ...reward, count: 1 } }, 'error')).toBeUndefined();
});
