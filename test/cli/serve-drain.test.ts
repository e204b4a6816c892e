import { expect, test } from '@jest/globals';
import { call, create, request } from '../support/client.ts';
import { ORS, type RunningCommand, startCommand } from '../support/command.ts';
import { type Folder, folder } from './serving.ts';

/** Environment with a tool that returns on SIGUSR2, and a timer that would keep the process running forever. */
const ENVIRONMENT = `
  import { once } from 'node:events';
  import { defineEnvironment } from 'ors-kit';
  setInterval(() => {}, 1_000_000);
  export default defineEnvironment({
    name: 'quiz',
    splits: { train: [{}] },
    prompt: () => 'Well?',
    tools: {
      think: {
        description: 'Think for long.',
        run: async () => {
          console.log('thinking');
          await once(process, 'SIGUSR2');
          return { text: 'Forty-two.' };
        },
      },
    },
    teardown: () => console.log('torn down'),
  });
`;

async function serveQuiz(at: Folder, ...flags: string[]): Promise<{ command: RunningCommand; url: string }> {
  const quiet = ['--port', '0', '--log-level', 'silent'];
  const command = startCommand([...ORS, 'serve', at.path('environment.mjs'), ...quiet, ...flags]);
  const [, url = ''] = await command.says(/ors serves quiz on (\S+)/);
  return { command, url };
}

const teardowns = (command: RunningCommand) => command.said().match(/torn down/g)?.length ?? 0;

test('waits on SIGTERM until all episodes have ended, including a running call, then exits with 0', async () => {
  await using at = await folder({ 'environment.mjs': ENVIRONMENT });
  const { command, url } = await serveQuiz(at);
  await using _ = command;
  const [a, b] = [await create({ url }), await create({ url })];
  const thinking = call({ url }, a, 'think', {}, { environment: 'quiz' });
  await command.says(/thinking/);

  command.child.kill('SIGTERM');
  await command.says(/draining: no new episodes; open sessions: 2/);
  const ready = await request({ url }, 'GET', '/ready');
  const health = await request({ url }, 'GET', '/health');
  const refused = await request({ url }, 'POST', '/create', { sid: 'c', body: { task_spec: {} } });
  const prompt = await request({ url }, 'GET', '/quiz/prompt', { sid: b });
  command.child.kill('SIGUSR2');
  const { result } = await thinking;
  await request({ url }, 'POST', '/delete', { sid: a });
  await request({ url }, 'POST', '/delete', { sid: b });
  const { code } = await command.result;

  expect([ready.status, health.status, refused.status, prompt.status]).toEqual([503, 200, 503, 200]);
  expect(result.output.blocks[0].text).toBe('Forty-two.');
  expect(code).toBe(0);
  expect(teardowns(command)).toBe(2);
});

test('tears remaining episodes down once when the drain timeout expires', async () => {
  await using at = await folder({ 'environment.mjs': ENVIRONMENT });
  const { command, url } = await serveQuiz(at, '--drain-timeout', '0.2');
  await using _ = command;
  const sid = await create({ url });
  await create({ url });
  const thinking = call({ url }, sid, 'think', {}, { environment: 'quiz' });
  await command.says(/thinking/);

  command.child.kill('SIGTERM');

  expect((await thinking).error).toBe('session deleted');
  expect((await command.result).code).toBe(0);
  expect(teardowns(command)).toBe(2);
});

test('exits at once on a second signal', async () => {
  await using at = await folder({ 'environment.mjs': ENVIRONMENT });
  const { command, url } = await serveQuiz(at);
  await using _ = command;
  await create({ url });

  command.child.kill('SIGTERM');
  await command.says(/draining/);
  command.child.kill('SIGINT');

  expect((await command.result).code).toBe(130);
  expect(teardowns(command)).toBe(0);
});

test('exits at once on SIGTERM without open episodes', async () => {
  await using at = await folder({ 'environment.mjs': ENVIRONMENT });
  const { command } = await serveQuiz(at);
  await using _ = command;

  command.child.kill('SIGTERM');

  expect((await command.result).code).toBe(0);
  expect(command.said()).toMatch(/stopping; tearing down the open episodes\s*$/);
});
