import { readFile, rm } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { request } from '../support/client.ts';
import { ORS, startCommand } from '../support/command.ts';
import { orsInProcess } from '../support/command-in-process.ts';
import { freePort, freePorts, listen } from '../support/free-ports.ts';
import { until } from '../support/until.ts';
import { folder, gone } from './serving.ts';

const ENVIRONMENT = `
  import { defineEnvironment } from 'ors-kit';
  export default defineEnvironment({
    name: 'quiz',
    splits: { train: [{}] },
    prompt: () => 'Well?',
    setup: () => console.log('{"said":"set up"}'),
    tools: { submit: { description: 'End it.', run: () => ({ text: 'Over.', finished: true }) } },
    teardown: () => console.log('torn down'),
  });
`;

const untilFree = (port: number): Promise<true> =>
  until(async () => {
    const server = await listen(port).catch(() => undefined);
    server?.close();
    return server !== undefined;
  });

const pidsOf = (line: string) => [...line.matchAll(/\(pid (\d+)\)/g)].map(([, pid]) => Number(pid));
const sidOf = async (port: number): Promise<string> =>
  (await request({ url: `http://127.0.0.1:${port}` }, 'POST', '/create_session')).body.sid;

test('starts workers with consecutive ports and tags, and ends them all on SIGTERM', async () => {
  await using at = await folder({ 'environment.mjs': ENVIRONMENT });
  const port = await freePorts(2);
  const quiet = ['--log-level', 'silent', '--drain-timeout', '0.2'];
  await using command = startCommand(
    [...ORS, 'serve', at.path('environment.mjs'), ...['--workers', '2', '--port', String(port)], ...quiet],
    { ORS_NODE_TAG: '00ff' },
  );

  const [line] = await command.says(/2 workers serve: .*/);
  const [, advice] = await command.says(/for one address in front of them: ors (.*)/);
  const sids = await Promise.all([sidOf(port), sidOf(port + 1)]);
  const episode = { sid: sids[1] ?? '', body: { task_spec: {} } };
  const { status } = await request({ url: `http://127.0.0.1:${port + 1}` }, 'POST', '/create', episode);
  await command.says(/^\{"said":"set up"\}$/m);
  command.child.kill('SIGTERM');
  const { code } = await command.result;
  await Promise.all(pidsOf(line).map(gone));

  expect(sids.map((sid) => sid.slice(0, 4))).toEqual(['00ff', '0100']);
  expect(status).toBe(200);
  expect(code).toBe(0);
  expect(pidsOf(line)).toHaveLength(2);
  expect(command.said()).toMatch(new RegExp(`^\\[00ff\\] ors serves quiz on http://127.0.0.1:${port}$`, 'm'));
  expect(command.said()).toMatch(/^\[0100\] torn down$/m);
  expect(advice).toBe(
    `proxy-config --engine nginx --nodes 00ff=127.0.0.1:${port},0100=127.0.0.1:${port + 1} --listen ${port + 2} > nginx.conf`,
  );
});

test('reports that a dead worker lost its sessions, and restarts it while the others serve', async () => {
  await using at = await folder({ 'environment.mjs': ENVIRONMENT });
  const port = await freePorts(2);
  const flags = ['--workers', '2', '--port', String(port), '--log-level', 'silent'];
  await using command = startCommand([...ORS, 'serve', at.path('environment.mjs'), ...flags]);
  const [line] = await command.says(/2 workers serve: .*/);
  const [first = 0, second = 0] = pidsOf(line);

  process.kill(second, 'SIGKILL');
  await command.says(
    /ors: worker 0001 ended \(signal SIGKILL\); its sessions are lost; restarting it in (0\.[5-9]|1\.0) s/,
  );
  const other = await sidOf(port);
  await until(() => command.said().split('[0001] ors serves quiz').length === 3);
  const again = await sidOf(port + 1);
  command.child.kill('SIGKILL');
  // No worker outlives the parent process.
  await gone(first);
  for (const free of [port, port + 1]) await untilFree(free);

  expect([other.slice(0, 4), again.slice(0, 4)]).toEqual(['0000', '0001']);
});

test('ends all workers if a port is taken, and names the port', async () => {
  await using at = await folder({ 'environment.mjs': ENVIRONMENT });
  const port = await freePorts(3);
  const other = await listen(port + 1);
  await using command = startCommand([
    ...ORS,
    'serve',
    at.path('environment.mjs'),
    '--workers',
    '3',
    '--port',
    `${port}`,
  ]);

  const { code, stderr } = await command.result;
  other.close();
  const free = await Promise.all([listen(port), listen(port + 2)]);
  for (const server of free) server.close();

  expect(code).toBe(1);
  expect(stderr).toMatch(new RegExp(`^\\[0001\\] ors: port ${port + 1} on 127.0.0.1 is in use; `, 'm'));
  expect(stderr).toMatch(/^ors: worker 0001 does not start, for the reason above; no worker is left running$/m);
});

test('exits with 0 on SIGTERM while the workers load', async () => {
  const loading = "console.log('loading'); await new Promise(() => setInterval(() => {}, 1_000));";
  await using at = await folder({ 'environment.mjs': loading });
  const flags = ['--workers', '2', '--port', `${await freePorts(2)}`];
  await using command = startCommand([...ORS, 'serve', at.path('environment.mjs'), ...flags]);
  await command.says(/\[0001\] loading/);

  command.child.kill('SIGTERM');

  expect(await command.result).toMatchObject({ code: 0, stderr: '' });
});

test('writes the proxy configuration for the program that the file name indicates', async () => {
  await using at = await folder({ 'environment.mjs': ENVIRONMENT });
  const port = await freePort();
  const file = at.path('haproxy.cfg');
  const flags = ['--workers', '1', '--port', `${port}`, '--proxy-config', file];
  await using command = startCommand([...ORS, 'serve', at.path('environment.mjs'), ...flags]);

  await command.says(
    new RegExp(`haproxy.cfg configures a proxy in front of them, on 127.0.0.1:${port + 1}: haproxy -W -f`),
  );
  const written = await readFile(file, 'utf8');
  await rm(file);

  expect(written).toMatch(/^# Written by: ors proxy-config --engine haproxy /);
  expect(written).toContain(`127.0.0.1:${port}`);
  expect(written).toContain(`bind 127.0.0.1:${port + 1} `);
});

test('configures a proxy that other machines can reach if they can reach the workers', async () => {
  // The workers fail before they listen; the file is written earlier.
  await using at = await folder({ 'environment.mjs': 'export {};' });
  const file = at.path('nginx.conf');
  const flags = ['--workers', '1', '--port', '9000', '--host', '0.0.0.0', '--proxy-config', file];
  await using command = startCommand([...ORS, 'serve', at.path('environment.mjs'), ...flags], { ORS_API_KEYS: 'key' });

  const { code } = await command.result;
  const written = await readFile(file, 'utf8');

  expect(code).toBe(1);
  expect(written).toContain('listen 0.0.0.0:9001 ');
  expect(written).toContain('--nodes 127.0.0.1:9000 --listen 0.0.0.0:9001\n');
});

test('reports a configuration that cannot be written before any worker starts', async () => {
  await using at = await folder({ 'environment.mjs': ENVIRONMENT });
  const flags = ['--workers', '2', '--port', `${await freePorts(2)}`, '--proxy-config', at.path('nowhere/nginx.conf')];
  await using command = startCommand([...ORS, 'serve', at.path('environment.mjs'), ...flags]);

  const { code, stdout, stderr } = await command.result;

  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^ors: cannot write .*nowhere\/nginx\.conf, the proxy configuration: its folder does not exist; .*; pass/,
  );
});

test.each([
  [['--workers', '2', '--port', '0'], /^ors: --workers needs a fixed port: pass --port with a number above 0$/],
  [['--workers', '2', '--port', '65534'], /^ors: 2 workers from port 65534 need ports up to 65535; pass a lower/],
  [['--workers', '2', '--node-tag', 'ffff'], /^ors: 2 workers from tag ffff need more tags than there are$/],
  [['--workers', 'many'], /Expected a whole number from 1 to 1000/],
  [['--workers', '2', '--watch'], /'--workers <number>' cannot be used with option '--watch'/],
  [['--proxy-config', 'nginx.conf'], /^ors: --proxy-config needs --workers; for other servers use ors proxy-/],
  [['--node-tag', 'ABCD'], /'ABCD' is invalid\. Expected four hex digits in lower case, such as 0001/],
])('rejects %j', async (flags, message) => {
  const { code, stderr } = await orsInProcess(['serve', 'environment.mjs', ...flags]);

  expect(code).toBe(1);
  expect(stderr.trim()).toMatch(message);
});
