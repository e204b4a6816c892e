import { describe, expect, test } from '@jest/globals';
import { Type as Type034 } from '@sinclair/typebox';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { Type } from 'typebox';
import * as v from 'valibot';
import { z } from 'zod';
import { toSchema, withoutInvalidDefaults } from '../../src/schema/index.ts';

const valibot = (entries: v.ObjectEntries) => toStandardJsonSchema(v.object(entries));
const parsed = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value);

describe('the library decides which values are valid:', () => {
  test.each<[what: string, schema: object, given: unknown, value: unknown]>([
    ['z.coerce', z.object({ n: z.coerce.number() }), { n: '5' }, { n: 5 }],
    ['z.coerce of a boolean', z.object({ b: z.coerce.boolean() }), { b: 1 }, { b: true }],
    ['z.preprocess', z.object({ l: z.preprocess(parsed, z.array(z.number())) }), { l: '[1,2]' }, { l: [1, 2] }],
    ['a zod pattern without case', z.object({ a: z.string().regex(/^[a-z]+$/i) }), { a: 'ABC' }, { a: 'ABC' }],
    ['z.catch', z.object({ a: z.number().catch(0) }), { a: 'x' }, { a: 0 }],
    ['z.catch without a value', z.object({ a: z.number().catch(0) }), {}, { a: 0 }],
    ['z.stringbool', z.object({ b: z.union([z.boolean(), z.stringbool()]) }), { b: 'yes' }, { b: true }],
    ['z.prefault of a coerced value', z.object({ n: z.coerce.number().prefault('5' as never) }), {}, { n: 5 }],
    ['a zod default of a transform', z.object({ n: z.string().transform(Number).default(5) }), {}, { n: 5 }],
    ['an asynchronous zod schema', z.object({ n: z.coerce.number().refine(async (n) => n > 1) }), { n: '5' }, { n: 5 }],
    ['v.fallback', valibot({ a: v.fallback(v.number(), 0) }), { a: 'x' }, { a: 0 }],
    [
      'a valibot pattern without case',
      valibot({ a: v.pipe(v.string(), v.regex(/^[a-z]+$/i)) }),
      { a: 'ABC' },
      { a: 'ABC' },
    ],
    ['an ArkType pattern without case', type({ a: /^[a-z]+$/i }), { a: 'ABC' }, { a: 'ABC' }],
    ['an ArkType morph', type({ n: 'string.numeric.parse | number' }), { n: '5' }, { n: 5 }],
  ])('%s', async (_, schema, given, value) => {
    const { validate } = toSchema(schema, 'the test');

    expect(await validate(given)).toEqual({ ok: true, value });
  });
});

test('reports the issues by the shown schema if the library refuses the value too', async () => {
  const { validate } = toSchema(z.object({ n: z.coerce.number() }), 'the test');

  expect(await validate({ n: 'five' })).toEqual({ ok: false, issues: [{ path: '/n', message: 'must be a number' }] });
});

test.each<[string, object]>([
  ['z.preprocess', z.object({ l: z.preprocess(parsed, z.array(z.number())) })],
  ['a valibot transform', valibot({ l: v.pipe(v.unknown(), v.transform(parsed), v.array(v.number())) })],
])('rejects a value with which %s throws, if it does not match the shown schema', async (_, schema) => {
  const { json, validate } = toSchema(schema, 'the test');
  const isShown = JSON.stringify(json).includes('"array"');

  const outcome = async () => validate({ l: 'no JSON' });

  if (isShown) expect(await outcome()).toEqual({ ok: false, issues: [{ path: '/l', message: 'must be an array' }] });
  else await expect(outcome()).rejects.toThrow(SyntaxError);
});

test.each<[string, object, pattern: string]>([
  ['zod', z.object({ a: z.string().regex(/^#[0-9a-f]{6}$/i) }), '^#[0-9a-fA-F]{6}$'],
  ['zod, optional', z.object({ a: z.string().regex(/^ok$/i).optional().describe('x') }), '^[oO][kK]$'],
  ['valibot', valibot({ a: v.pipe(v.string(), v.regex(/^a.b$/s)) }), '^a[\\s\\S]b$'],
  ['ArkType', type({ a: /^[^x-z]\d$/i }), '^[^x-zX-Z]\\d$'],
])('shows models a pattern of %s without its flags', (_, schema, pattern) => {
  expect(toSchema(schema, 'the test').json).toMatchObject({ properties: { a: { pattern } } });
});

describe('refuses when it is defined:', () => {
  test.each<[what: string, schema: object, sentence: string]>([
    ['a pattern with lines', z.string().regex(/^a$/m), 'the pattern /^a$/m cannot be shown to models'],
    [
      'a pattern with a backreference',
      z.string().regex(/^(a)\1$/i),
      'the pattern /^(a)\\1$/i cannot be shown to models',
    ],
    ['an ArkType date', type({ a: 'Date' }), 'arktype cannot convert it to JSON Schema (Date cannot be represented)'],
    ['an ArkType bigint', type({ a: 'bigint' }), '(bigint cannot be represented)'],
    [
      'a keyword of a zod schema',
      z.object({ a: z.string().meta({ minLength: 'x' }) }),
      '/properties/a/minLength must be',
    ],
    [
      'a TypeBox codec',
      Type.Object({ a: Type.Codec(Type.String()).Decode(Number).Encode(String) }),
      'a codec of TypeBox',
    ],
    ['a TypeBox refinement', Type.Object({ a: Type.Refine(Type.String(), () => true) }), 'a refinement of TypeBox'],
    [
      'a TypeBox transform',
      Type034.Object({ a: Type034.Transform(Type034.String()).Decode(Number).Encode(String) }),
      '/properties/a has a transform of TypeBox',
    ],
    ['zod in JSON Schema', { type: 'object', properties: { a: z.string() } }, '/properties/a is a schema of zod'],
    ['valibot in JSON Schema', { items: v.string() }, '/items is a schema of valibot'],
  ])('%s', (_, schema, sentence) => {
    expect(() => toSchema(schema, 'the test')).toThrow(sentence);
  });

  const refusedDefault = 'its default /properties/n/default is not valid: the value must be';
  test.each<[what: string, schema: object]>([
    ['null for a string', { type: 'object', properties: { n: { type: 'string', default: null } } }],
    [
      'a text for a number',
      { type: 'object', properties: { n: { $ref: '#/$defs/n', default: 'x' } }, $defs: { n: { type: 'number' } } },
    ],
    ['TypeBox', Type.Object({ n: Type.Number({ default: 'ten' }) })],
    ['TypeBox 0.34', Type034.Object({ n: Type034.Number({ default: 'ten' }) })],
    ['valibot', valibot({ n: v.optional(v.number(), 'ten' as never) })],
  ])('a default that its own schema refuses: %s', (_, schema) => {
    expect(() => toSchema(schema, 'the test')).toThrow(refusedDefault);
  });

  test.each<[what: string, schema: z.ZodType]>([
    ['default', z.number().default('ten' as never)],
    ['prefault', z.number().prefault('ten' as never)],
    ['catch', z.number().catch('ten' as never)],
  ])('a default that zod does not validate: %s', (_, n) => {
    expect(() => toSchema(z.object({ n }), 'the test')).toThrow('its default /properties/n/default is not valid');
  });
});

test('accepts JSON Schema that zod has created within other JSON Schema', async () => {
  const { validate } = toSchema({ properties: { a: z.toJSONSchema(z.string()) } }, 'the test');

  expect(await validate({ a: 1 })).toMatchObject({ ok: false });
  expect(await validate({ a: 'x' })).toMatchObject({ ok: true });
});

test('accepts null as the default of a nullable type', async () => {
  const { validate } = toSchema({ properties: { n: { type: 'string', nullable: true, default: null } } }, 'the test');

  expect(await validate({})).toEqual({ ok: true, value: { n: null } });
});

test('removes defaults that their schemas refuse from schemas of others, and keeps the rest', () => {
  const n = { type: 'string', default: null, title: 'N' };
  const foreign = { properties: { n, list: { items: [n] }, ok: { type: 'integer', default: 1 } } };

  const json = withoutInvalidDefaults(foreign);

  const kept = { type: 'string', title: 'N' };
  expect(json).toEqual({ properties: { n: kept, list: { prefixItems: [kept] }, ok: { type: 'integer', default: 1 } } });
});
