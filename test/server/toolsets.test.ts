import { expect, test } from '@jest/globals';
import { defineEnvironment, defineTool } from 'ors-kit';
import { serve } from 'ors-kit/server';
import { z } from 'zod';
import { call, create, request, start } from '../support/client.ts';
import { request as rawRequest } from '../support/http.ts';

const say = (text: string) => ({ description: `Says ${text}.`, run: () => ({ text }) });

const environment = defineEnvironment({
  name: 'lab',
  splits: { train: [{}] },
  setup: () => ({ lines: 0 }),
  prompt: () => 'Go.',
  tools: {
    bash: say('own bash'),
    submit: { description: 'Grade.', terminal: true, run: () => ({ text: 'own grade', finished: true }) },
  },
  taskTools: () => ({ read: say('own read'), hint: say('hint'), absent: undefined }),
  toolsets: {
    agent: {
      read: say('agent read'),
      bash: defineTool({
        description: 'Runs a command.',
        input: z.object({ command: z.string() }),
        run: ({ input }) => ({ text: `agent ${input.command}` }),
      }),
    },
    grader: {
      answer: defineTool({
        description: 'Grades strictly.',
        input: z.object({ text: z.string() }),
        terminal: true,
        run: ({ input }) => ({ text: input.text, reward: 2, finished: true }),
      }),
    },
  },
  secrets: ['API_KEY', 'JUDGE_KEY', 'API_KEY'],
});

const withToolset = (toolset_name: unknown) => ({ task_spec: {}, toolset_name });

const listOf = async (server: { url: string }, sid: string) => {
  const { body } = await request(server, 'GET', '/lab/task_tools', { sid });
  const names = body.tools.map(({ name }: { name: string }) => name);
  return { names, terminal: body.terminal_tool.name };
};

test('adds the tools of the selected toolset, which replace those of the same name', async () => {
  await using server = await start(environment);
  const sid = await create(server, withToolset('agent'));

  expect(await listOf(server, sid)).toEqual({ names: ['hint', 'read', 'bash'], terminal: 'submit' });
  expect((await call(server, sid, 'bash', { command: 'ls' })).result.output.blocks[0].text).toBe('agent ls');
  expect((await call(server, sid, 'read')).result.output.blocks[0].text).toBe('agent read');
  expect((await call(server, sid, 'hint')).result.output.blocks[0].text).toBe('hint');
});

test.each([[undefined], [null]])('adds no tools for the toolset %p', async (name) => {
  await using server = await start(environment);
  const sid = await create(server, withToolset(name));

  expect(await listOf(server, sid)).toEqual({ names: ['bash', 'read', 'hint'], terminal: 'submit' });
  expect((await call(server, sid, 'bash')).result.output.blocks[0].text).toBe('own bash');
});

test('announces the terminal tool of the toolset instead of that of the environment, which stays hidden', async () => {
  await using server = await start(environment);
  const sid = await create(server, withToolset('grader'));

  expect(await listOf(server, sid)).toEqual({ names: ['bash', 'read', 'hint'], terminal: 'answer' });
  expect((await call(server, sid, 'answer', { text: 'a' })).result.output.reward).toBe(2);
  expect((await call(server, sid, 'bash')).result.reason).toBe('episode_finished');
});

test('never lists the tools of toolsets without a session', async () => {
  await using server = await start(environment);

  expect((await request(server, 'GET', '/lab/tools')).body.tools.map(({ name }: { name: string }) => name)).toEqual([
    'bash',
  ]);
});

test.each(['unknown', '', 'Agent', 'constructor'])(
  'rejects the toolset %j with the names that exist, and leaves the id free',
  async (name) => {
    await using server = await start(environment);
    const response = await request(server, 'POST', '/create', { sid: 's', body: withToolset(name) });

    expect([response.status, response.body.detail]).toEqual([
      400,
      `unknown toolset '${name}'; environment 'lab' has: agent, grader`,
    ]);
    expect((await request(server, 'POST', '/create', { sid: 's', body: withToolset('agent') })).status).toBe(200);
  },
);

test('rejects a toolset of an environment that has none, and one that is not a text', async () => {
  const plain = defineEnvironment({
    name: 'plain',
    splits: { train: [{}] },
    prompt: () => '',
    tools: { say: say('a') },
  });
  await using server = await start(plain);

  expect(await request(server, 'POST', '/create', { sid: 's', body: withToolset('codex') })).toMatchObject({
    status: 400,
    body: { detail: "unknown toolset 'codex'; environment 'plain' has: none" },
  });
  expect((await request(server, 'POST', '/create', { sid: 's', body: withToolset(5) })).status).toBe(400);
});

test.each([
  ['its name', '/v1/environments/acme/lab/required-secrets'],
  ['another case', '/v1/environments/acme/LAB/required-secrets'],
  ['no owner', '/v1/environments//lab/required-secrets'],
  ['a name that is not served', '/v1/environments/acme/other/required-secrets'],
  ['a slash at the end', '/v1/environments/acme/lab/required-secrets/'],
  ['a query', '/v1/environments/acme/lab/required-secrets?variant=a'],
])('lists the secrets that an environment needs, by %s', async (_what, target) => {
  await using server = await start(environment);

  const { status, body } = await rawRequest(server.url, { target });

  expect([status, JSON.parse(body)]).toEqual([200, { secrets: ['API_KEY', 'JUDGE_KEY'] }]);
});

test('lists required secrets beside a trace API that is mounted at /v1', async () => {
  const mounts = { '/v1': (_request: unknown, response: { end(text: string): void }) => response.end('mounted') };
  await using server = await serve([environment], { port: 0, mounts: mounts as never, metrics: false });
  const get = async (target: string) => (await rawRequest(server.url, { target })).body;

  expect(await get('/v1/environments//lab/required-secrets')).toBe('{"secrets":["API_KEY","JUDGE_KEY"]}');
  expect(await get('/v1/environments/acme/lab/required-secrets')).toBe('{"secrets":["API_KEY","JUDGE_KEY"]}');
  expect(await get('/v1/environments/acme/lab/task-difficulty')).toBe('mounted');
  expect(await get('/v1/traces')).toBe('mounted');
});
