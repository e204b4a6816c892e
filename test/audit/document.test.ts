import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { attacks } from '../../src/audit/index.ts';

test('lists the attacks in docs/auditing.md as they are', () => {
  const document = readFileSync('docs/auditing.md', 'utf8');

  const listed = document.split('\n').filter((line) => /^\| `AUDIT-/.test(line));

  expect(listed).toEqual(attacks.map(({ id, title, advice }) => `| \`${id}\` | ${title} | ${advice} |`));
});

test('gives every attack its own id, of its category', () => {
  const ids = attacks.map(({ id }) => id);

  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, category } of attacks) expect(id).toMatch(new RegExp(`^AUDIT-${category.toUpperCase()}-\\d\\d$`));
});
