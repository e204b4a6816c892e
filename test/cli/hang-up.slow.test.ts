import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { create, request } from '../support/client.ts';
import { ORS, type RunningCommand, startCommand } from '../support/command.ts';
import { freePorts } from '../support/free-ports.ts';
import { testUnless } from '../support/optional.ts';
import { until } from '../support/until.ts';
import { newFolder } from '../trace/store/stores.ts';
import { folder, gone } from './serving.ts';

/** Environment that records teardowns in a file, since a closed terminal shows nothing. */
const environment = (file: string) => `
  import { appendFileSync } from 'node:fs';
  import { defineEnvironment } from 'ors-kit';
  const say = (line) => appendFileSync(${JSON.stringify(file)}, line + '\\n');
  export default defineEnvironment({
    name: 'quiz',
    splits: { train: [{}] },
    prompt: () => 'Well?',
    tools: { pid: { description: 'Tell the process.', run: () => ({ text: String(process.pid) }) } },
    setup: () => say('pid ' + process.pid),
    teardown: () => say('torn down'),
  });
`;

async function stage(...flags: readonly string[]) {
  const out = await newFolder();
  const said = `${out.path}/said`;
  const at = await folder({ 'environment.mjs': environment(said) });
  return {
    line: [...ORS, 'serve', at.path('environment.mjs'), '--port', '0', '--drain-timeout', '0.3', ...flags],
    said: () => readFile(said, 'utf8'),
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]();
      await out[Symbol.asyncDispose]();
    },
  };
}

async function withSession(command: RunningCommand): Promise<string> {
  const [, url = ''] = await command.says(/serves quiz on (http:\S+)/);
  await create({ url }, { task_spec: {} }, 'one');
  return url;
}

test.each([
  ['in one process', []],
  ['with --watch', ['--watch']],
  ['in a worker', ['--isolation', 'worker']],
])('tears episodes down on SIGHUP, %s', async (_, flags) => {
  await using at = await stage(...flags);
  await using command = startCommand(at.line);
  await withSession(command);

  command.child.kill('SIGHUP');
  command.child.kill('SIGHUP');
  const { code } = await command.result;

  expect(code).toBe(0);
  expect(await at.said()).toMatch(/torn down\n$/);
});

test('drains all processes of --workers on SIGHUP', async () => {
  await using at = await stage('--workers', '2');
  const port = await freePorts(2);
  const line = at.line.map((word, index) => (at.line[index - 1] === '--port' ? String(port) : word));
  await using command = startCommand(line);
  await command.says(/2 workers serve/);
  await create({ url: `http://127.0.0.1:${port}` }, { task_spec: {} }, 'one');

  command.child.kill('SIGHUP');

  expect((await command.result).code).toBe(0);
  expect(await at.said()).toMatch(/torn down\n$/);
});

test('closes a store of traces on SIGHUP', async () => {
  await using out = await newFolder();
  await using command = startCommand([...ORS, 'traces', 'serve', '--db', `${out.path}/traces.db`, '--port', '0']);
  await command.says(/readyz/);

  command.child.kill('SIGHUP');
  const { code, stdout } = await command.result;

  expect(code).toBe(0);
  expect(stdout).toMatch(/stopping\n$/);
});

test('interrupts a run on SIGHUP, with the exit code of the signal', async () => {
  await using at = await stage();
  await using server = startCommand(at.line);
  const [, url = ''] = await server.says(/serves quiz on (http:\S+)/);
  await using out = await newFolder();
  await using agent = await folder({
    'agent.mjs': 'export default () => new Promise((done) => setTimeout(done, 60_000));',
  });
  const flags = ['--env', 'quiz', '--split', 'train', '--agent', agent.path('agent.mjs'), '--no-traces'];
  await using command = startCommand([...ORS, 'rollout', url, ...flags, '--out', `${out.path}/run`]);
  await until(async () => (await at.said().catch(() => '')).includes('pid'));

  command.child.kill('SIGHUP');

  expect((await command.result).code).toBe(129);
  server.child.kill('SIGTERM');
  await server.result;
  expect(await at.said()).toMatch(/torn down\n$/);
});

test('ignores SIGHUP if the parent process ignores it, as under nohup', async () => {
  await using at = await stage();
  // Without the last command, the shell would replace itself with the server.
  await using command = startCommand(['sh', '-c', 'trap "" HUP; "$@"; exit $?', 'sh', ...at.line]);
  const url = await withSession(command);
  const pid = Number((await at.said()).match(/pid (\d+)/)?.[1]);

  process.kill(pid, 'SIGHUP');
  await create({ url }, { task_spec: {} }, 'two');
  const { status } = await request({ url }, 'POST', '/ping', { sid: 'one' });
  process.kill(pid, 'SIGINT');
  await command.result;

  expect(status).toBe(200);
  expect(await at.said()).toMatch(/torn down\ntorn down\n$/);
});

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;
const inTerminal = testUnless(hasScript ? undefined : 'closing a terminal needs the command script of util-linux');

/** Closes the terminal by killing the program at its other end. */
async function closeTerminal(line: string, said: () => Promise<string>) {
  await using command = startCommand(['script', '-qfec', line, '/dev/null'], { TERM: 'xterm' });
  await withSession(command);
  const pid = Number((await said()).match(/pid (\d+)/)?.[1]);
  command.child.kill('SIGKILL');
  await command.result;
  return pid;
}

inTerminal('tears episodes down when its terminal is closed', async () => {
  await using at = await stage();

  const pid = await closeTerminal(`exec ${at.line.join(' ')}`, at.said);
  await gone(pid);

  expect(await at.said()).toMatch(/torn down\n$/);
});

inTerminal('keeps running under nohup when its terminal is closed', async () => {
  await using at = await stage();

  const pid = await closeTerminal(`exec nohup ${at.line.join(' ')} 2>&1 | cat`, at.said);
  // The terminal is closed now. A SIGHUP that reached the process would end it within the drain timeout.
  await new Promise((done) => setTimeout(done, 1_200));
  process.kill(pid, 'SIGINT');
  await gone(pid);

  expect(await at.said()).toMatch(/torn down\n$/);
});
