import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { jsonSchema } from 'ors-kit';
import { fromMcp, type McpServerLocation } from 'ors-kit/bridges/mcp';
import { OrsClient, ToolCallError, ToolCrashedError } from 'ors-kit/client';
import { play } from 'ors-kit/testing';
import { start } from '../support/client.ts';
import { until } from '../support/until.ts';
import { serveNotebooks } from './mcp-server.ts';

const program = {
  command: process.execPath,
  args: [fileURLToPath(new URL('./notebook.mjs', import.meta.url))],
  env: { TOKEN: 'none', NODE_OPTIONS: '' },
};

/** Environment with a reward of 1 for submitting the right number of notes, which ends the episode. */
const notebook = (connect: McpServerLocation) =>
  fromMcp({
    name: 'notebook',
    connect,
    splits: { test: [{ wanted: 3 }] },
    task: jsonSchema<{ wanted: number }>({ type: 'object' }),
    prompt: ({ task, instructions }) => `${instructions} Write ${task.wanted}.`,
    tools: (name) => name !== 'hidden',
    reward: ({ output, calls }) => (output.name === 'add' ? calls.length / 4 : null),
    submit: {
      description: 'Say how many notes there are.',
      input: jsonSchema<{ count: number }>({ type: 'object', properties: { count: { type: 'integer' } } }),
      grade: ({ task, input, calls }) => ({
        text: `${calls.length} calls.`,
        reward: input.count === task.wanted ? 1 : 0,
      }),
    },
  });

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('offers the tools of the MCP server, with their schemas', async () => {
  await using http = await serveNotebooks();
  await using episode = await play(notebook({ url: http.url }), { split: 'test', index: 0 });

  const { prompt, tools } = episode;

  expect(prompt).toEqual([expect.objectContaining({ text: 'Notes are kept in order. Write 3.' })]);
  expect(tools.map(({ name, description }) => [name, description])).toEqual([
    ['submit', 'Say how many notes there are.'],
    ['add', 'Add a note.'],
    ['list.all', 'List notes'],
    ['tear', 'Tear a page.'],
    ['token', 'Say TOKEN.'],
    ['burn', 'End the server.'],
  ]);
  expect(tools[1]?.input_schema).toMatchObject({
    type: 'object',
    properties: { note: { type: 'string', minLength: 1 }, times: { type: 'integer', default: 1 } },
    required: ['note'],
  });
});

test.each(['a program', 'HTTP'])('plays an episode over %s, and grades it by its calls', async (way) => {
  await using http = await serveNotebooks();
  const environment = notebook(way === 'HTTP' ? { url: http.url } : program);
  await using episode = await play(environment, { split: 'test', index: 0 });

  const added = await episode.call('add', { note: 'one', times: 2 });
  await episode.call('add', { note: 'two' });
  const listed = await episode.call('list.all');
  const done = await episode.call('submit', { count: 3 });

  expect([added.text, added.reward, added.finished]).toEqual(['2 notes.', 0.25, false]);
  expect(listed.blocks).toMatchObject([
    { type: 'text', text: 'one, one, two' },
    { type: 'image', mimeType: 'image/png' },
    { type: 'text', text: '[audio: audio/wav]' },
    { type: 'text', text: 'the first' },
    { type: 'text', text: '[resource: second note://2]' },
  ]);
  expect(listed.reward).toBeNull();
  expect([done.text, done.reward, done.finished]).toEqual(['3 calls.', 1, true]);
});

test('grades the final message if the tool that ends the episode is terminal', async () => {
  await using http = await serveNotebooks();
  const environment = fromMcp({
    name: 'summary',
    connect: { url: http.url },
    splits: { test: [{}] },
    prompt: () => 'Summarize the notes.',
    submit: {
      description: 'Grades the summary.',
      input: jsonSchema<{ summary: string }>({ type: 'object', properties: { summary: { type: 'string' } } }),
      terminal: true,
      grade: ({ input }) => ({ text: '', reward: input.summary.length }),
    },
  });
  await using episode = await play(environment, { split: 'test', index: 0 });

  const { tools, terminalTool } = episode;
  const graded = await episode.answer('none');

  expect(tools.map(({ name }) => name)).not.toContain('submit');
  expect(terminalTool).toEqual({ name: 'submit', arg: 'summary', description: 'Grades the summary.' });
  expect([graded.reward, graded.finished]).toEqual([4, true]);
});

test('rejects with a ToolCallError if the MCP server reports an error', async () => {
  await using http = await serveNotebooks();
  await using episode = await play(notebook({ url: http.url }), { split: 'test', index: 0 });

  const torn = episode.call('tear').catch((error: unknown) => error);
  const invalid = episode.call('add', { note: '' }).catch((error: unknown) => error);
  const added = episode.call('add', { note: 'still here' });

  expect(await torn).toBeInstanceOf(ToolCallError);
  expect(String(await torn)).toContain("Tool 'tear' failed: page not found");
  expect(await invalid).toBeInstanceOf(ToolCallError);
  expect((await added).text).toBe('1 notes.');
});

test('starts a separate program for each episode, and ends it with the episode', async () => {
  await using server = await start(notebook(program));
  await using client = new OrsClient(server.url);
  const open = () => client.environment('notebook').session({ split: 'test', index: 0 });
  const [one, other] = await Promise.all([open(), open()]);
  const pidOf = async (session: typeof one) => Number((await session.call('token')).text.split(' ')[1]);

  const pids = [await pidOf(one), await pidOf(other)] as const;
  await one.call('add', { note: 'mine' });
  const seen = await other.call('list.all');
  await Promise.all([one.close(), other.close()]);

  expect(seen.blocks[0]).toMatchObject({ text: '' });
  expect(pids[0]).not.toBe(pids[1]);
  await until(() => !pids.some(isAlive));
});

test('ends an HTTP session with its episode', async () => {
  await using http = await serveNotebooks();
  const episode = await play(notebook({ url: http.url }), { split: 'test', index: 0 });
  const during = http.sessions();

  await episode.close();

  expect(during).toBe(1);
  await until(() => http.sessions() === 0);
});

test('connects each episode to a server with the secrets of the episode', async () => {
  const environment = fromMcp({
    name: 'tokens',
    splits: { test: [{}] },
    prompt: () => 'Say it.',
    connect: ({ secrets }) => ({ ...program, env: { ...program.env, TOKEN: secrets.TOKEN ?? '' } }),
  });
  await using episode = await play(environment, { split: 'test', index: 0 }, { secrets: { TOKEN: 'of-this-episode' } });

  const { text } = await episode.call('token');

  // Secrets are redacted in errors only; the output of a tool is up to its author.
  expect(text).toMatch(/^of-this-episode \d+$/);
});

test('fails the calls when the MCP server exits, with its last output', async () => {
  await using episode = await play(notebook(program), { split: 'test', index: 0 });

  const burnt = await episode.call('burn').catch((error: unknown) => error);
  const after = await episode.call('add', { note: 'too late' }).catch((error: unknown) => error);

  expect(burnt).toBeInstanceOf(ToolCrashedError);
  expect(String(burnt)).toMatch(
    /the MCP server '.*node' is gone: .*; its standard error ends with: the notebook burns/,
  );
  expect(after).toBeInstanceOf(ToolCrashedError);
});

test.each([
  [{ command: '/no/such/program' }, /cannot use the MCP server '\/no\/such\/program': .*ENOENT.*; check connect/],
  [
    { command: process.execPath, args: ['-e', 'console.error("no config"); process.exit(1)'] },
    /cannot use the MCP server .*; its standard error ends with: no config; check connect/,
  ],
  [{ url: 'http://127.0.0.1:9/mcp' }, /cannot use the MCP server at http:\/\/127\.0\.0\.1:9: .*; check connect/],
])('fails the setup if the MCP server is unavailable: %j', async (connect, reason) => {
  const episode = play(notebook(connect), { split: 'test', index: 0 });

  await expect(episode).rejects.toThrow(reason);
});
