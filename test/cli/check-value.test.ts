import { expect, test } from '@jest/globals';
import { problemOf } from '../../src/cli/play/check-value.ts';
import { parametersOf } from '../../src/cli/remote/parameters.ts';
import type { JSONObject, JSONValue } from '../../src/protocol/index.ts';

const ref = (name: string): JSONObject => ({ $ref: `#/$defs/${name}` });

function check(value: JSONValue, schema: JSONObject, $defs: JSONObject = {}): Promise<string | undefined> {
  const root = { type: 'object', properties: { value: schema }, required: ['value'], $defs };
  const [parameter] = parametersOf(root);
  if (!parameter) throw new Error('the schema names the parameter');
  return problemOf(value, parameter, root);
}

test.each<[JSONValue, JSONObject, string]>([
  [[1], { type: 'array', minItems: 2 }, 'must have at least 2 items'],
  [{ pattern: 'word' }, { properties: { pattern: { type: 'integer' } } }, '/value/pattern must be an integer'],
  [{ b: 1 }, { properties: { a: {} }, additionalProperties: false }, '/value/b is not an allowed property'],
  [['word'], { items: ref('Size') }, '/value/0 must be an integer'],
  [{}, { anyOf: [ref('Size'), { type: 'string' }] }, 'must be an integer or a string'],
  [{}, { oneOf: [ref('Size'), { type: 'string' }] }, 'must be an integer or a string'],
  [0, { allOf: [ref('Size'), {}] }, 'must be at least 1'],
])('%j is refused here already by %j', async (value, schema, problem) => {
  expect(await check(value, schema, { Size: { type: 'integer', minimum: 1 } })).toBe(problem);
});

test.each<[JSONValue, JSONObject]>([
  [{ a: 1 }, { properties: { a: {}, b: { default: 1 } }, required: ['a', 'b'] }],
  ['a', { not: { pattern: '^b' } }],
  ['a', { oneOf: [{ pattern: '^a' }, { pattern: '^b' }] }],
  ['a', { if: { not: { pattern: '^b' } }, else: false }],
  [{ a: 1 }, { patternProperties: { '^a': {} }, additionalProperties: false }],
  [['a', 1], { prefixItems: [{ type: 'string' }], items: { type: 'integer' } }],
  [{ next: { next: null } }, ref('Chain')],
])('%j is allowed by %j', async (value, schema) => {
  const Chain = { properties: { next: { anyOf: [ref('Chain'), { type: 'null' }] } } };

  expect(await check(value, schema, { Chain })).toBeUndefined();
});

const slow = '(a+)+$';
const slowText = `${'a'.repeat(60)}!`;
const doubling = Object.fromEntries(
  Array.from({ length: 60 }, (_, level): [string, JSONObject] => [
    `D${level}`,
    { allOf: [ref(`D${level + 1}`), ref(`D${level + 1}`)] },
  ]),
);

test.each<[string, JSONValue, JSONObject]>([
  ['a pattern', slowText, { type: 'string', pattern: slow }],
  ['a pattern behind a reference', slowText, ref('Slow')],
  ['a pattern in an unknown keyword', slowText, { $ref: '#/properties/value/x', x: { pattern: slow } }],
  ['a pattern in data', slowText, { $ref: '#/properties/value/default/a', default: { a: { pattern: slow } } }],
  ['a pattern of names', { [slowText]: 1 }, { type: 'object', patternProperties: { [slow]: {} } }],
  ['names with a pattern', { [slowText]: 1 }, { type: 'object', propertyNames: { pattern: slow } }],
  ['references that double', 'word', ref('D0')],
])('%s: what would take years to check is left to the server', async (_what, value, schema) => {
  const all = { Slow: { pattern: slow }, ...doubling, D60: {} };

  expect(await check(value, schema, all)).toBeUndefined();
});
