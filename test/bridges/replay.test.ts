import { expect, test } from '@jest/globals';
import { defineEnvironment, type Environment, jsonSchema, ToolError } from 'ors-kit';
import {
  type RecordedTrace,
  type ReplayDivergence,
  readRecordedTraces,
  replayEnvironment,
} from 'ors-kit/bridges/replay';
import { OrsClient, type TaskSelector, ToolCallError } from 'ors-kit/client';
import { play } from 'ors-kit/testing';
import { createTraceClient, recordEpisode } from 'ors-kit/trace';
import { createMemoryStore, serveTraces } from 'ors-kit/trace/server';
import countdown from '../../examples/countdown/environment.ts';
import maze from '../../examples/maze/environment.ts';
import { request, start } from '../support/client.ts';
import { quiz } from './quiz.ts';
import { recordedEpisodes } from './recording.ts';
import { treasure } from './treasure.ts';

type Step = readonly [tool: string, input?: Record<string, string | number>];

/** Plays an episode, and returns the prompt and the result or error of each call. */
async function seen(environment: Environment, choice: TaskSelector, steps: readonly Step[]) {
  await using server = await start(environment);
  await using client = new OrsClient(server.url);
  await using session = await client.environment(environment.name).session(choice);
  const prompt = await session.prompt();
  const outcomes: unknown[] = [];
  for (const [tool, input] of steps) {
    const outcome = await session.call(tool, input).catch((error: unknown) => error);
    outcomes.push(outcome instanceof ToolCallError ? outcome.message : outcome);
  }
  return { prompt, outcomes };
}

const puzzle = { split: 'test', index: 4 };
const steps: readonly Step[] = [
  ['evaluate', { expression: '1 +' }],
  ['evaluate', { expression: 3 }],
  ['solve'],
  ['evaluate', { expression: '2 * 3' }],
  ['submit', { expression: '1' }],
  ['submit', { expression: '2' }],
];

test('replays an episode that a server recorded, with the same prompt, outputs, errors and rewards', async () => {
  const { traces, lines } = await recordedEpisodes(countdown, ({ url }) => playOn(url, 'countdown', puzzle, steps));
  const original = await seen(countdown, puzzle, steps);

  const [fromStore, fromLines] = await Promise.all([
    replayEnvironment(traces),
    replayEnvironment(await collected(readRecordedTraces(lines()))),
  ]);

  for (const replayed of [fromStore, fromLines]) {
    expect(replayed.name).toBe('countdown');
    const again = await seen(replayed, puzzle, steps);
    // Servers do not record the tool list: the error for an unknown tool lists the tools that were called.
    expect(again.prompt).toEqual(original.prompt);
    expect(again.outcomes).toEqual(original.outcomes);
  }
});

async function playOn(url: string, environment: string, choice: TaskSelector, calls: readonly Step[]): Promise<void> {
  await using client = new OrsClient(url);
  await using session = await client.environment(environment).session(choice);
  await session.prompt();
  for (const [tool, input] of calls) await session.call(tool, input).catch(() => undefined);
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test('rejects and reports a call that differs from the recording, without advancing', async () => {
  const { traces } = await recordedEpisodes(countdown, ({ url }) =>
    playOn(url, 'countdown', puzzle, [
      ['evaluate', { expression: '1' }],
      ['submit', { expression: '2' }],
    ]),
  );
  const departures: ReplayDivergence[] = [];
  const replayed = await replayEnvironment(traces, { onDivergence: (departure) => departures.push(departure) });

  const { outcomes } = await seen(replayed, puzzle, [
    ['submit', { expression: '2' }],
    ['evaluate', { expression: '3' }],
    ['evaluate', { expression: '1' }],
    ['submit', { expression: '2' }],
  ]);

  expect(outcomes).toEqual([
    expect.stringMatching(/^Tool 'submit' failed: .* call 1 is of the tool 'evaluate'$/),
    expect.stringMatching(/^Tool 'evaluate' failed: .* call 1 has another input$/),
    expect.objectContaining({ reward: 0 }),
    expect.objectContaining({ reward: 0, finished: true }),
  ]);
  expect(departures).toMatchObject([
    { replayed: 0, tool: 'submit', recorded: { name: 'evaluate', input: { expression: '1' } } },
    { replayed: 0, tool: 'evaluate', input: { expression: '3' } },
  ]);
  // The recorded input may be the solution.
  expect(JSON.stringify(outcomes.slice(0, 2))).not.toContain('"1"');
});

test('rejects every call after the end of the recording', async () => {
  const { traces } = await recordedEpisodes(treasure, ({ url }) =>
    playOn(url, 'treasure', { split: 'train', index: 1 }, [['look']]),
  );

  const { outcomes } = await seen(await replayEnvironment(traces), { split: 'train', index: 1 }, [['look'], ['look']]);

  expect(outcomes).toEqual([
    expect.objectContaining({ reward: 0.1875, metadata: { canary: 'metadata' } }),
    expect.stringContaining('it ends after 1 call'),
  ]);
});

test('replays each recorded call once, in any order', async () => {
  const choice = { split: 'train', index: 0 };
  const { traces } = await recordedEpisodes(treasure, ({ url }) =>
    playOn(url, 'treasure', choice, [['look'], ['island.dig', { spot: -1 }], ['island.dig', { spot: 1 }]]),
  );
  const replayed = await replayEnvironment(traces, { order: 'any' });

  const { outcomes } = await seen(replayed, choice, [
    ['island.dig', { spot: 1 }],
    ['look'],
    ['look'],
    ['island.dig', { spot: -1 }],
  ]);

  expect(outcomes).toEqual([
    expect.objectContaining({ text: 'Sand.' }),
    expect.objectContaining({ reward: 0.1875 }),
    expect.stringContaining("it has no more calls of 'look' with this input"),
    "Tool 'island.dig' failed: there is only water",
  ]);
});

test('replays the recorded tools, including those of single tasks', async () => {
  const withCompass = { split: 'train', index: 0 };
  const without = { split: 'train', index: 1 };
  await using store = createMemoryStore();
  await using api = await serveTraces({ store, port: 0 });
  await using logger = createTraceClient({ url: api.url });
  await using server = await start(maze);
  await using client = new OrsClient(server.url);
  const listed: unknown[] = [];
  const ids: string[] = [];
  for (const choice of [withCompass, without]) {
    const trace = logger.createTrace({ environment: 'maze', split: choice.split, task_index: choice.index });
    await using session = recordEpisode(await client.environment('maze').session(choice), trace);
    listed.push(await session.tools());
    await session.prompt();
    await session.call('move', { direction: 'north' });
    await session.call('move', { direction: 'up' }).catch(() => undefined);
    if (choice === withCompass) await session.call('compass');
    ids.push(trace.id);
  }
  await logger.flush();
  const traces: RecordedTrace[] = await Promise.all(ids.map((id) => logger.readTrace(id)));

  const replayed = await replayEnvironment(traces);
  const again: unknown[] = [];
  for (const choice of [withCompass, without]) {
    await using episode = await play(replayed, choice);
    again.push(episode.tools);
    const outputs = await episode.solve();
    expect(outputs[0]?.blocks.map(({ type }) => type)).toContain('image');
    expect(outputs).toHaveLength(choice === withCompass ? 2 : 1);
  }

  expect(again).toEqual(listed);
});

test('finds tasks by position, by content and in the split of recorded tasks', async () => {
  const spec = { numbers: [25, 3, 9, 8], target: 672 };
  const { traces } = await recordedEpisodes(countdown, async ({ url }) => {
    await playOn(url, 'countdown', puzzle, [['evaluate', { expression: '1' }]]);
    await playOn(url, 'countdown', { task: spec }, [['evaluate', { expression: '2' }]]);
    await playOn(url, 'countdown', puzzle, [['evaluate', { expression: '3' }]]);
  });
  const replayed = await replayEnvironment(traces);
  await using server = await start(replayed);
  await using client = new OrsClient(server.url);
  const environment = client.environment('countdown');
  const first = async (choice: TaskSelector, expression: string) => {
    await using session = await environment.session(choice);
    return await session.call('evaluate', { expression }).then(({ text }) => text, String);
  };

  const splits = await environment.splits();
  const all = (await collected(environment.tasks('recorded'))).map(({ task }) => task);
  const texts = [
    await first(puzzle, '1'),
    await first({ task: spec }, '2'),
    await first({ split: 'recorded', index: 2 }, '3'),
    // Clients may send a listed task.
    await first({ task: all[2] ?? {} }, '3'),
  ];
  const missing = await first({ split: 'test', index: 0 }, '1');
  const unknown = await request(server, 'POST', '/create', {
    sid: 'mine',
    body: { env_name: 'countdown', task_spec: { target: 1 } },
  });

  expect(splits.map(({ name }) => name)).toEqual(['test', 'recorded']);
  expect(all.map(({ trace }) => trace)).toEqual(traces.map(({ trace }) => trace.id));
  for (const text of texts) expect(text).not.toContain('differs from the recording');
  expect(await first(puzzle, '3')).toContain('differs from the recording');
  expect(missing).toMatch(/task 0 of split 'test' was not recorded/);
  expect(unknown.status).toBe(400);
});

test('replays results of any size from a store, and rejects an export without its blobs', async () => {
  const large = 'x'.repeat(1_200_000);
  const library = defineEnvironment({
    name: 'library',
    splits: { test: [{}] },
    prompt: () => large,
    tools: {
      read: {
        description: 'Read.',
        input: jsonSchema<{ page?: string }>({ type: 'object' }),
        run: ({ input }) => {
          if (input.page === 'torn') throw new ToolError('y'.repeat(200_000));
          return { text: large, reward: 1 };
        },
      },
    },
  });
  const choice = { split: 'test', index: 0 };
  const calls: readonly Step[] = [['read'], ['read', { page: 'torn' }], ['read', { page: large }]];
  const { traces, lines } = await recordedEpisodes(library, ({ url }) => playOn(url, 'library', choice, calls));

  const replayed = await seen(await replayEnvironment(traces), choice, calls);
  const original = await seen(library, choice, calls);
  const exported = collected(readRecordedTraces(lines())).then((all) => replayEnvironment(all));

  await expect(exported).rejects.toThrow(
    /^tr_\w+: .* is in a blob, which JSON Lines do not contain; replay the trace from/,
  );
  expect(replayed).toEqual(original);
});

test.each([
  ['{"trace":{"id":"nonsense"}}\n', /^line 1: the trace is not valid/],
  ['nothing\n', /^line 1: /],
])('rejects an invalid export with the number of its line: %j', async (text, reason) => {
  const reading = collected(readRecordedTraces(one(text)));

  await expect(reading).rejects.toThrow(reason);
});

test('rejects no traces, and traces of several environments', async () => {
  const { traces } = await recordedEpisodes([countdown, treasure], async ({ url }) => {
    await playOn(url, 'countdown', puzzle, []);
    await playOn(url, 'treasure', { split: 'train', index: 0 }, []);
  });

  const empty = { trace: { ...(traces[0] as RecordedTrace).trace }, messages: [] };
  await expect(replayEnvironment(empty)).rejects.toThrow(/cannot replay a trace without a prompt and calls/);
  await expect(replayEnvironment([])).rejects.toThrow(/expected at least one, got none/);
  await expect(replayEnvironment(traces)).rejects.toThrow(/of several environments \(countdown, treasure\)/);
  expect((await replayEnvironment(traces, { name: 'both' })).name).toBe('both');
});

async function* one(text: string): AsyncGenerator<string> {
  yield text;
}

test('replays a conversation with its roles, and the answer to the terminal tool', async () => {
  const position = { split: 'train', index: 0 };
  const playQuiz = async (url: string) => {
    await using client = new OrsClient(url);
    await using session = await client.environment('quiz').session(position);
    const messages = await session.messages();
    const prompt = await session.prompt();
    const tools = await session.tools();
    const terminalTool = await session.terminalTool();
    const looked = await session.call('look.up', { term: 'sum' });
    const refused = await session.answer('two').catch((error: unknown) => error);
    const { reward, finished } = await session.answer('2');
    const outcome = [looked.reward, refused instanceof ToolCallError, reward, finished];
    return { messages, prompt, tools: tools.map(({ name }) => name), terminalTool, outcome };
  };
  let original: unknown;
  const { traces, lines } = await recordedEpisodes(quiz, async ({ url }) => {
    original = await playQuiz(url);
  });

  const [fromStore, fromLines] = await Promise.all([
    replayEnvironment(traces),
    replayEnvironment(await collected(readRecordedTraces(lines()))),
  ]);

  for (const replayed of [fromStore, fromLines]) {
    await using server = await start(replayed);
    expect(await playQuiz(server.url)).toEqual(original);
    await using episode = await play(replayed, { split: 'recorded', index: 0 });
    expect((await episode.solve()).map(({ reward }) => reward)).toEqual([0.25, 1]);
  }
});

test('replays a conversation and an answer that a client recorded', async () => {
  await using server = await start(quiz);
  await using store = createMemoryStore();
  await using api = await serveTraces({ store, port: 0 });
  await using traces = createTraceClient({ url: api.url });
  await using client = new OrsClient(server.url);
  const trace = traces.createTrace({ environment: 'quiz', split: 'train', task_index: 0 });
  const opened = await client.environment('quiz').session({ split: 'train', index: 0 });
  const session = recordEpisode(opened, trace);
  const messages = await session.messages();
  await session.tools();
  await session.answer('2');
  await session.close();
  await traces.flush();

  const replayed = await replayEnvironment(await traces.readWhole(trace.id));
  await using second = await start(replayed);
  await using other = new OrsClient(second.url);
  await using again = await other.environment('quiz').session({ split: 'train', index: 0 });

  expect(await again.messages()).toMatchObject(messages.map(({ role }) => ({ role })));
  expect(await again.prompt()).toEqual(await promptOf(opened.environment, server.url));
  expect(await again.terminalTool()).toMatchObject({ name: 'grade', arg: 'answer' });
  expect(await again.answer('2')).toMatchObject({ reward: 1, finished: true });
});

async function promptOf(environment: string, url: string) {
  await using client = new OrsClient(url);
  await using session = await client.environment(environment).session({ split: 'train', index: 0 });
  return session.prompt();
}
