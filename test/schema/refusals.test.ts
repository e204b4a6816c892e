import { expect, test } from '@jest/globals';
import { Type as Type034 } from '@sinclair/typebox';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { describeIssues, toSchema } from '../../src/schema/index.ts';

const circle: Record<string, unknown> = { type: 'object' };
circle.properties = { self: circle };

test.each<[what: string, schema: object, sentences: string[]]>([
  [
    'bare valibot',
    v.object({}),
    ['this valibot schema has no JSON Schema form', "toStandardJsonSchema() of '@valibot/to-json-schema'"],
  ],
  [
    'zod/mini',
    mini.object({}),
    ['this zod schema has no JSON Schema form', "import { z } from 'zod'", "not with 'zod/mini'"],
  ],
  [
    'an unknown library without converter',
    { '~standard': { vendor: 'acme', version: 1, validate: () => ({ value: 1 }) } },
    ['this acme schema has no JSON Schema form', 'version or wrapper of acme', 'jsonSchema<YourType>({ ... })'],
  ],
  [
    'a zod date',
    z.object({ a: z.date() }),
    ['zod cannot convert it to JSON Schema', 'Date cannot be represented', 'strings for dates'],
  ],
  [
    'a zod bigint',
    z.object({ a: z.bigint() }),
    ['zod cannot convert it to JSON Schema', 'BigInt cannot be represented'],
  ],
  [
    'a valibot date',
    toStandardJsonSchema(v.object({ a: v.date() })),
    ['valibot cannot convert it to JSON Schema', '"date"'],
  ],
  [
    'a TypeBox date',
    Type034.Object({ a: Type034.Date() }),
    ["it is not valid: /properties/a/type must be one of 'array', 'boolean', "],
  ],
  ['a wrong keyword', { type: 'object', required: 'a' }, ['it is not valid: /required must be an array']],
  ['a bad pattern', { type: 'string', pattern: '(' }, ['Invalid regular expression']],
  [
    'a remote reference',
    { $ref: 'https://example.com/schema.json' },
    [
      "it refers to 'https://example.com/schema.json', which it does not contain",
      'schemas are not fetched',
      '#/$defs/<name>',
    ],
  ],
  ['a reference to nothing', { $ref: '#/$defs/none' }, ["it refers to '#/$defs/none', which it does not contain"]],
  ['a reference to itself', { $ref: '#' }, ['its $ref at the root leads back to itself']],
  [
    'references in a circle',
    { properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: { $ref: '#/$defs/c' }, c: { $ref: '#/$defs/b' } } },
    ['its $ref at /$defs/b leads back to itself'],
  ],
  ['a list', [], ['it is neither JSON Schema nor a schema of a supported library']],
  ['a function', () => true, ['it is neither JSON Schema nor a schema of a supported library']],
  ['an object of a class', new Map(), ['it is neither JSON Schema nor a schema of a supported library']],
  ['a schema that contains itself', circle, ['circular']],
])('rejects %s at definition', (_, schema, sentences) => {
  const define = () => toSchema(schema, "tool 'submit', input");

  expect(define).toThrow("tool 'submit', input: the schema cannot be used: ");
  for (const sentence of sentences) expect(define).toThrow(sentence);
});

const tree = { type: 'object', properties: { kid: { $ref: '#' }, size: { default: 1 } } };
const zodTree = z.object({
  get kid() {
    return zodTree.optional();
  },
});

test.each<[string, object]>([
  ['JSON Schema', tree],
  ['zod', zodTree],
])('rejects a value with 20,000 levels by a recursive schema of %s', async (_, schema) => {
  const { validate } = toSchema(schema, 'the test');
  let value: object = {};
  for (let depth = 0; depth < 20_000; depth++) value = { kid: value };

  const validation = await validate(value);

  expect(validation).toEqual({ ok: false, issues: [{ path: '', message: 'is nested too deeply' }] });
});

test('accepts or rejects a value of any depth without throwing', async () => {
  const { validate } = toSchema(zodTree, 'the test');
  let value: object = {};
  for (let depth = 0; depth < 10_000; depth++) {
    value = { kid: value };
    if (depth % 500 === 0) expect(await validate(value)).toHaveProperty('ok');
  }
});

test('rejects a value of a recursive union in linear time', async () => {
  const operation = (name: string) => ({
    type: 'object',
    properties: { op: { const: name }, left: { $ref: '#/$defs/term' } },
    required: ['op'],
  });
  const { validate } = toSchema(
    { $defs: { term: { anyOf: [operation('add'), operation('multiply')] } }, $ref: '#/$defs/term' },
    'the test',
  );
  let value: object = { op: 'guess' };
  for (let depth = 0; depth < 60; depth++) value = { op: 'multiply', left: value };

  const validation = await validate(value);

  expect(validation.ok ? '' : describeIssues(validation.issues)).toContain("must be one of 'add', 'multiply'");
});

const secret = 'a "secret" word\nof two lines (was long) received late';

test.each<[library: string, schema: object]>([
  ['zod', z.object({ key: z.string().refine(() => false) })],
  [
    'valibot',
    toStandardJsonSchema(
      v.object({
        key: v.pipe(
          v.string(),
          v.check(() => false),
        ),
      }),
    ),
  ],
  ['arktype', type({ key: type('string').narrow(() => false) })],
  [
    'arktype, with two reasons',
    type({
      key: type('string')
        .narrow(() => false)
        .narrow((_, c) => c.mustBe('short')),
    }),
  ],
])('does not quote the value in messages of %s', async (_, schema) => {
  const { validate } = toSchema(schema, 'the test');

  const validation = await validate({ key: secret });

  expect(validation).toMatchObject({ ok: false, issues: [{ path: '/key' }] });
  expect(JSON.stringify(validation)).not.toMatch(/secret|late/);
});

test('keeps messages of authors', async () => {
  const parcel = z.string().refine(() => false, 'The parcel must be received (was it sent?)');
  const { validate } = toSchema(parcel, 'the test');

  const validation = await validate('x');

  expect(validation).toMatchObject({
    issues: [{ path: '', message: expect.stringContaining('The parcel must be received') }],
  });
});

test.each(['^\\d+\\-\\d+$', 'a{,3}', ']'])(
  'a pattern of a library schema that JSON Schema cannot have, %s, is refused',
  (pattern) => {
    const parcel = z.object({ name: z.array(z.string().regex(new RegExp(pattern))) });

    expect(() => toSchema(parcel, 'the test')).toThrow(
      /^the test: the schema cannot be used: Invalid regular expression: /,
    );
  },
);
