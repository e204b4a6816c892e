import { describe, expect, test } from '@jest/globals';
import {
  canonicalJson,
  equalJson,
  firstJsonDifference,
  jsonProblem,
  jsonTypeOf,
  ownProperty,
  previewJson,
  tryParseJson,
} from '../../src/core/index.ts';
import fc from '../support/fast-check.ts';

/** Returns the same value with the keys of all its objects in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, reversed(item)] as const);
  return Object.fromEntries(entries.reverse());
}

describe('firstJsonDifference', () => {
  test.each([
    [{ a: [1, { b: 'x' }] }, { a: [1, { b: 'y' }] }, { path: 'a[1].b', before: 'x', after: 'y' }],
    [[1], [1, null], { path: '[1]', before: undefined, after: null }],
    [{ 'a b': 1 }, {}, { path: '["a b"]', before: 1, after: undefined }],
    [{ a: [] }, { a: {} }, { path: 'a', before: [], after: {} }],
    [1, '1', { path: '', before: 1, after: '1' }],
    [{ constructor: 1 }, {}, { path: 'constructor', before: 1, after: undefined }],
  ])('finds the place where %j and %j differ', (before, after, difference) => {
    expect(firstJsonDifference(before, after)).toEqual(difference);
  });

  test('finds none in equal values, whatever the order of their keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(firstJsonDifference(value, reversed(value))).toBeUndefined();
      }),
    );
  });
});

const nested = (depth: number, open: string, close: string): unknown =>
  JSON.parse(`${open.repeat(depth)}1${close.repeat(depth)}`);

describe('canonicalJson', () => {
  test('does not depend on the order of keys, and keeps the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);

        expect(canonicalJson(reversed(value))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test.each([
    [
      { b: [{ d: 1, c: 'é\u2028' }], a: null, '10': -0, '9': 1e21 },
      '{"10":0,"9":1e+21,"a":null,"b":[{"c":"é\u2028","d":1}]}',
    ],
    [JSON.parse('{"z":1,"__proto__":{"y":2}}'), '{"__proto__":{"y":2},"z":1}'],
    [{ '\ufb33': 1, '\u{1f600}': 2 }, '{"\u{1f600}":2,"\ufb33":1}'],
    [{ b: undefined, a: [undefined, Number.NaN] }, '{"a":[null,null]}'],
    [{ b: 1, toJSON: 'x', a: 2 }, '{"a":2,"b":1,"toJSON":"x"}'],
    [{ toJSON: () => 'told' }, '"told"'],
    [undefined, 'null'],
  ])('serializes %j to %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });
});

describe('jsonProblem', () => {
  test.each<[unknown, string]>([
    [{ scores: [1, Number.NaN] }, 'task.scores[1] is NaN'],
    [{ 'a b': { '0': Number.POSITIVE_INFINITY } }, 'task["a b"]["0"] is Infinity'],
    [[undefined], 'task[0] is undefined'],
    [{ big: 1n }, 'task.big is a bigint'],
    [{ call() {} }, 'task.call is a function'],
    [{ at: new Date(Number.NaN) }, 'task.at is an invalid date'],
    [{ toJSON: () => 'told' }, 'task has a toJSON method'],
    [{ seen: new Set() }, 'task.seen is a Set'],
    [nested(100_000, '[', ']'), 'task is circular or nested too deep'],
  ])('%# finds that %2$s', (value, problem) => {
    expect(jsonProblem(value, 'task')).toBe(problem);
  });

  test('accepts what JSON keeps: absent properties, dates, and a field named toJSON', () => {
    expect(jsonProblem({ a: undefined, at: new Date(0), toJSON: 'x', n: 2 ** 60 }, 'task')).toBeUndefined();
  });

  test('reports integers that may have been rounded if asked to', () => {
    const problem = jsonProblem({ n: [2 ** 53 - 1, 2 ** 53] }, 'task', { safeIntegers: true });

    expect(problem).toMatch(/^task\.n\[1\] is 9007199254740992, an integer/);
  });
});

test.each([
  ['order of keys', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, true],
  ['negative zero', [-0], [0], true],
  ['absent and undefined', { a: undefined }, {}, true],
  ['undefined and null', { a: undefined }, { a: null }, false],
  ['lists of other length', [1], [1, 1], false],
  ['list and object', [1], { '0': 1 }, false],
  ['more keys', { a: 1 }, { a: 1, b: 2 }, false],
  ['a name of Object.prototype', {}, { constructor: 1 }, false],
  ['an own __proto__', JSON.parse('{"__proto__":1}'), {}, false],
  ['a depth of 100,000', nested(100_000, '{"a":', '}'), nested(100_000, '{"a":', '}'), true],
])('equalJson compares %s', (_what, one, other, expected) => {
  expect(equalJson(one, other)).toBe(expected);
  expect(equalJson(other, one)).toBe(expected);
});

test('equalJson agrees with canonicalJson', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), (one, other) => {
      expect(equalJson(one, reversed(one))).toBe(true);
      expect(equalJson(one, other)).toBe(canonicalJson(one) === canonicalJson(other));
    }),
  );
});

test.each([
  [1, 'integer'],
  [1.5, 'number'],
  [1e300, 'integer'],
  ['1', 'string'],
  [true, 'boolean'],
  [null, 'null'],
  [[], 'array'],
  [{}, 'object'],
  [undefined, undefined],
  [Number.NaN, undefined],
  [1n, undefined],
])('jsonTypeOf returns the type of %p', (value, type) => {
  expect(jsonTypeOf(value)).toBe(type);
});

test.each([
  ['{"a":[1]}', { a: [1] }],
  ['null', null],
  ['', undefined],
  ['{', undefined],
])('tryParseJson reads %j', (text, value) => {
  expect(tryParseJson(text)).toEqual(value);
});

test('ownProperty ignores inherited properties', () => {
  expect(ownProperty({}, 'constructor')).toBeUndefined();
  expect(ownProperty(JSON.parse('{"__proto__":1}'), '__proto__')).toBe(1);
  expect(ownProperty([1], 'length')).toBeUndefined();
});

const circular: Record<string, unknown> = {};
circular.self = circular;

test.each<[unknown, number, string]>([
  [{ a: [1, 'x'] }, 80, '{"a":[1,"x"]}'],
  ['12345678', 10, '"12345678"'],
  ['123456789', 10, '"12345678…'],
  [`1234567\u{1f600}`, 10, '"1234567…'],
  [undefined, 80, 'undefined'],
  [Number.NaN, 80, 'NaN'],
  [12n, 80, '12'],
  [circular, 80, '[object]'],
])('%# previewJson formats a value for a message', (value, most, text) => {
  expect(previewJson(value, most)).toBe(text);
});
