import { expect, test } from '@jest/globals';
import {
  canonicalJson,
  ExactNumber,
  jsonProblem,
  parseExactJson,
  parseJson,
  stringifyJson,
} from '../../src/core/index.ts';
import fc from '../support/fast-check.ts';

const exact = (text: string) => parseJson(text, { exactNumbers: true });

test.each([
  ...['9007199254740993', '-12345678901234567890', '0.1000000000000000055511151231257827', '1e400', '-1E-400', '-0'],
  ...['1234567.12345678901', '12345678901234567890e-5', '1000000000000000000000', '-100000000000000000000000'],
])('keeps the number %s', (literal) => {
  const { value, problems } = exact(`{"a":[${literal}],"b":"${literal}"}`);

  expect(stringifyJson(value)).toBe(`{"a":[${literal}],"b":"${literal}"}`);
  expect(problems).toEqual([]);
  expect((value as { a: unknown[] }).a[0]).toBeInstanceOf(ExactNumber);
});

test.each([
  ...['0', '1', '-1.5', '1.50', '1e2', '1E+2', '0.1', '9007199254740992', '1e21', '123456789012345680000'],
  ...['0.30000000000000004', '5e-324', '1.7976931348623157e308', '0e999', '-0.5'],
])('returns a double for %s, which it represents', (literal) => {
  expect(exact(`[${literal}]`).value).toEqual([Number(literal)]);
});

test('writes the nearest double where exact numbers are not expected', () => {
  expect(JSON.stringify(exact('[9007199254740993,1e400]').value)).toBe('[9007199254740992,null]');
});

test('keeps every number that another program has written', () => {
  const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,30})(\.\d{1,30})?([eE][+-]?\d{1,3})?$/);

  fc.assert(
    fc.property(fc.array(digits, { maxLength: 5 }), (literals) => {
      const written: unknown[] = literals.map((literal) =>
        exact(literal).value instanceof ExactNumber ? literal : Number(literal),
      );
      const text = stringifyJson(exact(`{"a":[${literals.join()}]}`).value);

      expect(text).toBe(`{"a":[${written.join()}]}`);
    }),
  );
});

test('tells numbers apart in canonical JSON', () => {
  const [one, other] = ['9007199254740993', '9007199254740992'].map((number) => exact(`{"b":${number},"a":0}`).value);

  expect(canonicalJson(one)).toBe('{"a":0,"b":9007199254740993}');
  expect(canonicalJson(one)).not.toBe(canonicalJson(other));
});

test('lets a replacer change the digits', () => {
  const { value } = exact('{"a":12345678901234567890}');
  const replacer = (_key: string, each: unknown) =>
    typeof each === 'string' ? each.replace('123456', '[secret]') : each;

  expect(stringifyJson(value, replacer)).toBe('{"a":"[secret]78901234567890"}');
});

test('is JSON without loss', () => {
  expect(jsonProblem(exact('{"a":9007199254740993}').value, 'value')).toBeUndefined();
});

test.each([
  ['[NaN,Infinity,-Infinity]', '[{"$number":"NaN"},{"$number":"Infinity"},{"$number":"-Infinity"}]'],
  ['{"NaN":"-Infinity \\" NaN","a":NaN}', '{"NaN":"-Infinity \\" NaN","a":{"$number":"NaN"}}'],
  ['[-1,1]', '[-1,1]'],
])('accepts %s on request', (text, expected) => {
  expect(stringifyJson(parseJson(text, { nonFinite: true }).value)).toBe(expected);
  expect(() => parseJson(`[${text},nan]`, { nonFinite: true })).toThrow('invalid JSON');
});

test('rejects NaN unless it is asked for', () => {
  expect(() => parseJson('[NaN]')).toThrow('invalid JSON');
});

test('parses trusted JSON of any depth', () => {
  const deep = `${'['.repeat(2_000)}9007199254740993${']'.repeat(2_000)}`;

  expect(stringifyJson(parseExactJson(deep))).toBe(deep);
});
