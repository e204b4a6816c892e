import { expect, test } from '@jest/globals';
import { defineEnvironment, jsonSchema } from 'ors-kit';
import { createServer } from 'ors-kit/server';
import * as v from 'valibot';
import { z } from 'zod';
import { RESERVED_NAMES } from '../../src/protocol/index.ts';
import { request, start } from '../support/client.ts';

const run = () => ({ text: '' });
const twoParameters = { description: 'x', run, input: z.object({ a: z.string(), b: z.string().optional() }) };
const good = {
  name: 'math',
  splits: { train: [{}] },
  prompt: () => '',
  tools: { submit: { description: 'Submit.', run } },
};

test.each([
  ['no tools', { tools: {} }, 'has no tools, and agents can act only by tools; add one to tools or taskTools.'],
  ['no splits', { splits: {} }, 'has no splits; add one, such as splits: { train: [...] }.'],
  [
    'a misspelled field',
    { prompt: undefined, promt: () => '' },
    "'promt' is not a field of the definition; did you mean 'prompt'?",
  ],
  ['a misspelled optional field', { maxreward: 1 }, "did you mean 'maxReward'?"],
  [
    'a misspelled field of a tool',
    { tools: { submit: { description: 'x', run, timeoutMS: 5 } } },
    "tool 'submit': 'timeoutMS' is not a field of the definition; did you mean 'timeoutMs'?",
  ],
  ['missing splits', { splits: undefined }, 'has no splits; add one'],
  ['a split without a name', { splits: { '': [] } }, "a split has an empty name; name it, such as 'train'."],
  ...['dev', 'Train', '', null, 1].map(
    (type) =>
      [
        `a split of the type ${JSON.stringify(type)}`,
        { splits: { hard: { type, tasks: [] } } },
        `split 'hard': invalid type: expected train, validation or test, got ${JSON.stringify(type)}`,
      ] as const,
  ),
  [
    'neither prompt nor messages',
    { prompt: undefined },
    "has no prompt; add prompt: ({ task }) => '...', or messages for a conversation.",
  ],
  ['an empty description', { description: ' ' }, 'the description is empty'],
  [
    'an empty tool description',
    { tools: { submit: { description: '', run } } },
    "tool 'submit': the description is empty",
  ],
  ['a tool without run', { tools: { submit: { description: 'x' } } }, "tool 'submit': has no run function"],
  ['a tool name with blanks', { tools: { 'sub mit': { description: 'x', run } } }, 'expected 1 to 128 letters'],
  ['a name with a slash', { name: 'a/b' }, 'expected 1 to 64 letters'],
  ['an empty name', { name: '' }, 'expected 1 to 64 letters'],
  ['no name', { name: undefined }, 'expected 1 to 64 letters'],
  [
    'a tool input that is not an object',
    { tools: { submit: { description: 'x', input: z.string(), run } } },
    'invalid schema: expected an object; wrap it',
  ],
  [
    'a tool with a parameter that no call can have',
    { tools: { submit: { description: 'x', input: { type: 'object', properties: { ['__proto__']: {} } }, run } } },
    "no call can have a parameter named '__proto__'; rename it",
  ],
  ['splits as a list', { splits: ['train'] }, 'expected an object, such as { train: [...] }, got an array'],
  [
    'a schema without converter',
    { tools: { submit: { description: 'x', input: v.object({ a: v.string() }), run } } },
    'toStandardJsonSchema',
  ],
  [
    'a schema without an equivalent in JSON Schema',
    { tools: { submit: { description: 'x', input: z.object({ at: z.date() }), run } } },
    "tool 'submit', input",
  ],
  [
    'hidden answers of tasks by index and no resolveTask',
    { splits: { train: { count: 1, get: () => ({}) } }, publicTask: () => ({}) },
    'add resolveTask, the inverse of publicTask.',
  ],
  [
    'two terminal tools',
    { tools: { submit: { description: 'x', run, terminal: true }, finish: { description: 'x', run, terminal: true } } },
    "the tools 'submit' and 'finish' are terminal; only one can grade the final message.",
  ],
  [
    'a terminal tool with two parameters',
    { tools: { submit: { ...twoParameters, terminal: true } } },
    "tool 'submit': a terminal tool receives only the text of a message, but has 2 parameters (a, b); keep at most one.",
  ],
  [
    'a concurrent terminal tool',
    { tools: { submit: { description: 'x', run, terminal: true, concurrent: true } } },
    "tool 'submit': a terminal tool runs alone, so it cannot be concurrent",
  ],
  [
    'two terminal tools in a toolset',
    {
      toolsets: { own: { a: { description: 'x', run, terminal: true }, b: { description: 'x', run, terminal: true } } },
    },
    "toolset 'own': the tools 'a' and 'b' are terminal",
  ],
  [
    'a toolset that replaces the terminal tool by a plain one',
    {
      tools: { submit: { description: 'x', run, terminal: true } },
      toolsets: { own: { submit: { description: 'x', run } } },
    },
    "toolset 'own': 'submit' replaces the terminal tool; make it terminal too, or rename it.",
  ],
  ['a toolset without a name', { toolsets: { '': {} } }, "invalid name of a toolset, ''; expected 1 to 64 letters"],
  ['secrets that are not names', { secrets: ['A', ''] }, 'invalid secrets: expected an array of names'],
])('rejects an environment with %s, with advice', (_what, change, message) => {
  expect(() => defineEnvironment({ ...good, ...change } as never)).toThrow(TypeError);
  expect(() => defineEnvironment({ ...good, ...change } as never)).toThrow(message);
});

test.each([...RESERVED_NAMES, 'HEALTH'])('rejects the name %s', (name) => {
  expect(() => defineEnvironment({ ...good, name })).toThrow('the name is a path of the protocol; choose another');
});

test('rejects a server with two environments of the same name, or with none', () => {
  const [a, b] = [defineEnvironment(good), defineEnvironment({ ...good, name: 'MATH' })];

  expect(() => createServer([a, b])).toThrow("two environments are called 'MATH'");
  expect(() => createServer([])).toThrow('a server needs at least one environment');
});

test.each([
  ['an environment without an array', { name: 'math' }, 'the environments are not an array; pass [environment]'],
  ['nothing', undefined, 'the environments are not an array; pass [environment]'],
  ['a plain object', [{ name: 'math', splits: {} }], 'environment 1 is not the result of defineEnvironment({ ... })'],
  [
    'undefined after an environment',
    [defineEnvironment(good), undefined],
    'environment 2 is not the result of defineEnvironment({ ... })',
  ],
  // biome-ignore lint/suspicious/noSparseArray: a comma too many makes one
  ['a hole', [, defineEnvironment(good)], 'environment 1 is not the result of defineEnvironment({ ... })'],
  ['any object with open', [{ name: 'x', open() {} }], 'environment 1 is not the result of defineEnvironment({ ... })'],
])('a server refuses %s of JavaScript', (_what, environments, message) => {
  expect(() => createServer(environments as never)).toThrow(new TypeError(message));
});

test('fails setup if a task tool has the name of a shared tool', async () => {
  const environment = defineEnvironment({ ...good, taskTools: () => ({ submit: { description: 'x', run } }) });
  await using server = await start(environment);
  await request(server, 'POST', '/create', { sid: 's', body: { task_spec: {} } });

  const { status, body } = await request(server, 'GET', '/math/task_tools', { sid: 's' });

  expect([status, body.detail]).toEqual([
    500,
    "TypeError: taskTools: 'submit' is already a tool of every task; rename it",
  ]);
});

test('fails setup if a task tool is terminal', async () => {
  const taskTools = () => ({ grade: { description: 'x', run, terminal: true } });
  await using server = await start(defineEnvironment({ ...good, taskTools }));
  await request(server, 'POST', '/create', { sid: 's', body: { task_spec: {} } });

  const { status, body } = await request(server, 'GET', '/math/task_tools', { sid: 's' });

  expect([status, body.detail]).toEqual([
    500,
    "TypeError: taskTools: 'grade' is terminal, which only a tool of every task can be",
  ]);
});

test('accepts blocks as a prompt, and rejects other values', async () => {
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
