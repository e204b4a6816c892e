import assert from 'node:assert/strict';
import { findSandboxProblem } from 'ors-kit/sandbox';
import { play } from 'ors-kit/testing';
import environment from './environment.ts';
import { provider } from './provider.ts';

const problem = await findSandboxProblem({ provider });
if (problem !== undefined) {
  console.log(`SKIPPED: bash: ${problem}`);
  process.exit(0);
}

/** A failed episode: files persist, other sessions cannot see them, and unchanged files earn no reward. */
{
  await using episode = await play(environment, { split: 'train', index: 0 });
  await using other = await play(environment, { split: 'train', index: 0 });
  assert.doesNotMatch(JSON.stringify(episode.prompt), /answer\.txt.*\d{2}/, 'the expected values must stay hidden');

  await episode.call('bash', { command: "echo 'hello' > file.txt" });
  assert.equal((await episode.call('bash', { command: 'cat file.txt' })).text, 'hello\n');
  assert.match(
    (await other.call('bash', { command: 'cat file.txt' })).text,
    /No such file or directory\n\[exit code 1]/,
  );

  await episode.call('bash', { command: 'rm -r logs' });
  assert.equal((await other.call('bash', { command: 'ls' })).text, 'logs\n');

  const output = await episode.call('submit', {});
  assert.deepEqual([output.reward, output.finished], [0, true]);
  console.log(`bash, failed episode: ${output.text} Reward ${output.reward}.`);
}

/** A solved episode. */
{
  await using episode = await play(environment, { split: 'test', index: 2 });

  const [worked, submitted] = await episode.solve();

  assert.equal(worked?.text, '[no output]');
  assert.deepEqual([submitted?.reward, submitted?.finished], [1, true]);
  console.log(`bash, solved episode: ${submitted?.text} Reward ${submitted?.reward}.`);
}
