import { expect, test } from '@jest/globals';
import { toSchema } from '../../src/schema/index.ts';
import fc, { runs } from '../support/fast-check.ts';
import { libraries } from './libraries.ts';

const inputs = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      place: fc.oneof(fc.string(), fc.jsonValue()),
      unit: fc.oneof(fc.constantFrom('km', 'm'), fc.jsonValue()),
      count: fc.oneof(fc.integer({ min: 1, max: 99 }), fc.jsonValue()),
      range: fc.oneof(fc.record({ from: fc.integer(), to: fc.integer() }, { requiredKeys: ['from'] }), fc.jsonValue()),
      tags: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
    },
    { requiredKeys: [] },
  ),
);

test.each(libraries)('never throws on a JSON value and never changes it, with a schema of %s', async (_, schema) => {
  const { validate } = toSchema(schema, 'the test');

  await fc.assert(
    fc.asyncProperty(inputs, async (value) => {
      const before = structuredClone(value);

      const validation = await validate(value);

      expect(value).toEqual(before);
      expect(typeof validation.ok).toBe('boolean');
    }),
    { numRuns: runs(200) },
  );
});

test.each(libraries)(
  'a schema of %s reports the same issues as the JSON Schema that it advertises',
  async (_, schema) => {
    const library = toSchema(schema, 'the test');
    const plain = toSchema(library.json, 'the test');

    await fc.assert(
      fc.asyncProperty(inputs, async (value) => {
        const [one, other] = [await library.validate(value), await plain.validate(value)];

        expect(one.ok ? [] : one.issues).toEqual(other.ok ? [] : other.issues);
      }),
      { numRuns: runs(200) },
    );
  },
);
