import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { generateText } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { aiPrompt, aiTools, submitFinalMessage } from 'ors-kit/bridges/ai';
import { type RewardRow, serveMcp } from 'ors-kit/bridges/mcp';
import { replayEnvironment } from 'ors-kit/bridges/replay';
import { OrsClient } from 'ors-kit/client';
import { createTraceClient, recordEpisode } from 'ors-kit/trace';
import { createMemoryStore, serveTraces } from 'ors-kit/trace/server';
import { validate } from '../../src/validate/index.ts';
import { start } from '../support/client.ts';
import { orsInProcess } from '../support/command-in-process.ts';
import { describeWithPython, runPlayer, startPythonServer } from './python.ts';
import type { ServerProcess } from './server-process.ts';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** Creates a model that says this. */
const saying = (text: string) =>
  new MockLanguageModelV3({
    doGenerate: async () => ({
      content: [{ type: 'text', text }],
      finishReason: { unified: 'stop', raw: undefined },
      usage,
      warnings: [],
    }),
  });

const TASK = ['--split', 'train', '--index', '0'] as const;

describeWithPython()('a conversation of openreward whose final message is graded', () => {
  let server: ServerProcess;
  let client: OrsClient;

  beforeAll(async () => {
    server = await startPythonServer('servers/quiz.py', {});
    client = new OrsClient(server.url);
  });
  afterAll(async () => {
    await client?.close();
    await server?.[Symbol.asyncDispose]();
  });

  const open = () => client.environment('quiz').session({ split: 'train', index: 0 });

  test('is played by its own client', async () => {
    const { lines } = await runPlayer('quiz_player.py', [server.url, 'openreward', 'async']);

    expect(lines).toEqual(['ok quiz']);
  });

  test('is continued by a model of the AI SDK, whose final message is graded', async () => {
    await using session = await open();
    const model = saying(' 2\n');

    const result = await generateText({ model, ...(await aiPrompt(session)), tools: await aiTools(session) });
    const graded = await submitFinalMessage(session, result);

    const roles = model.doGenerateCalls[0]?.prompt.map(({ role }) => role);
    expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
    expect(graded).toMatchObject({ tool: 'grade', reward: 1, finished: true });
  });

  test('offers the grader to an agent over MCP as a tool, and accepts a corrected answer after a refusal', async () => {
    const rows: RewardRow[] = [];
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await using mcp = await serveMcp(await open(), { transport: ours, onReward: (row) => rows.push(row) });
    const agent = new Client({ name: 'agent', version: '1' });
    await agent.connect(theirs);

    const { tools } = await agent.listTools();
    const refused = await agent.callTool({ name: 'grade', arguments: { answer: 'The answer is 2.' } });
    await agent.callTool({ name: 'grade', arguments: { answer: '2' } });
    await mcp.close();

    expect(tools.map(({ name }) => name)).toEqual(['look_up', 'grade']);
    expect(refused.isError).toBe(true);
    expect(rows).toMatchObject([
      { ok: false, reward: null, reason: 'input_validation' },
      { ok: true, reward: 1, finished: true },
      { type: 'episode', reward: 1 },
    ]);
  });

  test('people play it, and submit answers on the command line', async () => {
    const [called, played] = await Promise.all([
      orsInProcess(['call', server.url, 'quiz', ...TASK, '--answer', '2', '--json']),
      orsInProcess(['play', server.url, ...TASK], { input: 'answer\ntwo\nanswer\n2\n' }),
    ]);

    const { messages, terminal_tool, result } = JSON.parse(called.stdout);
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(terminal_tool).toEqual({ name: 'grade', arg: 'answer', description: 'Grades the answer.' });
    expect(result.output).toMatchObject({ reward: 1, finished: true });
    expect(played.stdout).toContain('rejected (input_validation): ');
    expect(played.stdout).toContain('The episode is finished: 2 calls, reward 1, total 1.\n');
  });

  test('plays the replay of a recorded episode with its own client', async () => {
    await using store = createMemoryStore();
    await using api = await serveTraces({ store, port: 0 });
    await using traces = createTraceClient({ url: api.url });
    const trace = traces.createTrace({ environment: 'quiz', split: 'train', task_index: 0 });
    const session = recordEpisode(await open(), trace);
    await session.messages();
    await session.tools();
    await session.call('look_up', { term: 'sum' });
    await session.answer('two').catch(() => undefined);
    await session.answer('2');
    await session.close();
    await traces.flush();

    await using replay = await start(await replayEnvironment(await traces.readTrace(trace.id)));
    const { lines } = await runPlayer('quiz_player.py', [replay.url, 'openreward', 'async']);

    expect(lines).toEqual(['ok quiz']);
  });

  test('validation reports that only numbers are answers', async () => {
    const { findings } = await validate({ client }, { maxReward: 1.25, tasks: 1 });

    const told = findings.filter(({ level }) => level !== 'note').map(({ rule }) => rule);
    expect(told).toContain('final-messages-are-graded');
    expect(told).not.toContain('conversations-fit-providers');
    expect(told).not.toContain('tools-answer');
  });
});
