import { expect, test } from '@jest/globals';
import {
  allowedTypes,
  createResolver,
  describeLimits,
  describeType,
  type JSONSchema,
  propertiesOf,
} from '../../../src/core/index.ts';

const DEFS = {
  n: { type: 'integer', minimum: 5 },
  no: false,
  '100%': { type: 'string' },
  chain: { $ref: '#/$defs/n' },
  circle: { anyOf: [{ type: 'integer' }, { $ref: '#/$defs/circle' }] },
  A: { properties: { x: { type: 'integer' } }, required: ['x'] },
  node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } },
};

const resolver = createResolver({ $defs: DEFS });
const ref = (name: string) => ({ $ref: `#/$defs/${name}` });

test.each<[unknown, string, string?]>([
  [{ type: 'string' }, 'string'],
  [{ type: 'array', items: { type: 'string' } }, 'string[]'],
  [{ type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
  [{ type: 'array' }, 'array'],
  [{ enum: ['a', 1] }, '"a" | 1'],
  [{ const: null }, 'null'],
  [
    { enum: Array.from({ length: 20 }, (_, index) => index) },
    '0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 8 more',
  ],
  [{ type: 'integer', minimum: 1 }, 'integer, at least 1', 'integer'],
  [{ type: 'integer', minimum: 1, maximum: 5 }, 'integer, 1 to 5', 'integer'],
  [{ type: 'string', format: 'date', maxLength: 10 }, 'string (date), at most 10 characters', 'string'],
  [{ properties: { x: { type: 'number' }, y: {} }, required: ['x'] }, '{x: number, y?: any JSON}', 'object'],
  [{ type: 'array', items: { properties: { x: {} } } }, '{x?: any JSON}[]', 'object[]'],
  [{ anyOf: [{ type: 'object', properties: { x: {} } }, { type: 'null' }] }, '{x?: any JSON} | null', 'object | null'],
  [
    { properties: { a: {}, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    '{a: any JSON, b?: any JSON} | {a?: any JSON, b: any JSON}',
    'object',
  ],
  [{ allOf: [{ type: 'string' }] }, 'string'],
  [{ ...ref('n'), minimum: 1 }, 'integer, at least 5', 'integer'],
  [ref('chain'), 'integer, at least 5', 'integer'],
  [ref('no'), 'any JSON'],
  [false, 'nothing'],
  [{ ...ref('gone'), type: 'string', description: 'd' }, 'string'],
  [{ $ref: '#gone' }, 'any JSON'],
  [ref('100%'), 'string'],
  [ref('node'), '{next?: {next?: object}}', 'object'],
  [{}, 'any JSON'],
])('describeType describes %j as %s', (schema, text, short = text) => {
  expect(describeType(schema, resolver)).toBe(text);
  expect(describeType(schema, resolver, { isShort: true })).toBe(short);
});

test.each<[JSONSchema, string[]]>([
  [{ minimum: 1 }, ['at least 1']],
  [{ exclusiveMinimum: 1, maximum: 2.5 }, ['more than 1', 'at most 2.5']],
  [{ minLength: 0, maxLength: 1 }, ['at most 1 character']],
  [{ minItems: 2, maxItems: 2, uniqueItems: true }, ['2 items', 'no item twice']],
  [{ pattern: '^a', format: 'date' }, ['pattern ^a', 'format date']],
  [{ multipleOf: 3, minimum: 'x' }, ['a multiple of 3']],
])('describeLimits describes %j', (schema, limits) => {
  expect(describeLimits(schema)).toEqual(limits);
});

test.each<[unknown, readonly string[] | undefined]>([
  [{ type: 'number' }, ['number', 'integer']],
  [{ enum: ['a', 1, null] }, ['string', 'integer', 'null']],
  [{ type: ['string', 'integer'], enum: ['a', 1.5] }, ['string']],
  [{ anyOf: [{ type: 'string' }, { const: 1 }] }, ['string', 'integer']],
  [{ anyOf: [{ type: 'string' }, {}] }, undefined],
  [{ allOf: [{ type: ['string', 'null'] }, { type: ['null', 'array'] }] }, ['null']],
  [{ allOf: [{ type: 'string' }, { type: 'null' }] }, []],
  [{ ...ref('gone'), type: 'string' }, ['string']],
  [ref('circle'), undefined],
  [{ type: 'any' }, undefined],
  [false, []],
  [true, undefined],
])('allowedTypes of %j are %j', (schema, types) => {
  const found = allowedTypes(schema, resolver);

  expect(found && [...found]).toEqual(types);
});

test.each<[string, JSONSchema, Record<string, boolean>]>([
  ['a reference at the root', ref('A'), { x: true }],
  ['properties beside a reference', { ...ref('A'), properties: { y: {} } }, { y: false, x: true }],
  ['allOf', { allOf: [ref('A'), { properties: { y: {} }, required: ['y'] }] }, { x: true, y: true }],
  [
    'alternatives',
    { anyOf: [ref('A'), { properties: { x: {}, z: {} }, required: ['x', 'z'] }] },
    { x: true, z: false },
  ],
  [
    'alternatives that require their neighbouring properties',
    { properties: { a: {}, b: {} }, oneOf: [{ required: ['a'] }, { required: ['b', 'a'] }] },
    { a: true, b: false },
  ],
  ['alternatives in a circle', ref('circle'), {}],
])('propertiesOf finds the properties of %s', (_what, schema, expected) => {
  const found = propertiesOf(schema, resolver).map(({ name, required }) => [name, required]);

  expect(Object.fromEntries(found)).toEqual(expected);
});

test('ends on alternatives that double at each level', () => {
  const doubling = {
    properties: { x: {} },
    anyOf: [{ $ref: '#' }, { $ref: '#' }],
    oneOf: [{ $ref: '#' }, { $ref: '#' }],
  };
  const own = createResolver(doubling);

  expect(allowedTypes(doubling, own)).toBeUndefined();
  expect(propertiesOf(doubling, own)).toHaveLength(1);
  expect(describeType(doubling, own).length).toBeLessThan(1_000);
});
