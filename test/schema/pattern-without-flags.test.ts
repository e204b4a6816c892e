import { expect, test } from '@jest/globals';
import { patternWithoutFlags } from '../../src/schema/pattern-without-flags.ts';
import fc from '../support/fast-check.ts';

const parts = fc.constantFrom(
  ...[
    'a',
    'Z',
    'é',
    '7',
    '-',
    ' ',
    '.',
    '[a-f]',
    '[^b-dX]',
    '[A-z]',
    '[-_a]',
    '[a-]',
    '\\d',
    '\\W',
    '\\.',
    '\\[',
    '[\\]k]',
  ],
  ...['(?:ab|C)', '(?=x)', '(?!Y)', '(?<=a)', 'q?', 'B*', 'c{2}'],
);
const characters = fc.constantFrom(...'aAbBcCdDfFgkKqxXyYzZéÉ07-_ .]^[\n');

test('matches the same texts as the regular expression with its flags', () => {
  fc.assert(
    fc.property(
      fc.array(parts, { maxLength: 4 }),
      fc.constantFrom('i', 's', 'is', 'iu', 'gi', ''),
      fc.array(fc.array(characters, { maxLength: 6 }), { minLength: 5, maxLength: 5 }),
      (pattern, flags, texts) => {
        const regExp = new RegExp(`^${pattern.join('')}`, flags);
        const plain = new RegExp(patternWithoutFlags(regExp), 'u');

        for (const text of texts.map((each) => each.join(''))) {
          regExp.lastIndex = 0;
          expect([text, plain.test(text)]).toEqual([text, regExp.test(text)]);
        }
      },
    ),
  );
});

test.each([/^a$/m, /a/y, /(a)\1/i, /\x61/i, /(?<name>a)/i, /[\u00e0-\u00ff]/i])('rejects %s', (regExp) => {
  expect(() => patternWithoutFlags(regExp)).toThrow(`the pattern ${regExp} cannot be shown to models`);
});
