import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import type { ValidationFinding } from '../../src/validate/index.ts';

const program = fileURLToPath(new URL('leaving-timers.ts', import.meta.url));

test('counts timers that episodes leave behind, not those that cleanup clears or that all episodes share', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program]);

  const told: Record<'cleared' | 'shared' | 'forgotten', readonly ValidationFinding[]> = JSON.parse(stdout);

  expect(told.cleared).toEqual([]);
  expect(told.shared).toEqual([]);
  expect(new Set(told.forgotten.map(({ rule }) => rule))).toEqual(new Set(['nothing-is-left']));
  expect(told.forgotten[0]?.message).toContain(
    'after 3 episodes that were played to the end, 3 timers more than before',
  );
});
