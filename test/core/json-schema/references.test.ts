import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { asSchema, createResolver, type JSONSchema, localizeSchema, valueAt } from '../../../src/core/index.ts';

const INNER = {
  $id: 'urn:example:in',
  $defs: { q: { const: 8 } },
  properties: { y: { $ref: '#/$defs/q' } },
};

const ROOT: JSONSchema = {
  type: 'object',
  allOf: [{ const: 10 }],
  $defs: {
    P: { type: 'number' },
    'a/b': { const: 1 },
    'c~d': { const: 2 },
    'e f': { const: 3 },
    a: { b: { const: 4 } },
    'g%h': { const: 5 },
    '': { const: 6 },
    no: false,
    pt: { $anchor: 'pt', const: 7 },
    q: { const: 9 },
    in: INNER,
    old: { $id: '#old', const: 11 },
    relative: { $id: 'point.json', const: 12 },
    dynamic: { $dynamicAnchor: 'dynamic', const: 13 },
  },
  elsewhere: { const: 14 },
};

interface ReferenceCase {
  readonly ref: string;
  /** Absent if the reference leads nowhere. */
  readonly target?: unknown;
  /** Schema with the reference, if that is not the root. */
  readonly from?: JSONSchema;
  readonly ajv?: 'reads it in another way';
}

const OTHERWISE = { ajv: 'reads it in another way' } as const;

const REFERENCES: readonly ReferenceCase[] = [
  { ref: '#/$defs/P', target: { type: 'number' } },
  { ref: '#', target: ROOT },
  { ref: '', target: ROOT },
  { ref: '#/$defs/a~1b', target: { const: 1 } },
  { ref: '#/$defs/e%20f', target: { const: 3 } },
  // Ajv splits the pointer before it decodes it. Source: RFC 6901, "URI Fragment Identifier Representation".
  { ref: '#/$defs/a%2Fb', target: { const: 4 }, ...OTHERWISE },
  { ref: '#/$defs/c%7E0d', target: { const: 2 } },
  // A percent sign that encodes nothing stands for itself; ajv throws.
  { ref: '#/$defs/g%h', target: { const: 5 }, ...OTHERWISE },
  { ref: '#/allOf/0', target: { const: 10 } },
  { ref: '#/$defs/no', target: false },
  { ref: '#/$defs/', target: { const: 6 } },
  { ref: '#pt', target: { $anchor: 'pt', const: 7 } },
  { ref: '#gone' },
  { ref: 'urn:example:in', target: INNER },
  { ref: 'urn:example:in#/$defs/q', target: { const: 8 } },
  { ref: '#/$defs/q', target: { const: 8 }, from: INNER.properties.y },
  // Ajv finds a function there.
  { ref: '#/$defs/constructor', ...OTHERWISE },
  { ref: '#/$defs/gone' },
  { ref: 'other.json#/x' },
  // Written so in the drafts 6 and 7.
  { ref: '#old', target: { $id: '#old', const: 11 }, ...OTHERWISE },
  { ref: 'point.json', target: { $id: 'point.json', const: 12 } },
  { ref: './point.json', target: { $id: 'point.json', const: 12 } },
  { ref: '#dynamic', target: { $dynamicAnchor: 'dynamic', const: 13 } },
  { ref: '#/elsewhere', target: { const: 14 } },
  { ref: '#/allOf', ...OTHERWISE },
];

describe('createResolver', () => {
  test.each(REFERENCES)('follows $ref', ({ ref, target, from }) => {
    expect(createResolver(ROOT).resolve(ref, from)?.schema).toEqual(target);
  });

  test('accepts every reference, also one that is not a text', () => {
    const { resolve } = createResolver(ROOT);

    for (const ref of [undefined, null, 1, {}, '%', '#%', 'http://[', '#/'.repeat(1_000)]) {
      expect(resolve(ref)).toBeUndefined();
    }
  });

  test('returns the pointer of a schema, also of one that only a reference leads to', () => {
    const resolver = createResolver(ROOT);

    expect(resolver.pointerOf(INNER.properties.y)).toBe('/$defs/in/properties/y');
    expect(resolver.pointerOf(ROOT.elsewhere as JSONSchema)).toBeUndefined();
    resolver.resolve('#/elsewhere');
    expect(resolver.pointerOf(ROOT.elsewhere as JSONSchema)).toBe('/elsewhere');
    expect(resolver.pointerOf({})).toBeUndefined();
  });

  test('resolves an $id against that of the schema around it', () => {
    const point = { $id: 'point', const: 1 };
    const resolver = createResolver({ $id: 'https://example.org/schemas/root', $defs: { point } });

    expect(resolver.resolve('https://example.org/schemas/point')?.schema).toBe(point);
    expect(resolver.resolve('../schemas/point#')?.schema).toBe(point);
    expect(resolver.resolve('https://example.org/schemas/root#/$defs/point')?.schema).toBe(point);
  });

  test('reads data that looks like a schema as data', () => {
    const resolver = createResolver({ enum: [{ $id: 'urn:data' }], default: { $anchor: 'data' } });

    expect(resolver.resolve('urn:data')).toBeUndefined();
    expect(resolver.resolve('#data')).toBeUndefined();
  });
});

const VALUES = Array.from({ length: 20 }, (_, value) => value);

/** Returns the values for which ajv accepts `{ y: value }`; undefined if it rejects the schema. */
function acceptedByAjv(schema: JSONSchema): number[] | undefined {
  try {
    const validate = new Ajv2020({ strict: false, logger: false }).compile(schema);
    return VALUES.filter((y) => validate({ y }));
  } catch {
    return undefined;
  }
}

/** Returns ROOT with the reference for the property y, and without the other conditions of the root. */
function withReference({ ref, from }: ReferenceCase): JSONSchema {
  const { type, allOf, ...rest } = ROOT;
  const { old, ...$defs } = asSchema(rest.$defs);
  return { ...rest, $defs, ...(from ? { $ref: 'urn:example:in' } : { properties: { y: { $ref: ref } } }) };
}

/** Returns the values that a target accepts. */
function acceptedBy({ target }: ReferenceCase): number[] | undefined {
  const { const: only } = asSchema(target);
  if (target === undefined) return undefined;
  return target === false ? [] : VALUES.filter((value) => only === undefined || value === only);
}

/** Cases whose target is not at the root, whose conditions are left out. */
const inner = REFERENCES.filter(({ ref }) => !['', '#'].includes(ref) && !ref.startsWith('#/allOf'));

test.each(inner.filter(({ ajv }) => !ajv))('ajv follows $ref in the same way', (each) => {
  expect(acceptedByAjv(withReference(each))).toEqual(acceptedBy(each));
});

describe('localizeSchema', () => {
  const written = inner.filter(({ ref, target }) => target !== undefined && ref !== '#old');

  test.each(written)('writes $ref so that ajv reads it by the specification', (each) => {
    const local = localizeSchema(withReference(each));

    expect(valueAt(local, each.from ? '/$defs/in/properties/y/$ref' : '/properties/y/$ref')).toMatch(/^#\//);
    expect(acceptedByAjv(local)).toEqual(acceptedBy(each));
  });

  test.each(REFERENCES.filter(({ target }) => target === undefined))('keeps $ref, which leads nowhere', ({ ref }) => {
    expect(localizeSchema({ ...ROOT, not: { $ref: ref } }).not).toEqual({ $ref: ref });
  });

  test('removes $id and $anchor, and keeps names and data that look like them', () => {
    const schema = {
      $id: 'urn:root',
      properties: { $id: { $anchor: 'a', type: 'string' }, b: { $ref: '#a' } },
      default: { $id: 'x', $ref: '#a' },
    };

    expect(localizeSchema(schema)).toEqual({
      properties: { $id: { type: 'string' }, b: { $ref: '#/properties/$id' } },
      default: { $id: 'x', $ref: '#a' },
    });
  });

  test('accepts a schema of any depth', () => {
    const depth = 50_000;
    const deep = JSON.parse(`${'{"not":'.repeat(depth)}{"$ref":"#"}${'}'.repeat(depth)}`);

    expect(() => localizeSchema(deep)).not.toThrow();
  });
});
