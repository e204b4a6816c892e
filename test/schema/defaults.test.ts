import { expect, test } from '@jest/globals';
import { Type as Type034 } from '@sinclair/typebox';
import { toSchema } from '../../src/schema/index.ts';

const sized = { type: 'object', properties: { size: { type: 'number', default: 1 } } };
const cat = { type: 'object', properties: { kind: { const: 'cat' }, lives: { default: 9 } }, required: ['kind'] };
const dog = { type: 'object', properties: { kind: { const: 'dog' }, tricks: { default: [] } }, required: ['kind'] };
// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
const conditional = { if: cat, then: sized, else: dog };
const tree = { type: 'object', properties: { size: { default: 1 }, kids: { items: { $ref: '#/$defs/tree' } } } };

test.each<[where: string, schema: object, given: unknown, filled: unknown]>([
  ['in a property', sized, {}, { size: 1 }],
  [
    'next to a property of the same name as a method',
    { properties: { toString: { default: 1 } } },
    {},
    { toString: 1 },
  ],
  ['in the default itself', { properties: { a: { ...sized, default: {} } } }, {}, { a: { size: 1 } }],
  ['of a required property', { ...sized, required: ['size'] }, {}, { size: 1 }],
  ['in items', { items: sized }, [{}, { size: 2 }], [{ size: 1 }, { size: 2 }]],
  ['in a tuple', { prefixItems: [true, sized], items: sized }, [{}, {}, {}], [{}, { size: 1 }, { size: 1 }]],
  ['in a tuple of the old form', { items: [sized], additionalItems: false }, [{}], [{ size: 1 }]],
  [
    'in a TypeBox tuple',
    Type034.Tuple([Type034.Object({ n: Type034.Optional(Type034.Number({ default: 2 })) })]),
    [{}],
    [{ n: 2 }],
  ],
  ['in additional properties', { additionalProperties: sized }, { a: {} }, { a: { size: 1 } }],
  [
    'in pattern properties',
    { patternProperties: { '^a/': sized } },
    { 'a/b': {}, b: {} },
    { 'a/b': { size: 1 }, b: {} },
  ],
  [
    'through a reference',
    { properties: { a: { $ref: '#/$defs/a b' } }, $defs: { 'a b': sized } },
    { a: {} },
    { a: { size: 1 } },
  ],
  [
    'through an $id',
    { properties: { a: { $ref: 'sized' } }, $defs: { s: { ...sized, $id: 'sized' } } },
    { a: {} },
    { a: { size: 1 } },
  ],
  ['through an $anchor', { items: { $ref: '#s' }, $defs: { s: { ...sized, $anchor: 's' } } }, [{}], [{ size: 1 }]],
  ['in allOf', { allOf: [sized, cat] }, { kind: 'cat' }, { kind: 'cat', size: 1, lives: 9 }],
  ['in the form of anyOf that fits', { anyOf: [cat, dog] }, { kind: 'dog' }, { kind: 'dog', tricks: [] }],
  ['in the form of oneOf that fits', { oneOf: [cat, dog] }, { kind: 'cat' }, { kind: 'cat', lives: 9 }],
  [
    'next to null',
    { properties: { 'a/%#': { anyOf: [sized, { type: 'null' }] } } },
    { 'a/%#': {} },
    { 'a/%#': { size: 1 } },
  ],
  ['in then', conditional, { kind: 'cat' }, { kind: 'cat', size: 1 }],
  ['in else', conditional, { kind: 'dog' }, { kind: 'dog', tricks: [] }],
  [
    'in a tree',
    { $ref: '#/$defs/tree', $defs: { tree } },
    { kids: [{ kids: [{}] }] },
    { size: 1, kids: [{ size: 1, kids: [{ size: 1 }] }] },
  ],
])('adds a default %s', (_, schema, given, filled) => {
  const before = structuredClone(given);
  const { validate } = toSchema(schema, 'the test');

  expect(validate(given)).toEqual({ ok: true, value: filled });
  expect(given).toEqual(before);
});

test('ignores the defaults of branches that are not valid', () => {
  const strict = { ...dog, additionalProperties: false };
  const { validate } = toSchema(
    { anyOf: [{ $ref: '#/$defs/cat' }, { $ref: '#/$defs/dog' }], $defs: { cat, dog: strict } },
    'it',
  );

  expect(validate({ kind: 'dog' })).toEqual({ ok: true, value: { kind: 'dog', tricks: [] } });
});

test('copies the default for each value', async () => {
  const { validate } = toSchema({ properties: { list: { default: [] } } }, 'the test');

  const [first, second] = [await validate({}), await validate({})];

  expect(first).toEqual(second);
  expect(first.ok && first.value.list).not.toBe(second.ok && second.value.list);
});

test('returns a complete value without a copy', async () => {
  const value = { size: 2, other: { deep: [1] } };
  const { validate } = toSchema(sized, 'the test');

  const validation = await validate(value);

  expect(validation.ok && validation.value).toBe(value);
});

test('keeps two schemas with the same $id apart', async () => {
  const named = (size: number) => ({
    $id: 'https://example.com/item',
    properties: { inner: { $ref: 'https://example.com/inner' } },
    $defs: { inner: { $id: 'https://example.com/inner', properties: { size: { default: size } } } },
  });
  const [one, other] = [toSchema(named(1), 'one'), toSchema(named(2), 'other')];

  expect(one.json).not.toHaveProperty('$id');
  expect(await one.validate({ inner: {} })).toEqual({ ok: true, value: { inner: { size: 1 } } });
  expect(await other.validate({ inner: {} })).toEqual({ ok: true, value: { inner: { size: 2 } } });
});

test('keeps validating a schema after a thousand others', async () => {
  const first = toSchema({ anyOf: [sized, cat], title: 'first' }, 'the test');

  for (let i = 0; i < 1_001; i++) toSchema({ title: `${i}` }, 'the test');

  expect(await first.validate({})).toEqual({ ok: true, value: { size: 1 } });
});
