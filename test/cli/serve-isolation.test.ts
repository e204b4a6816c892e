import { expect, test } from '@jest/globals';
import { call, create } from '../support/client.ts';
import { ORS, startCommand } from '../support/command.ts';
import { orsInProcess, startInProcess } from '../support/command-in-process.ts';
import { testUnless } from '../support/optional.ts';
import { folder } from './serving.ts';

const QUIET = ['--port', '0', '--log-level', 'silent'];

const environment = (more = '') => `
  import { isMainThread } from 'node:worker_threads';
  import { defineEnvironment } from 'ors-kit';
  export default defineEnvironment({
    name: 'quiz',
    splits: { train: [{}] },
    prompt: () => 'Well?',
    tools: { where: { description: 'Where it runs.', run: () => ({ text: isMainThread ? 'inline' : 'worker' }) } },
    ${more}
  });
`;

test.each([
  ['inline by default', [], '', 'inline'],
  ['as the environment specifies', [], "isolation: 'worker',", 'worker'],
  ['as the command line specifies, which takes precedence', ['--isolation', 'worker', '--threads', '1'], '', 'worker'],
  [
    'as the command line specifies, which takes precedence',
    ['--isolation', 'inline'],
    "isolation: 'worker',",
    'inline',
  ],
])('runs an environment %s', async (_where, flags, more, place) => {
  await using at = await folder({ 'environment.mjs': environment(more) });
  await using command = startInProcess(['serve', at.path('environment.mjs'), ...QUIET, ...flags]);
  const [, url = ''] = await command.says(/ors serves quiz on (\S+)/);
  const sid = await create({ url });

  const { result } = await call({ url }, sid, 'where', {}, { environment: 'quiz' });
  command.signal('SIGINT');

  expect(result.output.blocks[0].text).toBe(place);
  expect((await command.result).code).toBe(0);
});

test.each([
  [['--isolation', 'nowhere'], "argument 'nowhere' is invalid. Allowed choices are inline, worker."],
  [['--threads', '0'], "Expected a whole number from 1 up, or 'session'"],
  [['--thread-memory', '1'], 'Expected a whole number from 16 up'],
])('rejects %j', async (flags, reason) => {
  await using at = await folder({ 'environment.mjs': environment() });
  const { code, stderr } = await orsInProcess(['serve', at.path('environment.mjs'), ...flags]);

  expect(code).not.toBe(0);
  expect(stderr).toContain(reason);
});

const GREEDY = `
  import { defineEnvironment } from 'ors-kit';
  const kept = [];
  const hoard = () => {
    while (true) kept.push(new Array(1_000).fill(kept.length));
  };
  export default defineEnvironment({
    name: 'greedy',
    splits: { train: [{}] },
    prompt: () => 'Well?',
    tools: {
      hoard: { description: 'Take all memory.', run: hoard },
      count: { description: 'Count.', run: () => ({ text: String(kept.length) }) },
    },
  });
`;

// Starts a separate process, since the worker may crash it.
const isNewer = Number(process.versions.node.split('.')[0]) > 22;
testUnless(
  isNewer
    ? `that Node ${process.version} may end the whole process where a worker outgrows its memory; not tested`
    : undefined,
)('loses only the sessions of one worker if a tool uses all memory', async () => {
  await using at = await folder({ 'environment.mjs': GREEDY });
  const flags = ['--isolation', 'worker', '--threads', '2', '--thread-memory', '64'];
  await using command = startCommand([...ORS, 'serve', at.path('environment.mjs'), ...flags, ...QUIET]);
  const [, url = ''] = await command.says(/ors serves greedy on (\S+)/);
  const [sid, elsewhere] = [await create({ url }), await create({ url })];
  const greedy = { environment: 'greedy' };

  const { error } = await call({ url }, sid, 'hoard', {}, greedy);
  const counts = [elsewhere, await create({ url })].map((sid) => call({ url }, sid, 'count', {}, greedy));

  expect(error).toBe('session lost: its worker took more than 64 MiB of memory');
  expect((await Promise.all(counts)).map(({ result }) => result.output.blocks[0].text)).toEqual(['0', '0']);
});
