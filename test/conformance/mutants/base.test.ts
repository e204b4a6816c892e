import { expect, jest, test } from '@jest/globals';
import { mutants } from './index.ts';
import { matrixOf } from './matrix.ts';

jest.setTimeout(800_000);
const names = [
  'tools lists a tool of the task',
  'a running call does not keep its session alive',
  'finished true tears the episode down',
  'a tool waits until long calls of other sessions are over',
  'a repeated call returns the first result, and runs the tool once more',
];
test('base', async () => {
  expect(await matrixOf(mutants.filter((m) => names.includes(m.name)))).toEqual({ healthy: [], mismatches: [] });
});
