import { expect, test } from '@jest/globals';
import { call, create, request } from '../support/client.ts';
import { startCommand } from '../support/command.ts';
import { folder, gone } from './serving.ts';
import { BLOCK, plain, serving, watch, words } from './watching.ts';

test.concurrent('stops waiting for code that never finishes loading', async () => {
  await using at = await folder({ 'environment.mjs': `console.log("begun by " + process.pid);\n${BLOCK};` });
  await using command = startCommand([
    process.execPath,
    '--import',
    'tsx',
    'test/cli/serve-impatiently.ts',
    '4000',
    at.path('environment.mjs'),
  ]);
  const [, pid] = await command.says(/begun by (\d+)/);

  const [line] = await command.says(/ors: .*/);
  await gone(Number(pid));

  expect(line).toBe('ors: the environments did not load within 4 s; waiting for a change');
});

test('reloads code that crashes and names its sessions; after repeated crashes, waits for a change', async () => {
  await using at = await folder(plain);
  await using command = watch(at.path('environment.mjs'));
  const server = await serving(command);
  await create(server, { task_spec: {} }, 'lost');

  await call(server, 'lost', 'crash', {}, { environment: 'quiz' }).catch(() => undefined);
  await command.says(/Error: loose end/);
  const [line] = await command.says(/ors: the environments .*/);
  const [, second] = await command.says(/loaded by process (\d+)/);
  await command.says(/^reloaded \(/m);

  await gone(server.pid);
  const lost = await request(server, 'GET', '/quiz/prompt', { sid: 'lost' });
  await at.save('words.mjs', words('second', 'process.once("SIGUSR2", () => { throw new Error("loose end"); });'));
  const [, third] = await command.says(/loaded by process (\d+)/);
  await command.says(/words\.mjs changed: reloaded/);
  process.kill(Number(third), 'SIGUSR2');
  await command.says(/ors: the environments crashed; reloading them/);
  const [, fourth] = await command.says(/loaded by process (\d+)/);
  await command.says(/^reloaded \(/m);
  process.kill(Number(fourth), 'SIGUSR2');
  await command.says(/ors: the environments crashed; waiting for a change/);
  // A process answers on its open connections until it has exited.
  await gone(Number(second));
  const refused = await request(server, 'GET', '/health');
  await at.save('words.mjs', words('third'));
  await command.says(/words\.mjs changed: reloaded/);

  expect(line).toBe('ors: the environments crashed; 1 session ended: lost (quiz); reloading them');
  expect(command.said()).toContain('torn down');
  expect(lost).toMatchObject({ status: 404 });
  expect(refused).toMatchObject({ status: 503, body: { detail: expect.stringContaining('crashed again') } });
  expect(await request(server, 'GET', '/health')).toMatchObject({ status: 200 });
});

test.concurrent('replaces code that blocks its process', async () => {
  await using at = await folder(plain);
  await using command = watch(at.path('environment.mjs'));
  const server = await serving(command);
  await create(server, { task_spec: {} }, 'stuck');
  const blocking = call(server, 'stuck', 'block', {}, { environment: 'quiz' }).catch(() => 'cut');
  await command.says(/blocking/);

  await at.save('words.mjs', words('second'));
  const [line] = await command.says(/.*words\.mjs changed.*/);

  expect(line).toMatch(/the old process exited unexpectedly \(signal SIGKILL\), and its sessions are lost$/);
  expect(await blocking).toBe('cut');
  await gone(server.pid);
  expect(await request(server, 'GET', '/health')).toMatchObject({ status: 200 });
});

test('tears down the episodes and ends every process on Ctrl-C', async () => {
  await using at = await folder(plain);
  await using command = watch(at.path('environment.mjs'));
  const server = await serving(command);
  await create(server, { task_spec: {} }, 'open');

  command.child.kill('SIGINT');
  const { code: exitCode } = await command.result;

  expect(exitCode).toBe(0);
  expect(command.said()).toMatch(/stopping; tearing down the open episodes\s+torn down\s*$/);
  await gone(server.pid);
});

test('exits at once on a second Ctrl-C', async () => {
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

test('tears down the episodes and ends when the parent process is killed', async () => {
  await using at = await folder(plain);
  await using command = watch(at.path('environment.mjs'));
  const server = await serving(command);
  await create(server, { task_spec: {} }, 'open');

  command.child.kill('SIGKILL');
  await command.result;

  await gone(server.pid);
  expect(command.said()).toContain('torn down');
});
