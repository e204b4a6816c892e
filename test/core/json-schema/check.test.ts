import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { checkValue, createResolver, type JSONSchema, type JSONValue } from '../../../src/core/index.ts';
import { withDefaultedOptional } from '../../../src/schema/defaults.ts';
import fc, { runs } from '../../support/fast-check.ts';
import { objectSchemas, schemas } from './arbitrary-schemas.ts';

const issues = (schema: unknown, value: JSONValue): string[] =>
  checkValue(schema, value).map(({ path, message }) => `${path}: ${message}`);

const parsed = (text: string): JSONValue => JSON.parse(text);
const SLOW = '(a+)+$';
const SLOW_TEXT = `${'a'.repeat(60)}!`;

test.each<[unknown, JSONValue, string[]]>([
  [{ type: 'string' }, 3, [': must be a string']],
  [{ type: ['integer', 'null'] }, 1.5, [': must be an integer or null']],
  [{ type: 'any' }, 1, []],
  [{ type: 'string', nullable: true }, null, []],
  [{ type: 'integer', minimum: 1 }, 0, [': must be at least 1']],
  [{ exclusiveMaximum: 1 }, 1, [': must be less than 1']],
  [{ multipleOf: 3 }, 4, [': must be a multiple of 3']],
  [{ minLength: 3 }, 'é€', [': must have at least 3 characters']],
  [{ maxLength: 1 }, '\u{1f600}', []],
  [{ pattern: '^a' }, 'b', [': must match the pattern ^a']],
  [{ pattern: '(' }, 'x', []],
  [{ required: ['a', 'toString'] }, {}, ['/a: is missing', '/toString: is missing']],
  [{ required: ['a'], properties: { a: { default: 1 } } }, {}, []],
  [{ properties: { a: { const: 1 } } }, { a: 2 }, ['/a: must be 1']],
  [{ enum: ['a', 1] }, 'b', [": must be one of 'a', 1"]],
  [{ enum: [{ a: 1, b: 2 }] }, { b: 2, a: 1 }, []],
  [{ additionalProperties: false }, { b: 1 }, ['/b: is not an allowed property']],
  [{ properties: { toString: false } }, {}, []],
  [{ properties: { a: false } }, { a: 1 }, ['/a: is not allowed']],
  [{ patternProperties: { '^a': { type: 'null' } }, additionalProperties: false }, { ab: 1 }, ['/ab: must be null']],
  [{ propertyNames: { pattern: '^a' } }, { b: 1 }, [": has a property whose name is not allowed: 'b'"]],
  [{ minProperties: 1 }, {}, [': must have at least 1 property']],
  [{ items: { type: 'null' } }, [null, 1], ['/1: must be null']],
  [{ prefixItems: [{ type: 'null' }], items: false }, [null, 1], [': must have at most 1 item']],
  [
    { items: [{ type: 'null' }], additionalItems: { type: 'string' } },
    [1, 1],
    ['/0: must be null', '/1: must be a string'],
  ],
  [{ minItems: 2 }, [1], [': must have at least 2 items']],
  [
    { uniqueItems: true },
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [': must not contain an item twice (items 0 and 1 are equal)'],
  ],
  [{ contains: { type: 'null' }, maxContains: 1 }, [null, null], [': must contain 1 to 1 of the items asked for']],
  [{ contains: { type: 'null' }, maxContains: 1 }, [1], [': must contain 1 to 1 of the items asked for']],
  [
    { dependencies: { a: ['b'], c: { required: ['d'] } } },
    { a: 1, c: 1 },
    ["/b: is missing, and is needed where 'a' is given", '/d: is missing'],
  ],
  [{ oneOf: [{ type: 'number' }, { type: 'integer' }] }, 1, [': fits more than one of the allowed forms']],
  [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, {}, [': must be an integer or a string']],
  [{ oneOf: [{ const: 'a' }, { enum: ['b', 'c'] }] }, 'd', [": must be one of 'a', 'b', 'c'"]],
  [{ not: { type: 'null' } }, null, [': must not have this form']],
  [parsed('{"if":{"required":["a"]},"then":{"required":["b"]}}'), { a: 1 }, ['/b: is missing']],
  [parsed('{"if":{"required":["a"]},"else":{"required":["b"]}}'), {}, ['/b: is missing']],
  [{ properties: { 'a/b': { items: { type: 'null' } } } }, { 'a/b': [1] }, ['/a~1b/0: must be null']],
  [false, 1, [': is not allowed']],
  [true, 1, []],
  ['no schema', 1, []],
])('%j reports for %j: %j', (schema, value, expected) => {
  expect(issues(schema, value)).toEqual(expected);
});

const DEFS = {
  n: { type: 'integer', minimum: 5 },
  no: false,
  slow: { pattern: SLOW },
  in: { $id: 'urn:example:in', $defs: { q: { const: 8 } }, properties: { y: { $ref: '#/$defs/q' } } },
  q: { const: 9 },
};

test.each<[JSONSchema, JSONValue, string[]]>([
  [{ $ref: '#/$defs/n', minimum: 1 }, 3, [': must be at least 5']],
  [{ $ref: '#/$defs/n', maximum: 1 }, 3, [': must be at least 5', ': must be at most 1']],
  [{ $ref: '#/$defs/no' }, 1, [': is not allowed']],
  [{ $ref: '#/$defs/gone', type: 'string' }, 1, [': must be a string']],
  [{ $ref: '#gone' }, 1, []],
  [{ $ref: 'urn:example:in' }, { y: 8 }, []],
  [{ $ref: 'urn:example:in' }, { y: 9 }, ['/y: must be 8']],
])('%j follows its reference and reports for %j: %j', (schema, value, expected) => {
  expect(issues({ ...schema, $defs: DEFS }, value)).toEqual(expected);
});

test('reports the issues of the closest alternative', () => {
  const circle = { properties: { kind: { const: 'circle' }, r: { type: 'number' } }, required: ['kind', 'r'] };
  const square = { properties: { kind: { const: 'square' }, w: { type: 'number' } }, required: ['kind', 'w'] };

  expect(issues({ oneOf: [circle, square] }, { kind: 'square' })).toEqual(['/w: is missing']);
});

describe('accepts what it cannot judge:', () => {
  test.each<[string, JSONSchema, JSONValue]>([
    ['a pattern on a long text', { pattern: '^b' }, 'a'.repeat(21)],
    ['the opposite of it', { not: { pattern: '^a' } }, 'a'.repeat(21)],
    ['one of two such patterns', { oneOf: [{ pattern: '^a' }, { pattern: '^b' }] }, 'a'.repeat(21)],
    ['a pattern that decides', parsed('{"if":{"pattern":"^a"},"else":false}') as JSONSchema, 'b'.repeat(21)],
    [
      'patterns of long names',
      { patternProperties: { '^a': {} }, additionalProperties: false },
      { ['b'.repeat(21)]: 1 },
    ],
    ['a format', { format: 'date' }, 'never'],
    ['one of two formats', { oneOf: [{ format: 'date' }, { format: 'email' }] }, 'a@b.c'],
    ['the opposite of a format', { not: { format: 'date' } }, 'never'],
    ['unevaluatedProperties', { not: { unevaluatedProperties: false } }, { a: 1 }],
    ['unevaluatedItems', { not: { unevaluatedItems: false } }, [1]],
    ['the opposite of a reference to nothing', { not: { $ref: '#gone' } }, 1],
    ['the opposite of a dynamic reference', { not: { $dynamicRef: '#node' } }, 1],
    ['an item among unknown ones', { contains: { format: 'date' }, maxContains: 0, minContains: 0 }, ['never']],
  ])('%s', (_what, schema, value) => {
    expect(issues(schema, value)).toEqual([]);
  });
});

/** Schemas that would take years to check; each test must end within the limit of a test. */
const doubling = Object.fromEntries(
  Array.from({ length: 60 }, (_, level) => [
    `d${level}`,
    { allOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] },
  ]),
);

test.each<[string, JSONSchema, JSONValue]>([
  [
    'a circle that doubles',
    { $ref: '#/$defs/a', $defs: { a: { type: 'object', allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] } } },
    {},
  ],
  ['references that double', { $ref: '#/$defs/d0', $defs: doubling }, 1],
  ['the opposite of that', { not: { $ref: '#/$defs/d0' }, $defs: doubling }, 1],
  ['a pattern', { pattern: SLOW }, SLOW_TEXT],
  ['a pattern behind a reference', { $ref: '#/x', x: { pattern: SLOW } }, SLOW_TEXT],
  ['a pattern of names', { patternProperties: { [SLOW]: {} } }, { [SLOW_TEXT]: 1 }],
  ['names with a pattern', { propertyNames: { pattern: SLOW } }, { [SLOW_TEXT]: 1 }],
])('ends on %s', (_what, schema, value) => {
  expect(issues(schema, value)).toEqual([]);
});

test('accepts items nested deeper than the stack', () => {
  const deep = parsed(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);

  expect(issues({ uniqueItems: true }, [deep, deep])).toEqual([]);
});

test('accepts everything once its budget is used up', () => {
  const schema = { items: { type: 'string' } };
  const options = { resolver: createResolver(schema), budget: { left: 3 } };

  expect(checkValue(schema, [1, 2, 3, 4], options).map(({ path }) => path)).toEqual(['/0', '/1']);
});

const ajv = new Ajv2020({ strict: false, ownProperties: true, logger: false });
ajvFormats.default(ajv);

function isValid(schema: JSONSchema | boolean, value: unknown): boolean {
  const isRight = ajv.validate(schema, value);
  // Ajv keeps every schema.
  ajv.removeSchema(schema);
  return isRight;
}

const values = fc.oneof(fc.jsonValue(), fc.object({ key: fc.constantFrom('a', 'b', 'c', 'text', 'x y') }));
/** Returns the JSON of a value, with 0 for numbers so large that Ajv misreads their quotients in `multipleOf`. */
const jsonOf = (value: unknown): JSONValue =>
  JSON.parse(JSON.stringify(value), (_key, item) => (typeof item === 'number' && Math.abs(item) > 1e15 ? 0 : item));

test('agrees with ajv on schemas that it knows all keywords of', () => {
  fc.assert(
    fc.property(objectSchemas, values, (schema, value) => {
      const json = jsonOf(value);

      expect(checkValue(schema, json).length === 0).toBe(isValid(withDefaultedOptional(schema), json));
    }),
    { numRuns: runs(150) },
  );
});

/** Schemas with what checkValue cannot judge, within what turns a verdict round. */
const uncertain = fc.letrec<{ schema: JSONSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    schemas,
    fc.constantFrom<JSONSchema>(
      { format: 'date' },
      { pattern: '^[a-z]{3}' },
      { unevaluatedProperties: false },
      { unevaluatedItems: false },
      { $ref: '#' },
    ),
    fc
      .tuple(
        fc.constantFrom('not', 'contains', 'propertyNames', 'if', 'items'),
        tie('schema'),
        fc.constantFrom('else', 'then'),
      )
      .map(([keyword, inner, branch]) => ({ [keyword]: inner, [branch]: { type: 'string' } })),
    fc
      .tuple(fc.constantFrom('oneOf', 'anyOf', 'allOf'), fc.array(tie('schema'), { minLength: 1, maxLength: 3 }))
      .map(([keyword, inner]) => ({ [keyword]: inner })),
  ),
})).schema;

test('reports no issue of a value that ajv accepts', () => {
  const texts = fc.constantFrom('abc', '2020-01-01', 'x'.repeat(30));
  fc.assert(
    fc.property(
      uncertain,
      fc.oneof(values, texts, fc.array(texts), fc.dictionary(texts, fc.nat())),
      (schema, value) => {
        const json = jsonOf(value);
        fc.pre(accepts(schema, json));

        expect(checkValue(schema, json)).toEqual([]);
      },
    ),
    { numRuns: runs(300) },
  );
});

function accepts(schema: JSONSchema, value: JSONValue): boolean {
  try {
    return isValid(withDefaultedOptional(schema), value);
  } catch {
    // A reference to itself has no end for ajv.
    ajv.removeSchema();
    return false;
  }
}
