import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JSONValue } from 'ors-kit';
import { fromMcp, type McpEnvironmentDefinition } from 'ors-kit/bridges/mcp';
import { play } from 'ors-kit/testing';
import { parameterHeaders } from '../../src/bridges/mcp/mcp-connection.ts';

interface Behavior {
  readonly pages: readonly (readonly unknown[])[];
  readonly repeats?: boolean;
  /** Results of calls by tool. */
  readonly results?: Readonly<Record<string, unknown>>;
  readonly pings?: boolean;
}

const program = fileURLToPath(new URL('./odd-server.mjs', import.meta.url));
const tool = (name: unknown, properties: object = {}, more: object = {}) => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object', properties },
  ...more,
});

/** Plays an episode with the tools of an odd server. Warnings are collected. */
async function playOdd(
  behavior: Behavior,
  more: Partial<McpEnvironmentDefinition<undefined, Record<string, never>, undefined>> = {},
) {
  const environment = fromMcp({
    name: 'odd',
    splits: { test: [{}] },
    connect: { command: process.execPath, args: [program, JSON.stringify(behavior)] },
    prompt: () => 'Go.',
    ...more,
  });
  const warnings: string[] = [];
  const onWarning = ({ message }: Error) => void warnings.push(message);
  process.on('warning', onWarning);
  const episode = await play(environment, { split: 'test', index: 0 });
  return {
    episode,
    names: episode.tools.map(({ name }) => name),
    async warnings() {
      // Node emits a warning in the next turn.
      await new Promise((resolve) => setImmediate(resolve));
      return warnings;
    },
    async [Symbol.asyncDispose]() {
      process.off('warning', onWarning);
      await episode.close();
    },
  };
}

describe('a server with odd schemas', () => {
  const rows: readonly (readonly [what: string, url: object, value: JSONValue])[] = [
    ['a pattern of an older dialect', { type: 'string', pattern: '^https\\:\\/\\/', description: 'A URL.' }, 'x'],
    ['a pattern of another language', { type: 'string', pattern: '(?i)^[a-z]+$' }, 'x'],
    ['a reference that leads nowhere', { $ref: '#/$defs/Url' }, { any: 'value' }],
    ['a type that does not exist', { type: 'any' }, 5],
    ['an exclusive minimum of draft 4', { type: 'number', minimum: 0, exclusiveMinimum: true }, 1],
    ['an enumeration of nothing', { enum: [] }, 'x'],
    ['a list where a schema belongs', [], 'x'],
  ];
  const schemas = rows.map(([what, url, value], at) => ({ what, name: `odd_${at}`, url, value }));
  let odd: Awaited<ReturnType<typeof playOdd>>;
  beforeAll(async () => {
    odd = await playOdd({ pages: [[tool('good'), ...schemas.map(({ name, url }) => tool(name, { url }))]] });
  });
  afterAll(() => odd[Symbol.asyncDispose]());

  test('keeps all tools', async () => {
    const { text } = await odd.episode.call('good');

    expect([odd.names, text]).toEqual([['good', ...schemas.map(({ name }) => name)], '{}']);
  });

  test.each(schemas)('has a tool with $what that can be called', async ({ name, value }) => {
    const { text } = await odd.episode.call(name, { url: value });

    expect(text).toBe(JSON.stringify({ url: value }));
  });
});

test('keeps the valid parts of a schema, and says by name what is missing', async () => {
  const properties = { count: { type: 'integer' }, odd: { type: 'string', pattern: '(', description: 'Odd.' } };
  await using odd = await playOdd({ pages: [[tool('named-in-the-warning', properties)]] });

  const [spec] = odd.episode.tools;
  const refused = odd.episode.call('named-in-the-warning', { count: 'many' });

  expect(spec?.input_schema).toMatchObject({
    properties: { count: { type: 'integer' }, odd: { description: 'Odd.' } },
  });
  await expect(refused).rejects.toThrow(/count/);
  expect(await odd.warnings()).toEqual([expect.stringMatching(/^MCP tool 'named-in-the-warning': its input schema/)]);
});

test('leaves out only the tools that cannot be used, with a warning that names each', async () => {
  const wrong = tool('wrong', {}, { inputSchema: 'none' });
  await using odd = await playOdd({ pages: [[tool('good'), tool(''), tool(5), null, wrong, tool('other')]] });

  const warnings = await odd.warnings();

  expect(odd.names).toEqual(['good', 'other']);
  const left = ['number 2', 'number 3', 'number 4', "'wrong'"];
  expect(warnings).toEqual(left.map((name) => expect.stringContaining(`tool ${name} is left out`)));
});

test('does not read output schemas, which nothing uses', async () => {
  const outputSchema = { type: 'object', properties: { screen: { $ref: '#/$defs/Screen' } } };
  await using odd = await playOdd({ pages: [[tool('good'), tool('other', {}, { outputSchema })]] });

  const { text } = await odd.episode.call('other');

  expect([odd.names, text]).toEqual([['good', 'other'], '{}']);
});

test('keeps the tools before a page that repeats', async () => {
  await using odd = await playOdd({ pages: [[tool('good')]], repeats: true });

  expect(odd.names).toEqual(['good']);
});

test('renames a tool with the name of the tool that ends the episode', async () => {
  const submit = { description: 'End.', grade: () => ({ text: 'Ended.' }) };
  await using odd = await playOdd({ pages: [[tool('submit')]] }, { submit });

  const called = await odd.episode.call('submit_2');
  const ended = await odd.episode.call('submit');

  expect([called.text, ended.text]).toEqual(['{}', 'Ended.']);
});

test('responds to requests of the server during a call', async () => {
  await using odd = await playOdd({ pages: [[tool('good')]], pings: true });

  const { text } = await odd.episode.call('good');

  expect(text).toBe('[{},-32601]');
});

const PNG = 'iVBORw0KGgo=';

const parts = [
  ['a data URL', { type: 'image', data: `data:image/png;base64,${PNG}`, mimeType: 'image/png' }, { data: PNG }],
  [
    'a media type with capitals and a parameter',
    { type: 'image', data: PNG, mimeType: 'IMAGE/PNG; charset=binary' },
    { data: PNG, mimeType: 'image/png' },
  ],
  ['base64 without padding', { type: 'image', data: 'iVBORw0KGgo', mimeType: 'image/png' }, { data: PNG }],
  [
    'data that is not base64',
    { type: 'image', data: '\ufffdPNG', mimeType: 'image/png' },
    { text: '[image that cannot be read: image/png]' },
  ],
  ['a type that is unknown', { type: 'video', uri: 'x' }, { text: '{"type":"video","uri":"x"}' }],
  ['a part that is not an object', 'text', { text: '"text"' }],
] as const;

test('shows the rest of a result with a part that is odd', async () => {
  const names = parts.map((_, at) => `shot_${at}`);
  const results = parts.map(([, part]) => ({ content: [{ type: 'text', text: 'here' }, part] }));
  await using odd = await playOdd({
    pages: [names.map((name) => tool(name))],
    results: Object.fromEntries(names.map((name, at) => [name, results[at]])),
  });

  const shown = [];
  for (const [at, [what]] of parts.entries()) {
    shown.push([what, (await odd.episode.call(`shot_${at}`)).blocks]);
  }

  expect(shown).toMatchObject(parts.map(([what, , block]) => [what, [{ text: 'here' }, block]]));
});

test.each([
  ['string', { a: { type: 'string', 'x-mcp-header': 'A' } }, [{ path: ['a'], header: 'mcp-param-a' }]],
  [
    'nested integer',
    { a: { type: 'object', properties: { b: { type: 'integer', 'x-mcp-header': 'B' } } } },
    [{ path: ['a', 'b'], header: 'mcp-param-b' }],
  ],
  ['number', { a: { type: 'number', 'x-mcp-header': 'A' } }, expect.stringContaining('not a string')],
  ['string with an invalid name', { a: { type: 'string', 'x-mcp-header': 'A\r\nB' } }, expect.stringContaining('name')],
  [
    'list item',
    { a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } } },
    expect.stringContaining('not at a parameter'),
  ],
  [
    'pair with the same name',
    { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } },
    expect.stringContaining('twice'),
  ],
])('finds the header of a %s parameter, or says why it is not valid', (_what, properties, expected) => {
  expect(parameterHeaders({ type: 'object', properties })).toEqual(expected);
});
