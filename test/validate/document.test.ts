import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { validationRules } from '../../src/validate/index.ts';

test('lists the rules in docs/validating.md as they are', () => {
  const document = readFileSync('docs/validating.md', 'utf8');

  const listed = document.split('\n').filter((line) => /^\| `/.test(line));

  const rows = validationRules.map(
    ({ name, levels, sentence }) => `| \`${name}\` | ${levels.join(' or ')} | ${sentence} |`,
  );
  expect(listed).toEqual(rows);
});
