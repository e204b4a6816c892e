import { expect, test } from '@jest/globals';
import { defineEnvironment, jsonSchema } from 'ors-kit';
import { createServer } from 'ors-kit/server';
import * as v from 'valibot';
import { z } from 'zod';
import { RESERVED_NAMES } from '../../src/protocol/index.ts';
import { request, start } from '../support/client.ts';

const run = () => ({ text: '' });
const good = {
  name: 'math',
  splits: { train: [{}] },
  prompt: () => '',
  tools: { submit: { description: 'Submit.', run } },
};

test.each([
  ['no tools', { tools: {} }, 'has no tools, and agents act through tools alone; add one to tools or taskTools.'],
  ['no splits', { splits: {} }, 'has no splits; add one, such as splits: { train: [...] }.'],
  ['splits left out', { splits: undefined }, 'has no splits; add one'],
  ['a split without a name', { splits: { '': [] } }, "a split has an empty name; name it, such as 'train'."],
  ['no prompt', { prompt: undefined }, "has no prompt; add prompt: ({ task }) => '...'."],
  ['an empty description', { description: ' ' }, 'the description is empty'],
  [
    'an empty tool description',
    { tools: { submit: { description: '', run } } },
    "tool 'submit': the description is empty",
  ],
  ['a tool without run', { tools: { submit: { description: 'x' } } }, "tool 'submit': has no run function"],
  ['a tool name with blanks', { tools: { 'sub mit': { description: 'x', run } } }, 'the name must be 1 to 128 letters'],
  ['a name with a slash', { name: 'a/b' }, 'the name must be 1 to 64 letters'],
  ['an empty name', { name: '' }, 'the name must be 1 to 64 letters'],
  ['no name', { name: undefined }, 'the name must be 1 to 64 letters'],
  [
    'a tool input that is no object',
    { tools: { submit: { description: 'x', input: z.string(), run } } },
    'the input schema describes no object; wrap it',
  ],
  [
    'a schema without converter',
    { tools: { submit: { description: 'x', input: v.object({ a: v.string() }), run } } },
    'toStandardJsonSchema',
  ],
  [
    'a schema that JSON Schema cannot say',
    { tools: { submit: { description: 'x', input: z.object({ at: z.date() }), run } } },
    "tool 'submit', input",
  ],
  [
    'hidden answers of tasks by number without the way back',
    { splits: { train: { count: 1, get: () => ({}) } }, publicTask: () => ({}) },
    'add resolveTask, the way back from a public task.',
  ],
])('an environment with %s is refused with what to do', (_what, change, message) => {
  expect(() => defineEnvironment({ ...good, ...change } as never)).toThrow(TypeError);
  expect(() => defineEnvironment({ ...good, ...change } as never)).toThrow(message);
});

test.each([...RESERVED_NAMES, 'HEALTH'])('an environment called %s is refused', (name) => {
  expect(() => defineEnvironment({ ...good, name })).toThrow(
    'the name is that of a path of the protocol; choose another',
  );
});

test('a server refuses two environments of one name, and none at all', () => {
  const [a, b] = [defineEnvironment(good), defineEnvironment({ ...good, name: 'MATH' })];

  expect(() => createServer([a, b])).toThrow("two environments are called 'MATH'");
  expect(() => createServer([])).toThrow('a server needs at least one environment');
});

test('a task tool that is called like a shared one fails setup and says so', async () => {
  const environment = defineEnvironment({ ...good, taskTools: () => ({ submit: { description: 'x', run } }) });
  await using server = await start(environment);
  await request(server, 'POST', '/create', { sid: 's', body: { task_spec: {} } });

  const { status, body } = await request(server, 'GET', '/math/task_tools', { sid: 's' });

  expect([status, body.detail]).toEqual([
    500,
    "TypeError: taskTools: 'submit' is already a tool of every task; rename it",
  ]);
});

test('a prompt may be blocks, and one that is not is an error', async () => {
  const environment = defineEnvironment({
    ...good,
    task: jsonSchema<{ prompt: unknown }>({ type: 'object' }),
    splits: { train: [] },
    prompt: ({ task }) => task.prompt as string,
  });
  await using server = await start(environment);
  const promptOf = async (sid: string, prompt: unknown) => {
    await request(server, 'POST', '/create', { sid, body: { task_spec: { prompt } } });
    return (await request(server, 'GET', '/math/prompt', { sid })).body;
  };

  expect(await promptOf('a', [{ type: 'text', text: 'x' }])).toEqual([{ text: 'x', detail: null, type: 'text' }]);
  expect(await promptOf('b', [])).toEqual([]);
  expect(await promptOf('c', 5)).toEqual({ detail: 'invalid output: prompt is 5; it must be an array of blocks' });
});
