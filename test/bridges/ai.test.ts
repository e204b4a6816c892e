import { expect, test } from '@jest/globals';
import { generateText, stepCountIs, type ToolSet } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { aiTools, whenEpisodeOver } from 'ors-kit/bridges/ai';
import { OrsClient } from 'ors-kit/client';
import { start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { until } from '../support/until.ts';
import { CANARIES, inShort, openTreasure, PIXEL } from './treasure.ts';

interface Call {
  readonly name: string;
  /** Object, or JSON as a model writes it. */
  readonly input?: object | string;
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** Creates a model that makes these calls, turn by turn, and then ends. */
function modelOf(turns: readonly (readonly Call[])[]) {
  let turn = 0;
  return new MockLanguageModelV3({
    doGenerate: async () => {
      const calls = turns[turn++] ?? [];
      const content = calls.map(({ name: toolName, input = {} }, index) => ({
        type: 'tool-call' as const,
        toolCallId: `call-${turn}-${index}`,
        toolName,
        input: typeof input === 'string' ? input : JSON.stringify(input),
      }));
      return {
        content: content.length > 0 ? content : [{ type: 'text' as const, text: 'Done.' }],
        finishReason: {
          unified: content.length > 0 ? ('tool-calls' as const) : ('stop' as const),
          raw: undefined,
        },
        usage,
        warnings: [],
      };
    },
  });
}

test('plays an episode by generateText, and ends with it', async () => {
  await using episode = await openTreasure();
  const { session, onResult, results } = episode;
  const dig = (spot: number) => ({ name: 'island_dig', input: { spot } });
  const model = modelOf([[{ name: 'look' }], [dig(1), dig(2)], [dig(-1)], [dig(3)], [dig(4)], [dig(5)]]);

  const tools: ToolSet = await aiTools(session, { onResult });
  const { steps } = await generateText({
    model,
    tools,
    prompt: 'Find it.',
    stopWhen: [whenEpisodeOver(session), stepCountIs(20)],
  });

  expect(steps).toHaveLength(4);
  expect(results.map(inShort)).toEqual([
    ['look', true, 0.1875],
    ['island.dig', true, null],
    ['island.dig', true, null],
    ['island.dig', false, null],
    ['island.dig', true, 0.8125],
  ]);
  expect(results.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  expect(results.at(-1)).toMatchObject({ finished: true, metadata: { canary: 'metadata' } });
});

test('shows blocks to the model, but no rewards, metadata and details', async () => {
  await using episode = await openTreasure();
  const { session, onResult, results } = episode;
  const model = modelOf([
    [{ name: 'look' }],
    [{ name: 'island_dig', input: { spot: -1 } }],
    [{ name: 'island_dig', input: { spot: 3 } }],
    [{ name: 'look' }],
  ]);

  const { steps } = await generateText({
    model,
    tools: await aiTools(session, { onResult }),
    prompt: 'Find it.',
    stopWhen: stepCountIs(20),
  });

  const seen = JSON.stringify(model.doGenerateCalls);
  expect(seen).not.toMatch(CANARIES);
  expect(JSON.stringify(steps.flatMap(({ toolResults }) => toolResults))).not.toMatch(CANARIES);
  const shown = model.doGenerateCalls.at(-1)?.prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
  expect(shown?.map((part) => 'output' in part && part.output)).toEqual([
    {
      type: 'content',
      value: [
        { type: 'text', text: 'A map.' },
        { type: 'image-data', data: PIXEL, mediaType: 'image/png' },
      ],
    },
    { type: 'error-text', value: "Tool 'island.dig' failed: there is only water" },
    { type: 'text', value: 'Gold!' },
    { type: 'error-text', value: 'The episode is finished; no tool runs after that.' },
  ]);
  expect(results).toHaveLength(3);
});

test('passes the schemas to the model unchanged', async () => {
  await using episode = await openTreasure();
  const model = modelOf([]);

  await generateText({ model, tools: await aiTools(episode.session), prompt: 'Find it.' });

  expect(model.doGenerateCalls[0]?.tools).toEqual([
    {
      type: 'function',
      name: 'look',
      description: 'Look at the map.',
      inputSchema: { type: 'object', properties: {} },
    },
    {
      type: 'function',
      name: 'island_dig',
      description: 'Dig at a spot.',
      inputSchema: { type: 'object', properties: { spot: { type: 'integer' } }, required: ['spot'] },
    },
  ]);
});

test('passes an input that violates the schema to the environment, but not one that is not JSON', async () => {
  await using episode = await openTreasure();
  const { session, onResult, results } = episode;
  const model = modelOf([
    [{ name: 'island_dig', input: { spot: 'here' } }],
    [{ name: 'island_dig', input: '{"spot":' }],
    [{ name: 'unknown' }],
  ]);

  await generateText({
    model,
    tools: await aiTools(session, { onResult }),
    prompt: 'Find it.',
    stopWhen: stepCountIs(20),
  });

  expect(results.map(inShort)).toEqual([['island.dig', false, null]]);
  expect(JSON.stringify(results[0]?.blocks)).toMatch(/spot/);
});

test('continues the run after a tool fails, and ends it when the episode is lost', async () => {
  await using episode = await openTreasure();
  const { session, client, onResult, results } = episode;
  const tools = await aiTools(session, { onResult });
  const play = (...turns: readonly (readonly Call[])[]) =>
    generateText({
      model: modelOf(turns),
      tools,
      prompt: 'Find it.',
      stopWhen: [whenEpisodeOver(session), stepCountIs(20)],
    });

  const before = await play([{ name: 'island_dig', input: { spot: 101 } }], [{ name: 'look' }]);
  await client.attach(session.handle).close();
  const after = await play([{ name: 'look' }], [{ name: 'look' }], [{ name: 'look' }]);

  expect([before.steps.length, after.steps.length]).toEqual([3, 1]);
  expect(results.map(inShort)).toEqual([
    ['island.dig', false, null],
    ['look', true, 0.1875],
    ['look', false, null],
  ]);
});

test('stops waiting for a tool when the abort signal of the package fires', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);
  await using client = new OrsClient(server.url);
  await using session = await client.environment('lab').session({ split: 'train', index: 0 });
  const stop = new AbortController();

  const playing = generateText({
    model: modelOf([[{ name: 'until_aborted' }]]),
    tools: await aiTools(session),
    prompt: 'Wait.',
    stopWhen: stepCountIs(20),
    abortSignal: stop.signal,
  }).then(
    () => 'over',
    () => 'over',
  );
  await until(() => events.includes('start until_aborted'));
  stop.abort();

  expect(await playing).toBe('over');
  expect(events).toEqual(['setup', 'start until_aborted']);
});
