import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { countOccurrences } from '../support/checkout.ts';
import { faults } from './faults.ts';

const suites = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => `test/${path}`);

test('every fault has an id of its own', () => {
  const ids = faults.map(({ id }) => id);

  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('every fault applies: its text occurs exactly once in its file, and is replaced by another', () => {
  const stale = faults.filter(
    (fault) => !existsSync(fault.file) || countOccurrences(fault) !== 1 || fault.find === fault.replace,
  );

  expect(stale.map(({ id, file, find }) => ({ id, file, find }))).toEqual([]);
});

test('every fault names suites that exist', () => {
  const lost = faults.flatMap(({ id, tests }) =>
    tests.filter((pattern) => !suites.some((suite) => new RegExp(pattern).test(suite))).map((pattern) => [id, pattern]),
  );

  expect(lost).toEqual([]);
  expect(faults.filter(({ tests }) => tests.length === 0)).toEqual([]);
});
