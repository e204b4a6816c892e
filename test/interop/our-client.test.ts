import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  OrsClient,
  OrsHttpError,
  type Session,
  SessionLostError,
  ToolCallError,
  ToolCrashedError,
} from 'ors-kit/client';
import { PNG } from 'pngjs';
import { createMaze, pathToExit } from '../../examples/maze/maze.ts';
import { makeText } from './fidelity-text.ts';
import { describeWithPython, packages, versionOf } from './python.ts';
import type { ServerProcess } from './server-process.ts';
import { countdownTasks, serveWithPython } from './servers/python-servers.ts';

/** As the servers tell them: the reference does not. */
const versions = { 'ors-sdk': null, openreward: versionOf('openreward') };

describeWithPython().each(packages)('our client and a server of %s', (name) => {
  let server: ServerProcess;
  let client: OrsClient;

  beforeAll(async () => {
    server = await serveWithPython(name);
    client = new OrsClient(server.url);
  });
  afterAll(async () => {
    await client?.close();
    await server?.[Symbol.asyncDispose]();
  });

  /** A new episode of wire, whose setup and teardown are counted under its label. */
  const openWire = (label: string = randomUUID(), secrets: Record<string, string> = {}) =>
    client.environment('wire').session({ task: { label } }, { secrets });

  test('recognizes the implementation', async () => {
    expect(await client.dialect()).toMatchObject({ name, version: versions[name] });
  });

  test('discovers environments, splits and tools', async () => {
    const countdown = client.environment('countdown');

    expect(await client.environments()).toEqual(['countdown', 'maze', 'wire']);
    expect(await countdown.splits()).toEqual([
      { name: 'train', type: 'train' },
      { name: 'test', type: 'test' },
      { name: 'hard', type: 'test' },
    ]);
    expect((await countdown.tools()).map((tool) => tool.name)).toEqual(['evaluate', 'submit']);
    expect(await countdown.countTasks('train')).toBe(1_000);
  });

  test('yields every task of a split in order, page by page', async () => {
    const tasks = await collect(client.environment('countdown').tasks('train', { pageSize: 300 }));

    expect(tasks.map(({ task }) => task)).toEqual(countdownTasks.train);
    expect(tasks.at(-1)).toMatchObject({ environment: 'countdown', split: 'train', index: 999 });
  });

  test('returns the tasks of a split that lists only indices', async () => {
    const tasks = await collect(client.environment('countdown').tasks('hard', { start: 5, pageSize: 10 }));

    expect(tasks.map(({ task }) => task)).toEqual(countdownTasks.hard.slice(5));
  });

  test.each([
    ['its place', { split: 'test', index: 7 }],
    ['the task itself', { task: { ...countdownTasks.test[7] } }],
  ])('the right answer wins in an episode opened by %s, a wrong one gets 0', async (_way, choice) => {
    const expression = countdownTasks.test[7]?.solution ?? '';
    await using won = await client.environment('countdown').session(choice);
    await using lost = await client.environment('countdown').session(choice);

    const tried = await won.call('evaluate', { expression });
    const right = await won.call('submit', { expression });
    const wrong = await lost.call('submit', { expression: '1 + 1' });

    expect(await won.prompt()).toMatchObject([{ type: 'text', text: expect.stringContaining('Reach') }]);
    expect(tried).toMatchObject({ reward: 0, finished: false, metadata: null, repeated: false });
    expect(right).toMatchObject({ text: 'Correct.', reward: 1, finished: true });
    expect(wrong).toMatchObject({ text: 'Wrong.', reward: 0, finished: true });
    expect([won.finished, lost.finished]).toEqual([true, true]);
  });

  test('returns an image and a part of the reward for every step through a maze', async () => {
    const { task } = await client.environment('maze').task('test', 6);
    const maze = createMaze(Number(task.seed), Number(task.size));
    await using episode = await client.environment('maze').session({ split: 'test', index: 6 });

    const compass = await episode.call('compass');
    const results = [];
    for (const direction of pathToExit(maze, maze.start)) results.push(await episode.call('move', { direction }));

    expect(compass.text).toBe(pathToExit(maze, maze.start)[0]);
    expect(results.reduce((sum, { reward }) => sum + (reward ?? 0), 0)).toBeCloseTo(1, 12);
    expect(results.map(({ finished }) => finished)).toEqual(results.map((_, index) => index === results.length - 1));
    for (const { images } of [...results, { images: await picturesOfPrompt(episode) }]) {
      expect(images.map(({ mimeType }) => mimeType)).toEqual(['image/png']);
      const { width, height } = PNG.sync.read(Buffer.from(images[0]?.data ?? '', 'base64'));
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(256);
    }
  });

  test('lists a tool only in the tasks that have it', async () => {
    const maze = client.environment('maze');
    await using withCompass = await maze.session({ split: 'test', index: 0 });
    await using without = await maze.session({ split: 'test', index: 1 });

    expect((await maze.tools()).map((tool) => tool.name)).toEqual(['move']);
    expect((await without.tools()).map((tool) => tool.name)).toEqual(['move']);
    expect(await withCompass.tools()).toEqual([
      expect.objectContaining({ name: 'move', input_schema: expect.objectContaining({ type: 'object' }) }),
      { name: 'compass', description: expect.stringContaining('direction'), input_schema: null },
    ]);
  });

  test('receives 300 KB of text with much white space unchanged', async () => {
    await using episode = await openWire();

    const result = await episode.call('text', { seed: 11, length: 160_000 });

    expect(Buffer.byteLength(result.text)).toBeGreaterThan(300_000);
    expect(result.text === makeText(11, 160_000)).toBe(true);
    expect(result).toMatchObject({ reward: 0.5, metadata: { seed: 11 }, finished: false });
  });

  test.each([
    ['an unknown tool', 'nope', {}, 'nope'],
    ['an input that is not the tool’s', 'sleep', { ms: 'long' }, 'ms'],
  ])('reports %s as a mistake of the agent and continues the episode', async (_what, tool, input, mentioned) => {
    await using episode = await openWire();

    const error = await episode.call(tool, input).catch((caught: unknown) => caught);
    const next = await episode.call('sleep', { ms: 1 });

    expect(error).toBeInstanceOf(ToolCallError);
    expect(error).toMatchObject({ detail: expect.stringContaining(mentioned), sid: episode.sid });
    expect(next.text).toBe('Slept 1 ms.');
  });

  test('reports a call after the end as refused or as graded again, depending on the server', async () => {
    await using episode = await client.environment('countdown').session({ split: 'test', index: 0 });
    const submit = () => episode.call('submit', { expression: countdownTasks.test[0]?.solution ?? '' });
    await submit();

    const again = await submit().catch((error: unknown) => error);

    if (name === 'openreward') expect(again).toBeInstanceOf(ToolCallError);
    else expect(again).toMatchObject({ reward: 1 });
  });

  test.each([
    ['a reason of two lines', 'first line\nsecond line'],
    ['no reason at all', ''],
  ])('distinguishes a tool that crashes with %s from a mistake, and continues the episode', async (_what, message) => {
    await using episode = await openWire();

    const error = await episode.call('crash', { message }).catch((caught: unknown) => caught);
    const next = await episode.call('sleep', { ms: 1 });

    expect(error).toBeInstanceOf(ToolCrashedError);
    expect(error).toMatchObject({ detail: message, sid: episode.sid });
    expect(next.text).toBe('Slept 1 ms.');
  });

  test('passes secrets in the form that the server reads', async () => {
    const token = 'grüße, \u{1f511} and "quotes"';
    await using first = await openWire('first', { token });
    await using second = await openWire('second', { token, other: 'value' });

    expect((await first.call('secret', { name: 'token' })).text).toBe(sha256(token));
    expect((await first.call('secret', { name: 'other' })).text).toBe('none');
    expect((await second.call('secret', { name: 'other' })).text).toBe(sha256('value'));
  });

  test('waits for an episode whose setup takes long', async () => {
    await using episode = await client.environment('wire').session({ split: 'test', index: 1 });

    const [prompt, tools, result] = await Promise.all([
      episode.prompt(),
      episode.tools(),
      episode.call('sleep', { ms: 1 }),
    ]);

    expect(prompt).toMatchObject([{ type: 'text', text: 'slow' }]);
    expect(tools.map((tool) => tool.name)).toContain('sleep');
    expect(result).toMatchObject({ text: 'Slept 1 ms.', repeated: false });
  });

  test('reports why a setup failed, and closes the episode', async () => {
    await using episode = await client.environment('maze').session({ task: { size: 4, compass: false } });

    const error = await episode.call('move', { direction: 'east' }).catch((caught: unknown) => caught);

    expect(error).toBeInstanceOf(ToolCrashedError);
    expect(error).toMatchObject({ status: 500, detail: "KeyError: 'seed'" });
  });

  test('waits for a tool that takes 12 seconds', async () => {
    await using episode = await openWire();

    const result = await episode.call('sleep', { ms: 12_000 });

    expect(result).toMatchObject({ text: 'Slept 12000 ms.', repeated: false });
  });

  test('closing an episode tears it down once, and then it is lost for everybody', async () => {
    await using observer = await openWire();
    const times = async (key: string) => (await observer.call('runs', { key })).text;
    const episode = await openWire('short-lived');
    await episode.prompt();
    const other = client.attach(episode.handle);

    await episode.close();
    await episode.close();

    expect([await times('setup short-lived'), await times('teardown short-lived')]).toEqual(['1', '1']);
    await expect(other.call('sleep', { ms: 1 })).rejects.toThrow(SessionLostError);
    await expect(client.attach(episode.handle).prompt()).rejects.toThrow(SessionLostError);
    await expect(client.attach(episode.handle).tools()).rejects.toThrow(SessionLostError);
  });

  test('resumes a call that another process started, by its handle', async () => {
    await using episode = await openWire();
    const handle = await new Promise<Parameters<Session['resume']>[0]>((resolve) => {
      void episode.call('text', { seed: 3, length: 9_000, key: 'resumed' }, { onStart: resolve });
    });
    await using elsewhere = new OrsClient(server.url);

    const result = await elsewhere.attach(episode.handle).resume(JSON.parse(JSON.stringify(handle)));

    expect(result.text === makeText(3, 9_000)).toBe(true);
    expect((await episode.call('runs', { key: 'resumed' })).text).toBe('1');
  });

  test('rejects with the status of the server for what does not exist', async () => {
    const nope = client.environment('nope');
    const countdown = client.environment('countdown');

    await expect(nope.splits()).rejects.toThrow(OrsHttpError);
    await expect(nope.session({ task: {} })).rejects.toMatchObject({ name: 'OrsHttpError', status: 404 });
    await expect(countdown.countTasks('nope')).rejects.toMatchObject({ name: 'OrsHttpError', status: 400 });
    await expect(countdown.session({ split: 'test', index: 200 })).rejects.toMatchObject({ status: 400 });
  });

  test('fifty episodes side by side get what is theirs', async () => {
    const results = await Promise.all(
      countdownTasks.train.slice(0, 50).map(async ({ solution }, index) => {
        await using episode = await client.environment('countdown').session({ split: 'train', index });
        // Awaited here: the episode ends with this function.
        return await episode.call('submit', { expression: index % 2 === 0 ? solution : '1' });
      }),
    );

    expect(results.map(({ reward }) => reward)).toEqual(results.map((_, index) => (index % 2 === 0 ? 1 : 0)));
  });
});

async function picturesOfPrompt(episode: Session) {
  return (await episode.prompt()).flatMap((block) => (block.type === 'image' ? [block] : []));
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
