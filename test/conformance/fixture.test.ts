import { readFileSync } from 'node:fs';
import { expect, jest, test } from '@jest/globals';
import { play } from 'ors-kit/testing';
import environment from '../../examples/conformance/environment.ts';
import { CALL_INPUT } from '../../examples/conformance/values.ts';
import { flattenedPrompt } from '../../src/conformance/checks/extensions/messages.ts';
import { EXTENSION_TOOLS, FIXTURE, FIXTURE_TOOLS } from '../../src/conformance/target.ts';
import { call, create, request, start } from '../support/client.ts';
import { codeBlocks } from '../support/document.ts';
import { ask, countsOf, promptOf, prompts, rowName, rows } from './fixture-rows.ts';

const page = 'docs/development/conformance-fixture.md';

test.each(rows.map((row) => [rowName(row), row] as const))(
  'does %s as the page of the fixture says',
  async (_, row) => {
    await using server = await start(environment);

    expect(await ask(server, row)).toEqual(row.gives);
  },
);

test.each(prompts)('returns the documented prompt of the fixture for %j', async (choice, prompt) => {
  await using server = await start(environment);

  expect(await promptOf(server, choice)).toEqual(prompt);
});

test('has exactly the documented tools of the fixture, each with an example', async () => {
  await using server = await start(environment);
  const sid = await create(server);

  const { body } = await request(server, 'GET', '/conformance/task_tools', { sid });

  const [, table = ''] = readFileSync(page, 'utf8').match(/^## Tools\n([\s\S]*?)^\*\*Patterns/m) ?? [];
  const ofPage = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  const extensions: readonly string[] = EXTENSION_TOOLS;
  const ofServer = body.tools
    .map(({ name }: { name: string }) => name)
    .filter((name: string) => !extensions.includes(name));
  const ofRows = [...new Set(rows.map(({ tool }) => tool))];
  expect(environment.name).toBe(FIXTURE);
  expect({ ofPage, ofServer, ofRows }).toEqual({
    ofPage: FIXTURE_TOOLS,
    ofServer: FIXTURE_TOOLS,
    ofRows: FIXTURE_TOOLS,
  });
});

test('has the documented tools for extensions', async () => {
  await using server = await start(environment);
  const sid = await create(server);

  const { body } = await request(server, 'GET', '/conformance/task_tools', { sid });
  const final = await call(server, sid, 'final', { ms: 1, finish: false }, { environment: FIXTURE });
  const answer = await call(server, sid, 'answer', { text: 'right' }, { environment: FIXTURE });

  const [, section = ''] = readFileSync(page, 'utf8').match(/^## Add the extensions\n([\s\S]*?)^## /m) ?? [];
  expect([...section.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)).toEqual(EXTENSION_TOOLS);
  expect(body.tools.map(({ name }: { name: string }) => name)).toContain('final');
  expect(body.terminal_tool).toEqual({ name: 'answer', arg: 'text', description: 'Grades the final message.' });
  expect(final.result).toMatchObject({ ok: true, output: { finished: false, metadata: { running: 0 } } });
  const metadata = { text: 'right', running: 0 };
  expect(answer.result).toMatchObject({ ok: true, output: { reward: 1, finished: true, metadata } });
});

test('has the documented conversation, whose text is the prompt', async () => {
  await using server = await start(environment);
  const sid = await create(server, { task_spec: { id: 'talk', conversation: true } });

  const { body: messages } = await request(server, 'GET', '/conformance/messages', { sid });
  const { body: prompt } = await request(server, 'GET', '/conformance/prompt', { sid });

  const [, documented] = codeBlocks(page).filter(({ info }) => info === 'json');
  const roles = (list: { role: string; blocks: unknown }[]) => list.map(({ role }) => role);
  expect(roles(messages)).toEqual(roles(JSON.parse(documented?.code ?? '')));
  expect(prompt).toEqual(flattenedPrompt(messages));
  expect(JSON.stringify(messages)).toContain(JSON.stringify(CALL_INPUT));
});

test('has the documented schemas of the fixture', async () => {
  await using server = await start(environment);

  const { body } = await request(server, 'GET', '/conformance/tools');

  const schemas = Object.fromEntries(
    body.tools.map(({ name, input_schema }: { name: string; input_schema: unknown }) => [name, input_schema]),
  );
  const [nested] = codeBlocks(page).filter(({ info }) => info === 'json');
  expect(schemas.nested).toEqual(JSON.parse(nested?.code ?? ''));
  expect(schemas.image).toEqual({ type: 'object', properties: {} });
  expect(schemas.noargs).toBeNull();
});

test.each([
  ['that works', {}],
  ['whose setup fails', { setup_fail: 'no sandbox' }],
])('counts setup and teardown of an episode %s, and prints the teardown', async (_name, task) => {
  await using server = await start(environment);
  const key = crypto.randomUUID();
  const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);

  const [before, after] = await countsOf(server, key, task);

  const lines = written.mock.calls.map(([text]) => text);
  written.mockRestore();
  expect(before).toMatchObject({ setups: 1 });
  expect(after).toEqual({ setups: 1, teardowns: 1 });
  expect(lines.filter((line) => line === `conformance: teardown ${key}\n`)).toHaveLength(1);
});

test('ends a sleeping tool with its episode', async () => {
  const episode = await play(environment, { task: {} }, { via: 'process' });
  const sleeping = episode.call('sleep', { ms: 3_600_000 });
  sleeping.catch(() => undefined);

  await episode.close();

  await expect(sleeping).rejects.toThrow('aborted');
});
