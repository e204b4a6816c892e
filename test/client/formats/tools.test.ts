import { expect, test } from '@jest/globals';
import { formatTools, restoreCall, type ToolFormat } from '../../../src/client/formats/index.ts';
import type { JSONObject, ToolSpec } from '../../../src/protocol/index.ts';

const tool = (input_schema: object | null, name = 'submit'): ToolSpec => ({
  name,
  description: 'Submits an answer.',
  input_schema: input_schema as JSONObject | null,
});

const answer = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };

test('converts a tool to the documented format of each provider', () => {
  const tools = [tool(answer)];
  const name = 'submit';
  const description = 'Submits an answer.';

  expect(formatTools(tools, 'openai')).toEqual([
    { type: 'function', function: { name, description, parameters: answer } },
  ]);
  expect(formatTools(tools, 'openrouter')).toEqual(formatTools(tools, 'openai'));
  expect(formatTools(tools, 'openai-responses')).toEqual([
    { type: 'function', name, description, parameters: answer, strict: false },
  ]);
  expect(formatTools(tools, 'anthropic')).toEqual([{ name, description, input_schema: answer }]);
  expect(formatTools(tools, 'google')).toEqual([
    {
      name,
      description,
      parameters: { type: 'OBJECT', properties: { answer: { type: 'STRING' } }, required: ['answer'] },
    },
  ]);
  expect(formatTools(tools, 'mcp')).toEqual([{ name, description, inputSchema: answer }]);
});

test('converts a tool without parameters to an empty object, and to no parameters for google', () => {
  const tools = [tool(null)];
  const empty = { type: 'object', properties: {} };

  expect(formatTools(tools, 'openai')[0]?.function.parameters).toEqual(empty);
  expect(formatTools(tools, 'openai-responses')[0]?.parameters).toEqual(empty);
  expect(formatTools(tools, 'anthropic')[0]?.input_schema).toEqual(empty);
  expect(formatTools(tools, 'mcp')[0]?.inputSchema).toEqual(empty);
  expect(formatTools(tools, 'google')).toEqual([{ name: 'submit', description: 'Submits an answer.' }]);
});

test.each<[string, object, object]>([
  [
    'a choice of null is nullable',
    { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null },
    { type: 'INTEGER', nullable: true },
  ],
  ['a list of types is anyOf', { type: ['string', 'integer'] }, { anyOf: [{ type: 'STRING' }, { type: 'INTEGER' }] }],
  [
    'oneOf is anyOf, and keywords next to it move inside',
    { oneOf: [{ type: 'string' }, { type: 'boolean' }], description: 'Which.' },
    { anyOf: [{ type: 'STRING', description: 'Which.' }, { type: 'BOOLEAN' }] },
  ],
  [
    'of two limits the stricter one holds',
    {
      allOf: [
        { type: 'integer', minimum: 1, maximum: 9 },
        { minimum: 5, maximum: 20 },
      ],
    },
    { type: 'INTEGER', minimum: 5, maximum: 9 },
  ],
  [
    'a reference may escape a tilde before a digit',
    { $ref: '#/properties/value/$defs/a~01', $defs: { 'a~1': { type: 'boolean' }, 'a/': { type: 'integer' } } },
    { type: 'BOOLEAN' },
  ],
  ['const is enum', { const: 'north' }, { type: 'STRING', enum: ['north'] }],
  [
    'an enumeration of numbers is described',
    { enum: [1, 2], description: 'How many.' },
    { type: 'INTEGER', description: 'How many.\nJSON Schema: {"enum":[1,2]}' },
  ],
  ['null leaves an enumeration', { enum: ['a', null] }, { type: 'STRING', enum: ['a'], nullable: true }],
  [
    'limits of integers that are excluded move by one',
    { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 },
    { type: 'INTEGER', minimum: 1, maximum: 9 },
  ],
  [
    'excluded limits of numbers are described',
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'NUMBER', description: 'JSON Schema: {"exclusiveMinimum":0}' },
  ],
  [
    'a known format stays, another one is described',
    { type: 'array', items: { type: 'string', format: 'date-time' } },
    { type: 'ARRAY', items: { type: 'STRING', format: 'date-time' } },
  ],
  [
    'an address is described',
    { type: 'string', format: 'uri', default: 'x:' },
    { type: 'STRING', description: 'JSON Schema: {"format":"uri"}\nJSON Schema: {"default":"x:"}' },
  ],
  [
    'a tuple is a list of what may be in it',
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
    {
      type: 'ARRAY',
      maxItems: 2,
      items: { anyOf: [{ type: 'STRING' }, { type: 'INTEGER' }] },
      description: 'JSON Schema: {"prefixItems":[{"type":"string"},{"type":"integer"}]}',
    },
  ],
  [
    'parts are merged',
    {
      allOf: [
        { type: 'object', properties: { x: { type: 'integer', minimum: 1 } }, required: ['x'] },
        { properties: { x: { maximum: 5 }, y: { type: 'string' } } },
      ],
    },
    {
      type: 'OBJECT',
      properties: { x: { type: 'INTEGER', minimum: 1, maximum: 5 }, y: { type: 'STRING' } },
      required: ['x'],
    },
  ],
  [
    'names are distinguished from keywords',
    { type: 'object', properties: { title: { type: 'string' }, not: { type: 'string' }, default: { type: 'string' } } },
    { type: 'OBJECT', properties: { title: { type: 'STRING' }, not: { type: 'STRING' }, default: { type: 'STRING' } } },
  ],
])('google: converts %s', (_what, schema, converted) => {
  const [declared] = formatTools([tool({ type: 'object', properties: { value: schema } })], 'google');

  expect(declared?.parameters?.properties?.value).toEqual(converted);
});

test('google: expands references, recursive ones twice', () => {
  const Tree = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/Tree' } } } };

  const [declared] = formatTools(
    [tool({ type: 'object', properties: { tree: { $ref: '#/$defs/Tree' } }, $defs: { Tree } })],
    'google',
  );

  const end = { type: 'OBJECT', description: 'Nested; its fields are those of "Tree".' };
  const round = (items: object) => ({ type: 'OBJECT', properties: { children: { type: 'ARRAY', items } } });
  expect(declared?.parameters?.properties?.tree).toEqual(round(round(end)));
});

test.each(['openai', 'anthropic', 'mcp'] as const)('%s: keeps references and alternatives', (format) => {
  const schema = {
    type: 'object',
    properties: { shape: { oneOf: [{ $ref: '#/$defs/Circle' }, { type: 'null' }], default: null, title: 'Shape' } },
    $defs: { Circle: { type: 'object', properties: { radius: { type: 'number' } }, additionalProperties: false } },
  };

  const [formatted] = formatTools([tool(schema)], format);

  expect(JSON.stringify(formatted)).toContain(JSON.stringify(schema.properties.shape));
  expect(JSON.stringify(formatted)).toContain(JSON.stringify(schema.$defs));
});

test.each(['openai', 'anthropic'] as const)(
  '%s: merges alternatives at the top level into properties, and describes them',
  (format) => {
    const anyOf = [
      { properties: { by: { const: 'id' }, id: { type: 'integer' } }, required: ['by', 'id'] },
      { properties: { by: { const: 'name' }, name: { type: 'string' } }, required: ['by', 'name'] },
    ];

    const [formatted] = formatTools([tool({ type: 'object', description: 'Whom.', anyOf })], format);

    expect(formatted && ('function' in formatted ? formatted.function.parameters : formatted.input_schema)).toEqual({
      type: 'object',
      description: `Whom.\nJSON Schema: ${JSON.stringify({ anyOf })}`,
      properties: {
        by: { anyOf: [{ const: 'id' }, { const: 'name' }] },
        id: { type: 'integer' },
        name: { type: 'string' },
      },
      required: ['by'],
    });
  },
);

test('expands a reference at the top level if the provider requires an object, and keeps the definitions', () => {
  const $defs = { Answer: answer };

  const [openAI] = formatTools([tool({ $ref: '#/$defs/Answer', $defs })], 'openai');
  const [google] = formatTools([tool({ $ref: '#/$defs/Answer', $defs })], 'google');

  expect(openAI?.function.parameters).toEqual({ ...answer, $defs });
  expect(google?.parameters?.required).toEqual(['answer']);
});

test('converts older dialects to 2020-12', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-04/schema#',
    type: 'object',
    properties: {
      pair: { type: 'array', items: [{ type: 'string' }], additionalItems: false },
      rate: { type: 'number', minimum: 0, exclusiveMinimum: true },
    },
  };

  const [formatted] = formatTools([tool(schema)], 'anthropic');

  expect(formatted?.input_schema).toEqual({
    type: 'object',
    properties: {
      pair: { type: 'array', prefixItems: [{ type: 'string' }], items: false },
      rate: { type: 'number', exclusiveMinimum: 0 },
    },
  });
});

test('replaces a dangling reference by any value, with a note', () => {
  const schema = { type: 'object', properties: { point: { $ref: '#/$defs/Point', description: 'Where.' } } };

  const [formatted] = formatTools([tool(schema)], 'mcp');

  expect(formatted?.inputSchema.properties).toEqual({
    point: { description: 'Where.\nIts schema (#/$defs/Point) is not known.' },
  });
});

test('converts keywords of draft 3, and removes those without an equivalent', () => {
  const schema = {
    type: 'object',
    $schema: 'http://json-schema.org/draft-03/schema#',
    properties: { a: { type: 'any', required: true }, required: { type: 'string', required: false } },
    required: ['required'],
  };

  const [formatted] = formatTools([tool(schema)], 'anthropic');

  expect(formatted?.input_schema).toEqual({
    type: 'object',
    properties: { a: {}, required: { type: 'string' } },
    required: ['required', 'a'],
  });
});

test('openai: moves a description of more than 1024 characters to the parameters', () => {
  const description = 'long '.repeat(300);

  const [formatted] = formatTools([{ ...tool(answer), description }], 'openai');
  const [anthropic] = formatTools([{ ...tool(answer), description }], 'anthropic');

  expect(formatted?.function.description).toHaveLength(1024);
  expect(formatted?.function.description?.endsWith('...')).toBe(true);
  expect(formatted?.function.parameters.description).toBe(description);
  expect(anthropic?.description).toBe(description);
});

test.each<[ToolFormat, string[]]>([
  ['openai', ['a_b_2', 'a_b', 'a_b_3', '1st', '_']],
  ['openrouter', ['a_b_2', 'a_b', 'a_b_3', '_1st', '_']],
  ['anthropic', ['a_b_2', 'a_b', 'a_b_3', '1st', '_']],
  ['google', ['a.b', 'a_b', 'a_b_2', '_1st', '_']],
  ['mcp', ['a.b', 'a_b', 'a_b_2', '1st', '_']],
])('%s: replaces rejected names by unique ones', (format, expected) => {
  const tools = ['a.b', 'a_b', 'a b', '1st', ''].map((name) => tool(null, name));

  const formatted = formatTools(tools, format);

  const names = formatted.map((one) => ('function' in one ? one.function.name : one.name));
  expect(names).toEqual(expected);
  expect(names.map((name) => restoreCall({ name, input: {} }, tools, format).name)).toEqual(
    tools.map(({ name }) => name),
  );
});

test('anthropic: replaces rejected names of inputs, and restores them in calls', () => {
  const schema = {
    type: 'object',
    properties: { 'filter[id]': { type: 'string' }, filter_id_: { type: 'string' } },
    required: ['filter[id]'],
  };
  const tools = [tool(schema, 'list.all')];

  const [formatted] = formatTools(tools, 'anthropic');
  const call = restoreCall(
    { name: 'list_all', input: { filter_id__2: 'x', filter_id_: 'y', other: 1 } },
    tools,
    'anthropic',
  );

  expect(formatted?.input_schema.required).toEqual(['filter_id__2']);
  expect(call).toEqual({ name: 'list.all', input: { 'filter[id]': 'x', filter_id_: 'y', other: 1 } });
});

test('returns a call of an unknown tool unchanged', () => {
  expect(restoreCall({ name: 'fly', input: { a: 1 } }, [tool(answer)], 'openai')).toEqual({
    name: 'fly',
    input: { a: 1 },
  });
});

test('rejects an unknown format', () => {
  expect(() => formatTools([], 'gemini' as ToolFormat)).toThrow(
    'unknown format "gemini"; expected one of openai, openai-responses, openrouter, anthropic, google, mcp',
  );
});
