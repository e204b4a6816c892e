import { expect, test } from '@jest/globals';
import { formatTools, type ToolFormat } from '../../../src/client/formats/index.ts';
import type { JSONObject } from '../../../src/protocol/index.ts';
import { violations } from './rules.ts';

const FORMATS: readonly ToolFormat[] = ['openai', 'openai-responses', 'anthropic', 'google', 'openrouter', 'mcp'];

/** Nesting that overflows the stack of a recursive function. */
const LEVELS = 50_000;

const nested = (wrap: (inner: unknown) => unknown, core: unknown, levels = LEVELS): unknown => {
  let schema = core;
  for (let level = 0; level < levels; level += 1) schema = wrap(schema);
  return schema;
};
const named = <T>(count: number, make: (index: number) => [string, T]): Record<string, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)));
const ref = (name: string) => ({ $ref: `#/$defs/${name}` });

const HOSTILE: readonly [string, object][] = [
  [
    'keywords of older dialects',
    {
      $schema: 'http://json-schema.org/draft-03/schema#',
      required: true,
      properties: {
        a: { type: 'any', required: true, divisibleBy: 2 },
        b: { type: ['string', { type: 'object' }], required: false },
        c: { type: 'array', items: { type: 'file' }, extends: {} },
        d: { type: 'object', properties: { e: { type: 7, required: true } }, required: true },
      },
    },
  ],
  [
    'objects in objects',
    { type: 'object', properties: { a: nested((a) => ({ type: 'object', properties: { a } }), {}) } },
  ],
  ['lists in lists', { type: 'object', properties: { a: nested((items) => ({ type: 'array', items }), {}) } }],
  ['unions in unions', { anyOf: [nested((one) => ({ anyOf: [one, { type: 'null' }] }), {})] }],
  [
    'a deep default',
    {
      type: 'object',
      properties: { a: { default: nested((inner) => [inner], 1), enum: [nested((a) => ({ a }), 1)] } },
    },
  ],
  ['many properties', { type: 'object', properties: named(4_000, (index) => [`p${index}`, { type: 'string' }]) }],
  [
    'many choices',
    {
      type: 'object',
      properties: named(50, (index) => [`p${index}`, {}]),
      oneOf: Array.from({ length: 1_000 }, (_, index) => ({ properties: { kind: { const: index } } })),
    },
  ],
  [
    'many parts',
    { type: 'object', allOf: Array.from({ length: 4_000 }, (_, index) => ({ properties: { [`p${index}`]: {} } })) },
  ],
  ['a reference to itself', { $ref: '#' }],
  ['references in a circle', { $ref: '#/$defs/A', $defs: { A: ref('B'), B: ref('A') } }],
  [
    'parts in a circle',
    {
      type: 'object',
      properties: { a: ref('A') },
      $defs: { A: { allOf: [ref('B'), ref('A')] }, B: { allOf: [ref('A')], anyOf: [ref('A'), ref('B')] } },
    },
  ],
  [
    'references to nowhere',
    {
      type: 'object',
      properties: {
        a: { $ref: '#/nowhere' },
        b: { $ref: 'https://example.org/x' },
        c: { $ref: '#/%E0%' },
        d: { $ref: '' },
      },
    },
  ],
  [
    'doubling parts',
    {
      $ref: '#/$defs/D0',
      $defs: named(60, (index) => [`D${index}`, { allOf: [ref(`D${index + 1}`), ref(`D${index + 1}`)] }]),
    },
  ],
  [
    'doubling properties',
    {
      type: 'object',
      properties: { a: ref('D0') },
      $defs: named(60, (index) => [
        `D${index}`,
        { type: 'object', properties: { x: ref(`D${index + 1}`), y: ref(`D${index + 1}`) } },
      ]),
    },
  ],
  [
    'doubling choices',
    {
      type: 'object',
      properties: { a: ref('D0') },
      $defs: named(60, (index) => [`D${index}`, { anyOf: [ref(`D${index + 1}`), ref(`D${index + 1}`)] }]),
    },
  ],
  [
    'everything refers to everything',
    {
      type: 'object',
      properties: { a: ref('N0') },
      $defs: named(30, (index) => [
        `N${index}`,
        { type: 'object', properties: named(30, (other) => [`p${other}`, ref(`N${other}`)]) },
      ]),
    },
  ],
];

test.each(HOSTILE.flatMap(([what, schema]) => FORMATS.map((format) => [what, format, schema] as const)))(
  '%s: converts %s to a tool that follows the rules',
  (_what, format, schema) => {
    const [tool] = formatTools([{ name: 'tool', description: '', input_schema: schema as JSONObject }], format);

    expect(tool && violations(format, tool)).toEqual([]);
    expect(JSON.stringify(tool).length).toBeLessThan(3_000_000);
  },
);

const MALFORMED: readonly [string, object][] = [
  ['no object', { type: 'string' }],
  [
    'keywords of the wrong kind',
    { type: 7, properties: [], required: 'all', anyOf: {}, allOf: 'x', $ref: 1, description: {} },
  ],
  ['properties of the wrong kind', { type: 'object', properties: { a: 1, b: null, c: 'x', d: [], e: true, f: false } }],
  [
    'limits of the wrong kind',
    { type: 'object', properties: { a: { type: 'string', minLength: -1, maxLength: 'x', pattern: 1, enum: {} } } },
  ],
];

test.each(MALFORMED)('converts a schema with %s to an object schema in each format', (_what, schema) => {
  const given = [{ name: 'tool', description: 'A tool.', input_schema: schema as JSONObject }];

  const tops = [
    formatTools(given, 'openai')[0]?.function.parameters.type,
    formatTools(given, 'anthropic')[0]?.input_schema.type,
    formatTools(given, 'mcp')[0]?.inputSchema.type,
  ];
  const [google] = formatTools(given, 'google');

  expect(tops).toEqual(['object', 'object', 'object']);
  expect(google && violations('google', google)).toEqual([]);
});
