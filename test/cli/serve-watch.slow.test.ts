import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { call, create, request } from '../support/client.ts';
import { ORS, startCommand } from '../support/command.ts';
import { freePort } from '../support/free-ports.ts';
import { until, withDeadline } from '../support/until.ts';
import { folder, gone } from './serving.ts';
import { ENVIRONMENT, files, plain, serving, type Watching, watch, words } from './watching.ts';

const prompt = async (server: Watching, sid: string) => (await request(server, 'GET', '/quiz/prompt', { sid })).body;

test('serves a changed import on the same port, and ends the sessions of the old code', async () => {
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
  await withDeadline(hasBegun, 'the first event of the call');

  await at.save('words.ts', words('second'));
  const [line] = await command.says(/.*words\.ts changed.*/);
  const interrupted = await waiting;
  // The old process prints this, and another one the line above.
  await until(() => command.said().split('torn down').length === 3);
  await gone(server.pid);

  const path = at.path('words.ts').replaceAll('.', '\\.');
  const shape = `^${path} changed: reloaded \\(\\d+\\.\\d s\\); 2 sessions ended: one \\(quiz\\) and two \\(quiz\\)$`;
  expect(line).toMatch(new RegExp(shape));
  expect(interrupted.error).toBe('session deleted');
  expect(await request(server, 'GET', '/quiz/prompt', { sid: 'one' })).toMatchObject({ status: 404 });
  await create(server, { task_spec: {} }, 'one');
  expect(await prompt(server, 'one')).toEqual([{ type: 'text', text: 'second', detail: null }]);
});

test('answers every request while code is reloaded', async () => {
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
    await command.says(/reloaded/);
  }
  isOver = true;
  await Promise.all(hammers);
  keptOpen.destroy();

  expect(answers.length).toBeGreaterThan(100);
  expect(answers.filter((answer) => answer !== 200)).toEqual([]);
});

test('reports code that does not load with its location, and keeps serving the old code', async () => {
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
  const [mended] = await command.says(/.* changed: reloaded.*/);

  expect(lines).toEqual([
    expect.stringMatching(
      /^ors: .*words\.ts changed, but .*environment\.ts does not load: Unexpected ";" \(.*words\.ts:2:14\)/,
    ),
    expect.stringMatching(/words\.ts:2:8 imports '\.\/missing\.ts', which does not exist; check the path/),
    expect.stringMatching(/^ors: .*environment\.ts changed, but .*environment\.ts exports no environment/),
  ]);
  for (const line of lines) expect(line).toMatch(/; the previous code keeps serving$/);
  expect(kept).toMatchObject([{ text: 'first' }]);
  expect(mended).toMatch(/; 1 session ended: kept \(quiz\)$/);
});

test('waits for a change if an import is missing at the start', async () => {
  await using at = await folder({ 'environment.ts': ENVIRONMENT });
  const port = await freePort();
  await using command = startCommand([...ORS, 'serve', at.path('environment.ts'), '--watch', '--port', String(port)]);
  const [line] = await command.says(/ors: .*/);
  const refused = await request({ url: `http://127.0.0.1:${port}` }, 'GET', '/health');

  await at.save('words.ts', words('first'));
  await serving(command);

  expect(line).toMatch(
    /environment\.ts does not load: .*environment\.ts:3:25 imports '\.\/words\.ts', which does not exist; check the path; waiting for a change$/,
  );
  expect(refused).toMatchObject({ status: 503, body: { detail: expect.stringContaining('waiting for a change') } });
  expect(refused.headers.get('Retry-After')).toBe('1');
});

/** Resolves with the status of the response, or with the error of the request. */
function statusOf(url: string, agent: Agent): Promise<unknown> {
  const status = new Promise((resolve) => {
    get(url, { agent }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode));
    }).once('error', resolve);
  });
  return withDeadline(status, `the answer of ${url}`);
}
