import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createResolver, type JSONSchema, type SchemaResolver } from '../../src/core/index.ts';
import type { JSONObject, JSONValue } from '../../src/protocol/index.ts';
import { withDefaultedOptional } from '../../src/schema/defaults.ts';
import { flat, type InputSchema, inputSchema } from '../../src/viewer/page/environments/input-schema.ts';
import {
  blankDraft,
  branchDraft,
  type FormDraft,
  propertyDraft,
  toDraft,
} from '../../src/viewer/page/playground/form/draft.ts';
import { type FormField, toFormField } from '../../src/viewer/page/playground/form/field.ts';
import { parseForm, parseFormJson } from '../../src/viewer/page/playground/form/read-draft.ts';
import { objectSchemas } from '../core/json-schema/arbitrary-schemas.ts';
import fc, { runs } from '../support/fast-check.ts';

const RUNS = { numRuns: runs(500) };

const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });

function isValid(schema: JSONSchema, value: unknown): boolean {
  const isRight = ajv.validate(schema, value);
  // ajv would keep every schema.
  ajv.removeSchema(schema);
  return isRight;
}

const kindOf = (schema: JSONObject): string => toFormField(schema, createResolver(schema), 1).kind;

/** Returns the field of a tool's input. */
const topField = ({ schema, resolver }: InputSchema): FormField => toFormField(schema, resolver);

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
  ])('maps %j to the kind %s', (schema, kind) => {
    expect(kindOf(schema)).toBe(kind);
  });

  test('follows references, and uses JSON for deep parts of a recursive schema', () => {
    const root: JSONObject = {
      $ref: '#/$defs/Node',
      $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } }, required: ['next'] } },
    };

    const kinds = Array.from({ length: 8 }, (_, depth) => toFormField(root, createResolver(root), depth).kind);

    expect(kinds).toEqual([...Array(6).fill('object'), 'json', 'json']);
  });

  test('handles circular references', () => {
    const input = inputSchema({ properties: { a: { $ref: '#/properties/b' }, b: { $ref: '#/properties/a' } } });

    expect(toFormField({ $ref: '#/properties/a' }, input.resolver, 1).kind).toBe('json');
    expect(parseFormJson(input, '{"a": 1}').problems).toEqual([]);
  });

  test.each<[string, JSONObject, string, JSONObject]>([
    [
      'a reference with sibling properties',
      { $ref: '#/$defs/A', properties: { y: {} } },
      'object',
      { required: ['x'] },
    ],
    ['the parts of allOf', { allOf: [{ $ref: '#/$defs/A' }, { required: ['y'] }] }, 'object', { required: ['x', 'y'] }],
    ['two limits', { type: 'number', allOf: [{ minimum: 1 }, { minimum: 3 }] }, 'number', { minimum: 3 }],
    ['a limit beside a reference', { $ref: '#/$defs/n', minimum: 1 }, 'number', { minimum: 5 }],
    ['an anchor', { $ref: '#/properties/point' }, 'object', { required: ['x'] }],
    ['an anchor that does not exist', { $ref: '#Gone' }, 'json', {}],
    [
      'patterns that do not merge',
      { type: 'string', allOf: [{ pattern: 'a' }, { pattern: 'b' }] },
      'json',
      { pattern: 'a' },
    ],
  ])('merges %s', (_what, schema, kind, merged) => {
    const { resolver } = inputSchema({
      properties: { point: { $ref: '#Point' } },
      $defs: {
        A: { $anchor: 'Point', type: 'object', properties: { x: { type: 'integer' } }, required: ['x'] },
        n: { type: 'integer', minimum: 5 },
      },
    });

    expect(toFormField(schema, resolver, 1).kind).toBe(kind);
    expect(flat(schema, resolver)).toMatchObject(merged);
  });
});

describe('a form', () => {
  test('starts with defaults, omits what is not given, and reports what is missing', () => {
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

    const input = inputSchema(schema);
    const { value, problems } = parseForm(input, blankDraft(topField(input), input.resolver, 0));

    expect(value).toEqual({ steps: 1 });
    expect(problems.map(({ path }) => path)).toEqual(['/direction', '/name']);
    expect(problems[0]?.message).toBe('must be selected');
  });

  test.each<[string, FormDraft, JSONValue | undefined, readonly string[]]>([
    ['an untouched text', { parts: {} }, {}, ['/a']],
    ['a text that was typed and deleted', { parts: { a: { isGiven: true, draft: '' } } }, { a: '' }, []],
    ['a typed text', { parts: { a: { isGiven: true, draft: 'x' } } }, { a: 'x' }, []],
  ])('never sends a required text as empty unless the user has emptied it: %s', (_, draft, value, paths) => {
    const schema: JSONObject = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };

    const reading = parseForm(inputSchema(schema), draft);

    expect([reading.value, reading.problems.map(({ path }) => path)]).toEqual([value, paths]);
  });

  test('requires an untouched text of an alternative, and sends a default', () => {
    const schema: JSONObject = {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: ['string', 'null'] }, b: { type: 'string', default: '' } },
    };

    const { value, problems } = parseForm(inputSchema(schema), { parts: {} });

    expect([value, problems.map(({ path }) => path)]).toEqual([{ b: '' }, ['/a']]);
  });

  test.each([
    ['7', 7],
    [' -7.50 ', -7.5],
    ['.5', 0.5],
    ['1e3', 1000],
    ['-0', 0],
    ['123456789012345680000', 123456789012345680000],
  ])('parses the number %j', (text, value) => {
    const schema: JSONObject = { type: 'object', properties: { n: { type: 'number' } } };

    const reading = parseForm(inputSchema(schema), { parts: { n: { isGiven: true, draft: text } } });

    expect(reading).toEqual({ value: { n: value }, problems: [] });
  });

  test.each(['', 'seven', '0x10', '1e999', '1.5', '9007199254740993', '1 2', 'NaN'])(
    'rejects the whole number %j',
    (text) => {
      const schema: JSONObject = { type: 'object', properties: { n: { type: 'integer' } } };

      const { problems } = parseForm(inputSchema(schema), { parts: { n: { isGiven: true, draft: text } } });

      expect(problems).toHaveLength(1);
    },
  );

  test('treats a tool without parameters as one that takes an empty object', () => {
    const input = inputSchema(null);

    expect(parseForm(input, blankDraft(topField(input), input.resolver, 0))).toEqual({ value: {}, problems: [] });
  });

  test.each([
    ['{"a": 9007199254740993}', '/a'],
    ['{"list": [{"b/c": 1e400}]}', '/list/0/b~1c'],
  ])('rejects a number in %j that JavaScript would change', (text, path) => {
    const { problems } = parseFormJson(inputSchema({ type: 'object' }), text);

    expect(problems).toEqual([{ path, message: 'is a number that cannot be kept exactly; send it as a string' }]);
  });

  test.each(['', '{', '[]', '3', '{"a": 1}'])('rejects %j as JSON for an input with a text a', (text) => {
    const { problems } = parseFormJson(inputSchema({ type: 'object', properties: { a: { type: 'string' } } }), text);

    expect(problems).toHaveLength(1);
  });

  test('returns no draft for a value with an unknown property', () => {
    const schema: JSONObject = { type: 'object', properties: { a: {} } };

    const input = inputSchema(schema);

    expect(toDraft(topField(input), { a: 1, other: 2 }, input.resolver, 0)).toBeUndefined();
  });

  test('preserves a property whose name objects inherit', () => {
    const schema = JSON.parse('{"type": "object", "properties": {"__proto__": {"type": "string"}, "toString": {}}}');
    const input = inputSchema(schema);
    const draft = toDraft(topField(input), JSON.parse('{"__proto__": "x"}'), input.resolver, 0);

    const { value, problems } = parseForm(input, draft ?? '');

    expect([JSON.stringify(value), problems]).toEqual(['{"__proto__":"x"}', []]);
  });

  test('returns a valid value or reports a problem for any draft', () => {
    let valid = 0;
    fc.assert(
      fc.property(objectSchemas, fc.infiniteStream(fc.nat()), typed, (schema, choices, texts) => {
        const input = inputSchema(schema);
        const draft = fillIn(topField(input), input.resolver, 0, () => Number(choices.next().value), texts);

        const { value, problems } = parseForm(input, draft);

        if (problems.length > 0) return;
        valid++;
        expect([value, isValid(withDefaultedOptional(schema), value)]).toEqual([value, true]);
      }),
      { numRuns: runs(600) },
    );
    expect(valid).toBeGreaterThan(runs(600) / 10);
  });

  test('preserves a valid value in a round trip', () => {
    let shown = 0;
    fc.assert(
      fc.property(objectSchemas, fc.infiniteStream(fc.nat()), typed, (schema, choices, texts) => {
        const input = inputSchema(schema);
        const field = topField(input);
        const { value, problems } = parseForm(
          input,
          fillIn(field, input.resolver, 0, () => Number(choices.next().value), texts),
        );
        fc.pre(problems.length === 0 && value !== undefined);

        const again = toDraft(field, value as JSONValue, input.resolver, 0);

        // The first alternative that matches may lack a property of another one.
        if (again === undefined) return;
        shown++;
        expect(parseForm(input, again)).toEqual({ value, problems: [] });
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
function fillIn(
  field: FormField,
  resolver: SchemaResolver,
  depth: number,
  choose: () => number,
  texts: readonly string[],
): FormDraft {
  const text = () => texts[choose() % texts.length] ?? '';
  switch (field.kind) {
    case 'choice':
      return choose() % 8 === 0 ? '' : String(choose() % field.options.length);
    case 'object': {
      const parts = field.properties.map((property) => {
        const part = propertyDraft({ parts: {} }, property, resolver, depth);
        const isGiven = property.isRequired || choose() % 2 === 0;
        return [property.name, { isGiven, draft: fillIn(part.field, resolver, depth + 1, choose, texts) }] as const;
      });
      return { parts: Object.fromEntries(parts) };
    }
    case 'list': {
      const item = toFormField(field.item, resolver, depth + 1);
      return { items: Array.from({ length: choose() % 4 }, () => fillIn(item, resolver, depth + 1, choose, texts)) };
    }
    case 'union': {
      const branch = choose() % field.branches.length;
      const own = branchDraft(field, { branch, drafts: {} }, resolver, depth).field;
      return { branch, drafts: { [branch]: fillIn(own, resolver, depth + 1, choose, texts) } };
    }
    case 'number':
      return choose() % 3 === 0 ? text() : String(choose() % 10);
    default:
      return text();
  }
}
