import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadFaker } from '../../src/conformance/inputs/make-inputs.ts';
import fc, { runs } from '../support/fast-check.ts';
import { acceptedBy, judge, type Trial, type Verdict, withoutUndeclared } from './agreement.ts';
import { workshop } from './workshop.ts';

const shop = await workshop();
afterAll(async () => shop[Symbol.asyncDispose]());

const text = { type: 'string' };
const number = { type: 'number' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Schema of a case, values that it allows, values that it does not, and values that only a validator rejects. */
interface Case {
  readonly schema: unknown;
  readonly allowed: readonly unknown[];
  readonly refused?: readonly unknown[];
  readonly notTyped?: readonly unknown[];
}

/** Schemas that the cases refer to. */
const shared = {
  Name: object({ name: text }),
  Named: object({ name: text, 'nick-name': { type: ['string', 'null'] } }, { required: ['name'] }),
  Cat: object({ kind: { enum: ['cat'] }, lives: number }, { required: ['kind'] }),
  Dog: object({ kind: { const: 'dog' }, tricks: { type: 'array', items: text } }, { required: ['kind'] }),
  Anything: true,
  Nothing: false,
  Rows: object({ rows: { type: 'array', items: object({ cells: { type: 'array', items: number } }) } }),
  Tree: { type: 'array', items: ref('Tree') },
  Json: { type: ['string', 'null', 'array', 'object'], items: ref('Json'), additionalProperties: ref('Json') },
  Payment: { ...object({ type: text }, { required: ['type'] }), oneOf: [ref('CardPayment')] },
  CardPayment: { allOf: [ref('Payment')], ...object({ card: number }, { required: ['card'] }) },
};

const cases: Readonly<Record<string, Case>> = {
  'a discriminator of a property with declared values': {
    schema: { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } },
    allowed: [{ kind: 'cat', lives: 9 }, { kind: 'dog' }],
    refused: [{ kind: 'Cat' }, { lives: 9 }, { kind: 'dog', tricks: [1] }],
  },
  'a mapping of a discriminator': {
    schema: { anyOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind', mapping: { dog: 'Cat' } } },
    allowed: [{ kind: 'dog', tricks: ['sit'] }],
    refused: [{ kind: 'dog', tricks: 'sit' }],
  },
  'a reference into a schema': {
    schema: { type: 'array', items: { $ref: '#/components/schemas/Rows/properties/rows/items' } },
    allowed: [[{ cells: [1] }, {}]],
    refused: [[{ cells: ['1'] }], {}],
  },
  'a reference into a reference into a schema': {
    schema: { $ref: '#/components/schemas/a%20reference%20into%20a%20schema/items' },
    allowed: [{ cells: [] }],
    refused: [{ cells: 1 }],
  },
  'required beside allOf': {
    schema: { allOf: [ref('Name')], required: ['name'] },
    allowed: [{ name: 'a' }],
    refused: [{}, { name: 1 }],
  },
  'required within allOf': {
    schema: { allOf: [ref('Name'), { required: ['name'] }] },
    allowed: [{ name: 'a' }],
    refused: [{}],
  },
  'required in another part of allOf': {
    schema: { allOf: [ref('Name'), object({ age: number }, { required: ['name'] })] },
    allowed: [{ name: 'a' }, { name: 'a', age: 1 }],
    refused: [{ age: 1 }, { name: 1 }],
  },
  'required within a branch of anyOf': {
    schema: {
      allOf: [ref('Name')],
      anyOf: [{ required: ['name'] }, { required: ['age'] }],
      properties: { age: number },
    },
    allowed: [{ name: 'a' }, { age: 1 }, { name: 'a', age: 1 }],
    refused: [{}, { age: 'a' }],
  },
  'required and not declared': {
    schema: object({ a: text }, { required: ['ghost'] }),
    allowed: [{ ghost: 1 }],
    refused: [{ a: 'x' }],
  },
  'required alone': { schema: { type: 'object', required: ['a'] }, allowed: [{ a: null }], refused: [{}, []] },
  'required and matched by a pattern': {
    schema: object({}, { required: ['x-a'], patternProperties: { '^x-': number }, additionalProperties: false }),
    allowed: [{ 'x-a': 1 }],
    refused: [{}],
  },
  'a required property that refers to its schema': {
    schema: object({
      self: {
        allOf: [{ $ref: '#/components/schemas/a%20required%20property%20that%20refers%20to%20its%20schema' }],
        required: ['self'],
      },
    }),
    allowed: [{}],
    refused: [{ self: {} }],
  },
  'one of two properties': {
    schema: object({ a: text, b: text }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
    allowed: [{ a: 'x' }, { b: 'x' }, { a: 'x', b: 'y' }],
    refused: [{}, { a: 5 }],
  },
  'an object without properties': { schema: { type: 'object' }, allowed: [{}, { a: 1 }], refused: [[], null, 'a'] },
  'an object that is always empty': {
    schema: { type: 'object', additionalProperties: false },
    allowed: [{}],
    refused: [{ a: 1 }],
  },
  'an object of numbers': {
    schema: { type: 'object', additionalProperties: number },
    allowed: [{ a: 1 }],
    refused: [{ a: 'x' }],
  },
  'properties of other types than the declared ones': {
    schema: object({ a: text }, { additionalProperties: number }),
    allowed: [{ a: 'x', b: 1 }, {}],
    refused: [{ b: null }],
    notTyped: [{ b: 'x' }],
  },
  'an open tuple': {
    schema: { type: 'array', prefixItems: [text, number] },
    allowed: [[], ['a'], ['a', 1], ['a', 1, true]],
    refused: [[1], ['a', 'b']],
  },
  'a tuple with more items of one type': {
    schema: { type: 'array', prefixItems: [text], items: number, minItems: 1 },
    allowed: [['a'], ['a', 1, 2]],
    refused: [[], ['a', 'b']],
  },
  'a closed tuple whose end may be missing': {
    schema: { type: 'array', prefixItems: [text, { anyOf: [number, text] }], items: false, minItems: 1 },
    allowed: [['a'], ['a', 1], ['a', 'b']],
    refused: [[], ['a', 1, 2]],
  },
  'a tuple that maxItems closes': {
    schema: { type: 'array', prefixItems: [text], maxItems: 1 },
    allowed: [['a']],
    refused: [['a', 1]],
  },
  'an array that is always empty': { schema: { type: 'array', items: false }, allowed: [[]], refused: [[1]] },
  'not without a type': { schema: { not: text }, allowed: [5, [1], {}], notTyped: ['a'] },
  'not of everything': { schema: object({ a: { not: {} } }), allowed: [{}], refused: [{ a: 1 }] },
  'if without a type': {
    schema: { if: { type: 'object' }, else: { type: 'number' } },
    allowed: [5, { b: 1 }],
    notTyped: ['a', [1]],
  },
  'Boolean schemas of properties': {
    schema: object({ any: true, none: false }),
    allowed: [{ any: 5 }, {}],
    refused: [{ none: 1 }],
  },
  'references to Boolean schemas': {
    schema: object({ any: ref('Anything'), none: ref('Nothing') }),
    allowed: [{ any: [null] }],
    refused: [{ none: null }],
  },
  'names of Object.prototype': {
    schema: object({ constructor: text, toString: number, valueOf: text, hasOwnProperty: { type: 'null' } }),
    allowed: [{}, { constructor: 'a', toString: 1 }],
    refused: [{ constructor: 1 }],
  },
  'a type that restricts a branch': {
    schema: {
      type: ['object', 'null'],
      anyOf: [{ required: ['a'] }, { type: ['null', 'string'] }],
      properties: { a: number },
    },
    allowed: [null, { a: 1 }],
    refused: ['a', {}, { a: 'x' }],
  },
  'an enum and a type': {
    schema: { type: ['string', 'null'], enum: ['a', 1, { b: [1] }] },
    allowed: ['a'],
    refused: [null, 1, { b: [1] }],
  },
  'values that are not scalars': {
    schema: { enum: [{ b: [1, {}] }, ['x']] },
    allowed: [{ b: [1, {}] }, ['x']],
    refused: [{ b: [2, {}] }, []],
  },
  'a type that contains itself in arrays': { schema: ref('Tree'), allowed: [[], [[], [[]]]], refused: [[1], {}] },
  'any JSON except numbers': { schema: ref('Json'), allowed: ['a', null, [{ a: [null] }]], refused: [1, [{ a: 1 }]] },
  'inheritance in both directions': {
    schema: ref('Payment'),
    allowed: [{ type: 'card', card: 1 }],
    refused: [{ card: 1 }, { type: 'card' }],
  },
  'a child of such inheritance': {
    schema: ref('CardPayment'),
    allowed: [{ type: 'card', card: 1 }],
    refused: [{ type: 'card', card: 'x' }],
  },
};

const kinds = ['openapi', 'schema'] as const;
const verdicts = new Map<string, Verdict[]>();

beforeAll(async () => {
  const own = Object.entries(cases).map(([name, { schema }]) => [name, schema]);
  const schemas = { ...shared, ...Object.fromEntries(own) };
  const trials = Object.entries(cases).flatMap(([schema, { allowed, refused = [], notTyped = [] }]) =>
    [...allowed, ...refused, ...notTyped].map((value) => ({ schema, value })),
  );
  for (const kind of kinds) {
    for (const verdict of await judge(shop, { name: `cases-${kind}`, kind, schemas, trials })) {
      const key = `${kind} ${verdict.schema}`;
      verdicts.set(key, [...(verdicts.get(key) ?? []), verdict]);
    }
  }
});

const rows = Object.keys(cases).flatMap((name) => kinds.map((kind) => [name, kind] as const));

test.each(rows)('agrees with the document on %s (%s)', (name, kind) => {
  const { allowed = [], refused = [], notTyped = [] } = cases[name] ?? {};

  const found = verdicts.get(`${kind} ${name}`)?.map(({ schema: _, ...verdict }) => verdict);

  // Ajv does not end on schemas that apply to each other without end.
  const isEndless = name.includes('inheritance');
  const expected = (compiler: boolean, isValid: boolean) => (each: unknown) => ({
    value: each,
    document: isEndless ? false : isValid,
    validator: isValid,
    compiler,
  });
  expect(found).toEqual([
    ...allowed.map(expected(true, true)),
    ...refused.map(expected(false, false)),
    ...notTyped.map(expected(true, false)),
  ]);
});

const NAMES = ['a', 'b', 'c-d'];
const scalar = fc.constantFrom<unknown>('x', 'y', '', 0, 1, true, false, null);
const value = fc.oneof(
  { weight: 3, arbitrary: scalar },
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom(...NAMES), scalar, { maxKeys: 3 }),
);
const leaf = fc.oneof(
  fc.constantFrom<unknown>(text, number, { type: 'integer' }, { type: 'boolean' }, { type: 'null' }, true, {}),
  fc.constantFrom<unknown>({ type: ['string', 'null'] }, { type: ['integer', 'boolean'] }, false),
  fc.uniqueArray(value, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
  value.map((each) => ({ const: each })),
);
const someNames = fc.subarray(NAMES);

/** Generates schemas whose types are exact, or also others, whose types may be wider. */
function schemaOf(depth: number, isExact: boolean): fc.Arbitrary<unknown> {
  const references = fc.constantFrom<unknown>(ref('First'), ref('Second'), {
    $ref: '#/components/schemas/Second/properties/a',
  });
  if (depth === 0) return fc.oneof({ weight: 4, arbitrary: leaf }, references);
  const child = schemaOf(depth - 1, isExact);
  const children = fc.array(child, { minLength: 1, maxLength: 3 });
  const objects = objectSchemas(child, isExact);
  const applied = fc.record(
    {
      allOf: fc.array(fc.oneof(objects, references, partSchemas(child)), { minLength: 1, maxLength: 3 }),
      anyOf: fc.array(partSchemas(child), { minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: [] },
  );
  const exact = [
    { weight: 2, arbitrary: leaf },
    { weight: 1, arbitrary: references },
    { weight: 3, arbitrary: objects },
    { weight: 2, arbitrary: arraySchemas(child) },
    { weight: 1, arbitrary: children.map((anyOf) => ({ anyOf })) },
    { weight: 1, arbitrary: fc.tuple(objects, applied).map(([schema, more]) => ({ ...Object(schema), ...more })) },
  ];
  if (isExact) return fc.oneof(...exact);
  const limits = fc.constantFrom(
    { minLength: 1 },
    { maximum: 0 },
    { not: text },
    { if: text, else: { type: 'number' } },
    { minItems: 1 },
    { minProperties: 1 },
  );
  return fc.oneof(
    ...exact,
    { weight: 1, arbitrary: children.map((oneOf) => ({ oneOf })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(child, limits)
        .map(([schema, limit]) => (Object(schema) === schema ? { ...Object(schema), ...limit } : limit)),
    },
    { weight: 1, arbitrary: fc.tuple(objects, objects).map((allOf) => ({ allOf })) },
    {
      weight: 1,
      arbitrary: fc.tuple(references, objects).map(([one, other]) => ({ ...Object(one), ...Object(other) })),
    },
  );
}

function objectSchemas(child: fc.Arbitrary<unknown>, isExact: boolean): fc.Arbitrary<object> {
  const properties = fc.dictionary(fc.constantFrom(...NAMES), child, { maxKeys: 3 });
  const declared = fc
    .tuple(properties, someNames, fc.constantFrom(text, { type: ['object', 'null'] }, { type: 'object' }))
    .map(([named, required, { type }]) => ({ type: type === 'string' ? 'object' : type, properties: named, required }));
  const records = child.map((additionalProperties) => ({ type: 'object', additionalProperties }));
  if (isExact) return fc.oneof({ weight: 3, arbitrary: declared }, records);
  const more = fc.record(
    { additionalProperties: child, patternProperties: child.map((each) => ({ '^a': each })) },
    { requiredKeys: [] },
  );
  return fc.oneof(
    declared,
    records,
    fc.tuple(declared, more).map(([schema, extra]) => ({ ...schema, ...extra })),
  );
}

/** Parts of an object schema without a type. */
const partSchemas = (child: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    someNames.map((required) => ({ required })),
    fc
      .tuple(fc.constantFrom(...NAMES), child, someNames)
      .map(([name, schema, required]) => ({ properties: { [name]: schema }, required })),
    fc.constant({ type: 'object' }),
  );

const arraySchemas = (child: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  fc.oneof(
    child.map((items) => ({ type: 'array', items })),
    fc
      .tuple(
        fc.array(child, { minLength: 1, maxLength: 2 }),
        fc.nat(2),
        fc.option(fc.oneof(child, fc.constant(false)), { nil: undefined }),
      )
      .map(([prefixItems, minItems, items]) => ({
        type: 'array',
        prefixItems,
        minItems: Math.min(minItems, prefixItems.length),
        ...(items !== undefined && { items }),
      })),
  );

/** Replaces, removes or adds a part of a JSON value. */
function mutations(json: unknown, spare: unknown): unknown[] {
  if (Array.isArray(json)) {
    return [
      json.slice(1),
      [...json, spare],
      ...json.flatMap((item, index) => mutations(item, spare).map((each) => json.with(index, each))),
      spare,
    ];
  }
  if (typeof json !== 'object' || json === null) return [spare];
  return Object.entries(json).flatMap(([key, member]) => {
    const { [key as never]: _, ...rest } = json as Record<string, unknown>;
    return [rest, ...mutations(member, spare).map((each) => ({ ...json, [key]: each }))];
  });
}

test.each([
  [true, 'openapi'],
  [false, 'openapi'],
  [false, 'schema'],
] as const)(
  'agrees with the document on random schemas and values (types are exact: %j, %s)',
  async (isExact, kind) => {
    const faker = await loadFaker();
    const second = objectSchemas(leaf, isExact).map((schema) => ({
      ...schema,
      properties: { a: text, ...Object(schema).properties },
    }));
    const samples = fc.sample(
      fc.record({
        first: schemaOf(0, isExact).filter((schema) => !JSON.stringify(schema).includes('First')),
        second,
        schema: schemaOf(2, isExact),
        values: fc.array(value, { minLength: 4, maxLength: 4 }),
        spare: value,
      }),
      runs(100),
    );
    const schemas: Record<string, unknown> = {};
    const trials: Trial[] = [];
    samples.forEach(({ first, second, schema, values, spare }, index) => {
      const own = JSON.parse(
        JSON.stringify({ First: first, Second: second, It: schema }).replaceAll(
          /schemas\/(First|Second)/g,
          `schemas/$1${index}`,
        ),
      );
      for (const [name, each] of Object.entries(own)) schemas[`${name}${index}`] = each;
      const local = JSON.parse(
        JSON.stringify({
          ...own.It,
          $defs: { [`First${index}`]: own.First, [`Second${index}`]: own.Second },
        }).replaceAll('#/components/schemas/', '#/$defs/'),
      );
      const fakes = [1, 2, 3].map((seed) => faker?.(local, seed));
      const all = [...values, ...fakes, ...fakes.flatMap((fake) => mutations(fake, spare)).slice(0, 12)];
      const texts = new Set(all.filter((each) => each !== undefined).map((each) => JSON.stringify(each)));
      for (const json of texts) trials.push({ schema: `It${index}`, value: JSON.parse(json) });
    });

    const judged = await judge(shop, { name: `random-${isExact}-${kind}`, kind, schemas, trials });
    const isDeclared = acceptedBy(withoutUndeclared(schemas));

    const wrong = judged.filter(
      (verdict) =>
        verdict.validator !== verdict.document ||
        (verdict.document && !verdict.compiler && isDeclared(verdict)) ||
        (isExact && !verdict.document && verdict.compiler),
    );
    expect(
      wrong.map((verdict) => ({
        ...verdict,
        schemas: Object.fromEntries(
          ['It', 'First', 'Second'].map((name) => [name, schemas[verdict.schema.replace('It', name)]]),
        ),
      })),
    ).toEqual([]);
    expect(judged.filter(({ document }) => document).length).toBeGreaterThan(judged.length / 10);
  },
);
