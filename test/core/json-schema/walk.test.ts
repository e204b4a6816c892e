import { expect, test } from '@jest/globals';
import {
  asSchema,
  createResolver,
  flattenSchema,
  type JSONSchema,
  mapSchemas,
  mergeSchemas,
  modernizeLimits,
  modernizeTuple,
  schemasIn,
} from '../../../src/core/index.ts';

const SCHEMA: JSONSchema = JSON.parse(`{
  "properties": { "a/b": { "type": "string" }, "not": { "items": [{}, true] }, "__proto__": { "const": 1 } },
  "items": { "contains": {} },
  "anyOf": [{ "if": {} }, false],
  "dependencies": { "a": ["b"], "c": { "required": ["d"] } },
  "contentSchema": {},
  "const": { "properties": { "x": {} } },
  "enum": [{ "items": {} }],
  "examples": [{ "$ref": "other.json" }],
  "default": { "not": {} },
  "unknown": { "not": {} }
}`);

const POINTERS = [
  '',
  '/properties/a~1b',
  '/properties/not',
  '/properties/__proto__',
  '/items',
  '/anyOf/0',
  '/dependencies/c',
  '/contentSchema',
  '/properties/not/items/0',
  '/items/contains',
  '/anyOf/0/if',
];

test('finds the schemas in a schema, outer ones first, and none in data', () => {
  expect([...schemasIn(SCHEMA)].map(({ pointer }) => pointer)).toEqual(POINTERS);
  expect([...schemasIn(true)]).toEqual([]);
});

test('changes a schema and all schemas in it, in a copy', () => {
  const before = structuredClone(SCHEMA);

  const changed = mapSchemas(SCHEMA, (schema, pointer) => ({ ...schema, title: pointer }));

  expect([...schemasIn(changed)].map(({ schema }) => schema.title)).toEqual(POINTERS);
  expect(SCHEMA).toEqual(before);
  expect(mapSchemas(SCHEMA, (schema) => schema)).toEqual(SCHEMA);
  expect(mapSchemas({ not: { not: {} } }, ({ not }) => asSchema(not))).toEqual({ not: {} });
});

test('walks through and changes schemas of any depth', () => {
  const depth = 50_000;
  const deep = JSON.parse(`${'{"items":'.repeat(depth)}{}${'}'.repeat(depth)}`);

  expect([...schemasIn(deep)]).toHaveLength(depth + 1);
  expect(() => mapSchemas(deep, (schema) => schema)).not.toThrow();
});

test.each<[JSONSchema, JSONSchema, JSONSchema]>([
  [{ minimum: 1 }, { minimum: 5, maximum: 9 }, { minimum: 5, maximum: 9 }],
  [{ maxLength: 5 }, { maxLength: 3 }, { maxLength: 3 }],
  [{ type: 'number' }, { type: ['integer', 'null'] }, { type: 'integer' }],
  [{ type: 'string' }, { type: 'number' }, { type: 'string', allOf: [{ type: 'number' }] }],
  [{ enum: [1, { a: 1, b: 2 }] }, { enum: [{ b: 2, a: 1 }, 3] }, { enum: [{ a: 1, b: 2 }] }],
  [{ const: { a: 1, b: 2 } }, { const: { b: 2, a: 1 } }, { const: { a: 1, b: 2 } }],
  [{ description: 'one' }, { description: 'two', title: 't' }, { description: 'one', title: 't' }],
  [{ required: ['a'] }, { required: ['b', 'a'] }, { required: ['a', 'b'] }],
  [
    { properties: { a: { type: 'string' } } },
    { properties: { a: { minLength: 1 }, b: {} } },
    { properties: { a: { allOf: [{ type: 'string' }, { minLength: 1 }] }, b: {} } },
  ],
  [{ pattern: 'a' }, { pattern: 'b' }, { pattern: 'a', allOf: [{ pattern: 'b' }] }],
  [{ items: {}, prefixItems: [{}] }, { items: false }, { items: {}, prefixItems: [{}], allOf: [{ items: false }] }],
])('merges %j with %j', (first, second, merged) => {
  expect(mergeSchemas(first, second)).toEqual(merged);
});

const flat = (schema: JSONSchema, left = 100) => flattenSchema(schema, createResolver(schema), { left });

test('flattenSchema merges a schema with what it refers to and with allOf: all hold together', () => {
  const schema = {
    $ref: '#/$defs/a',
    minimum: 1,
    description: 'outer',
    allOf: [{ $ref: '#b' }, { multipleOf: 2 }],
    $defs: {
      a: { type: 'integer', minimum: 5, description: 'inner', $ref: '#/$defs/c' },
      b: { $anchor: 'b', maximum: 9 },
      c: { title: 'C' },
    },
  };
  const { $defs } = schema;

  expect(flat(schema)).toEqual({
    schema: { minimum: 5, description: 'outer', $defs, type: 'integer', title: 'C', maximum: 9, multipleOf: 2 },
    refs: ['/$defs/a', '/$defs/c', '/$defs/b'],
  });
});

test.each<[string, JSONSchema, JSONSchema]>([
  [
    'a circle',
    { $defs: { a: { type: 'object', allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] } } },
    { type: 'object' },
  ],
  ['a reference to itself', { $defs: { a: { $ref: '#/$defs/a' } } }, {}],
  ['false', { $defs: { a: false } }, { not: {} }],
  ['nothing', {}, {}],
])('flattenSchema follows a reference that leads to %s', (_what, root, expected) => {
  const { schema } = flat({ $ref: '#/$defs/a', ...root });

  expect(JSON.parse(JSON.stringify({ ...schema, $defs: undefined }))).toEqual(expected);
});

test('flattenSchema keeps in allOf what is left when the budget ends', () => {
  const allOf = Array.from({ length: 50 }, (_, index) => ({ [`x${index}`]: index }));

  const { schema } = flat({ allOf }, 10);

  expect(schema).toMatchObject({ x0: 0, x9: 9, allOf: allOf.slice(10) });
});

test('flattenSchema follows a chain of 20,000 references', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [index, { $ref: `#/$defs/${index + 1}` }]),
  );

  expect(flat({ $ref: '#/$defs/0', $defs }, 2_000).refs).toHaveLength(2_001);
});

test.each<[JSONSchema, JSONSchema]>([
  [{ items: [{}, {}] }, { prefixItems: [{}, {}] }],
  [
    { items: [{}], additionalItems: false },
    { prefixItems: [{}], items: false },
  ],
  [{ items: {} }, { items: {} }],
])('modernizeTuple writes %j as %j', (schema, modern) => {
  expect(modernizeTuple(schema)).toEqual(modern);
});

test.each<[JSONSchema, JSONSchema]>([
  [{ minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
  [{ maximum: 1, exclusiveMaximum: false }, { maximum: 1 }],
  [{ exclusiveMinimum: true }, {}],
  [{ exclusiveMinimum: 1 }, { exclusiveMinimum: 1 }],
])('modernizeLimits writes %j as %j', (schema, modern) => {
  expect(modernizeLimits(schema)).toEqual(modern);
});
