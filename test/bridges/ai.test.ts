import { expect, jest, test } from '@jest/globals';
import * as ai from 'ai';
import { generateText, stepCountIs, type ToolSet } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { defineEnvironment, image, type Message, text } from 'ors-kit';
import { aiPrompt, aiTools, submitFinalMessage, whenEpisodeOver } from 'ors-kit/bridges/ai';
import { OrsClient } from 'ors-kit/client';
import { start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { until } from '../support/until.ts';
import { openQuiz } from './quiz.ts';
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

type ModelPart = { readonly type: 'text' | 'reasoning'; readonly text: string };

const DONE: readonly ModelPart[] = [{ type: 'text', text: 'Done.' }];

/** Creates a model that makes these calls, turn by turn, and then ends with a message. */
function modelOf(turns: readonly (readonly Call[])[], final: readonly ModelPart[] = DONE) {
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
        content: content.length > 0 ? content : [...final],
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

/** Version 6 is a development dependency; `make peers` runs this suite with version 7 too, which has `isStepCount`. */
const isVersion7 = 'isStepCount' in ai;

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

  const logWarnings = jest.fn();
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: logWarnings });

  const { steps } = await generateText({
    model,
    tools: await aiTools(session, { onResult }),
    prompt: 'Find it.',
    stopWhen: stepCountIs(20),
  });
  Reflect.deleteProperty(globalThis, 'AI_SDK_LOG_WARNINGS');

  expect(logWarnings.mock.calls.flat()).toEqual([]);
  const seen = JSON.stringify(model.doGenerateCalls);
  expect(seen).not.toMatch(CANARIES);
  expect(JSON.stringify(steps.flatMap(({ toolResults }) => toolResults))).not.toMatch(CANARIES);
  const shown = model.doGenerateCalls.at(-1)?.prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
  expect(shown?.map((part) => 'output' in part && part.output)).toEqual([
    {
      type: 'content',
      value: [
        { type: 'text', text: 'A map.' },
        // Version 7 converts the image for this model, which is made for version 6.
        { type: isVersion7 ? 'file-data' : 'image-data', data: PIXEL, mediaType: 'image/png' },
      ],
    },
    { type: 'error-text', value: "Tool 'island.dig' failed: there is only water" },
    { type: 'text', value: 'Gold!' },
    { type: 'error-text', value: 'The episode is finished; no tool runs after that.' },
  ]);
  expect(results).toHaveLength(3);
});

test.each([
  [
    '6',
    { abortSignal: undefined, experimental_context: undefined },
    { type: 'image-data', data: PIXEL, mediaType: 'image/png' },
  ],
  [
    '7',
    { abortSignal: undefined, context: undefined },
    { type: 'file', data: { type: 'data', data: PIXEL }, mediaType: 'image/png' },
  ],
])('returns an image in the form of version %s if that version calls the tool', async (_, options, shown) => {
  await using episode = await openTreasure();
  const { look } = await aiTools(episode.session);

  const output = await look?.execute({}, options);

  expect(output && look?.toModelOutput({ output })).toEqual({
    type: 'content',
    value: [{ type: 'text', text: 'A map.' }, shown],
  });
});

test('returns images in a conversation in the form of the given version', async () => {
  const conversation: Message[] = [
    { role: 'user', blocks: [image(PIXEL)] },
    { role: 'assistant', blocks: [{ type: 'tool_call', id: 'c1', name: 'look', input: {} }] },
    { role: 'user', blocks: [{ type: 'tool_result', tool_call_id: 'c1', blocks: [image(PIXEL)] }] },
  ];
  const look = { description: 'Look.', run: () => ({ text: 'A map.' }) };
  await using server = await start(
    defineEnvironment({ name: 'maps', splits: { train: [{}] }, messages: () => conversation, tools: { look } }),
  );
  await using client = new OrsClient(server.url);
  await using session = await client.environment('maps').session({ split: 'train', index: 0 });

  const prompts = [await aiPrompt(session), await aiPrompt(session, { version: 7 })];

  const outputOf = (part: object) => ('output' in part ? part.output : part);
  const shown = prompts.map(({ messages }) =>
    messages.flatMap(({ role, content }) =>
      role === 'assistant' ? [] : [...content].map((part) => outputOf(part as object)),
    ),
  );
  const question = { type: 'file', data: PIXEL, mediaType: 'image/png' };
  const file = { type: 'file', data: { type: 'data', data: PIXEL }, mediaType: 'image/png' };
  expect(shown).toEqual([
    [question, { type: 'content', value: [{ type: 'image-data', data: PIXEL, mediaType: 'image/png' }] }],
    [question, { type: 'content', value: [file] }],
  ]);
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

test('gives the calls of a conversation their own ids, and results the names of their calls', async () => {
  const turn = (...names: readonly string[]): Message[] => [
    { role: 'assistant', blocks: names.map((name) => ({ type: 'tool_call', id: 'same', name, input: {} })) },
    { role: 'user', blocks: names.map(() => ({ type: 'tool_result', tool_call_id: 'same', blocks: [text('seen')] })) },
  ];

  const { messages } = await aiPrompt({
    prompt: async () => [],
    messages: async () => [...turn('a', 'b'), ...turn('c')],
  });

  const parts: readonly object[] = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : [...content]));
  expect(
    parts.map((part) => 'toolName' in part && 'toolCallId' in part && `${part.toolName} ${part.toolCallId}`),
  ).toEqual([...['a same', 'b same_2', 'a same', 'b same_2'], ...['c same_3', 'c same_3']]);
});

test('shows a conversation to the model with its roles, reasoning, calls and results', async () => {
  await using episode = await openQuiz();
  const { session } = episode;
  const model = modelOf([]);

  await generateText({ model, ...(await aiPrompt(session)), tools: await aiTools(session) });

  const [request] = model.doGenerateCalls;
  expect(request?.prompt).toMatchObject([
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is 1 + 1?' },
        { type: 'file', mediaType: 'image/png' },
      ],
    },
    {
      role: 'assistant',
      content: [
        {
          type: 'reasoning',
          text: 'I can look it up.',
          providerOptions: { anthropic: { signature: 'signed' } },
        },
        { type: 'text', text: 'I will look.' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'look_up', input: { term: '1 + 1' } },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c1',
          toolName: 'look_up',
          output: { type: 'error-text', value: 'out of order' },
        },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: 'Then answer by yourself.' }] },
  ]);
  expect(request?.tools?.map(({ name }) => name)).toEqual(['look_up']);
});

test('submits the final message without its reasoning, and reports the reward', async () => {
  await using episode = await openQuiz();
  const { session, onResult, results } = episode;
  const final: ModelPart[] = [
    { type: 'reasoning', text: 'It is 3.' },
    { type: 'text', text: ' 2 ' },
  ];
  const model = modelOf([[{ name: 'look_up', input: { term: 'sum' } }]], final);

  const result = await generateText({
    model,
    ...(await aiPrompt(session)),
    tools: await aiTools(session, { onResult }),
    stopWhen: [whenEpisodeOver(session), stepCountIs(20)],
  });
  const graded = await submitFinalMessage(session, result, { onResult });
  const again = await submitFinalMessage(session, result, { onResult });

  expect(graded).toMatchObject({ tool: 'grade', input: { answer: '2' }, reward: 1, finished: true, number: 2 });
  expect(again).toBeNull();
  expect(results.map(inShort)).toEqual([
    ['look.up', true, 0.25],
    ['grade', true, 1],
  ]);
});

test('submits the text of the last step, also if the result has the content of all steps', async () => {
  await using episode = await openQuiz();
  const call = { type: 'tool-call' };
  const answer = { type: 'text', text: '2' };
  const steps = [{ content: [{ type: 'text', text: 'I look it up.' }, call] }, { content: [answer] }];

  const graded = await submitFinalMessage(episode.session, { content: steps.flatMap(({ content }) => content), steps });

  expect(graded).toMatchObject({ input: { answer: '2' }, reward: 1 });
});

test('returns a refused answer with its reason, and accepts another one', async () => {
  await using episode = await openQuiz();
  const { session } = episode;
  const say = async (text: string) => {
    const final: ModelPart[] = [{ type: 'text', text }];
    const model = modelOf([], final);
    return submitFinalMessage(session, await generateText({ model, ...(await aiPrompt(session)) }));
  };

  const refused = await say('The answer is 2.');
  const graded = await say('2');

  expect(refused).toMatchObject({ ok: false, reason: 'input_validation', reward: null });
  expect(JSON.stringify(refused?.blocks)).toContain('answer');
  expect(graded).toMatchObject({ ok: true, reason: null, reward: 1 });
});

test('submits nothing if the run ends with a call, or the environment does not grade messages', async () => {
  await using episode = await openQuiz();
  await using treasure = await openTreasure();
  const { session } = episode;
  const calling = modelOf([[{ name: 'look_up', input: { term: 'sum' } }]]);

  const stopped = await generateText({
    model: calling,
    ...(await aiPrompt(session)),
    tools: await aiTools(session),
    stopWhen: stepCountIs(1),
  });
  const ended = await generateText({ model: modelOf([]), ...(await aiPrompt(treasure.session)) });

  expect(await submitFinalMessage(session, stopped)).toBeNull();
  expect(await submitFinalMessage(treasure.session, ended)).toBeNull();
});
