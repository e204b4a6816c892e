import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JSONObject, JSONValue } from '../../src/protocol/index.ts';
import { check } from '../../src/viewer/page/playground/form/check.ts';
import { blank, branchOf, type Draft, draftOf, partOf } from '../../src/viewer/page/playground/form/draft.ts';
import { type Field, fieldOf } from '../../src/viewer/page/playground/form/field.ts';
import { readForm, readJson } from '../../src/viewer/page/playground/form/read-draft.ts';
import { inputSchema, resolved, typeName } from '../../src/viewer/page/playground/form/schema.ts';
import { objectSchemas } from '../core/json-schema/arbitrary-schemas.ts';
import fc, { runs } from '../support/fast-check.ts';

const RUNS = { numRuns: runs(200) };

const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });

function isValid(schema: JSONObject, value: unknown): boolean {
  const isRight = ajv.validate(schema, value);
  // It would keep every schema.
  ajv.removeSchema(schema);
  return isRight;
}

const kindOf = (schema: JSONObject): string => fieldOf(schema, schema, 1).kind;

const told = (schema: JSONObject, value: JSONValue): string[] =>
  check(schema, value).map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('the field of a schema', () => {
  test.each<[JSONObject, string]>([
    [{ type: 'string' }, 'text'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'boolean' }, 'choice'],
    [{ enum: ['a', 1, null] }, 'choice'],
    [{ const: 3 }, 'choice'],
    [{ type: ['string', 'null'] }, 'union'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'union'],
    [{ type: 'array', items: { type: 'string' } }, 'list'],
    [{ type: 'array', prefixItems: [{}, {}] }, 'json'],
    [{ type: 'object', properties: { a: {} } }, 'object'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'json'],
    [{}, 'json'],
    [{ $ref: '#/$defs/Missing' }, 'json'],
  ])('of %j is of the kind %s', (schema, kind) => {
    expect(kindOf(schema)).toBe(kind);
  });

  test('follows references, and writes what contains itself as JSON where it gets deep', () => {
    const root: JSONObject = {
      $ref: '#/$defs/Node',
      $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } }, required: ['next'] } },
    };

    const kinds = Array.from({ length: 8 }, (_, depth) => fieldOf(root, root, depth).kind);

    expect(kinds).toEqual([...Array(6).fill('object'), 'json', 'json']);
  });

  test('survives references that go in a circle', () => {
    const root: JSONObject = { properties: { a: { $ref: '#/properties/b' }, b: { $ref: '#/properties/a' } } };

    expect(fieldOf({ $ref: '#/properties/a' }, root, 1).kind).toBe('json');
    expect(check(root, { a: 1 })).toEqual([]);
  });

  test('merges the parts of allOf that do not contradict each other', () => {
    const root: JSONObject = {
      allOf: [{ $ref: '#/$defs/A' }, { properties: { b: { type: 'string' } }, required: ['b'] }],
      $defs: { A: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
    };

    expect(resolved(root, root)).toMatchObject({ type: 'object', required: ['a', 'b'] });
    expect(resolved({ allOf: [{ minimum: 1 }, { minimum: 2 }] }, {})).toHaveProperty('allOf');
  });
});

test('formats the names of types in common notation', () => {
  const point = { type: 'object', properties: { x: { type: 'number' } } };

  const names = [
    { type: 'array', items: { type: 'string' } },
    { enum: ['a', 1] },
    { anyOf: [point, { type: 'null' }] },
  ];

  expect(names.map((schema) => typeName(schema, {}))).toEqual(['string[]', '"a" | 1', 'object | null']);
});

describe('the check', () => {
  test.each<[JSONObject, JSONValue, string[]]>([
    [{ type: 'string' }, 3, [': must be a text, not a number']],
    [{ type: 'integer', minimum: 1 }, 0, [': must be at least 1']],
    [{ type: 'string', minLength: 3 }, 'é€', [': must have at least 3 characters, and has 2']],
    [{ pattern: '^a' }, 'b', [': must match ^a']],
    [{ required: ['a'] }, {}, ['a: is required']],
    [{ properties: { a: { const: 1 } } }, { a: 2 }, ['a: must be 1']],
    [{ additionalProperties: false }, { b: 1 }, ['b: is not a property that this tool knows']],
    [{ items: { type: 'null' } }, [null, 1], ['1: must be null, not a number']],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [': may have no entry twice'],
    ],
    [
      { oneOf: [{ type: 'number' }, { type: 'integer' }] },
      1,
      [': fits 2 of the forms that it can have; it may fit one only'],
    ],
    [{ not: { type: 'null' } }, null, [': is a value that is not allowed here']],
    [JSON.parse('{"if": {"required": ["a"]}, "then": {"required": ["b"]}}'), { a: 1 }, ['b: is required']],
    [{ pattern: '(' }, 'x', []],
  ])('against the schema %j reports for %j: %j', (schema, value, problems) => {
    expect(told(schema, value)).toEqual(problems);
  });

  test('reports the problems of the closest alternative', () => {
    const circle = { properties: { kind: { const: 'circle' }, r: { type: 'number' } }, required: ['kind', 'r'] };
    const square = { properties: { kind: { const: 'square' }, w: { type: 'number' } }, required: ['kind', 'w'] };

    expect(told({ oneOf: [circle, square] }, { kind: 'square' })).toEqual(['w: is required']);
  });

  test('agrees with ajv on any value of any of the schemas', () => {
    const values = fc.oneof(fc.jsonValue(), fc.object({ key: fc.constantFrom('a', 'b', 'c', 'text', 'x y') }));
    fc.assert(
      fc.property(objectSchemas, values, (schema, value) => {
        const json = JSON.parse(JSON.stringify(value)) as JSONValue;

        expect(check(schema, json).length === 0).toBe(isValid(schema, json));
      }),
      { numRuns: runs(150) },
    );
  });
});

describe('a form', () => {
  test('begins with defaults, leaves out what is not given, and says what is missing', () => {
    const schema: JSONObject = {
      type: 'object',
      required: ['direction', 'name'],
      properties: {
        direction: { enum: ['north', 'east'] },
        name: { type: 'string' },
        steps: { type: 'integer', default: 1 },
        note: { type: 'string' },
      },
    };

    const { value, problems } = readForm(schema, blank(fieldOf(schema, schema), schema, 0));

    expect(value).toEqual({ name: '', steps: 1 });
    expect(problems).toEqual([{ path: ['direction'], message: 'has to be chosen' }]);
  });

  test.each([
    ['7', 7],
    [' -7.50 ', -7.5],
    ['.5', 0.5],
    ['1e3', 1000],
    ['-0', 0],
  ])('reads the number %j', (text, value) => {
    const schema: JSONObject = { type: 'object', properties: { n: { type: 'number' } } };

    const reading = readForm(schema, { parts: { n: { isGiven: true, draft: text } } });

    expect(reading).toEqual({ value: { n: value }, problems: [] });
  });

  test.each(['', 'seven', '0x10', '1e999', '1.5', '9007199254740993', '1 2', 'NaN'])(
    'refuses the whole number %j',
    (text) => {
      const schema: JSONObject = { type: 'object', properties: { n: { type: 'integer' } } };

      const { problems } = readForm(schema, { parts: { n: { isGiven: true, draft: text } } });

      expect(problems).toHaveLength(1);
    },
  );

  test('takes a tool without parameters as one that takes an empty object', () => {
    const schema = inputSchema(null);

    expect(readForm(schema, blank(fieldOf(schema, schema), schema, 0))).toEqual({ value: {}, problems: [] });
  });

  test.each(['', '{', '[]', '3', '{"a": 1}'])('refuses %j as the JSON of an input with a text a', (text) => {
    const { problems } = readJson({ type: 'object', properties: { a: { type: 'string' } } }, text);

    expect(problems).toHaveLength(1);
  });

  test('returns no draft for a value with an unknown property', () => {
    const schema: JSONObject = { type: 'object', properties: { a: {} } };

    expect(draftOf(fieldOf(schema, schema), { a: 1, other: 2 }, schema, 0)).toBeUndefined();
  });

  test('preserves a property whose name objects inherit', () => {
    const schema = JSON.parse('{"type": "object", "properties": {"__proto__": {"type": "string"}, "toString": {}}}');
    const draft = draftOf(fieldOf(schema, schema), JSON.parse('{"__proto__": "x"}'), schema, 0);

    const { value, problems } = readForm(schema, draft ?? '');

    expect([JSON.stringify(value), problems]).toEqual(['{"__proto__":"x"}', []]);
  });

  test('returns a valid value or reports a problem, whatever is typed into it', () => {
    let valid = 0;
    fc.assert(
      fc.property(objectSchemas, fc.infiniteStream(fc.nat()), typed, (schema, choices, texts) => {
        const draft = fillIn(fieldOf(schema, schema), schema, 0, () => Number(choices.next().value), texts);

        const { value, problems } = readForm(schema, draft);

        if (problems.length > 0) return;
        valid++;
        expect([value, isValid(schema, value)]).toEqual([value, true]);
      }),
      { numRuns: runs(600) },
    );
    expect(valid).toBeGreaterThan(runs(600) / 10);
  });

  test('preserves a valid value in a round trip', () => {
    let shown = 0;
    fc.assert(
      fc.property(objectSchemas, fc.infiniteStream(fc.nat()), typed, (schema, choices, texts) => {
        const field = fieldOf(schema, schema);
        const { value, problems } = readForm(
          schema,
          fillIn(field, schema, 0, () => Number(choices.next().value), texts),
        );
        fc.pre(problems.length === 0 && value !== undefined);

        const again = draftOf(field, value as JSONValue, schema, 0);

        // The first alternative that matches may lack a property that only another one has.
        if (again === undefined) return;
        shown++;
        expect(readForm(schema, again)).toEqual({ value, problems: [] });
      }),
      RUNS,
    );
    expect(shown).toBeGreaterThan(RUNS.numRuns * 0.9);
  });
});

const typed = fc.array(
  fc.oneof(fc.string(), fc.constantFrom('abc', '3', '6', '1.5', '', '{}', 'null', '"a"', '[1]', '-2')),
  { minLength: 5, maxLength: 5 },
);

/** Fills in a form at random. */
function fillIn(field: Field, root: JSONObject, depth: number, choose: () => number, texts: readonly string[]): Draft {
  const text = () => texts[choose() % texts.length] ?? '';
  switch (field.kind) {
    case 'choice':
      return choose() % 8 === 0 ? '' : String(choose() % field.options.length);
    case 'object': {
      const parts = field.properties.map((property) => {
        const part = partOf({ parts: {} }, property, root, depth);
        const isGiven = property.isRequired || choose() % 2 === 0;
        return [property.name, { isGiven, draft: fillIn(part.field, root, depth + 1, choose, texts) }] as const;
      });
      return { parts: Object.fromEntries(parts) };
    }
    case 'list': {
      const item = fieldOf(field.item, root, depth + 1);
      return { items: Array.from({ length: choose() % 4 }, () => fillIn(item, root, depth + 1, choose, texts)) };
    }
    case 'union': {
      const branch = choose() % field.branches.length;
      const own = branchOf(field, { branch, drafts: {} }, root, depth).field;
      return { branch, drafts: { [branch]: fillIn(own, root, depth + 1, choose, texts) } };
    }
    case 'number':
      return choose() % 3 === 0 ? text() : String(choose() % 10);
    default:
      return text();
  }
}
