import { expect, test } from '@jest/globals';
import { unicodePattern } from '../../src/generate/validators.ts';

test.each([
  ['^[a-z]+$', '^[a-z]+$'],
  ['^[\\w\\-\\.]+\\@\\"$', '^[\\w\\-\\.]+@"$'],
  ['a\\-b', 'a-b'],
  ['[\\w-.]', '[\\w\\-.]'],
  ['[.-\\w]', '[.\\-\\w]'],
  ['^{id}]$', '^\\{id\\}\\]$'],
  ['x{2,3}[[{}]\\-', 'x{2,3}[\\[{}]-'],
  ['\\u0041\\_', '\\u0041_'],
])('rewrites the pattern %j for Unicode mode', (pattern, unicode) => {
  expect(unicodePattern(pattern)).toBe(unicode);
});

test.each(['(?i)^a', '[', '\\Aa\\Z', '(?P<x>a)'])(
  'rejects %j, which JavaScript does not have in Unicode mode',
  (pattern) => {
    expect(unicodePattern(pattern)).toBe(undefined);
  },
);
