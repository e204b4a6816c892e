import fc from '../../support/fast-check.ts';

type Json = { readonly [key: string]: unknown };

/** Names that are also keywords, and names that are special in JavaScript. */
export const names: fc.Arbitrary<string> = fc.constantFrom(
  ...['title', 'default', 'not', '$ref', 'type', 'properties', 'items', 'anyOf', 'required', 'enum', '$defs'],
  ...['__proto__', 'constructor', 'toString', '', 'a b', 'ä', '0', 'x'.repeat(80), 'a', 'b', 'c'],
);

/** Names that every provider accepts. */
export const plainNames: fc.Arbitrary<string> = fc.constantFrom(
  'title',
  'default',
  'not',
  'type',
  'properties',
  'a',
  'b',
);

const REFS = [
  '#/$defs/One',
  '#/$defs/Two',
  '#',
  '#/$defs/Nowhere',
  'https://example.org/other.json',
  '#anchor',
  '#/%E0',
];

/** Schemas of inputs in dialect 2020-12, with references that may be recursive or dangling. */
export function schemas(name: fc.Arbitrary<string>, refs: readonly string[] = REFS): fc.Arbitrary<Json> {
  const { schema } = fc.letrec<{ schema: Json; object: Json; array: Json; union: Json; leaf: Json }>((tie) => {
    const named = fc.dictionary(name, tie('schema'), { maxKeys: 3, noNullPrototype: true });
    const some = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
    return {
      schema: fc.oneof({ maxDepth: 4, withCrossShrink: true }, tie('leaf'), tie('object'), tie('array'), tie('union')),
      leaf: fc.oneof(
        scalars,
        fc.constantFrom(...refs).map(($ref) => ({ $ref, description: 'Sibling.' })),
        fc.constant({}),
      ),
      object: fc.record(
        {
          type: fc.constantFrom('object', ['object', 'null']),
          properties: named,
          required: fc.uniqueArray(name, { maxLength: 2 }),
          additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
          patternProperties: fc.constant({ '^x-': { type: 'string' } }),
        },
        { requiredKeys: ['type'], noNullPrototype: true },
      ),
      array: fc.record(
        {
          type: fc.constant('array'),
          items: fc.oneof(fc.boolean(), tie('schema')),
          prefixItems: some,
          uniqueItems: fc.boolean(),
          maxItems: fc.nat(3),
        },
        { requiredKeys: ['type'], noNullPrototype: true },
      ),
      union: fc.record(
        {
          anyOf: some,
          oneOf: some,
          allOf: some,
          not: tie('leaf'),
          if: tie('leaf'),
          else: tie('leaf'),
          description: fc.constant('One of them.'),
          default: fc.constant(null),
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
    };
  });
  const definitions = fc.record({ One: schema, Two: schema });
  return fc.tuple(schema, definitions).map(([top, $defs]) => ({ ...top, $defs }));
}

const scalars: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  { type: 'string', minLength: 1, maxLength: 3, format: 'uri', description: 'A text.' },
  { type: 'string', enum: ['a', 'b'] },
  { enum: ['', 'a', null] },
  { enum: [1, 2.5, true, null, 'a'] },
  { const: 5 },
  { const: null },
  { type: 'integer', exclusiveMinimum: 1, maximum: 9, default: 5 },
  { type: 'number', multipleOf: 0.5, minimum: -1.5, format: 'double' },
  { type: ['string', 'integer', 'null'], title: 'Either' },
  { type: 'boolean', examples: [true] },
  { type: 'null' },
);

/** Values that many of these schemas allow. */
export const values: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('a', 'b', '', null, 0, 1, 5, 2.5, true, false),
    fc.dictionary(plainNames, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    fc.array(fc.constantFrom('a', 1, null, true), { maxLength: 3 }),
  ),
})).value;
