import { expect, test } from '@jest/globals';
import { defineEnvironment, defineTool, type JSONObject, jsonSchema } from 'ors-kit';
import { OrsClient } from 'ors-kit/client';
import { formatTools } from '../../src/client/formats/index.ts';
import { call, create, request, start } from '../support/client.ts';

/** Names that every object inherits, except `__proto__`, which the server rejects as a key. */
const NAMES = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__');

const named = <T>(value: (name: string) => T): { [name: string]: T } =>
  Object.fromEntries(NAMES.map((name) => [name, value(name)]));
const own = <T>(name: string, value: T): { [name: string]: T } => Object.fromEntries([[name, value]]);

const input = jsonSchema<JSONObject>({
  type: 'object',
  properties: { ...named(() => ({ type: ['string', 'array'], uniqueItems: true })), toString: { default: 'filled' } },
  required: ['valueOf'],
});
const echo = defineTool<typeof input, JSONObject, JSONObject>({
  description: 'Returns its input.',
  input,
  run: ({ input: given, task }) => ({ text: JSON.stringify([given, task]), metadata: given }),
});

const environment = defineEnvironment({
  name: 'constructor',
  splits: named((name) => [own(name, own(name, null))]),
  secrets: NAMES,
  setup: ({ secrets }): JSONObject => ({ secrets }),
  prompt: ({ state }) => JSON.stringify(state.secrets),
  publicTask: (task) => task,
  tools: named(() => echo) as object,
  taskTools: () => own('__proto__', echo),
  toolsets: named(() => own('constructor', { ...echo, description: 'Replaces the tool.' })) as Record<
    string,
    object
  > as never,
});

test('serves environments, splits, tasks and tools with names that objects inherit', async () => {
  await using server = await start(environment);
  await using client = new OrsClient(server.url);
  const remote = client.environment('constructor');

  const splits = await remote.splits();
  const tasks = await Promise.all(NAMES.map((split) => remote.task(split, 0)));
  const tools = await remote.tools();

  expect(splits.map(({ name }) => name)).toEqual(NAMES);
  expect(tasks.map(({ task }) => task)).toEqual(NAMES.map((name) => own(name, own(name, null))));
  expect(tools.map(({ name }) => name)).toEqual(NAMES);
  for (const format of ['openai', 'anthropic', 'google', 'mcp'] as const) {
    expect(JSON.stringify(formatTools(tools, format))).toContain('"hasOwnProperty":');
  }
});

test('plays an episode whose input, task, result and secrets have names that objects inherit', async () => {
  await using server = await start(environment);
  await using client = new OrsClient(server.url);
  const secrets = named((name) => `secret of ${name}`);
  const session = await client
    .environment('constructor')
    .session({ split: 'valueOf', index: 0 }, { secrets, toolset: 'hasOwnProperty' });

  const given: JSONObject = JSON.parse('{"valueOf":[{"toString":""},{"toString":null},{}],"hasOwnProperty":"x"}');
  const output = await session.call('constructor', given);
  const prompt = await session.prompt();
  const tools = await session.tools();

  const filled = { ...given, toString: 'filled' };
  expect(JSON.parse(output.text)).toEqual([filled, own('valueOf', own('valueOf', null))]);
  expect(output.metadata).toEqual(filled);
  expect(tools.map(({ name }) => name).sort()).toEqual([...NAMES, '__proto__'].sort());
  expect(prompt).toMatchObject([{ text: JSON.stringify(secrets) }]);
  await expect(session.call('__proto__', {})).rejects.toThrow('/valueOf is missing');
  const twice = own('valueOf', [own('valueOf', 1), own('valueOf', 1)]);
  await expect(session.call('valueOf', twice)).rejects.toThrow('twice');
});

test('ignores names that objects inherit among headers and query parameters', async () => {
  await using server = await start(environment);
  const sid = await create(server, { split: 'toString', index: 0 });
  const inEnvironment = { environment: 'constructor' };

  const headers = { constructor: 'x', valueof: 'z' };
  const answer = await request(server, 'GET', '/constructor/tools?constructor=1&__proto__=2&toString=3', { headers });
  const called = await call(server, sid, 'toString', own('valueOf', 'x'), inEnvironment);
  const unknown = await request(server, 'GET', '/valueOf/tools');
  const noTool = await call(server, sid, '__defineGetter', {}, inEnvironment);

  expect(answer.status).toBe(200);
  expect(called.result.output.metadata).toEqual({ valueOf: 'x', toString: 'filled' });
  expect(unknown.status).toBe(404);
  expect(noTool.result).toMatchObject({ ok: false, reason: 'not_found' });
});
