import { expect, test } from '@jest/globals';
import { defineEnvironment, jsonSchema } from 'ors-kit';
import { play, ToolCallError } from 'ors-kit/testing';
import { lab } from '../support/lab.ts';

test('an episode is played over the wire and torn down at the end', async () => {
  const { environment, events } = lab();
  {
    await using episode = await play(environment, { split: 'train', index: 1 });

    expect(episode.prompt).toEqual([{ text: 'task {"n":1}, count 0', detail: null, type: 'text' }]);
    expect(episode.tools.map(({ name }) => name)).toContain('echo');
    expect(await episode.call('echo', { text: 'a\n', times: 2 })).toMatchObject({
      text: 'a\na\n',
      reward: null,
      finished: false,
    });
    await expect(episode.call('fail')).rejects.toThrow(new ToolCallError("Tool 'fail' failed: File not found"));
  }

  expect(events).toEqual(['setup', 'teardown']);
});

test('solve plays with the whole task, and gives the output of each call', async () => {
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
  await using byPlace = await play(environment, { split: 'train', index: 0 });
  await using byTask = await play(environment, { task: { question: 'q' } });

  expect(await byPlace.solve()).toMatchObject([{ reward: 1, finished: true }]);
  expect(await byTask.solve()).toMatchObject([{ reward: 1, finished: true }]);
});

test('secrets reach setup, and what fails says so', async () => {
  const { environment } = lab({
    setup: ({ secrets }) => {
      if (secrets.key !== 'good') throw new Error('no key');
    },
  });
  await using episode = await play(environment, { task: {} }, { secrets: { key: 'good' } });

  expect(await episode.call('count')).toMatchObject({ text: '1' });
  await expect(play(environment, { task: {} })).rejects.toThrow('Error: no key');
  await expect(play(environment, { split: 'nope', index: 0 })).rejects.toThrow("unknown split 'nope'");
  await expect(episode.solve()).rejects.toThrow("environment 'lab' has no solve; add one to have it played");
});
