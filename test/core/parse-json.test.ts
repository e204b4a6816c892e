import { expect, test } from '@jest/globals';
import { JsonSyntaxError, parseJson } from '../../src/core/index.ts';
import fc from '../support/fast-check.ts';

test('parses any JSON value like JSON.parse', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);

      expect(parseJson(text).value).toEqual(JSON.parse(text));
    }),
  );
});

test('accepts numbers as JavaScript writes them', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      expect(parseJson(JSON.stringify({ number })).problems).toEqual([]);
    }),
  );
});

test.each([
  ['{"a": 12345678901234567890}', '/a'],
  ['{"a": [0, {"b/c~d": 1e400}]}', '/a/1/b~1c~0d'],
  ['[1, -1e999]', '/1'],
  ['{"a": 1e-400}', '/a'],
  ['9007199254740993', ''],
  ['{"x": {"__proto__": 1}}', '/x/__proto__'],
  ['{"x": {"\\u005f_proto__": 1}}', '/x/__proto__'],
  ['{"a": "\\ud83d"}', '/a'],
  ['{"a": ["ok", "\\udc00 "]}', '/a/1'],
])('%s has a problem at %j', (text, pointer) => {
  expect(parseJson(text).problems.map((problem) => problem.pointer)).toEqual([pointer]);
});

test.each([
  '{"a": 9007199254740991, "b": 100000000000000000000, "c": 0.1, "d": 1e22, "e": 3.141592653589793238, "f": 0e400}',
  '{"a": "1e400 and 12345678901234567890", "b": "\\ud83d\\ude00", "c": "the __proto__ of"}',
  '{"quoted \\" 12345678901234567890": 1}',
])('%s has no problem', (text) => {
  expect(parseJson(text).problems).toEqual([]);
});

test.each(['', '  ', '{', '[1,]', "{'a': 1}", 'NaN', '{"a": undefined}'])(
  '%j is refused without being quoted',
  (text) => {
    expect(() => parseJson(text)).toThrow(JsonSyntaxError);
    expect(() => parseJson(text)).toThrow(/^(invalid JSON|invalid JSON: the text is empty)$/);
  },
);

test.each(['[', '{"a":'])('20,000 levels of %s are refused, and 500 are not', (open) => {
  const nested = (depth: number) => `${open.repeat(depth)}1${(open === '[' ? ']' : '}').repeat(depth)}`;

  expect(() => parseJson(nested(20_000))).toThrow('deeper than 512 levels');
  expect(() => parseJson(nested(513))).toThrow('deeper than 512 levels');
  expect(parseJson(nested(512)).problems).toEqual([]);
});

test('reads a string of 20 MB without a stack overflow', () => {
  const text = JSON.stringify({ a: `${'x\\"'.repeat(5_000_000)}1e400` });

  expect(parseJson(text).problems).toEqual([]);
});

test('reports the first of many problems under one key, with a shortened pointer', () => {
  const text = `{"input":{"${'k'.repeat(1_000_000)}":[${Array(20_000).fill('1e999').join(',')}]},"other":1e999}`;

  const { problems } = parseJson(text);

  expect(problems.map(({ pointer }) => [pointer.slice(0, 10), pointer.length])).toEqual([
    ['/input/kkk', 200],
    ['/other', 6],
  ]);
});

test('reports the first 50 of 100,000 problems', () => {
  const text = `{${Array.from({ length: 100_000 }, (_, index) => `"${index}":1e999`).join(',')}}`;

  expect(parseJson(text).problems).toHaveLength(50);
});

test.each([
  ['arrays', () => `[${'[],'.repeat(1_000_000)}[]]`],
  ['objects', () => `[${'{},'.repeat(1_000_000)}{}]`],
  ['keys', () => `{${Array.from({ length: 1_000_001 }, (_, n) => `"${n}":0`).join()}}`],
])('refuses a text with more than a million %s before it is parsed', (_what, text) => {
  expect(() => parseJson(text())).toThrow('expected at most 1000000');
});

test('accepts millions of numbers, and structures within strings', () => {
  const numbers = `[${'0,'.repeat(3_000_000)}0]`;
  const string = JSON.stringify('[{:'.repeat(2_000_000));

  expect(parseJson(numbers).value).toHaveLength(3_000_001);
  expect(parseJson(string).value).toHaveLength(6_000_000);
});

test.each([
  ['[[1]]', { depth: 1 }, 'depth'],
  ['[[1]]', { structures: 1 }, undefined],
  [`[${'[],'.repeat(5)}[]]`, { depth: 2, structures: 5 }, 'structures'],
  ['[1', {}, 'syntax'],
] as const)('%s within %j is rejected for its %s', (text, limits, reason) => {
  const reasonOf = () => {
    try {
      parseJson(text, limits);
      return undefined;
    } catch (error) {
      return (error as JsonSyntaxError).reason;
    }
  };
  expect(reasonOf()).toBe(reason);
});
