import { describe, expect, test } from '@jest/globals';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { z } from 'zod';
import { checkValue, type JSONValue } from '../../src/core/index.ts';
import { toSchema } from '../../src/schema/index.ts';
import fc, { runs } from '../support/fast-check.ts';

/** Names that every object inherits, also `__proto__`. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);
const names = fc.constantFrom('constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', 'a');

/** Replaces inherited names by others, in keys and in texts. */
function renamed<T>(value: T): T {
  const other = (text: string): string => (INHERITED.includes(text) ? `own ${text}` : text);
  const rename = (each: unknown): unknown => {
    if (typeof each === 'string') return other(each);
    if (Array.isArray(each)) return each.map(rename);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([key, inner]) => [other(key), rename(inner)]));
  };
  return rename(value) as T;
}

const { value: values } = fc.letrec<{ value: JSONValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JSONValue>(null, 0, 1, '', 'a'),
    names,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(names, tie('value')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

const properties = (inner: fc.Arbitrary<object>) =>
  fc.array(fc.tuple(names, inner), { maxLength: 3 }).map((entries) => ({ properties: Object.fromEntries(entries) }));
/**
 * Leaves one alternative if `__proto__` is a property of one, because it becomes a pattern: ajv counts what patterns of
 * an invalid alternative match as evaluated.
 */
const withoutPatterns = (anyOf: readonly { readonly properties: object }[]) =>
  anyOf.some((schema) => Object.hasOwn(schema.properties, '__proto__')) ? anyOf.slice(0, 1) : anyOf;
const { schema: schemas } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<object>({}, { type: 'string' }, { type: 'object' }, { type: ['number', 'null'] }),
    values.map((value) => ({ const: value })),
    fc.array(values, { minLength: 1, maxLength: 3 }).map((list) => ({ enum: list })),
    fc.constantFrom<object>({ uniqueItems: true }, { uniqueItems: true, items: { type: ['string', 'number'] } }),
    fc.array(names, { maxLength: 2 }).map((list) => ({ required: [...new Set(list)] })),
    fc.tuple(names, names).map(([name, other]) => ({ dependentRequired: Object.fromEntries([[name, [other]]]) })),
    fc.array(names, { minLength: 1, maxLength: 3 }).map((list) => ({ propertyNames: { enum: list } })),
    properties(tie('schema')),
    properties(tie('schema')).map((schema) => ({ ...schema, additionalProperties: false })),
    fc
      .array(properties(tie('schema')), { minLength: 1, maxLength: 2 })
      .map((anyOf) => ({ anyOf: withoutPatterns(anyOf), unevaluatedProperties: false })),
    fc.tuple(names, values).map(([name, value]) => ({ properties: Object.fromEntries([[name, { default: value }]]) })),
    tie('schema').map((items) => ({ items })),
  ),
}));

test('treats names that objects inherit like all others', async () => {
  await fc.assert(
    fc.asyncProperty(schemas, values, async (schema, value) => {
      const validation = await toSchema(schema, 'the test').validate(value);
      const expected = await toSchema(renamed(schema), 'the test').validate(renamed(value));

      const shown = validation.ok ? { ok: true, value: renamed(validation.value) } : { ok: false };
      expect(shown).toEqual(expected.ok ? expected : { ok: false });
      expect(checkValue(schema, value).length).toBe(checkValue(renamed(schema), renamed(value)).length);
    }),
    { numRuns: runs(400) },
  );
});

const own = (name: string, value: unknown): object => Object.fromEntries([[name, value]]);

describe.each(INHERITED)('the name %s', (name) => {
  test.each<[what: string, schema: object, valid: JSONValue, invalid: JSONValue]>([
    ['of a property', { properties: own(name, { type: 'string' }) }, {}, own(name, 1) as JSONValue],
    ['of a required property', { required: [name] }, own(name, 1) as JSONValue, {}],
    [
      'of the only property',
      { properties: own(name, {}), additionalProperties: false },
      own(name, 1) as JSONValue,
      { b: 1 },
    ],
    ['of an additional property', { additionalProperties: false }, {}, own(name, 1) as JSONValue],
    [
      'of an unevaluated property',
      { anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }], unevaluatedProperties: false },
      { a: 1 },
      own(name, 1) as JSONValue,
    ],
    [
      'of an evaluated property',
      { anyOf: [{ properties: own(name, { const: 1 }) }], unevaluatedProperties: false },
      own(name, 1) as JSONValue,
      own(name, 2) as JSONValue,
    ],
    [
      'of an unevaluated property behind a dynamic reference',
      { $dynamicAnchor: 'A', properties: { a: { $dynamicRef: '#A', unevaluatedProperties: false } } },
      { a: { a: {} } },
      { a: own(name, {}) as JSONValue },
    ],
    ['in a constant', { const: own(name, '') }, own(name, '') as JSONValue, {}],
    ['in a list of values', { enum: [own(name, 1), 1] }, own(name, 1) as JSONValue, own(name, 2) as JSONValue],
    [
      'in different items',
      { uniqueItems: true },
      [{}, own(name, null) as JSONValue, own(name, 1) as JSONValue],
      [own(name, 1) as JSONValue, own(name, 1) as JSONValue],
    ],
    ['as an item', { uniqueItems: true, items: { type: 'string' } }, [name, 'a'], [name, 'a', name]],
  ])('%s', async (_, schema, valid, invalid) => {
    const { validate } = toSchema(schema, 'the test');

    expect(await validate(valid)).toMatchObject({ ok: true });
    expect(await validate(invalid)).toMatchObject({ ok: false });
  });

  test('of a default', async () => {
    const { validate } = toSchema({ properties: own(name, { default: 1 }) }, 'the test');

    expect(await validate({})).toEqual({ ok: true, value: own(name, 1) });
  });

  test('of a format that does not exist', async () => {
    const { validate } = toSchema({ type: 'string', format: name }, 'the test');

    expect(await validate('x')).toEqual({ ok: true, value: 'x' });
  });

  test.each([`#/$defs/${name}`, name])('of a definition that does not exist: %s', ($ref) => {
    expect(() => toSchema({ $ref, $defs: {} }, 'the test')).toThrow(
      `it refers to '${$ref}', which it does not contain`,
    );
  });
});

describe.each(['constructor', 'toString', 'valueOf'])('a library does not read the inherited property %s', (name) => {
  test.each([
    ['zod', z.object({ [name]: z.string().optional() }), {}],
    ['zod, any value', z.object({ [name]: z.unknown().optional() }), {}],
    ['zod, with a default', z.object({ [name]: z.string().default('x') }), { [name]: 'x' }],
    ['zod, converted', z.object({ [name]: z.coerce.string().optional() }), {}],
    ['valibot', toStandardJsonSchema(v.object({ [name]: v.optional(v.any()) })), {}],
  ])('%s', async (_library, schema, value) => {
    const result = await toSchema(schema, 'the test').validate({});

    expect(result.ok && { ...(result.value as object) }).toEqual(value);
    expect(result.ok && Object.hasOwn(result.value as object, name)).toBe(Object.hasOwn(value, name));
  });
});
