import { describe, expect, test } from '@jest/globals';
import { expectTypeOf } from 'expect-type';
import type { Static } from 'typebox';
import { z } from 'zod';
import type { JSONObject } from '../../src/protocol/index.ts';
import {
  describeIssues,
  type InferOutput,
  isObjectSchema,
  jsonSchema,
  type Schema,
  toSchema,
} from '../../src/schema/index.ts';
import {
  libraries,
  type MeasureInput,
  type withArktype,
  withJsonSchema,
  withTypebox,
  type withTypebox034,
  type withValibot,
  type withZod,
} from './libraries.ts';

const valid = { place: 'Oslo', unit: 'm', tags: ['a'] };

const broken: readonly (readonly [value: unknown, complaint: string])[] = [
  [{ unit: 'm', tags: [] }, '/place is missing'],
  [{ ...valid, place: 7 }, '/place must be a string'],
  [{ ...valid, unit: 'mile' }, "/unit must be one of 'km', 'm'"],
  [{ ...valid, unit: 7 }, "/unit must be one of 'km', 'm'"],
  [{ ...valid, count: 0 }, '/count must be at least 1'],
  [{ ...valid, count: 1.5 }, '/count must be an integer'],
  [{ ...valid, range: {} }, '/range/from is missing'],
  [{ ...valid, range: null }, '/range must be an object'],
  [{ ...valid, tags: ['a', 1, 'b', null] }, '/tags/1 must be a string; /tags/3 must be a string'],
  [{ place: 1, unit: 'mile' }, "/place must be a string; /tags is missing; /unit must be one of 'km', 'm'"],
  [null, 'the value must be an object'],
  ['text', 'the value must be an object'],
  [[], 'the value must be an object'],
  [undefined, 'the value is missing'],
];

describe.each(libraries)('a schema of %s', (_, schema) => {
  const { json, validate } = toSchema(schema, 'the test');

  test('is advertised as JSON Schema of an object', () => {
    expect(isObjectSchema(json)).toBe(true);
    expect(json).not.toHaveProperty('$schema');
    expect(json).toEqual(JSON.parse(JSON.stringify(json)));
    expect(Object.keys(json.properties ?? {}).sort()).toEqual(['count', 'place', 'range', 'tags', 'unit']);
  });

  test('returns a valid value unchanged', async () => {
    const value = { ...valid, count: 3, range: { from: 1, to: 2 } };

    const validation = await validate(value);

    expect(validation).toEqual({ ok: true, value });
  });

  test('adds defaults at every depth without changing the argument', async () => {
    const given = { ...valid, range: { from: 1 } };

    const validation = await validate(given);

    expect(validation).toEqual({ ok: true, value: { ...valid, count: 1, range: { from: 1, to: 5 } } });
    expect(given).toEqual({ ...valid, range: { from: 1 } });
  });

  test('accepts a property that the advertised schema does not forbid', async () => {
    expect(await validate({ ...valid, extra: 1 })).toMatchObject({ ok: true, value: valid });
  });

  test.each(broken)('rejects %j: %s', async (value, complaint) => {
    const validation = await validate(value);

    expect(validation.ok ? 'valid' : describeIssues(validation.issues)).toBe(complaint);
  });
});

test('applies the rules of a library, with paths in the same form', async () => {
  const even = z.object({ 'a/b': z.array(z.int().refine((n) => n % 2 === 0, 'must be even')) });
  const { validate } = toSchema(even, 'the test');

  expect(await validate({ 'a/b': [2, 3] })).toEqual({
    ok: false,
    issues: [{ path: '/a~1b/1', message: 'must be even' }],
  });
});

test('awaits asynchronous transforms and refinements of a library', async () => {
  const word = z.object({ word: z.string().transform((word) => word.length) }).refine(async ({ word }) => word < 5);
  const { validate } = toSchema(word, 'the test');

  expect(await validate({ word: 'four' })).toEqual({ ok: true, value: { word: 4 } });
  expect(await validate({ word: 'longer' })).toMatchObject({ ok: false });
});

test('shows models the type that a coerced value should have', () => {
  const { json } = toSchema(z.object({ n: z.coerce.number() }), 'the test');

  expect(json).toMatchObject({ properties: { n: { type: 'number' } } });
});

test('copies the schema of the author', () => {
  const mine = { type: 'object', properties: { a: { type: 'string' } } };
  const { json } = toSchema(mine, 'the test');

  mine.properties.a.type = 'number';

  expect(json).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
});

test('infers the type of a valid value', () => {
  type Measured = Omit<MeasureInput, 'range'>;
  expectTypeOf<InferOutput<typeof withZod>>().toEqualTypeOf<z.output<typeof withZod>>();
  expectTypeOf<InferOutput<typeof withZod>>().toExtend<Measured>();
  expectTypeOf<InferOutput<typeof withValibot>>().toExtend<Measured>();
  expectTypeOf<InferOutput<typeof withArktype>>().toExtend<Measured>();
  expectTypeOf<InferOutput<typeof withTypebox034>>().toExtend<{ place: string; unit: 'km' | 'm'; count?: number }>();
  expectTypeOf<InferOutput<typeof withTypebox>>().toEqualTypeOf<JSONObject>();
  expectTypeOf<InferOutput<typeof withJsonSchema>>().toEqualTypeOf<MeasureInput>();
  expectTypeOf(toSchema(withJsonSchema, '')).toEqualTypeOf<Schema<MeasureInput>>();
  expectTypeOf(toSchema({ type: 'object' }, '')).toEqualTypeOf<Schema<JSONObject>>();

  const branded = jsonSchema<Static<typeof withTypebox>>(withTypebox);
  expectTypeOf<InferOutput<typeof branded>>().toExtend<{ place: string; unit: 'km' | 'm'; tags: string[] }>();
});
