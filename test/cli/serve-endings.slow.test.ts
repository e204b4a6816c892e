import { expect, test } from '@jest/globals';
import { call, create, request } from '../support/client.ts';
import { ORS, type RunningCommand, startCommand } from '../support/command.ts';
import { type Folder, folder, QUIZ } from './serving.ts';

const ENVIRONMENT = `
  import { defineEnvironment } from 'ors-kit';

  const tokens = [];
  const failure = () => new Error('no access with ' + tokens.join(' and '));

  export default defineEnvironment({
    name: 'quiz',
    splits: { train: [{}] },
    prompt: () => 'Well?',
    setup: ({ secrets }) => void tokens.push(secrets.token),
    tools: {
      later: { description: 'Throw later.', run: () => { setImmediate(() => { throw failure(); }); return { text: 'Soon.' }; } },
      reject: { description: 'Lose a promise.', run: () => { void Promise.reject(failure()); return { text: 'Soon.' }; } },
      exit: { description: 'End it all.', input: { type: 'object' }, run: ({ input }) => process.exit(input.code) },
    },
    teardown: () => {
      console.log('torn down');
      void Promise.reject(failure());
      return new Promise((resolve) => setImmediate(resolve));
    },
  });
`;

function serving(at: Folder, ...flags: readonly string[]): RunningCommand {
  return startCommand([...ORS, 'serve', at.path('environment.mjs'), '--port', '0', ...flags]);
}

/** Opens two sessions, and returns the address of the server. */
async function withSessions(command: RunningCommand): Promise<{ readonly url: string }> {
  const [, url = ''] = await command.says(/ors serves quiz on (\S+)/);
  for (const sid of ['one', 'two'])
    await create({ url }, { task_spec: {}, secrets: { token: `token-of-${sid}` } }, sid);
  return { url };
}

/** Calls a tool and ignores failures, since the server may end before it answers. */
const use = (server: { readonly url: string }, tool: string, input: object = {}) =>
  call(server, 'one', tool, input, { environment: 'quiz' }).catch(() => undefined);

const fatal = (said: string) => said.split('\n').filter((line) => line.includes('"level":60'));

test.each(['later', 'reject'])(
  'logs an uncaught error (%s) without secrets, and tears down all episodes',
  async (tool) => {
    await using at = await folder({ 'environment.mjs': ENVIRONMENT });
    await using command = serving(at);
    const server = await withSessions(command);

    await use(server, tool);
    const { code, stdout, stderr } = await command.result;

    expect(code).toBe(1);
    expect(stdout).toMatch(/stopping; tearing down the open episodes\ntorn down\ntorn down\n$/);
    expect(JSON.parse(fatal(stderr)[0] ?? '')).toMatchObject({
      msg: 'an uncaught error ends this process',
      error: expect.stringMatching(/^Error: no access with \[secret\] and \[secret\]\n +at .*environment\.mjs:/),
    });
    // Errors from teardowns contain the secrets of sessions that have already ended.
    expect(fatal(stderr).length).toBeGreaterThan(1);
    expect(stdout + stderr).not.toContain('token-of');
    expect(stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))).toEqual([]);
  },
);

test('prints an uncaught error even if the log is silent', async () => {
  await using at = await folder({ 'environment.mjs': ENVIRONMENT });
  await using command = serving(at, '--log-level', 'silent');

  await use(await withSessions(command), 'later');
  const { code, stderr } = await command.result;

  expect(code).toBe(1);
  expect(stderr).toMatch(/^ors: an uncaught error ends this process: Error: no access with \[secret\] and /);
});

test('stops draining after an uncaught error', async () => {
  await using at = await folder({ 'environment.mjs': ENVIRONMENT });
  await using command = serving(at, '--drain-timeout', '1000');
  const server = await withSessions(command);

  command.child.kill('SIGTERM');
  await command.says(/draining: no new episodes; open sessions: 2/);
  await use(server, 'later');
  const { code, stdout } = await command.result;

  expect(code).toBe(1);
  expect(stdout).toMatch(/tearing down the open episodes\ntorn down\ntorn down\n$/);
});

test.each([
  [0, 1],
  [3, 3],
])('reports a tool that ends the process with %i, and exits with %i', async (given, expected) => {
  await using at = await folder({ 'environment.mjs': ENVIRONMENT });
  await using command = serving(at);

  await use(await withSessions(command), 'exit', { code: given });
  const { code, stderr } = await command.result;

  expect(code).toBe(expected);
  expect(stderr.trimEnd().split('\n').at(-1)).toBe(
    `ors: an environment's code ended the process (exit code ${given}); 2 sessions are lost, without teardown`,
  );
});

test('reports a module that ends the process while it loads', async () => {
  await using at = await folder({ 'environment.mjs': `process.exit(0);\n${ENVIRONMENT}` });
  await using command = serving(at);

  const { code, stderr } = await command.result;

  expect(code).toBe(1);
  expect(stderr).toBe('ors: the environments ended the process while loading (exit code 0)\n');
});

test('--watch names the sessions that are lost when code ends the process, and reloads the code', async () => {
  await using at = await folder({ 'environment.mjs': ENVIRONMENT });
  await using command = serving(at, '--watch');

  await use(await withSessions(command), 'exit', { code: 0 });
  await command.says(/ors: an environment's code ended the process \(exit code 0\); 2 sessions are lost, without/);
  await command.says(/ors: the environments crashed; 2 sessions ended: one \(quiz\) and two \(quiz\); reloading them/);
  await command.says(/^reloaded/m);
});

test('--watch logs an uncaught error without secrets', async () => {
  await using at = await folder({ 'environment.mjs': ENVIRONMENT });
  await using command = serving(at, '--watch');

  await use(await withSessions(command), 'later');
  await command.says(/ors: the environments crashed; 2 sessions ended: one \(quiz\) and two \(quiz\); reloading them/);
  await command.says(/^reloaded/m);

  expect(fatal(command.said())[0]).toContain('no access with [secret] and [secret]');
  expect(command.said()).not.toContain('token-of');
});

test('serves requests and drains on SIGTERM after its output streams are closed', async () => {
  await using at = await folder({ 'environment.mjs': QUIZ });
  await using command = serving(at, '--log-level', 'debug');
  const server = await withSessions(command);
  for (const stream of [command.child.stdout, command.child.stderr]) stream?.destroy();

  const first = await request(server, 'POST', '/delete', { sid: 'one' });
  command.child.kill('SIGTERM');
  const last = await request(server, 'POST', '/delete', { sid: 'two' });

  expect([first.status, last.status]).toEqual([200, 200]);
  expect((await command.result).code).toBe(0);
});
