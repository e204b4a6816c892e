import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { describePaths, describeProcessEnd } from '../../src/cli/serve/reload-manager.ts';

test.each([
  [['a.ts'], 'a.ts'],
  [['a.ts', 'b/c.ts'], 'a.ts and b/c.ts'],
  [['a.ts', 'b.ts', 'c.ts', 'd.ts'], 'a.ts, b.ts, c.ts and d.ts'],
  [['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts'], 'a.ts, b.ts, c.ts and 2 more'],
])('of the paths %j a line says %s', (paths, text) => {
  expect(describePaths(paths.map((path) => resolve(path)))).toBe(text);
});

test('names some of many ended sessions, and counts the others', () => {
  const sessions = Array.from({ length: 20 }, (_, index) => ({ sid: `s${index}`, environment: 'quiz' }));

  const text = describeProcessEnd({ sessions });

  expect(text).toBe('; 20 sessions ended: s0 (quiz), s1 (quiz), s2 (quiz) and 17 more');
});
