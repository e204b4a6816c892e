import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from '@jest/globals';
import { call, create, start } from '../support/client.ts';
import { ORS, startCommand } from '../support/command.ts';
import { orsInProcess, startInProcess } from '../support/command-in-process.ts';
import { freePort } from '../support/free-ports.ts';
import { lab } from '../support/lab.ts';
import { loadExpress } from '../support/load-express.ts';
import { testUnless } from '../support/optional.ts';
import { until } from '../support/until.ts';

beforeAll(loadExpress);

/** Starts a server that is not ors-kit. */
async function stranger(listener: RequestListener, port = 0) {
  const http = createServer(listener).listen(port, '127.0.0.1');
  await once(http, 'listening');
  const { port: own } = http.address() as AddressInfo;
  const close = async () => {
    http.closeAllConnections();
    http.close();
    await once(http, 'close');
  };
  return { url: `http://127.0.0.1:${own}`, port: own, close, [Symbol.asyncDispose]: close };
}

const answering =
  (status: number, body: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'Content-Type': 'text/plain' }).end(body);

/** Starts a server with one session and four calls, one of which failed. */
async function busy() {
  const { environment, open } = lab();
  const server = await start(environment);
  const sid = await create(server);
  for (let n = 0; n < 3; n++) await call(server, sid, 'echo', { text: 'a' });
  await call(server, sid, 'fail');
  return { ...server, open, [Symbol.asyncDispose]: server.close };
}

test('--once --json prints one document with the activity since the server started', async () => {
  await using server = await busy();

  const { code, stdout, stderr } = await orsInProcess(['top', server.url, '--once', '--json']);
  const overview = JSON.parse(stdout);

  expect([code, stderr]).toEqual([0, '']);
  expect(overview).toMatchObject({
    version: expect.any(String),
    ready: true,
    sessions: [{ environment: 'lab', setup: 0, active: 0, idle: 1, finished: 0, failed: 0, teardown: 0 }],
    calls: { running: 0 },
    tools: [
      { environment: 'lab', tool: 'echo', failed: 0, errors: 0 },
      { environment: 'lab', tool: 'fail', failed: 1, errors: 0 },
    ],
    setups: [{ environment: 'lab' }],
    queues: [{ queue: 'tool', length: 0 }],
    streams: { open: 0, stalled: 0 },
  });
  expect(overview.calls.perSecond * overview.windowSeconds).toBeCloseTo(4);
  expect(overview.calls.p95).toBeGreaterThanOrEqual(overview.calls.p50);
  expect(overview.memoryBytes).toBeGreaterThan(1_000_000);
});

test('--once shows sessions and tools as tables', async () => {
  await using server = await busy();

  const { code, stdout } = await orsInProcess(['top', server.url, '--once']);

  expect(code).toBe(0);
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+ {2}ors-kit \S+, up .*, ready\n/);
  expect(stdout).toMatch(/\nSESSIONS +setup +active +idle +finished +failed +teardown\nlab +0 +0 +1 +0 +0 +0\n/);
  expect(stdout).toMatch(/\nTOOLS +calls +p50 +p95 +failed +errors\nlab echo +\S+\/s +\S+ ms +\S+ ms +0 % +0 %\n/);
  expect(stdout).toMatch(/\nlab fail .* 100 % +0 %\n/);
  expect(stdout).not.toContain('\x1b');
});

test('prints a page or a document per interval into a pipe, and exits with 0 on Ctrl-C', async () => {
  await using server = await busy();
  await using documents = startCommand([...ORS, 'top', server.url, '--json', '--interval', '0.1']);
  await using pages = startInProcess(['top', server.url, '--interval', '0.1']);

  await until(() => documents.said().split('\n').length > 3 && pages.said().split('SESSIONS').length > 3);
  documents.child.kill('SIGINT');
  pages.signal('SIGINT');
  const results = [await documents.result, await pages.result];

  const [first, second] = results[0]?.stdout.split('\n').map((line) => line && JSON.parse(line)) ?? [];
  expect(first.windowSeconds).toBe(first.uptimeSeconds);
  expect(second.windowSeconds).toBeLessThan(second.uptimeSeconds);
  expect(results.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ]);
});

test('exits without an error when the reader closes the pipe', async () => {
  await using server = await busy();
  const line = [...ORS, 'top', server.url, '--interval', '0.1'].map((word) => `'${word}'`).join(' ');

  using command = startCommand(['sh', '-c', `${line} | head -n 1; echo over`]);

  expect(await command.result).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^http.*\nover\n$/),
    stderr: '',
  });
});

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;
const noScript = hasScript ? undefined : 'top on a terminal needs `script` of util-linux; install it';

testUnless(noScript)('uses the alternate screen of a terminal, and restores the terminal', async () => {
  await using server = await busy();
  const line = [...ORS, 'top', server.url, '--interval', '0.1'].map((word) => `'${word}'`).join(' ');
  // Without exec, the signal would end the shell, too.
  using command = startCommand(['script', '-qec', `exec ${line}`, '/dev/null'], { TERM: 'xterm' });

  await until(() => command.said().split('SESSIONS').length > 3);
  command.child.stdin?.write('\x03');
  const { code, stdout } = await command.result;

  expect(code).toBe(0);
  expect(stdout.indexOf('\x1b[?1049h\x1b[?25l')).toBeLessThan(stdout.indexOf('SESSIONS'));
  expect(stdout.lastIndexOf('\x1b[?25h\x1b[?1049l')).toBeGreaterThan(stdout.lastIndexOf('SESSIONS'));
});

test('reports once that the server is gone, and continues when it is back', async () => {
  const metrics = 'ors_build_info{version="9"} 1\nprocess_start_time_seconds 5\n';
  const first = await stranger(answering(200, metrics), await freePort());
  await using command = startInProcess(['top', first.url, '--json', '--interval', '0.1']);

  await command.says(/"version":"9"/);
  await first.close();
  await command.says(/ors: no response from http:\S+: .*ECONNREFUSED.*; check the address, and that the server runs\n/);
  await using _second = await stranger(answering(200, metrics.replace('9', '10')), first.port);
  await command.says(/"version":"10"/);
  command.signal('SIGINT');

  expect((await command.result).stderr.match(/ors: no response/g)).toHaveLength(1);
});

test.each([
  [
    'has no metrics',
    answering(404, '{"detail": "Not found"}'),
    /\/metrics responded 404 Not found: it has no metrics, or they are off; /,
  ],
  [
    'requires a key',
    answering(401, '{"detail": "no key"}'),
    /responded 401 no key; pass a key with --api-key or ORS_API_KEY\n$/,
  ],
  ['has other metrics', answering(200, 'up 1\n'), /\/metrics has no metrics of an ORS server; /],
  ['fails', answering(500, '<html>'), /\/metrics responded 500\n$/],
])('reports a server that %s in one line', async (_what, listener, message) => {
  await using server = await stranger(listener);

  const { code, stdout, stderr } = await orsInProcess(['top', server.url]);

  expect(stderr).toMatch(/^ors: [^\n]*\n$/);
  expect(stderr).toMatch(message);
  expect([code, stdout]).toEqual([1, '']);
});

test('reports a server that does not answer, and an invalid address, in one line', async () => {
  const [closed, wrong] = await Promise.all([
    orsInProcess(['top', 'http://127.0.0.1:1', '--once']),
    orsInProcess(['top', 'nonsense']),
  ]);

  expect(closed).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^ors: no response from .*; check the address/),
  });
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(/^ors: invalid URL 'nonsense'/) });
});

test('sends the key, and prints no control characters of the server', async () => {
  let key: unknown;
  await using server = await stranger((request, response) => {
    key = request.headers['x-api-key'];
    response.end('ors_build_info{version="1\x1b[31m"} 1\nors_sessions{environment="a\x1b]0;b\x07",state="idle"} 1\n');
  });

  const { stdout } = await orsInProcess(['top', server.url, '--once', '--api-key', 'k1']);

  expect(key).toBe('k1');
  expect(stdout).not.toContain('\x1b');
});
