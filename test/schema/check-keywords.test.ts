import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { findInvalidKeyword } from '../../src/schema/check-keywords.ts';
import fc, { runs } from '../support/fast-check.ts';

const keywords = [
  ...['$ref', '$comment', '$defs', 'definitions', 'properties', 'patternProperties', 'additionalProperties', 'items'],
  ...['prefixItems', 'contains', 'propertyNames', 'not', 'if', 'then', 'else', 'allOf', 'anyOf', 'oneOf'],
  ...['dependentSchemas', 'dependentRequired', 'dependencies', 'unevaluatedItems', 'unevaluatedProperties'],
  ...['type', 'enum', 'const', 'multipleOf', 'minimum', 'exclusiveMaximum', 'minLength', 'maxItems', 'minContains'],
  ...['maxProperties', 'pattern', 'uniqueItems', 'required', 'title', 'description', 'default', 'readOnly', 'examples'],
  ...['format', 'contentEncoding', 'contentSchema', 'x-own'],
];
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(
      'a',
      'string',
      0,
      1,
      -1,
      1.5,
      true,
      false,
      null,
      [],
      ['string'],
      ['a', 'a'],
      ['null', 'a'],
    ),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...keywords, 'a'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const schemas = fc.dictionary(fc.constantFrom(...keywords), values, { maxKeys: 3, noNullPrototype: true });

/** Validates by the meta-schema; formats of patterns and references are not part of the rules. */
const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });

test('finds an invalid keyword exactly if the meta-schema does', () => {
  fc.assert(
    fc.property(schemas, (schema) => {
      expect([schema, findInvalidKeyword(schema) === undefined]).toEqual([schema, ajv.validateSchema(schema)]);
    }),
    { numRuns: runs(500) },
  );
});

test('returns the place and what is expected', () => {
  const schema = { properties: { a: { items: { minLength: 'three' } } } };

  expect(findInvalidKeyword(schema)).toEqual({
    path: '/properties/a/items/minLength',
    message: 'must be a whole number from 0',
  });
});
