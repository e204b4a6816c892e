import { expect, test } from '@jest/globals';
import { performanceDocument } from '../../bench/document.ts';
import { Results } from '../../bench/results.ts';
import { type Section, sectionOf } from '../../bench/sections.ts';

function sections(): Section[] {
  const results = new Results();
  const metric = { measure: 'calls, 32 connections', name: 'CPU us/call', better: 'less' } as const;
  for (const value of [24, 26, 25]) results.record(metric, 'ours', value);
  for (const value of [20, 22, 18]) results.record(metric, 'bare', value);
  results.notes.add('A remark.');
  const part = { name: 'calls', about: 'calls per second' };
  const section = sectionOf(part, results, { names: ['ours', 'express', 'bare'], pinning: 'Not pinned.' });
  return [{ ...section, date: '2030-01-02 03:04' }];
}

test('the document has each figure with its spread, its ratio, and the goals', () => {
  const text = performanceDocument(sections());

  expect(text).toContain('| - calls, 32 connections: CPU us/call | 25 (24-26) | 20 (18-22) |');
  expect(text).toContain('| - calls, 32 connections: CPU us/call | - | - | - | 1.25 x | - |');
  expect(text).toContain('| CPU per call, 32 connections, by bare | at most 1.30 | 1.25 | met |');
  expect(text).toContain('| CPU per call, 32 connections, by reference | at most 1/45 | - | not measured |');
  expect(text).toContain('measured on 2030-01-02 by');
  expect(text).toContain('A remark.');
});

test('no place of the text is left without what belongs there', () => {
  expect(performanceDocument(sections())).not.toMatch(/\{\{|undefined|NaN/);
});
