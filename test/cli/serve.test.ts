import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { request } from '../support/client.ts';
import { ORS, startCommand } from '../support/command.ts';
import { orsInProcess, startInProcess } from '../support/command-in-process.ts';
import { freePort } from '../support/free-ports.ts';
import { folder, QUIZ } from './serving.ts';

/** Starts a TCP server that passes each connection to `onConnection`. */
async function listener(onConnection: (socket: Socket) => void) {
  const server = createServer(onConnection).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port returns an address object.
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: async () => void server.close() };
}

test('listens on PORT and HOST, unless flags override them', async () => {
  await using at = await folder({ 'environment.ts': QUIZ });
  const port = await freePort();
  await using command = startCommand(
    [...ORS, 'serve', at.path('environment.ts'), '--host', '127.0.0.1', '--log-level', 'silent'],
    {
      PORT: String(port),
      HOST: '203.0.113.1',
    },
  );

  const [, url = ''] = await command.says(/ors serves quiz on (\S+)/);
  const answer = await request({ url }, 'POST', '/create', { sid: 'one', body: { task_spec: {} } });
  command.child.kill('SIGINT');

  expect(url).toBe(`http://127.0.0.1:${port}`);
  expect(answer.status).toBe(200);
  expect((await command.result).code).toBe(0);
  expect(command.said()).toMatch(/stopping; tearing down the open episodes\s+torn down\s*$/);
});

test('serves a module in a folder whose name has characters with a meaning in URLs', async () => {
  await using at = await folder({});
  await mkdir(at.path('a#b?c%20d'));
  await at.save('a#b?c%20d/environment.mjs', QUIZ);
  const flags = ['--port', '0', '--log-level', 'silent', '--isolation', 'worker'];

  await using command = startCommand([...ORS, 'serve', at.path('a#b?c%20d/environment.mjs'), ...flags]);

  await command.says(/ors serves quiz on \S+/);
});

test("serves TypeScript in a folder with '?' in its name, if Node itself removes the types", async () => {
  await using at = await folder({});
  await mkdir(at.path('what?'));
  await at.save('what?/environment.ts', QUIZ.replace("name: 'quiz'", "name: 'quiz' as string"));
  const isSupported = (process.features as { typescript?: unknown }).typescript !== undefined;

  await using command = startCommand([...ORS, 'serve', at.path('what?/environment.ts'), '--port', '0']);

  await command.says(
    isSupported ? /ors serves quiz on \S+/ : /tsx does not support a path with '\?'; rename the folder/,
  );
});

test('allows requests from the origins of --cors-origin', async () => {
  await using at = await folder({ 'environment.mjs': QUIZ });
  const flags = ['--port', '0', '--log-level', 'silent', '--cors-origin', 'http://a.test', 'http://b.test'];
  await using command = startInProcess(['serve', at.path('environment.mjs'), ...flags]);
  const [, url = ''] = await command.says(/ors serves quiz on (\S+)/);

  const origins = await Promise.all(
    ['http://b.test', 'http://c.test'].map(async (origin) => {
      const { headers } = await request({ url }, 'GET', '/list_environments', { headers: { Origin: origin } });
      return headers.get('Access-Control-Allow-Origin');
    }),
  );

  expect(origins).toEqual(['http://b.test', null]);
});

test.each([
  [{ PORT: 'http' }, /'http' from env 'PORT' is invalid\. Expected a whole number from 0 to 65535/],
  [{ PORT: '70000' }, /'70000' from env 'PORT' is invalid/],
  [{ PORT: '0x1F90' }, /'0x1F90' from env 'PORT' is invalid/],
  [
    { PORT: '0', HOST: '203.0.113.1', ORS_API_KEYS: 'key' },
    /ors: '203\.0\.113\.1' is not an address of this machine; .*the variable HOST/,
  ],
])('rejects %j in a line that names the variable', async (env, message) => {
  await using at = await folder({ 'environment.mjs': QUIZ });

  const { code, stderr } = await orsInProcess(['serve', at.path('environment.mjs')], { env });

  expect(code).toBe(1);
  expect(stderr).toMatch(message);
});

test('reports that an ORS server has the port, also with --watch', async () => {
  await using at = await folder({ 'environment.mjs': QUIZ });
  const serve = ['serve', at.path('environment.mjs'), '--port'];
  // A separate process: the one of the tests may be too busy to answer in time.
  await using other = startCommand([...ORS, ...serve, '0']);
  const [, url = ''] = await other.says(/ors serves quiz on (\S+)/);
  const port = Number(new URL(url).port);

  const results = [
    await orsInProcess([...serve, String(port)]),
    await orsInProcess([...serve, String(port), '--watch']),
  ];

  const taken =
    `ors: port ${port} on 127.0.0.1 is in use: an ORS server runs there and serves quiz; ` +
    `stop that server, or choose another port: --port ${port + 1}, or PORT=${port + 1}\n`;
  expect(results).toMatchObject([
    { code: 1, stdout: '', stderr: taken },
    { code: 1, stdout: '', stderr: taken },
  ]);
});

test('reports that a port is taken, even if its server never answers', async () => {
  await using at = await folder({ 'environment.mjs': QUIZ });
  await using silent = await listener((socket) => socket.on('error', () => {}).resume());

  const { code, stderr } = await orsInProcess(['serve', at.path('environment.mjs'), '--port', String(silent.port)]);

  expect(code).toBe(1);
  expect(stderr).toMatch(new RegExp(`^ors: port ${silent.port} on 127.0.0.1 is in use; stop that server, or choose`));
});

test.each([
  ['environment.ts', 'const open = (;', /does not load: Unexpected ";" \(.*environment\.ts:1:14\)/],
  ['environment.ts', `${QUIZ}\nnull.length;`, /Cannot read properties of null .*\(.*environment\.ts:\d+:\d+\)/],
  ['environment.mjs', QUIZ.replace("'quiz'", "'a b'"), /'a b'.* \(.*environment\.mjs:3:\d+\)/],
  ['environment.mjs', 'import { nothing } from "node:fs";', /export named 'nothing' \(.*environment\.mjs:1\)/],
])('reports the location of an error in a module that does not load: %s, %j', async (file, text, message) => {
  await using at = await folder({ [file]: text });

  const { code, stderr } = await orsInProcess(['serve', at.path(file), '--port', '0']);

  expect(code).toBe(1);
  expect(stderr).toMatch(message);
});
