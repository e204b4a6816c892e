import { expect, test } from '@jest/globals';
import { foldCase } from '../../../src/core/index.ts';
import { createTextSearch } from '../../../src/trace/store/text-search.ts';
import fc from '../../support/fast-check.ts';

const search = (q: string, value: unknown) => createTextSearch(q)(JSON.stringify(value));

test('returns the excerpt of the first matching string value in the order of the JSON', () => {
  const value = { name: 'none', b: [{ c: 'Found one' }, 'found two'], a: 'found three', found: 0 };

  expect(search('found', value)).toBe('Found one');
  expect(search('FOUND T', value)).toBe('found two');
  expect(search('0', value)).toBeUndefined();
  expect(search('","', value)).toBeUndefined();
});

test.each([
  ['the whole of a short text', 'def', 'abcdefghi', 'abcdefghi'],
  ['equal parts before and after', 'M', `${'a'.repeat(200)}m${'b'.repeat(200)}`, `${'a'.repeat(79)}m${'b'.repeat(80)}`],
  ['more text after a match at the start', 'ab', `ab${'c'.repeat(200)}`, `ab${'c'.repeat(158)}`],
  ['more text before a match at the end', 'yz', `${'x'.repeat(200)}yz`, `${'x'.repeat(158)}yz`],
  ['whole characters', 'm', `${'😀'.repeat(200)}m${'😀'.repeat(200)}`, `${'😀'.repeat(79)}m${'😀'.repeat(80)}`],
  ['the start of a long match', 'm'.repeat(500), `a${'M'.repeat(600)}`, 'M'.repeat(160)],
  ['a replacement for a lone surrogate', 'm', 'm\ud83d', 'm\ufffd'],
])('returns an excerpt with %s', (_what, q, text, expected) => {
  expect(search(q, text)).toBe(expected);
});

test('finds a long query in a text of near matches', () => {
  const text = `${'a'.repeat(1_000_000)}${'b'.repeat(1000)}${'a'.repeat(1023)}c`;

  expect(search(`${'a'.repeat(1023)}b`, text)).toMatch(/^a{160}$/);
  expect(search(`${'a'.repeat(1023)}C`, text)).toMatch(/^a{160}$/);
  expect(search(`${'a'.repeat(511)}c${'a'.repeat(512)}`, text)).toBeUndefined();
});

test('finds the same as a search at every position', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'A'), { maxLength: 60 }).map((letters) => letters.join(''));
  const wanted = fc.array(fc.constantFrom('a', 'B'), { minLength: 1, maxLength: 40 }).map((all) => all.join(''));

  fc.assert(
    fc.property(text, wanted, fc.nat(20), (whole, other, from) => {
      for (const q of [other, whole.slice(from, from + 38).toUpperCase() || 'a']) {
        expect(search(q, [whole]) !== undefined).toBe(whole.toLowerCase().includes(q.toLowerCase()));
      }
    }),
  );
});

test('searches values that are nested 5,000 levels deep', () => {
  const depth = 5000;

  expect(createTextSearch('x')(`${'['.repeat(depth)}"x"${']'.repeat(depth)}`)).toBe('x');
});

test.each([
  ['HELLO', 'hello'],
  ['ÀÉÎ', 'àéî'],
  ['ẞ', 'ß'],
  ['ſ', 's'],
  ['\u212a', 'k'],
  ['ΣΑΣ ς', 'σασ σ'],
  ['𐐀', '𐐨'],
  ['Ꭰ', 'Ꭰ'],
  ['ꭰ', 'Ꭰ'],
])('matches %s and %s', (text, expected) => {
  expect(foldCase(text)).toBe(expected);
});

test.each(['ß', 'İ', 'ı', 'ﬁ', '漢字', '😀', '\ud800', 'e\u0301'])('matches %s only with itself', (text) => {
  expect(foldCase(text)).toBe(text);
});

test('returns excerpts without escape sequences, also where one would be cut', () => {
  const text = `${'\u001b[31mred\u001b[0m '.repeat(30)}Needle ${'\u001b[1mbold\u001b[0m '.repeat(30)}`;
  const excerpt = createTextSearch('needle', { isClean: true })(JSON.stringify(text)) ?? '';

  expect(excerpt).toMatch(/^[\w ]*red Needle bold[\w ]*$/);
  expect(Array.from(excerpt).length).toBe(160);
  expect(createTextSearch('\u001b[1m', { isClean: true })(JSON.stringify('a \u001b[1mb'))).toBe('a \u001b[1mb');
});
