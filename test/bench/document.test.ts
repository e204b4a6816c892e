import { expect, test } from '@jest/globals';
import { performanceDocument } from '../../bench/document.ts';
import { Results } from '../../bench/results.ts';
import { type Section, sectionOf } from '../../bench/sections.ts';
import type { StoreFigures } from '../../bench/traces/figures.ts';
import type { StoreMetric } from '../../bench/traces/row.ts';

function sections(): Section[] {
  const results = new Results();
  const metric = { measure: 'calls, 32 connections', name: 'CPU us/call', better: 'less' } as const;
  for (const value of [24, 26, 25]) results.record(metric, 'ours', value);
  for (const value of [18, 22, 20]) results.record(metric, 'bare', value);
  results.notes.add('A remark.');
  const part = { name: 'calls', about: 'calls per second' };
  const section = sectionOf(part, results, { names: ['ours', 'express', 'bare'], pinning: 'Not pinned.', from: 0 });
  return [{ ...section, date: '2030-01-02 03:04' }];
}

function store(): StoreFigures {
  const names = { names: [], pinning: 'Not pinned.', from: 0 };
  const results = new Results<StoreMetric>();
  const batches = { measure: 'batches', name: 'blocks/s', better: 'more', mark: 'T1', atLeast: 0.5 } as const;
  for (const value of [40, 60, 50]) results.record(batches, 'store', value);
  for (const value of [190, 210, 200]) results.record(batches, 'a bare loop', value);
  results.record({ measure: 'batches', name: 'page ms', better: 'less', mark: 'T10', atMost: 100 }, 'store', 7);
  results.record({ measure: 'batches', name: 'seconds', better: 'less' }, 'store', 3);
  results.notes.add('SQLite 3.50.');
  const curve = new Results();
  const appended = { measure: 'growth', name: 'CPU us/block', better: 'less' } as const;
  for (const [size, value] of [
    ['0.1 million', 90],
    ['1 million', 40],
    ['5 million', 64],
    ['7.5 million', 30],
    ['10 million', 62],
  ] as const)
    curve.record(appended, size, value);
  return {
    engine: 'sqlite',
    about: 'a new file',
    sections: [sectionOf({ name: 'batches', about: 'batches' }, results, names)],
    extras: [sectionOf({ name: 'growth', about: 'a database that grows' }, curve, names)],
    absent: ['peer'],
  };
}

test('the document has each figure with its spread, its ratio, and the goals', () => {
  const text = performanceDocument(sections(), [], []);

  expect(text).toContain('| - calls, 32 connections: CPU us/call | 25 (24-26) | 20 (18-22) |');
  expect(text).toContain('| - calls, 32 connections: CPU us/call | - | - | - | 1.25 x | - | - | - | - |');
  expect(text).toContain('| CPU per call, 32 connections, by bare | at most 1.30 | 1.25 | 2 of 3 | met |');
  expect(text).toContain('| CPU per call, 32 connections, by reference | at most 1/45 | - | - | not measured |');
  expect(text).toContain('measured on 2030-01-02 by');
  expect(text).toContain('A remark.');
});

test('no place of the text is left without what belongs there', () => {
  expect(performanceDocument(sections(), [], [store()])).not.toMatch(/\{\{|undefined|NaN/);
});

test('a figure of the trace store stands beside another of its run, and its goal is judged', () => {
  const text = performanceDocument(sections(), [], [store()]);

  expect(text).toContain(
    '| + T1 blocks/s | 50 (40-60) | a bare loop: 200 (190-210) | 0.25 x | at least 0.50 x | **not met** |',
  );
  expect(text).toContain("of the trace store's 1 of 2 on sqlite.");
  expect(text).toContain('| - T10 page ms | 7 | - | - | at most 100 | met |');
  expect(text).toContain('| - seconds | 3 | - | - |  |  |');
  expect(text).toContain('SQLite 3.50.');
});

test('what the trace store takes while it grows is a curve, and a part that was not measured is named', () => {
  const text = performanceDocument(sections(), [], [store()]);

  expect(text).toContain('|  | 0.1 million | 1 million | 5 million | 7.5 million | 10 million |');
  expect(text).toContain('| - growth: CPU us/block | 90 | 40 | 64 | 30 | 62 |');
  expect(text).toContain('| CPU us/block | at most 1.50 | 1.55 | **not met** |');
  expect(text).toContain('Not measured: peer.');
});

function isolation(): Section[] {
  const results = new Results();
  const metric = { measure: 'throughput, 8 sessions whose tool computes', name: 'calls/s', better: 'more' } as const;
  results.record(metric, 'inline', 80);
  results.record(metric, 'worker', 152);
  const part = { name: 'throughput', about: 'calls of a tool that computes' };
  return [sectionOf(part, results, { names: ['inline', 'worker'], pinning: 'Not pinned.', from: 0 })];
}

test('what workers bring stands beside what one thread does, with their ratio, and its goal is judged', () => {
  const text = performanceDocument(sections(), isolation(), []);

  expect(text).toContain('|  | inline | worker | worker/inline |');
  expect(text).toContain('| + throughput, 8 sessions whose tool computes: calls/s | 80 | 152 | 1.9 x |');
  expect(text).toMatch(/\| calls\/s of a tool that computes, .* \| at least 1\.70 \| 1\.90 \| - \| met \|/);
  expect(text).toContain('Not measured: delays, starts, calls, workers, sessions.');
});

test.each([
  [30, '**not met**'],
  [50, 'met'],
  [70, 'met, and the stretch'],
])('%i blocks/s beside 200 of a goal with a stretch mark are: %s', (value, verdict) => {
  const results = new Results<StoreMetric>();
  const metric = { measure: 'batches', name: 'blocks/s', better: 'more', atLeast: 0.2, stretch: 0.3 } as const;
  results.record(metric, 'store', value);
  results.record(metric, 'a bare loop', 200);
  const section = sectionOf({ name: 'batches', about: '' }, results, { names: [], pinning: '', from: 0 });

  const text = performanceDocument(sections(), [], [{ ...store(), sections: [section] }]);

  expect(text).toContain(`| at least 0.20 x, stretch 0.30 x | ${verdict} |`);
});
