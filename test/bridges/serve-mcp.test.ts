import { expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { defineEnvironment } from 'ors-kit';
import { type RewardRow, serveMcp } from 'ors-kit/bridges/mcp';
import { OrsClient } from 'ors-kit/client';
import { start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { until } from '../support/until.ts';
import { openQuiz } from './quiz.ts';
import { CANARIES, openTreasure, PIXEL } from './treasure.ts';

/** Serves an episode to a client of the SDK. */
async function served<Episode extends Awaited<ReturnType<typeof openTreasure>>>(open: () => Promise<Episode>) {
  const episode = await open();
  const rows: RewardRow[] = [];
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = await serveMcp(episode.session, { transport: ours, onReward: (row) => rows.push(row) });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(theirs);
  return {
    ...episode,
    client,
    mcp: server,
    rows,
    async [Symbol.asyncDispose]() {
      await client.close();
      await server.close();
      await episode[Symbol.asyncDispose]();
    },
  };
}

test('offers the prompt in the instructions, as a prompt and as a resource', async () => {
  await using episode = await served(openTreasure);
  const { client } = episode;

  const prompts = await client.listPrompts();
  const prompt = await client.getPrompt({ name: 'task' });
  const resources = await client.listResources();
  const resource = await client.readResource({ uri: 'ors://prompt' });

  expect(client.getInstructions()).toBe('Find the treasure.\nIts images are in the resource ors://prompt.');
  expect(prompts.prompts).toMatchObject([{ name: 'task' }]);
  expect(prompt.messages).toEqual([
    { role: 'user', content: { type: 'text', text: 'Find the treasure.' } },
    { role: 'user', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } },
  ]);
  expect(resources.resources).toMatchObject([{ uri: 'ors://prompt' }]);
  expect(resource.contents).toEqual([
    { uri: 'ors://prompt', mimeType: 'text/plain', text: 'Find the treasure.' },
    { uri: 'ors://prompt/2', mimeType: 'image/png', blob: PIXEL },
  ]);
  await expect(client.getPrompt({ name: 'other' })).rejects.toThrow(/unknown prompt 'other'; the only one is 'task'/);
  await expect(client.readResource({ uri: 'ors://x' })).rejects.toThrow(/the only one is 'ors:\/\/prompt'/);
});

test('lists the tools of the episode, and returns blocks only; rewards are reported separately', async () => {
  await using episode = await served(openTreasure);
  const { client, rows, session, mcp } = episode;
  const sid = session.sid;

  const { tools } = await client.listTools();
  const looked = await client.callTool({ name: 'look' });
  const missed = await client.callTool({ name: 'island.dig', arguments: { spot: -1 } });
  const invalid = await client.callTool({ name: 'island.dig', arguments: { spot: 'x' } });
  const unknown = await client.callTool({ name: 'fly' });
  const broken = await client.callTool({ name: 'island.dig', arguments: { spot: 101 } });
  const found = await client.callTool({ name: 'island.dig', arguments: { spot: 3 } });
  const after = await client.callTool({ name: 'look' });
  await mcp.close();

  expect(tools).toMatchObject([
    { name: 'look', description: 'Look at the map.', inputSchema: { type: 'object' } },
    { name: 'island.dig', inputSchema: { properties: { spot: { type: 'integer' } }, required: ['spot'] } },
  ]);
  expect(looked).toEqual({
    content: [
      { type: 'text', text: 'A map.' },
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
    ],
  });
  expect(missed).toEqual({
    content: [{ type: 'text', text: "Tool 'island.dig' failed: there is only water" }],
    isError: true,
  });
  for (const failed of [invalid, unknown, broken]) expect(failed.isError).toBe(true);
  expect(found).toEqual({ content: [{ type: 'text', text: 'Gold!' }] });
  expect(after).toEqual({
    content: [{ type: 'text', text: 'The episode is finished; no tool runs after that.' }],
    isError: true,
  });
  expect(JSON.stringify([tools, looked, missed, invalid, unknown, broken, found, after])).not.toMatch(CANARIES);
  const row = (number: number, tool: string, ok: boolean, reward: number | null, finished = false) => {
    return { type: 'call', sid, environment: 'treasure', number, tool, ok, reward, finished };
  };
  expect(rows).toEqual([
    row(1, 'look', true, 0.1875),
    row(2, 'island.dig', false, null),
    { ...row(3, 'island.dig', false, null), reason: 'input_validation' },
    { ...row(4, 'fly', false, null), reason: 'not_found' },
    row(5, 'island.dig', false, null),
    row(6, 'island.dig', true, 0.8125, true),
    { type: 'episode', sid, environment: 'treasure', calls: 6, reward: 1, finished: true },
  ]);
});

test('deletes the episode when the client disconnects, and reports its total once', async () => {
  await using episode = await served(openTreasure);
  const { server, client, mcp, rows, session } = episode;
  const before = server.sessionCount;

  await client.close();
  await mcp.closed;
  await mcp.close();

  expect([before, server.sessionCount]).toEqual([1, 0]);
  expect(rows).toEqual([
    { type: 'episode', sid: session.sid, environment: 'treasure', calls: 0, reward: null, finished: false },
  ]);
});

test('ends a running call and the episode when the client disconnects', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);
  await using ors = new OrsClient(server.url);
  const session = await ors.environment('lab').session({ split: 'train', index: 0 });
  const rows: RewardRow[] = [];
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await using mcp = await serveMcp(session, { transport: ours, onReward: (row) => rows.push(row) });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(theirs);
  const called = client.callTool({ name: 'until_aborted' }).catch((error: unknown) => error);
  await until(() => events.includes('start until_aborted'));

  await client.close();
  await mcp.closed;

  expect(await called).toBeInstanceOf(Error);
  expect(events).toEqual(['setup', 'start until_aborted', 'aborted', 'teardown']);
  expect(rows.map(({ type, reward }) => [type, reward])).toEqual([
    ['call', null],
    ['episode', null],
  ]);
});

test('stops waiting for a call that the client cancels', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);
  await using ors = new OrsClient(server.url);
  const session = await ors.environment('lab').session({ split: 'train', index: 0 });
  const rows: RewardRow[] = [];
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await using _mcp = await serveMcp(session, { transport: ours, onReward: (row) => rows.push(row) });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(theirs);
  const stop = new AbortController();

  const called = client.callTool({ name: 'until_aborted' }, undefined, { signal: stop.signal }).catch(() => 'given up');
  await until(() => events.includes('start until_aborted'));
  stop.abort();
  await until(() => rows.length > 0);

  expect(await called).toBe('given up');
  expect(rows).toMatchObject([{ type: 'call', tool: 'until_aborted', ok: false, reward: null }]);
  expect(events).toEqual(['setup', 'start until_aborted']);
});

test('rejects all calls after the episode is lost', async () => {
  await using episode = await served(openTreasure);
  const { client, session, rows } = episode;
  await new OrsClient(episode.server.url).attach(session.handle).close();

  const first = await client.callTool({ name: 'look' });
  const second = await client.callTool({ name: 'look' });

  expect([first.isError, second.isError]).toEqual([true, true]);
  expect(JSON.stringify(second.content)).toMatch(/The episode is lost \(.*\); no tool runs after that/);
  expect(rows).toHaveLength(1);
});

test('offers a conversation with its roles', async () => {
  await using episode = await served(openQuiz);
  const { client } = episode;

  const { messages } = await client.getPrompt({ name: 'task' });

  expect(client.getInstructions()).toMatch(
    /^\[system\]\nBe brief\.\n\[user\]\nWhat is 1 \+ 1\?\n\[assistant\]\n<think>I can/,
  );
  expect(client.getInstructions()).toContain('[tool_call look.up] {"term": "1 + 1"}\n[user]\n[tool_result (error)]\n');
  const say = (role: string, text: string) => ({ role, content: { type: 'text', text } });
  expect(messages).toEqual([
    say('user', '[system]'),
    say('user', 'Be brief.'),
    say('user', 'What is 1 + 1?'),
    { role: 'user', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } },
    say('assistant', '<think>I can look it up.</think>'),
    say('assistant', 'I will look.'),
    say('assistant', '[tool_call look.up] {"term": "1 + 1"}'),
    say('user', '[tool_result (error)]'),
    say('user', 'out of order'),
    say('user', 'Then answer by yourself.'),
  ]);
});

test('lists the terminal tool with one text, and no tool runs after the answer', async () => {
  await using episode = await served(openQuiz);
  const { client, rows, session, mcp } = episode;

  const { tools } = await client.listTools();
  const looked = await client.callTool({ name: 'look.up', arguments: { term: 'sum' } });
  const refused = await client.callTool({ name: 'grade', arguments: { answer: 'The answer is 2.' } });
  const missing = await client.callTool({ name: 'grade', arguments: {} });
  const graded = await client.callTool({ name: 'grade', arguments: { answer: 2 } });
  const after = await client.callTool({ name: 'look.up', arguments: { term: 'sum' } });
  await mcp.close();

  expect(tools[1]).toEqual({
    name: 'grade',
    description: 'Grades the answer.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { answer: { type: 'string', description: 'The final answer.' } },
      required: ['answer'],
    },
  });
  expect([looked.isError, refused.isError, missing.isError, graded.isError]).toEqual([
    undefined,
    true,
    true,
    undefined,
  ]);
  expect(after).toEqual({
    content: [{ type: 'text', text: 'The episode is finished; no tool runs after that.' }],
    isError: true,
  });
  const { sid } = session;
  expect(rows.map((row) => ('tool' in row ? [row.tool, row.reward, row.reason] : row))).toEqual([
    ['look.up', 0.25, undefined],
    ['grade', null, 'input_validation'],
    ['grade', null, 'input_validation'],
    ['grade', 1, undefined],
    { type: 'episode', sid, environment: 'quiz', calls: 4, reward: 1.25, finished: true },
  ]);
});

test('runs no tool after an answer that did not finish the episode', async () => {
  const patient = defineEnvironment({
    name: 'patient',
    splits: { train: [{}] },
    prompt: () => 'Speak.',
    tools: {
      look: { description: 'Look.', run: () => ({ text: 'seen', reward: 1 }) },
      rate: { description: 'Rate the episode.', terminal: true, run: () => ({ text: 'Rated.', reward: 0.5 }) },
    },
  });
  await using server = await start(patient);
  await using ors = new OrsClient(server.url);
  const session = await ors.environment('patient').session({ split: 'train', index: 0 });
  const rows: RewardRow[] = [];
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await using mcp = await serveMcp(session, { transport: ours, onReward: (row) => rows.push(row) });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(theirs);

  const rated = await client.callTool({ name: 'rate' });
  const after = await client.callTool({ name: 'look' });
  await mcp.close();

  expect(rated).toEqual({ content: [{ type: 'text', text: 'Rated.' }] });
  expect(JSON.stringify(after.content)).toContain('The answer is submitted; no tool runs after that.');
  expect(rows.at(-1)).toMatchObject({ type: 'episode', calls: 1, reward: 0.5, finished: false });
});

test('submits an answer after the calls that are still running', async () => {
  const { environment, events, open } = lab();
  const terminal = { name: 'finish', arg: null, description: 'Finish.' };
  await using server = await start(environment);
  await using ors = new OrsClient(server.url);
  const session = await ors.environment('lab').session({ split: 'train', index: 0 });
  const order: string[] = [];
  const graded = new Proxy(session, {
    get(target, key) {
      if (key === 'terminalTool') return async () => terminal;
      if (key === 'call') {
        return (name: string, input: Parameters<typeof target.call>[1]) => {
          order.push(`${name} is sent`);
          return target.call(name, input);
        };
      }
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const onReward = (row: RewardRow) => 'tool' in row && order.push(`${row.tool} is done`);
  await using _mcp = await serveMcp(graded, { transport: ours, onReward });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(theirs);

  const waiting = client.callTool({ name: 'wait', arguments: { gate: 'open' } });
  await until(() => events.includes('start open'));
  const answered = client.callTool({ name: 'finish' });
  await client.listTools();
  open('open');
  await Promise.all([waiting, answered]);

  expect(order).toEqual(['wait is sent', 'wait is done', 'finish is sent', 'finish is done']);
});
