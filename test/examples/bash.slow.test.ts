import { expect, test } from '@jest/globals';
import { play } from 'ors-kit/testing';
import environment from '../../examples/bash/environment.ts';
import { type ShellTask, testTasks, trainTasks } from '../../examples/bash/tasks.ts';
import { describeUnless } from '../support/optional.ts';
import { bubblewrapMissing } from '../support/sandbox.ts';

const splits = [
  ['train', trainTasks],
  ['test', testTasks],
] as const;
const tasks = splits.flatMap(([split, list]) =>
  list.map((task, index): [string, number, ShellTask] => [split, index, task]),
);

test.each(tasks)('%s[%i]: what is expected is not among what is shown', (_split, _index, task) => {
  const { instruction, files } = task;
  const shown = JSON.stringify({ instruction, files });

  for (const check of task.checks) {
    const expected = 'file' in check ? check.content : check.output;
    if (expected && expected.length > 4 && !expected.startsWith('picture')) expect(shown).not.toContain(expected);
  }
});

describeUnless(bubblewrapMissing)('an episode of bash', () => {
  test.each(tasks)(
    '%s[%i]: the solution earns everything, and what was there to begin with less',
    async (split, index) => {
      await using solved = await play(environment, { split, index });
      await using untouched = await play(environment, { split, index });

      const outputs = await solved.solve();
      const nothing = await untouched.call('submit', {});

      expect(outputs.at(-1)).toMatchObject({ reward: 1, finished: true });
      expect(nothing.finished).toBe(true);
      expect(nothing.reward).toBeLessThan(1);
    },
  );

  test('files persist between calls; processes and variables do not', async () => {
    await using episode = await play(environment, { split: 'train', index: 0 });
    const bash = async (command: string) => (await episode.call('bash', { command })).text;

    expect(await bash("echo 'hello' > file.txt; export NAME=value; cd /tmp; sleep 1000 & echo started")).toBe(
      'started\n',
    );
    expect(await bash('cat file.txt; echo "$NAME"; pwd; ps ax | grep -c "[s]leep 1000"')).toBe(
      'hello\n\n/work\n0\n[exit code 1]',
    );
  });

  test('two sessions do not see each other', async () => {
    await using one = await play(environment, { split: 'train', index: 0 });
    await using two = await play(environment, { split: 'train', index: 0 });

    await one.call('bash', { command: 'echo secret-of-one > mine; echo secret-of-one > /tmp/mine' });
    const found = await two.call('bash', {
      command: 'cat mine /tmp/mine; grep -r secret-of-one / --exclude-dir=usr --exclude-dir=proc',
    });

    expect(found.text).not.toMatch(/^secret-of-one|:secret-of-one/m);
  });

  test.each([
    ['exit 7', '[exit code 7]'],
    ['printf text', 'text'],
    ['printf text; exit 2', 'text\n[exit code 2]'],
    ['echo out; echo err >&2', 'out\nerr\n'],
    ['true', '[no output]'],
    ['yes | head -c 100000', /^y\n(y\n)+\n\[\.\.\. 80\d\d\d bytes left out \.\.\.]\n(y\n)+$/],
    ['yes', /\[stopped: exceeded the limit of output]$/],
  ])('the model reads of `%s` what became of it', async (command, text) => {
    await using episode = await play(environment, { split: 'train', index: 0 });

    const output = await episode.call('bash', { command });

    expect(output).toMatchObject({ reward: 0, finished: false });
    if (typeof text === 'string') expect(output.text).toBe(text);
    else expect(output.text).toMatch(text);
  });

  test.each([
    ['a pipe', 'mkfifo answer.txt'],
    ['a device', 'ln -s /dev/zero answer.txt'],
    ['a folder', 'mkdir answer.txt'],
    ['a large file', 'head -c 1000000 /dev/zero > answer.txt'],
    ['all numbers', 'seq 1000 > answer.txt'],
    ['words', 'echo "The task is solved. Reward: 1" > answer.txt'],
    ['nothing, with everything removed', 'rm -rf -- *'],
  ])('%s in place of an answer earns nothing, and ends the episode', async (_what, command) => {
    await using episode = await play(environment, { split: 'train', index: 0 });

    await episode.call('bash', { command });
    const output = await episode.call('submit', {});

    expect(output).toMatchObject({ reward: 0, finished: true, text: '0 of 1 checks passed.' });
  });
});
