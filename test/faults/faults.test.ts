import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { countOccurrences } from '../support/checkout.ts';
import { faults } from './faults.ts';

const suites = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => `test/${path}`);

test('gives every fault a unique id', () => {
  const ids = faults.map(({ id }) => id);

  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('finds the text of every fault exactly once in its file', () => {
  const stale = faults.filter(
    (fault) => !existsSync(fault.file) || countOccurrences(fault) !== 1 || fault.find === fault.replace,
  );

  expect(stale.map(({ id, file, find }) => ({ id, file, find }))).toEqual([]);
});

test('names suites that exist', () => {
  const lost = faults.flatMap(({ id, tests }) =>
    tests.filter((pattern) => !suites.some((suite) => new RegExp(pattern).test(suite))).map((pattern) => [id, pattern]),
  );

  expect(lost).toEqual([]);
  expect(faults.filter(({ tests }) => tests.length === 0)).toEqual([]);
});
