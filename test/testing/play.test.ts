import { Server } from 'node:net';
import { expect, jest, test } from '@jest/globals';
import { defineEnvironment, jsonSchema, text } from 'ors-kit';
import { play, ToolCallError } from 'ors-kit/testing';
import { start } from '../support/client.ts';
import { startCommand } from '../support/command.ts';
import { lab } from '../support/lab.ts';

const ways = [{ via: 'wire' }, { via: 'process' }] as const;

/** Counts the listening servers among those that are started from now on. */
function serverCounter(): () => number {
  const { contexts } = jest.spyOn(Server.prototype, 'listen').mock;
  const own = contexts.length;
  return () => contexts.slice(own).filter((server) => (server as Server).listening).length;
}

test('closes the server of a single episode with the episode', async () => {
  const listening = serverCounter();
  const episode = await play(lab().environment, { split: 'train', index: 0 });
  const during = listening();

  await episode.close();

  expect([during, listening()]).toEqual([1, 0]);
});

test.each(ways)('plays an episode by $via and tears it down at the end', async (way) => {
  const { environment, events } = lab();
  {
    await using episode = await play(environment, { split: 'train', index: 1 }, way);

    expect(episode.prompt).toEqual([{ text: 'task {"n":1}, count 0', detail: null, type: 'text' }]);
    expect(episode.tools.map(({ name }) => name)).toContain('echo');
    expect(await episode.call('echo', { text: 'a\n', times: 2 })).toMatchObject({
      text: 'a\na\n',
      reward: null,
      finished: false,
    });
    await expect(episode.call('fail')).rejects.toThrow(new ToolCallError("Tool 'fail' failed: File not found"));
    await expect(episode.call('nope')).rejects.toThrow("Tool 'nope' failed: unknown tool; this episode has: count");
    await expect(episode.call('echo', { times: 2 })).rejects.toBeInstanceOf(ToolCallError);
    expect(await episode.call('finish')).toMatchObject({ reward: 1, finished: true });
    await expect(episode.call('count')).rejects.toThrow('the episode is finished');
  }

  expect(events).toEqual(['setup', 'teardown']);
});

test('closes the server of an episode with the episode', async () => {
  const listening = serverCounter();
  const episode = await play(lab().environment, { split: 'train', index: 1 }, { via: 'wire' });
  const during = listening();

  await episode[Symbol.asyncDispose]();

  expect([during, listening()]).toEqual([1, 0]);
});

test.each(ways)('by $via, solve plays with the whole task and returns the output of each call', async (way) => {
  const environment = defineEnvironment({
    name: 'secretive',
    task: jsonSchema<{ question: string; answer: string }>({ type: 'object' }),
    splits: { train: [{ question: 'q', answer: 'a' }] },
    prompt: ({ task }) => task.question,
    publicTask: ({ question }) => ({ question }),
    tools: {
      submit: {
        description: 'Submit.',
        input: jsonSchema<{ answer: string }>({ type: 'object' }),
        run: ({ input, task }) => ({ text: '', reward: input.answer === task.answer ? 1 : 0, finished: true }),
      },
    },
    solve: async ({ task, call }) => void (await call('submit', { answer: task.answer })),
  });
  await using byPlace = await play(environment, { split: 'train', index: 0 }, way);
  await using byTask = await play(environment, { task: { question: 'q' } }, way);

  expect(await byPlace.solve()).toMatchObject([{ reward: 1, finished: true }]);
  expect(await byTask.solve()).toMatchObject([{ reward: 1, finished: true }]);
});

test.each(ways)('by $via, passes secrets to setup and reports failures', async (way) => {
  const { environment } = lab({
    setup: ({ secrets }) => {
      if (secrets.key !== 'good') throw new Error('no key');
    },
  });
  await using episode = await play(environment, { task: {} }, { ...way, secrets: { key: 'good' } });

  expect(await episode.call('count')).toMatchObject({ text: '1' });
  await expect(play(environment, { task: {} }, way)).rejects.toThrow('no key');
  await expect(play(environment, { split: 'nope', index: 0 }, way)).rejects.toThrow("unknown split 'nope'");
  await expect(episode.solve()).rejects.toThrow("environment 'lab' has no solve function");
});

test('in the process, rejects with the errors that the environment threw', async () => {
  const thrown = new RangeError('index 7 of 3');
  const environment = defineEnvironment({
    name: 'fragile',
    splits: { train: [{}] },
    prompt: () => 'Go.',
    tools: {
      go: {
        description: 'Break.',
        run: () => {
          throw thrown;
        },
      },
    },
  });
  await using inside = await play(environment, { task: {} }, { via: 'process' });
  await using outside = await play(environment, { task: {} });

  await expect(inside.call('go')).rejects.toBe(thrown);
  await expect(outside.call('go')).rejects.toMatchObject({
    name: 'ToolCrashedError',
    detail: 'RangeError: index 7 of 3',
  });
});

test('in the process, reports a failed teardown', async () => {
  const environment = defineEnvironment({
    name: 'untidy',
    splits: { train: [{}] },
    prompt: () => 'Go.',
    tools: { go: { description: 'Go.', run: () => ({ text: '' }) } },
    teardown: () => {
      throw new Error('cannot tidy up');
    },
  });
  const episode = await play(environment, { task: {} }, { via: 'process' });

  await expect(episode.close()).rejects.toThrow('cannot tidy up');
});

test('plays an episode on a server that is already running', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);
  {
    await using episode = await play(environment, { task: {} }, { url: server.url });
    expect(await episode.call('count')).toMatchObject({ text: '1' });
    expect(server.sessionCount).toBe(1);
  }

  expect(events).toContain('teardown');
  await expect(play(environment, { task: {} }, { url: server.url, via: 'process' })).rejects.toThrow(
    'omit one of them',
  );
});

test('leaves nothing on the server if the episode cannot be opened', async () => {
  const { environment } = lab({
    setup: () => {
      throw new Error('no disk');
    },
  });
  await using server = await start(environment);

  await expect(play(environment, { task: {} }, { url: server.url })).rejects.toThrow('no disk');
  expect(server.sessionCount).toBe(0);
});

test('in the process, passes a copy of the input to the tool', async () => {
  const run = ({ input }: { readonly input: { list: number[] } }) => ({ text: String(input.list.push(2)) });
  const list = { type: 'object', properties: { list: { type: 'array' } } } as const;
  const tools = { grow: { description: 'Grows.', input: jsonSchema<{ list: number[] }>(list), run } };
  const environment = defineEnvironment({ name: 'growing', splits: { train: [{}] }, prompt: () => '', tools });
  await using episode = await play(environment, { split: 'train', index: 0 }, { via: 'process' });

  const input = { list: [1] };
  await episode.call('grow', input);

  expect(input).toEqual({ list: [1] });
});

test.each(ways)('by $via, plays a conversation, its final answer and a comparison of rollouts', async (way) => {
  const environment = defineEnvironment({
    name: 'support',
    splits: { train: [{ answer: 'Lima' }] },
    messages: ({ task }) => [
      { role: 'system', blocks: [text('Be brief.')] },
      { role: 'user', blocks: [text(`Not ${task.answer}?`)] },
    ],
    tools: {
      look: { description: 'Look.', run: () => ({ text: 'seen' }) },
      grade: {
        description: 'Grade.',
        input: jsonSchema<{ text: string }>({ type: 'object', properties: { text: { type: 'string' } } }),
        terminal: true,
        run: ({ input, task }) => ({ text: '', reward: input.text === task.answer ? 1 : 0, finished: true }),
      },
    },
    scoreGroup: ({ candidates }) => candidates.map(({ messages }) => messages.length),
  });
  await using episode = await play(environment, { split: 'train', index: 0 }, way);

  expect((await episode.messages()).map(({ role }) => role)).toEqual(['system', 'user']);
  expect(episode.prompt).toHaveLength(4);
  expect(episode.tools.map(({ name }) => name)).toEqual(['look']);
  expect(episode.terminalTool).toEqual({ name: 'grade', arg: 'text', description: 'Grade.' });
  expect(await episode.answer('Lima')).toMatchObject({ reward: 1, finished: true });
  await expect(episode.answer('Lima')).rejects.toThrow('the episode is finished');
  expect(await episode.scoreGroup([{ messages: [] }, { messages: await episode.messages() }])).toMatchObject([
    { reward: 0 },
    { reward: 2 },
  ]);
});

test.each(ways)('by $via, plays with a toolset, and rejects an answer without a terminal tool', async (way) => {
  const tools = { look: { description: 'Look.', run: () => ({ text: 'own' }) } };
  const toolsets = { agent: { look: { description: 'Look.', run: () => ({ text: 'agent' }) } } };
  const environment = defineEnvironment({
    name: 'plain',
    splits: { train: [{}] },
    prompt: () => '',
    tools,
    toolsets,
  });
  const task = { split: 'train', index: 0 };
  await using episode = await play(environment, task, { ...way, toolset: 'agent' });

  expect(await episode.call('look')).toMatchObject({ text: 'agent' });
  await expect(episode.answer('a')).rejects.toThrow("environment 'plain' has no terminal tool");
  await expect(play(environment, task, { ...way, toolset: 'nope' })).rejects.toThrow("unknown toolset 'nope'");
});

test('in the process, voids the result of a call that runs when another one finishes the episode', async () => {
  const { environment, open } = lab();
  await using episode = await play(environment, { split: 'train', index: 0 }, { via: 'process' });

  const late = episode.call('wait', { gate: 'a' });
  await episode.call('finish');
  open('a');

  await expect(late).rejects.toThrow('the episode is finished');
});

test('an episode that nobody closes does not keep the process alive', async () => {
  const forgetful = `
    import { defineEnvironment } from 'ors-kit';
    import { play } from 'ors-kit/testing';
    const tools = { look: { description: 'Look.', run: () => ({ text: 'here' }) } };
    const environment = defineEnvironment({ name: 'plain', splits: { train: [{}] }, prompt: () => '', tools });
    await play(environment, { split: 'train', index: 0 });
    console.log('played');`;
  using command = startCommand([process.execPath, '--input-type=module', '--eval', forgetful]);

  expect(await command.result).toMatchObject({ code: 0, stdout: 'played\n', stderr: '' });
});
