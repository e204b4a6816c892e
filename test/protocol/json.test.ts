import { expect, test } from '@jest/globals';
import { canonicalJson, jsonProblem } from '../../src/protocol/index.ts';
import fc from '../support/fast-check.ts';

/** The same value with the keys of all its objects the other way round. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, turned(item)] as const);
  return Object.fromEntries(entries.reverse());
}

test('canonical JSON does not depend on the order of keys, and says the same as the value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);

      expect(canonicalJson(turned(value))).toBe(text);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('a field called toJSON is a field like others, and a method is asked', () => {
  const field = { b: 1, toJSON: 'x', a: 2 };

  expect(canonicalJson(field)).toBe('{"a":2,"b":1,"toJSON":"x"}');
  expect(jsonProblem(field, 'field')).toBeUndefined();
  expect(canonicalJson({ toJSON: () => 'told' })).toBe('"told"');
  expect(jsonProblem({ toJSON: () => 'told' }, 'told')).toMatch(/has a toJSON method/);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('names the place of %d', (number) => {
  expect(jsonProblem({ scores: [1, number] }, 'task')).toBe(`task.scores[1] is ${number}`);
});
