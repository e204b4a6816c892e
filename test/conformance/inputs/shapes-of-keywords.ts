import type { Shape } from './shapes-of-libraries.ts';

const string = { type: 'string' };
const integer = { type: 'integer' };

const object = (properties: Record<string, unknown>, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
});

const formats = ['date', 'date-time', 'time', 'email', 'uri', 'uuid', 'ipv4', 'ipv6', 'hostname', 'duration', 'regex'];

/** Schemas for each keyword, and for combinations. */
export const SHAPES_OF_KEYWORDS: Readonly<Record<string, Shape>> = {
  'lengths and a pattern': {
    schema: object({ code: { type: 'string', pattern: '^[a-z]+$', minLength: 2, maxLength: 4 } }),
    minimal: { code: 'aa' },
    valid: ["'code' with 4 characters, the most allowed"],
    invalid: [
      "'code' with 1 character, fewer than 2",
      "'code' with 5 characters, more than 4",
      '\'code\' "a!", which does not match ^[a-z]+$',
    ],
  },
  'an unguessable pattern': {
    schema: object({ id: { type: 'string', pattern: '^task-[0-9]{3}$' } }),
    invalid: ["'id' left out", "'id' [] instead of a string"],
  },
  formats: {
    schema: object(Object.fromEntries(formats.map((format) => [format, { type: 'string', format }]))),
    invalid: ["'date' left out"],
  },
  'an unknown format': { schema: object({ a: { type: 'string', format: 'colour' } }), minimal: { a: '' } },
  'bounds that are excluded': {
    schema: object({ p: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 } }),
    minimal: { p: 0.5 },
    invalid: ["'p' 0, where it must be above 0", "'p' 1, where it must be below 1"],
  },
  multiples: {
    schema: object({
      price: { type: 'number', multipleOf: 0.25, minimum: 0.3, maximum: 1 },
      even: { type: 'integer', multipleOf: 2, minimum: 3 },
    }),
    minimal: { price: 0.5, even: 4 },
    valid: ["'price' at its maximum 1"],
    invalid: ["'even' 5, no multiple of 2", "'price' 0.625, no multiple of 0.25", "'even' 2, below its minimum 3"],
  },
  'numbers below 0': {
    schema: object({ t: { type: 'number', maximum: -40 }, n: { type: 'integer', minimum: -5, exclusiveMaximum: -2 } }),
    minimal: { t: -40, n: -3 },
    invalid: ["'t' -39, above its maximum -40", "'n' -2, where it must be below -2"],
  },
  'an enum of several types': {
    schema: object({ a: { enum: [1, 'one', null, true] } }),
    minimal: { a: 1 },
    valid: ['\'a\' "one"', "'a' null", "'a' true"],
    invalid: ['\'a\' "none of these", which is not one of 1, "one", null, true'],
  },
  'several types': {
    schema: object({ a: { type: ['integer', 'array', 'null'], minimum: 2, items: string } }),
    minimal: { a: 2 },
    valid: ["'a' []", "'a' null"],
    invalid: [
      '\'a\' "text" instead of an integer, an array or null',
      "'a' 1, below its minimum 2",
      "'a[0]' [] instead of a string",
    ],
  },
  'a recursive tree': {
    schema: {
      $ref: '#/$defs/Node',
      $defs: {
        Node: object(
          { value: integer },
          { properties: { value: integer, children: { type: 'array', items: { $ref: '#/$defs/Node' } } } },
        ),
      },
    },
    minimal: { value: 0 },
    valid: ["the minimal input with 'children'", "the minimal input with 'children[0]'"],
    invalid: ["'children[0].value' left out", '\'children\' "text" instead of an array'],
  },
  'a chain whose end is null': {
    schema: {
      type: 'object',
      properties: { next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
      required: ['next'],
    },
    minimal: { next: null },
    valid: ['the full input', "'next.next.next' null"],
    invalid: ['\'next\' "text" instead of an object or null', "'next.next' left out"],
  },
  allOf: {
    schema: {
      allOf: [{ $ref: '#/$defs/Base' }, object({ size: { minimum: 3 } }), { properties: { size: { maximum: 4 } } }],
      $defs: { Base: object({ size: integer }) },
    },
    minimal: { size: 3 },
    valid: ["'size' at its maximum 4"],
    invalid: ["'size' 2, below its minimum 3", "'size' 5, above its maximum 4", "'size' left out"],
  },
  'anyOf at the top, by what is required': {
    schema: {
      type: 'object',
      properties: { id: integer, name: string },
      anyOf: [{ required: ['id'] }, { required: ['name'] }],
    },
    minimal: { id: 0 },
    valid: ['the input {"name":""}'],
    invalid: ["'id' left out"],
  },
  'oneOf whose members exclude each other': {
    schema: { type: 'object', oneOf: [object({ a: string }), object({ b: string })] },
    minimal: { a: '' },
    valid: ['the input {"b":""}'],
  },
  'constants in another order of keys': {
    schema: object({ a: { allOf: [{ const: { x: 1, y: 2 } }, { enum: [{ y: 2, x: 1 }, 3] }] } }),
    minimal: { a: { x: 1, y: 2 } },
  },
  'if, then, else': {
    schema: {
      ...object({ kind: { enum: ['circle', 'square'] } }),
      if: { properties: { kind: { const: 'circle' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword
      then: object({ radius: { type: 'number', minimum: 0 } }),
      else: object({ side: { type: 'number', minimum: 0 } }),
    },
    minimal: { kind: 'circle', radius: 0 },
    invalid: ["'radius' left out"],
  },
  not: { schema: { ...object({ a: { type: ['string', 'integer'], not: { const: '' } } }) }, minimal: { a: 'text' } },
  dependentRequired: {
    schema: { type: 'object', properties: { card: string, cvc: string }, dependentRequired: { card: ['cvc'] } },
    minimal: {},
    valid: ["the minimal input with 'card'"],
    invalid: ["'cvc' left out next to 'card'"],
  },
  dependentSchemas: {
    schema: {
      ...object({ card: string }),
      dependentSchemas: { card: object({ cvc: { type: 'string', minLength: 3 } }) },
    },
    minimal: { card: '', cvc: 'aaa' },
    invalid: ["'cvc' left out", "'cvc' with 2 characters, fewer than 3"],
  },
  'draft-07 dependencies': {
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...object({ a: string }),
      dependencies: { a: ['b'], b: object({ c: integer }) },
    },
    minimal: { a: '', b: '', c: 0 },
  },
  patternProperties: {
    schema: { type: 'object', patternProperties: { '^x-': integer }, additionalProperties: false, minProperties: 1 },
    valid: [],
  },
  minProperties: {
    schema: { type: 'object', minProperties: 2, additionalProperties: integer },
    minimal: { key1: 0, key2: 0 },
    invalid: ['\'key1\' "text" instead of an integer', "'key1' left out"],
  },
  propertyNames: {
    schema: {
      type: 'object',
      propertyNames: { enum: ['low', 'high'] },
      additionalProperties: integer,
      minProperties: 1,
    },
    minimal: { low: 0 },
  },
  unevaluatedProperties: {
    schema: { allOf: [object({ a: string })], properties: { b: string }, unevaluatedProperties: false },
    minimal: { a: '' },
    valid: ["the minimal input with 'b'"],
    invalid: ["the input with a further key 'unexpected'"],
  },
  'unique items': {
    schema: object({ ids: { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 2, uniqueItems: true } }),
    minimal: { ids: [1, 2] },
    invalid: ["'ids' with 1 item, fewer than 2"],
  },
  'unique objects': {
    schema: object({ all: { type: 'array', items: object({ a: string }), minItems: 3, uniqueItems: true } }),
    minimal: { all: [{ a: '' }, { a: 'text' }, { a: '0' }] },
  },
  contains: {
    schema: object({ all: { type: 'array', items: integer, contains: { minimum: 5 } } }),
    minimal: { all: [5] },
  },
  'prefixItems, and no more': {
    schema: object({ all: { type: 'array', prefixItems: [string, { const: 1 }], items: false } }),
    minimal: { all: [] },
    valid: ["the minimal input with 'all[0]'", "'all[1]' 1"],
    invalid: ["'all[0]' [] instead of a string"],
  },
  'anchors and ids': {
    schema: {
      $id: 'https://example.com/move.json',
      ...object({ a: { $ref: '#here' }, b: { $ref: 'https://example.com/move.json#/$defs/B' } }),
      $defs: { A: { $anchor: 'here', type: 'integer', minimum: 7 }, B: { type: 'boolean' } },
    },
    minimal: { a: 7, b: false },
    valid: ["'b' true"],
  },
  'names that programs trip over': {
    schema: JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"},"a/b~c %":{"type":"null"}},"required":["__proto__","constructor","a/b~c %"]}',
    ),
    minimal: JSON.parse('{"__proto__":"","constructor":0,"a/b~c %":null}'),
    invalid: ["'constructor' left out", "'__proto__' left out"],
  },
  'a schema that lets other values through as well': {
    schema: { type: ['object', 'null', 'string'], properties: { a: integer } },
    minimal: {},
  },
  'draft-04, as far as it is the same': {
    schema: { $schema: 'http://json-schema.org/draft-04/schema#', ...object({ a: integer }) },
    minimal: { a: 0 },
  },
  'a pattern as Python writes it': {
    schema: object({ a: { type: 'string', pattern: '^[\\w-.]+$' } }),
    minimal: { a: 'a' },
  },
};
