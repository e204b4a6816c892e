import { expect, test } from '@jest/globals';
import { UntestableError } from '../../../src/conformance/assertions.ts';
import type { ToolInputs } from '../../../src/conformance/inputs/create-inputs.ts';
import { generateInputs } from '../../../src/conformance/inputs/make-inputs.ts';
import { names, schemas } from '../../client/formats/arbitrary-schemas.ts';
import fc, { runs } from '../../support/fast-check.ts';
import { validator } from './ajv.ts';

const RUNS = runs(75);

type Json = { readonly [key: string]: unknown };

const wishes = { random: 0, seed: 1, faker: undefined };
const keys = fc.constantFrom('a', 'b', 'c', 'd', 'e');

/** Leaf schemas that are satisfiable. */
const leaves: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>({}, { type: 'boolean' }, { type: 'null' }, { const: 'x' }, { enum: [1, 'one', null] }),
  fc
    .tuple(fc.nat(5), fc.nat(5))
    .map(([minLength, more]) => ({ type: 'string', minLength, maxLength: minLength + more })),
  fc
    .tuple(fc.constantFrom('integer', 'number'), fc.integer({ min: -9, max: 9 }), fc.nat(9))
    .map(([type, minimum, more]) => ({ type, minimum, maximum: minimum + more })),
  fc.integer({ min: -9, max: 9 }).map((exclusiveMinimum) => ({ type: 'number', exclusiveMinimum })),
  fc.constantFrom('date', 'email', 'uuid', 'uri').map((format) => ({ type: 'string', format })),
  fc.constantFrom('One', 'Two').map((name) => ({ $ref: `#/$defs/${name}` })),
);

const { object } = fc.letrec<{ schema: Json; object: Json }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    leaves,
    tie('object'),
    fc
      .record({ items: tie('schema'), minItems: fc.nat(2), more: fc.nat(2) })
      .map(({ items, minItems, more }) => ({ type: 'array', items, minItems, maxItems: minItems + more })),
    tie('schema').map((schema) => ({ anyOf: [schema, { type: 'null' }], title: 'Maybe', default: null })),
  ),
  object: fc
    .record({
      all: fc.dictionary(keys, tie('schema'), { maxKeys: 4, noNullPrototype: true }),
      needed: fc.func(fc.boolean()),
    })
    .chain(({ all, needed }) =>
      fc.boolean().map((additionalProperties) => ({
        type: 'object',
        properties: all,
        required: Object.keys(all).filter((key) => needed(key)),
        additionalProperties,
      })),
    ),
}));

/** Input schemas that are satisfiable by an object. */
const satisfiable: fc.Arbitrary<Json> = object.map((schema) => ({
  ...schema,
  $defs: { One: { type: 'integer', multipleOf: 3, minimum: 1 }, Two: { enum: ['left', 'right'] } },
}));

const wrong = (schema: unknown, { valid, invalid }: ToolInputs) => {
  const isValid = validator(schema, false);
  return [...valid.filter(({ value }) => !isValid(value)), ...invalid.filter(({ value }) => isValid(value))];
};

test('generates a minimal input and one without each required key for every satisfiable schema', () => {
  fc.assert(
    fc.property(satisfiable, (schema) => {
      const inputs = generateInputs(schema, wishes);

      expect(wrong(schema, inputs)).toEqual([]);
      expect(inputs.valid.map(({ what }) => what)).toContain('the minimal input');
      const defects = inputs.invalid.map(({ what }) => what);
      expect(defects).toEqual(expect.arrayContaining((schema.required as string[]).map((key) => `'${key}' left out`)));
    }),
    { numRuns: RUNS },
  );
});

test('generates valid and invalid inputs as declared for any schema', () => {
  let made = 0;
  fc.assert(
    fc.property(schemas(names, ['#/$defs/One', '#/$defs/Two', '#']), (value) => {
      const schema = { type: 'object', properties: { value }, required: ['value'], $defs: value.$defs };
      const inputs = attempt(schema);

      made += inputs === undefined ? 0 : 1;
      expect(inputs && wrong(schema, inputs)).toEqual(inputs && []);
    }),
    { numRuns: RUNS },
  );
  expect(made).toBeGreaterThan(RUNS / 3);
});

/** Returns undefined if no inputs can be generated, as for circular schemas. */
function attempt(schema: unknown): ToolInputs | undefined {
  try {
    return generateInputs(schema, wishes);
  } catch (error) {
    if (error instanceof UntestableError || error instanceof RangeError) return undefined;
    throw error;
  }
}
