import { expect, test } from '@jest/globals';
import { apiKeys, assertServerNotExposed, type ServerOptions, serve } from 'ors-kit/server';
import { pino } from 'pino';
import { isLoopbackHost } from '../../src/core/index.ts';
import { start } from '../support/client.ts';
import { exchange, request } from '../support/http.ts';
import { lab } from '../support/lab.ts';

type Headers = readonly (readonly [string, string])[];

const ask = async ({ url }: { url: string }, headers: Headers, target = '/list_environments') =>
  request(url, { target, headers });

const EXPRESS = { fastPath: false, validateResponses: false };
const DIRECT = { validateResponses: false };

test.each([
  ['localhost', 200],
  ['LOCALHOST:8080', 200],
  ['localhost.', 200],
  ['ors.localhost:1', 200],
  ['127.0.0.1', 200],
  ['127.0.0.1:65535', 200],
  ['10.1.2.3', 200],
  ['[::1]:8080', 200],
  ['evil.example', 403],
  ['evil.example:8080', 403],
  ['127.0.0.1.evil.example', 403],
  ['localhost.evil.example', 403],
  ['evil-localhost', 403],
  ['[evil]', 403],
  ['x', 403],
])('answers requests to the host %s with %i on a loopback address', async (host, status) => {
  await using direct = await start(lab().environment, DIRECT);
  await using express = await start(lab().environment, EXPRESS);

  for (const server of [direct, express]) expect((await ask(server, [['Host', host]])).status).toBe(status);
});

test.each([DIRECT, EXPRESS])('explains a rejected host, on every path (%j)', async (options) => {
  await using server = await start(lab().environment, options);

  for (const target of ['/health', '/list_environments', '/docs/', '/', '/nope']) {
    const { status, headers, body } = await ask(server, [['Host', 'evil.example:1']], target);
    expect([target, status, headers['content-type']]).toEqual([target, 403, 'application/json; charset=utf-8']);
    expect(JSON.parse(body).detail).toMatch(/invalid Host 'evil\.example': .*--allowed-host/);
  }
});

test('accepts a request without a host, as load balancers send it', async () => {
  await using server = await start(lab().environment);

  expect(await exchange(server.url, Buffer.from('GET /health HTTP/1.0\r\n\r\n'))).toMatchObject({ status: 200 });
});

test.each<[string, string, ServerOptions, number]>([
  ['of another origin', 'http://evil.example', {}, 403],
  ['of a file', 'null', {}, 403],
  ['of another port of this machine', 'http://127.0.0.1:1', {}, 403],
  ['of this server', 'http://127.0.0.1', {}, 200],
  ['of this server behind TLS', 'https://127.0.0.1', {}, 200],
  ['that are allowed', 'http://page.example', { corsOrigins: ['http://page.example'] }, 200],
  ['of any origin, if all are allowed', 'http://any.example', { corsOrigins: ['*'] }, 200],
])('handles pages %s (%s)', async (_, origin, options, status) => {
  await using server = await start(lab().environment, options);

  const response = await ask(server, [
    ['Host', '127.0.0.1'],
    ['Origin', origin],
  ]);

  expect(response.status).toBe(status);
  if (status === 403) expect(response.body).toContain(`invalid Origin '${origin}'`);
});

test.each<[string, ServerOptions]>([
  ['named', { allowedHosts: ['ORS.example'] }],
  ['any', { allowedHosts: ['*'] }],
  ['one with keys', { authenticate: apiKeys('key') }],
])('allows hosts: %s', async (_, options) => {
  await using server = await start(lab().environment, options);

  const response = await ask(server, [
    ['Host', 'ors.example:8080'],
    ['X-API-Key', 'key'],
  ]);

  expect(response.status).toBe(200);
});

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.7', false],
  ['example.org', false],
])('detects whether only this machine reaches %s: %s', (host, expected) => {
  expect(isLoopbackHost(host)).toBe(expected);
});

test('requires keys or `insecure` on an address that other machines can reach', async () => {
  const others = { host: '0.0.0.0', hasKeys: false, insecure: false };
  const log = pino({ level: 'silent' });

  await expect(serve([lab().environment], { host: '0.0.0.0', port: 0, log })).rejects.toThrow(
    /^0\.0\.0\.0 can be reached from other machines.*--api-keys <file> or ORS_API_KEYS.*--insecure/,
  );
  expect(() => assertServerNotExposed(others)).toThrow(TypeError);
  expect(() => assertServerNotExposed({ ...others, hasKeys: true })).not.toThrow();
  expect(() => assertServerNotExposed({ ...others, insecure: true })).not.toThrow();
});

test.each(['http://undefined', 'https://undefined', 'null'])(
  'refuses the origin %s of a request without a host',
  async (origin) => {
    await using server = await start(lab().environment);

    const bytes = `GET /list_environments HTTP/1.0\r\nOrigin: ${origin}\r\n\r\n`;

    expect((await exchange(server.url, Buffer.from(bytes))).status).toBe(403);
  },
);
