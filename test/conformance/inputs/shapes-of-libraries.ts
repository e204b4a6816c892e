export interface Shape {
  readonly schema: unknown;
  /** Declares its type only by its keywords. */
  readonly isDraft7?: true;
  /** Minimal input, if it does not depend on the installed generator. */
  readonly minimal?: unknown;
  /** Descriptions of some other valid inputs. */
  readonly valid?: readonly string[];
  /** Descriptions of some invalid inputs. */
  readonly invalid?: readonly string[];
}

const string = { type: 'string' };
const integer = { type: 'integer' };

/** Returns a schema of an object with these properties, all required. */
const object = (properties: Record<string, unknown>, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
});

/** Schemas as written by authors and their libraries. */
export const SHAPES_OF_LIBRARIES: Readonly<Record<string, Shape>> = {
  'the tool `nested` of the fixture': {
    schema: {
      type: 'object',
      properties: {
        mode: { enum: ['fast', 'slow'] },
        point: object(
          { x: { type: 'number', minimum: 0, maximum: 10 }, y: { type: 'number', minimum: 0, maximum: 10 } },
          { additionalProperties: false },
        ),
        tags: { type: 'array', items: string, maxItems: 3 },
        level: { type: 'integer', minimum: 1, maximum: 5 },
      },
      required: ['mode', 'point'],
    },
    minimal: { mode: 'fast', point: { x: 0, y: 0 } },
    valid: [
      "the minimal input with 'tags'",
      "the full input without 'level'",
      '\'mode\' "slow"',
      "'level' at its minimum 1",
      "'level' at its maximum 5",
      "'point.x' at its maximum 10",
      "'tags' with 3 items, the most allowed",
    ],
    invalid: [
      "'point' left out",
      "'point.y' left out",
      "'mode' [] instead of a string",
      '\'mode\' "none of these", which is not one of "fast", "slow"',
      "'level' null instead of an integer",
      "'level' 0, below its minimum 1",
      "'level' 6, above its maximum 5",
      "'level' 1.5, no integer",
      "'point.x' -1, below its minimum 0",
      "'point' with a further key 'unexpected'",
      "'tags' with 4 items, more than 3",
      "'tags[0]' [] instead of a string",
    ],
  },
  'no parameters': { schema: { type: 'object', properties: {} }, minimal: {} },
  'no parameters and no others': {
    schema: { type: 'object', additionalProperties: false },
    minimal: {},
    invalid: ["the input with a further key 'unexpected'"],
  },
  'an empty schema': { schema: {}, minimal: {} },
  'the schema true': { schema: true, minimal: {} },
  'properties without a type': {
    schema: { properties: { a: string }, required: ['a'] },
    minimal: { a: '' },
    invalid: ["'a' left out", "'a' [] instead of a string"],
  },
  'a required key that has no schema': { schema: { type: 'object', required: ['a'] }, minimal: { a: '' } },
  'properties of no type': { schema: object({ a: {}, b: true }), minimal: { a: '', b: '' } },
  'pydantic: optional, default, title, description': {
    schema: {
      properties: {
        query: { description: 'What to look for.', title: 'Query', type: 'string' },
        limit: { default: 10, maximum: 50, minimum: 1, title: 'Limit', type: 'integer' },
        site: { anyOf: [string, { type: 'null' }], default: null, title: 'Site' },
      },
      required: ['query'],
      title: 'SearchInput',
      type: 'object',
    },
    minimal: { query: '' },
    valid: ['the input of the examples and defaults', "'site' null", "'limit' at its maximum 50"],
    invalid: ["'query' left out", "'site' [] instead of a string or null", "'limit' 51, above its maximum 50"],
  },
  'pydantic: models and enums under $defs': {
    schema: {
      $defs: {
        Color: { enum: ['red', 'green'], title: 'Color', type: 'string' },
        Item: {
          properties: {
            color: { $ref: '#/$defs/Color', default: 'red' },
            count: { exclusiveMinimum: 0, type: 'integer' },
          },
          required: ['count'],
          title: 'Item',
          type: 'object',
        },
      },
      properties: { items: { items: { $ref: '#/$defs/Item' }, minItems: 1, title: 'Items', type: 'array' } },
      required: ['items'],
      type: 'object',
    },
    minimal: { items: [{ count: 1 }] },
    valid: ['\'items[0].color\' "green"'],
    invalid: [
      "'items' with 0 items, fewer than 1",
      "'items[0].count' left out",
      "'items[0].count' 0, where it must be above 0",
      '\'items[0].color\' "none of these", which is not one of "red", "green"',
    ],
  },
  'pydantic: a union told apart by a tag': {
    schema: {
      $defs: {
        Cat: {
          properties: { kind: { const: 'cat', type: 'string' }, lives: integer },
          required: ['kind', 'lives'],
          type: 'object',
        },
        Dog: {
          properties: { kind: { const: 'dog', type: 'string' }, name: string },
          required: ['kind', 'name'],
          type: 'object',
        },
      },
      properties: {
        pet: {
          discriminator: { mapping: { cat: '#/$defs/Cat', dog: '#/$defs/Dog' }, propertyName: 'kind' },
          oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }],
        },
      },
      required: ['pet'],
      type: 'object',
    },
    minimal: { pet: { kind: 'cat', lives: 0 } },
    valid: ['\'pet\' {"kind":"dog","name":""}'],
    invalid: ["'pet' left out", '\'pet\' "text" instead of an object', "'pet.lives' left out", "'pet.name' left out"],
  },
  'pydantic: a dictionary of numbers': {
    schema: object({ scores: { additionalProperties: { type: 'number' }, type: 'object' } }),
    minimal: { scores: {} },
    invalid: ['\'scores.key1\' "text" instead of a number'],
  },
  'pydantic: a tuple': {
    schema: object({
      at: { maxItems: 2, minItems: 2, prefixItems: [{ type: 'number' }, { type: 'number' }], type: 'array' },
    }),
    minimal: { at: [0, 0] },
    invalid: ["'at' with 1 item, fewer than 2", '\'at[1]\' "text" instead of a number'],
  },
  'pydantic 1: definitions and a list of items': {
    isDraft7: true,
    schema: {
      title: 'Move',
      type: 'object',
      properties: {
        to: { type: 'array', minItems: 2, maxItems: 2, items: [integer, integer] },
        piece: { $ref: '#/definitions/Piece' },
      },
      required: ['to', 'piece'],
      definitions: { Piece: { title: 'Piece', enum: ['king', 'rook'] } },
    },
    minimal: { to: [0, 0], piece: 'king' },
    valid: ['\'piece\' "rook"'],
    invalid: ['\'to[1]\' "text" instead of an integer'],
  },
  'zod: strict object of draft 2020-12': {
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        direction: { type: 'string', enum: ['north', 'south', 'east', 'west'] },
        steps: { default: 1, type: 'integer', minimum: 1, maximum: 9007199254740991 },
      },
      required: ['direction', 'steps'],
      additionalProperties: false,
    },
    minimal: { direction: 'north', steps: 1 },
    valid: ['\'direction\' "west"'],
    invalid: ["'steps' 0, below its minimum 1", "the input with a further key 'unexpected'"],
  },
  'zod: nullable, record, union, literal': {
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        note: { anyOf: [string, { type: 'null' }] },
        labels: { type: 'object', propertyNames: string, additionalProperties: string },
        value: { anyOf: [string, { type: 'number' }, { type: 'boolean' }] },
        version: { type: 'number', const: 2 },
      },
      required: ['note', 'labels', 'value', 'version'],
    },
    minimal: { note: '', labels: {}, value: '', version: 2 },
    valid: ["'note' null", "'value' 0", "'value' false"],
    invalid: ["'version' 3, which is not 2", "'value' [] instead of a string, a number or true or false"],
  },
  'OpenAI strict: every key required, none further': {
    schema: object({ path: string, line: { type: ['integer', 'null'] } }, { additionalProperties: false }),
    minimal: { path: '', line: 0 },
    valid: ["'line' null"],
    invalid: ["'line' left out", '\'line\' "text" instead of an integer or null', "'path' null instead of a string"],
  },
  'examples of the whole': {
    schema: { ...object({ city: string }), examples: [{ city: 5 }, { city: 'Oslo' }] },
    minimal: { city: '' },
    valid: ['example 2 of the schema'],
  },
};
