import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { ORS, startCommand } from '../support/command.ts';
import { orsInProcess } from '../support/command-in-process.ts';
import { freePort } from '../support/free-ports.ts';
import { HEALTHY, says, smallServer } from './conformance-scratch.ts';

const FIXTURE = fileURLToPath(new URL('../../examples/conformance/environment.ts', import.meta.url));
const serve = (port: number) =>
  `${ORS.map((word) => `'${word}'`).join(' ')} serve '${FIXTURE}' --port ${port} --drain-timeout 2`;
const answers = async (url: string) => (await fetch(`${url}/health`).catch(() => undefined)) !== undefined;

test('starts a server, tests how it stops, and leaves nothing running', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;

  const args = [
    'conformance',
    url,
    '--start',
    `echo begun; ${serve(port)}`,
    '--profile',
    'full',
    '--only',
    'discovery/health,stop',
  ];
  const { code, stdout } = await orsInProcess(args);

  expect([code, stdout]).toEqual([0, expect.not.stringContaining('needs --start')]);
  expect(stdout).toMatch(/\nstop {2}\d+ pass/);
  expect(await answers(url)).toBe(false);
});

test('stops the server at the end even if no check stops it', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;

  const { code } = await orsInProcess([
    'conformance',
    url,
    '--start',
    `${serve(port)} & wait`,
    '--only',
    'discovery/health',
  ]);

  expect(code).toBe(0);
  expect(await answers(url)).toBe(false);
});

test('stops the server on Ctrl-C', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;

  await using command = startCommand([...ORS, 'conformance', url, '--start', serve(port), '--profile', 'full']);
  await command.says(/at most/);
  command.child.kill('SIGINT');

  expect(await command.result).toMatchObject({ code: 130, stdout: expect.stringContaining('the run was interrupted') });
  expect(await answers(url)).toBe(false);
});

test.each([
  [
    'exits',
    'echo listening is not what I do >&2; exit 3',
    /ended \(exit code 3\).*; it printed: listening is not what I do/,
  ],
  ['prints nothing', 'exit 1', /ended \(exit code 1\) before it responded; it printed nothing/],
  ['does not exist', 'no-such-command-here', /ended \(exit code 127\).*not found/],
])('reports a start command that %s, with its output', async (_, command, message) => {
  const { code, stdout, stderr } = await orsInProcess([
    'conformance',
    `http://127.0.0.1:${await freePort()}`,
    '--start',
    command,
  ]);

  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(message);
});

test('refuses to start a server at an address that already answers', async () => {
  await using server = await smallServer(says(HEALTHY));

  const { code, stderr } = await orsInProcess(['conformance', server.url, '--start', 'sleep 60']);

  expect([code, stderr]).toEqual([2, expect.stringContaining('another server listens on 127.0.0.1:')]);
});
