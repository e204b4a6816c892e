import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  OrsClient,
  type OrsClientOptions,
  OrsHttpError,
  SessionLostError,
  ToolCallError,
  ToolCrashedError,
} from 'ors-kit/client';
import { makeText } from './fidelity-text.ts';
import { type Habits, serveLiterally } from './servers/documents-literal.ts';
import { literalCountdown, literalWire } from './servers/literal-environments.ts';
import { countdownTasks } from './servers/python-servers.ts';

const bare = ['task_tools', 'task_range'];
const habits: Habits[] = [
  { framing: 'CR', endsWithBlankLine: false, toolFailures: 'status', missing: bare },
  { framing: 'CR', endsWithBlankLine: true, toolFailures: 'error-event', missing: bare },
  { framing: 'CRLF', endsWithBlankLine: false, toolFailures: 'error-event', missing: [...bare, 'num_tasks'] },
  { framing: 'CRLF', endsWithBlankLine: true, toolFailures: 'ok-false', missing: [...bare, 'task', 'health'] },
  { framing: 'LF', endsWithBlankLine: false, toolFailures: 'ok-false', missing: [...bare, 'tasks'] },
  { framing: 'LF', endsWithBlankLine: true, toolFailures: 'status', missing: ['ping', 'delete_session'] },
];

const titled = habits.map((habit) => ({ ...habit, end: habit.endsWithBlankLine ? 'a blank line' : 'the last line' }));

describe.each(titled)('a server of the documents alone: $framing, $end last, failures by $toolFailures', (habit) => {
  const start = async (options: OrsClientOptions = {}) => {
    const counts = new Map<string, number>();
    const server = await serveLiterally([literalCountdown, literalWire(counts)], habit);
    const client = new OrsClient(server.url, { retry: { budgetMs: 3_000 }, ...options });
    return {
      ...{ server, client, counts, countdown: client.environment('countdown'), wire: client.environment('wire') },
      async [Symbol.asyncDispose]() {
        await client.close();
        await server[Symbol.asyncDispose]();
      },
    };
  };

  test('discovers it, and does not recognize its implementation', async () => {
    await using played = await start();

    expect(await played.client.dialect()).toMatchObject({ name: 'unknown', version: null });
    expect(await played.client.environments()).toEqual(['countdown', 'wire']);
    expect(await played.countdown.splits()).toEqual([
      { name: 'train', type: 'train' },
      { name: 'test', type: 'test' },
      { name: 'hard', type: 'validation' },
    ]);
    expect(await played.wire.tools()).toContainEqual({
      name: 'hello',
      description: 'Has no parameters.',
      input_schema: null,
    });
    await expect(played.client.environment('nope').splits()).rejects.toThrow(OrsHttpError);
  });

  test('lists every task of a split', async () => {
    await using played = await start();

    const tasks = [];
    for await (const { task } of played.countdown.tasks('test', { start: 3, stop: 190, pageSize: 50 }))
      tasks.push(task);

    expect(tasks).toEqual(countdownTasks.test.slice(3, 190));
    expect(await played.countdown.task('train', 5)).toMatchObject({ index: 5, task: countdownTasks.train[5] });
    if (!habit.missing.includes('tasks')) expect(await played.countdown.countTasks('train')).toBe(1_000);
    await expect(played.countdown.task('nope', 5)).rejects.toMatchObject({ status: 400 });
  });

  test('returns 1 for the right answer and 0 for a wrong one, and null for missing fields', async () => {
    await using played = await start();
    await using won = await played.countdown.session({ split: 'test', index: 3 });
    await using lost = await played.countdown.session({ task: { numbers: [1, 2], target: 3 } });
    const expression = countdownTasks.test[3]?.solution ?? '';

    const tried = await won.call('evaluate', { expression });
    const right = await won.call('submit', { expression });
    const wrong = await lost.call('submit', { expression: '2 - 1' });

    expect(await lost.prompt()).toMatchObject([{ type: 'text', text: 'Reach 3 with the numbers 1, 2.' }]);
    expect((await lost.tools()).map((tool) => tool.name)).toEqual(['evaluate', 'submit']);
    expect(tried).toMatchObject({ text: 'The target.', reward: null, finished: false, metadata: null, images: [] });
    expect(right).toMatchObject({ reward: 1, finished: true });
    expect(wrong).toMatchObject({ reward: 0, finished: true });
  });

  test('joins a text of 300 KB from many chunks without changing it', async () => {
    await using played = await start();
    await using episode = await played.wire.session({ split: 'test', index: 0 });

    const result = await episode.call('text', { seed: 5, length: 160_000 });

    expect(result.text === makeText(5, 160_000)).toBe(true);
    expect(result).toMatchObject({ reward: 0.5, metadata: { seed: 5 } });
  });

  test.each([
    ['a tool that does not exist', 'nope', {}, "'nope'"],
    ['an input that lacks something', 'evaluate', {}, 'expression'],
    ['a tool that cannot do it', 'evaluate', { expression: '99 + 1' }, '99'],
  ])('reports %s as a mistake of the agent and continues the episode', async (_what, tool, input, mentioned) => {
    await using played = await start();
    await using episode = await played.countdown.session({ task: { numbers: [1, 2], target: 3 } });

    const error = await episode.call(tool, input).catch((caught: unknown) => caught);
    const next = await episode.call('submit', { expression: '1 + 2' });

    // An `error` event does not distinguish failures of the tool from mistakes of the caller, except for unknown tools.
    const told = habit.toolFailures !== 'error-event' || tool === 'nope' ? ToolCallError : ToolCrashedError;
    expect(error).toBeInstanceOf(told);
    expect(error).toMatchObject({ detail: expect.stringContaining(mentioned), sid: episode.sid });
    expect(next.reward).toBe(1);
  });

  test('reports a crash of a tool and continues the episode', async () => {
    await using played = await start();
    await using episode = await played.wire.session({ split: 'test', index: 0 });

    const error = await episode.call('crash', { message: 'one\ntwo' }).catch((caught: unknown) => caught);
    const next = await episode.call('hello');

    expect(error).toBeInstanceOf(ToolCrashedError);
    expect(error).toMatchObject({ detail: 'one\ntwo', sid: episode.sid });
    expect(next.text).toBe('Hello.');
  });

  test('secrets arrive, and a slow setup is waited for', async () => {
    await using played = await start();
    const options = { secrets: { token: 'grüße' } };
    await using episode = await played.wire.session({ split: 'test', index: 1 }, options);

    const [prompt, result] = await Promise.all([episode.prompt(), episode.call('secret', { name: 'token' })]);

    expect(prompt).toMatchObject([{ type: 'text', text: 'slow' }]);
    expect(result.text).toBe(createHash('sha256').update('grüße').digest('hex'));
  });

  test('waits for a tool that is silent for a long time, and runs it once', async () => {
    await using played = await start({
      stallTimeoutMs: 500,
      pingIntervalMs: 100,
      retry: { budgetMs: 3_000, firstDelayMs: 10 },
    });
    await using episode = await played.wire.session({ split: 'test', index: 0 });

    const result = await episode.call('sleep', { ms: 1_700, key: 'slow' });

    expect(result).toMatchObject({ text: 'Slept 1700 ms.', repeated: false });
    expect(played.counts.get('slow')).toBe(1);
  });

  test('rejects with SessionLostError after another client deleted the episode', async () => {
    await using played = await start();
    const episode = await played.wire.session({ split: 'test', index: 0 });
    const other = played.client.attach(episode.handle);

    await episode.close();

    expect(played.server.episodeCount).toBe(0);
    await expect(other.call('hello')).rejects.toThrow(SessionLostError);
    await expect(other.prompt()).rejects.toThrow(SessionLostError);
    await expect(played.client.attach({ environment: 'wire', sid: 'never' }).prompt()).rejects.toThrow(
      SessionLostError,
    );
  });

  test('fifty episodes side by side get what is theirs', async () => {
    await using played = await start();

    const results = await Promise.all(
      countdownTasks.train.slice(0, 50).map(async ({ solution, numbers }, index) => {
        await using episode = await played.countdown.session({ split: 'train', index });
        // Awaited here: the episode ends with this function.
        return await episode.call('submit', { expression: index % 2 === 0 ? solution : String(numbers[0]) });
      }),
    );

    expect(results.map(({ reward }) => reward)).toEqual(results.map((_, index) => (index % 2 === 0 ? 1 : 0)));
    expect(played.server.episodeCount).toBe(0);
  });
});
