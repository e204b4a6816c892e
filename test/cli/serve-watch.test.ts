import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { call, create, request } from '../support/client.ts';
import { ORS, type RunningCommand, startCommand } from '../support/command.ts';
import { freePort } from '../support/free-ports.ts';
import { until } from '../support/until.ts';
import { folder, gone } from './serving.ts';

const ENVIRONMENT = `
  import { defineEnvironment } from 'ors-kit';
  import { words } from './words.ts';

  console.log('loaded by process ' + process.pid);

  export default defineEnvironment({
    name: 'quiz',
    splits: { train: [{}] },
    prompt: () => words,
    tools: {
      wait: {
        description: 'Wait for the end.',
        run: ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      },
      loop: { description: 'Never stop.', run: () => { console.log('looping'); for (;;); } },
      crash: { description: 'Fail outside of every call.', run: () => { setImmediate(() => { throw new Error('loose end'); }); } },
    },
    teardown: () => console.log('torn down'),
  });
`;
const words = (text: string, more = '') => `export const words = '${text}';\n${more}\n`;
const files = { 'environment.ts': ENVIRONMENT, 'words.ts': words('first') };
/** The same in JavaScript, which loads faster. */
const plain = { 'environment.mjs': ENVIRONMENT.replace('words.ts', 'words.mjs'), 'words.mjs': words('first') };

interface Watching {
  readonly url: string;
  /** The process that runs the author's code. */
  readonly pid: number;
}

const watch = (module: string): RunningCommand =>
  startCommand([...ORS, 'serve', module, '--watch', '--port', '0', '--log-level', 'silent']);

async function serving(command: RunningCommand): Promise<Watching> {
  const [, pid] = await command.says(/loaded by process (\d+)/);
  const [, url = ''] = await command.says(/ors serves quiz on (\S+)/);
  await command.says(/watching 2 files/);
  return { url, pid: Number(pid) };
}

const prompt = async (server: Watching, sid: string) => (await request(server, 'GET', '/quiz/prompt', { sid })).body;

test('a change of an imported file is served on the same port, and ends the sessions of the code before', async () => {
  await using at = await folder(files);
  await using command = watch(at.path('environment.ts'));
  const server = await serving(command);
  await create(server, { task_spec: {} }, 'one');
  await create(server, { task_spec: {} }, 'two');
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const waiting = call(server, 'one', 'wait', {}, { environment: 'quiz', onOpen: () => begun() });
  await hasBegun;

  await at.save('words.ts', words('second'));
  const [line] = await command.says(/.*words\.ts changed.*/);
  const interrupted = await waiting;
  // One process says this, and another that it serves anew.
  await until(() => command.said().split('torn down').length === 3);
  await gone(server.pid);

  const path = at.path('words.ts').replaceAll('.', '\\.');
  const shape = `^${path} changed: serving anew \\(\\d+\\.\\d s\\); 2 sessions ended: one \\(quiz\\) and two \\(quiz\\)$`;
  expect(line).toMatch(new RegExp(shape));
  expect(interrupted.error).toBe('session deleted');
  expect(await request(server, 'GET', '/quiz/prompt', { sid: 'one' })).toMatchObject({ status: 404 });
  await create(server, { task_spec: {} }, 'one');
  expect(await prompt(server, 'one')).toEqual([{ type: 'text', text: 'second', detail: null }]);
});

test('every request is answered while code is loaded anew', async () => {
  await using at = await folder(plain);
  await using command = watch(at.path('environment.mjs'));
  const { url } = await serving(command);
  const keptOpen = new Agent({ keepAlive: true, maxSockets: 2 });
  const closedAtOnce = new Agent({ keepAlive: false });
  let isOver = false;
  const answers: unknown[] = [];
  const hammer = async (agent: Agent) => {
    for (; !isOver; await pause(2)) answers.push(await statusOf(`${url}/health`, agent));
  };
  const hammers = [keptOpen, keptOpen, closedAtOnce, closedAtOnce].map(hammer);

  for (const text of ['second', 'third']) {
    await at.save('words.mjs', words(text));
    await command.says(/serving anew/);
  }
  isOver = true;
  await Promise.all(hammers);
  keptOpen.destroy();

  expect(answers.length).toBeGreaterThan(100);
  expect(answers.filter((answer) => answer !== 200)).toEqual([]);
});

test('code that does not load is told with its place, and the code before it goes on', async () => {
  await using at = await folder(files);
  await using command = watch(at.path('environment.ts'));
  const server = await serving(command);
  await create(server, { task_spec: {} }, 'kept');
  const saveAndHear = async (file: string, text: string) => {
    await at.save(file, text);
    return (await command.says(/ors: .*/))[0];
  };

  const lines = [
    await saveAndHear('words.ts', words('second', 'const open = (;')),
    await saveAndHear('words.ts', words('second', 'import "./missing.ts";')),
    await saveAndHear('environment.ts', 'export {};'),
  ];
  const kept = await prompt(server, 'kept');
  await at.save('words.ts', words('third'));
  await at.save('environment.ts', ENVIRONMENT);
  const [mended] = await command.says(/.* changed: serving anew.*/);

  expect(lines).toEqual([
    expect.stringMatching(
      /^ors: .*words\.ts changed, but .*environment\.ts does not load: Unexpected ";" \(.*words\.ts:2:14\)/,
    ),
    expect.stringMatching(/Cannot find module '.*missing\.ts' imported from .*words\.ts/),
    expect.stringMatching(/^ors: .*environment\.ts changed, but .*environment\.ts exports no environment/),
  ]);
  for (const line of lines) expect(line).toMatch(/; the code before it goes on serving$/);
  expect(kept).toMatchObject([{ text: 'first' }]);
  expect(mended).toMatch(/; 1 session ended: kept \(quiz\)$/);
});

test('code that does not load from the start is waited for, and so is an import that is not there', async () => {
  await using at = await folder({ 'environment.ts': ENVIRONMENT });
  const port = await freePort();
  await using command = startCommand([...ORS, 'serve', at.path('environment.ts'), '--watch', '--port', String(port)]);
  const [line] = await command.says(/ors: .*/);
  const refused = await request({ url: `http://127.0.0.1:${port}` }, 'GET', '/health');

  await at.save('words.ts', words('first'));
  await serving(command);

  expect(line).toMatch(/environment\.ts does not load: Cannot find module .*words.*; waiting for a change$/);
  expect(refused).toMatchObject({ status: 503, body: { detail: expect.stringContaining('waiting for a change') } });
  expect(refused.headers.get('Retry-After')).toBe('1');
});

test.concurrent('code that never comes to the end of its loading is given up', async () => {
  await using at = await folder({ 'environment.mjs': 'console.log("begun by " + process.pid);\nfor (;;);' });
  await using command = startCommand([
    process.execPath,
    '--import',
    'tsx',
    'test/cli/serve-impatiently.ts',
    '6000',
    at.path('environment.mjs'),
  ]);
  const [, pid] = await command.says(/begun by (\d+)/);

  const [line] = await command.says(/ors: .*/);
  await gone(Number(pid));

  expect(line).toBe('ors: the environments do not load: they had not loaded after 6 s; waiting for a change');
});

test('code that crashes is told with its sessions and loaded anew; again and again, it waits for a change', async () => {
  await using at = await folder(plain);
  await using command = watch(at.path('environment.mjs'));
  const server = await serving(command);
  await create(server, { task_spec: {} }, 'lost');

  await call(server, 'lost', 'crash', {}, { environment: 'quiz' }).catch(() => undefined);
  await command.says(/Error: loose end/);
  const [line] = await command.says(/ors: the environments .*/);
  const [, second] = await command.says(/loaded by process (\d+)/);
  await command.says(/^serving anew \(/m);

  await gone(server.pid);
  const lost = await request(server, 'GET', '/quiz/prompt', { sid: 'lost' });
  await at.save('words.mjs', words('second', 'process.once("SIGUSR2", () => { throw new Error("loose end"); });'));
  const [, third] = await command.says(/loaded by process (\d+)/);
  await command.says(/words\.mjs changed: serving anew/);
  process.kill(Number(third), 'SIGUSR2');
  await command.says(/ors: the environments crashed; loading them anew/);
  const [, fourth] = await command.says(/loaded by process (\d+)/);
  await command.says(/^serving anew \(/m);
  process.kill(Number(fourth), 'SIGUSR2');
  await command.says(/ors: the environments crashed; waiting for a change/);
  // Until then it answers on the connection that it has.
  await gone(Number(second));
  const refused = await request(server, 'GET', '/health');
  await at.save('words.mjs', words('third'));
  await command.says(/words\.mjs changed: serving anew/);

  expect(line).toBe('ors: the environments crashed; 1 session ended: lost (quiz); loading them anew');
  expect(command.said()).toContain('torn down');
  expect(lost).toMatchObject({ status: 404 });
  expect(refused).toMatchObject({ status: 503, body: { detail: expect.stringContaining('crashed again') } });
  expect(await request(server, 'GET', '/health')).toMatchObject({ status: 200 });
});

test.concurrent('code that is caught in a loop is replaced nevertheless', async () => {
  await using at = await folder(plain);
  await using command = watch(at.path('environment.mjs'));
  const server = await serving(command);
  await create(server, { task_spec: {} }, 'stuck');
  const looping = call(server, 'stuck', 'loop', {}, { environment: 'quiz' }).catch(() => 'cut');
  await command.says(/looping/);

  await at.save('words.mjs', words('second'));
  const [line] = await command.says(/.*words\.mjs changed.*/);

  expect(line).toMatch(/the old process ended without a word \(SIGKILL\), and its sessions with it$/);
  expect(await looping).toBe('cut');
  await gone(server.pid);
  expect(await request(server, 'GET', '/health')).toMatchObject({ status: 200 });
});

test('Ctrl-C tears down the episodes and ends every process', async () => {
  await using at = await folder(plain);
  await using command = watch(at.path('environment.mjs'));
  const server = await serving(command);
  await create(server, { task_spec: {} }, 'open');

  command.child.kill('SIGINT');
  const { code: exitCode } = await command.result;

  expect(exitCode).toBe(0);
  expect(command.said()).toMatch(/stopping; tearing down the episodes that are left\s+torn down\s*$/);
  await gone(server.pid);
});

test('a second Ctrl-C waits for nothing', async () => {
  await using at = await folder({
    ...plain,
    'environment.mjs': plain['environment.mjs'].replace(
      "console.log('torn down')",
      'new Promise(() => console.log("tearing down"))',
    ),
  });
  await using command = watch(at.path('environment.mjs'));
  const server = await serving(command);
  await create(server, { task_spec: {} }, 'open');

  command.child.kill('SIGINT');
  await command.says(/tearing down$/m);
  command.child.kill('SIGINT');
  const { code: exitCode } = await command.result;

  expect(exitCode).toBe(130);
  await gone(server.pid);
});

test('the code ends, with its teardown, when the process above it is killed', async () => {
  await using at = await folder(plain);
  await using command = watch(at.path('environment.mjs'));
  const server = await serving(command);
  await create(server, { task_spec: {} }, 'open');

  command.child.kill('SIGKILL');
  await command.result;

  await gone(server.pid);
  expect(command.said()).toContain('torn down');
});

/** The status of an answer, or why there is none. */
function statusOf(url: string, agent: Agent): Promise<unknown> {
  return new Promise((resolve) => {
    get(url, { agent }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode));
    }).once('error', resolve);
  });
}
