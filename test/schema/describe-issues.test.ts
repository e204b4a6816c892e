import { expect, test } from '@jest/globals';
import { describeIssues, toSchema } from '../../src/schema/index.ts';

const cat = { type: 'object', properties: { kind: { const: 'cat' }, lives: { type: 'integer' } }, required: ['kind'] };
const dog = { type: 'object', properties: { kind: { const: 'dog' }, name: { type: 'string' } }, required: ['kind'] };
// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
const conditional = { if: { type: 'string' }, then: { minLength: 3 } };
const pet = { anyOf: [cat, dog] };

test.each<[schema: object, value: unknown, line: string]>([
  [{ type: ['string', 'null'] }, 1, 'the value must be a string or null'],
  [{ type: 'boolean' }, 1, 'the value must be true or false'],
  [{ const: { a: 1 } }, 1, 'the value must be {"a":1}'],
  [{ enum: [1, 'a', null] }, 2, "the value must be one of 1, 'a', null"],
  [{ exclusiveMinimum: 1, multipleOf: 2 }, 1, 'the value must be a multiple of 2; the value must be more than 1'],
  [
    { minLength: 2, pattern: '^b' },
    'a',
    'the value must have at least 2 characters; the value must match the pattern ^b',
  ],
  [{ format: 'email' }, 'a', "the value must have the format 'email'"],
  [{ minItems: 1 }, [], 'the value must have at least 1 item'],
  [{ prefixItems: [{}], items: false }, [1, 2], 'the value must have at most 1 item'],
  [{ items: [{}], additionalItems: false }, [1, 2], 'the value must have at most 1 item'],
  [{ uniqueItems: true }, [1, 1], 'the value must not contain an item twice (items 0 and 1 are equal)'],
  [{ contains: { type: 'string' } }, [1], 'the value must contain at least 1 of the items asked for'],
  [{ minProperties: 2 }, {}, 'the value must have at least 2 properties'],
  [{ propertyNames: { pattern: '^a' } }, { b: 1 }, "the value has a property whose name is not allowed: 'b'"],
  [{ properties: {}, additionalProperties: false }, { 'b/c': 1 }, '/b~1c is not an allowed property'],
  [{ properties: {}, unevaluatedProperties: false }, { b: 1 }, '/b is not an allowed property'],
  [{ dependentRequired: { a: ['b'] } }, { a: 1 }, "/b is missing, and is needed where 'a' is given"],
  [{ properties: { a: false } }, { a: 1 }, '/a is not allowed'],
  [{ not: { type: 'string' } }, 'a', 'the value must not have this form'],
  [conditional, 'a', 'the value must have at least 3 characters'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, 'the value must be a string or null'],
  [
    {
      anyOf: [
        { const: 'a', type: 'string' },
        { const: 'b', type: 'string' },
      ],
    },
    1,
    "the value must be one of 'a', 'b'",
  ],
  [{ anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] }, 1, "the value must be 'a', 'b' or null"],
  [{ anyOf: [cat, { type: 'null' }] }, { kind: 'cat', lives: 'x' }, '/lives must be an integer'],
  [{ anyOf: [cat, { type: 'null' }] }, 1, 'the value must be an object or null'],
  [pet, { kind: 'dog', name: 1 }, '/name must be a string'],
  [pet, { kind: 'cow' }, "/kind must be one of 'cat', 'dog'"],
  [pet, {}, '/kind is missing'],
  [
    { ...pet, properties: { age: { type: 'number' } } },
    { kind: 'cow', age: '' },
    "/age must be a number; /kind must be one of 'cat', 'dog'",
  ],
  [{ items: { anyOf: [pet, { type: 'null' }] } }, [null, { kind: 'dog', name: 1 }], '/1/name must be a string'],
  [
    { anyOf: [{ $ref: '#/$defs/cat' }, { $ref: '#/$defs/dog' }], $defs: { cat, dog } },
    { kind: 'dog', name: 1 },
    '/name must be a string',
  ],
  [{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }, {}, 'the value fits none of the allowed forms'],
  [{ oneOf: [{ type: 'number' }, { minimum: 1 }] }, 2, 'the value fits more than one of the allowed forms'],
])('describes the issues by %j of %j: %s', async (schema, value, line) => {
  const { validate } = toSchema(schema, 'the test');

  const validation = await validate(value);

  expect(validation.ok ? 'valid' : describeIssues(validation.issues)).toBe(line);
});

const term = {
  anyOf: [
    { type: 'object', properties: { op: { const: 'number' }, value: { type: 'number' } }, required: ['op', 'value'] },
    {
      type: 'object',
      properties: { op: { const: 'negate' }, term: { $ref: '#/$defs/term' } },
      required: ['op', 'term'],
    },
  ],
};

test.each<[value: unknown, line: string]>([
  [3, '/term must be an object'],
  [{}, '/term/op is missing'],
  [{ op: 'number', value: '3' }, '/term/value must be a number'],
  [{ op: 'negate', term: { op: 'number' } }, '/term/term/value is missing'],
  [{ op: 'negate', term: { op: 'double' } }, "/term/term/op must be one of 'number', 'negate'"],
])('describes the issues by a recursive union of %j: %s', async (value, line) => {
  const { validate } = toSchema({ properties: { term: { $ref: '#/$defs/term' } }, $defs: { term } }, 'the test');

  const validation = await validate({ term: value });

  expect(validation.ok ? 'valid' : describeIssues(validation.issues)).toBe(line);
});

test('lists ten issues and counts the rest', () => {
  const issues = Array.from({ length: 12 }, (_, i) => ({ path: `/${i}`, message: 'is missing' }));

  expect(describeIssues(issues)).toMatch(/^\/0 is missing; .*\/9 is missing; and 2 more$/);
});

test('limits the length of long names of properties, and removes line feeds', () => {
  const line = describeIssues([{ path: `/a\nb${'c'.repeat(1000)}`, message: 'Too\r\nlong' }]);

  expect(line).toMatch(/^\/a bc+…: Too long$/);
  expect(line.length).toBeLessThan(220);
});

test('cuts a list of allowed values after twenty', async () => {
  const { validate } = toSchema({ enum: Array.from({ length: 25 }, (_, i) => i) }, 'the test');

  const validation = await validate('x');

  expect(validation.ok ? '' : describeIssues(validation.issues)).toMatch(/ 18, 19 and 5 more$/);
});
