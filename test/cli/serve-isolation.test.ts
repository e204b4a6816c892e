import { expect, test } from '@jest/globals';
import { call, create } from '../support/client.ts';
import { ORS, startCommand } from '../support/command.ts';
import { folder } from './serving.ts';

const environment = (more = '') => `
  import { isMainThread } from 'node:worker_threads';
  import { defineEnvironment } from 'ors-kit';
  export default defineEnvironment({
    name: 'quiz',
    splits: { train: [{}] },
    prompt: () => 'Well?',
    tools: { where: { description: 'Where it runs.', run: () => ({ text: isMainThread ? 'inline' : 'worker' }) } },
    teardown: () => console.log('torn down'),
    ${more}
  });
`;

test.each([
  ['where the server is told nothing, inline', [], '', 'inline'],
  ['where the environment says', [], "isolation: 'worker',", 'worker'],
  ['where the command says, which goes before', ['--isolation', 'worker', '--threads', '1'], '', 'worker'],
  ['where the command says, which goes before', ['--isolation', 'inline'], "isolation: 'worker',", 'inline'],
])('an environment runs %s', async (_where, flags, more, place) => {
  await using at = await folder({ 'environment.ts': environment(more) });
  await using command = startCommand([
    ...ORS,
    'serve',
    at.path('environment.ts'),
    ...['--port', '0', '--log-level', 'silent'],
    ...flags,
  ]);
  const [, url = ''] = await command.says(/ors serves quiz on (\S+)/);
  const sid = await create({ url });

  const { result } = await call({ url }, sid, 'where', {}, { environment: 'quiz' });
  command.child.kill('SIGINT');

  expect(result.output.blocks[0].text).toBe(place);
  expect((await command.result).code).toBe(0);
  expect(command.said()).toMatch(/torn down\s*$/);
});

test.each([
  [['--isolation', 'nowhere'], "argument 'nowhere' is invalid. Allowed choices are inline, worker."],
  [['--threads', '0'], "'0' is no number of workers; give one from 1 up, or: session"],
  [['--thread-memory', '1'], "'1' is no size; give mebibytes from 16 up, such as 512"],
])('%j is refused', async (flags, reason) => {
  await using at = await folder({ 'environment.ts': environment() });
  await using command = startCommand([...ORS, 'serve', at.path('environment.ts'), ...flags]);

  const { code, stderr } = await command.result;

  expect(code).not.toBe(0);
  expect(stderr).toContain(reason);
});
