import { expect, test } from '@jest/globals';
import { orsInProcess } from '../../support/command-in-process.ts';
import { COMMANDS, examplesOf } from './examples.ts';

test.each(['', 'serve', 'keys', ...COMMANDS])('ors traces %s --help has usage and examples', async (command) => {
  const { code, stdout } = await orsInProcess(['traces', ...(command === '' ? [] : [command]), '--help']);

  expect(code).toBe(0);
  expect(stdout).toMatch(/^Usage: ors traces/);
  expect(examplesOf(stdout).length).toBeGreaterThan(1);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(125);
});
