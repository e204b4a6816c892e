import { expect, test } from '@jest/globals';
import { isObjectSchema } from '../../src/schema/index.ts';

const object = { type: 'object' };
const string = { type: 'string' };

test.each<[isObject: boolean, schema: { [keyword: string]: unknown }]>([
  [true, object],
  [true, { type: ['object'] }],
  [true, { $ref: '#/$defs/o', $defs: { o: object } }],
  [true, { allOf: [{ required: ['a'] }, object] }],
  [true, { anyOf: [object, { allOf: [object] }] }],
  [true, { oneOf: [object, { $ref: '#/$defs/o' }], $defs: { o: object } }],
  [false, {}],
  [false, string],
  [false, { type: ['object', 'null'] }],
  [false, { properties: { a: string } }],
  [false, { anyOf: [object, string] }],
  [false, { anyOf: [] }],
  [false, { $ref: '#' }],
  [false, { $ref: '#/$defs/none' }],
  [false, { anyOf: [{ $ref: '#' }, object] }],
])('returns %s for %j', (isObject, schema) => {
  expect(isObjectSchema(schema)).toBe(isObject);
});
