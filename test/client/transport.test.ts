import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { OrsClient, OrsClientError } from 'ors-kit/client';
import { createServer as createOrsServer } from 'ors-kit/server';
import { pino } from 'pino';
import { start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { testUnless } from '../support/optional.ts';
import { until } from '../support/until.ts';
import {
  createClient,
  event,
  inOrder,
  json,
  open,
  openEpisode,
  output,
  reset,
  startFakeServer,
  stream,
} from './fake-server.ts';

test('accepts a URL with a path, with and without a slash at the end', async () => {
  await using server = await startFakeServer({ '/team/ors/list_environments': json(['maze']) });

  for (const url of [`${server.url}/team/ors`, `${server.url}/team/ors/`, new URL(`${server.url}/team/ors//`)]) {
    await using client = new OrsClient(url);
    expect(await client.environments()).toEqual(['maze']);
  }
});

test.each([
  ['localhost:8080', 'expected http or https'],
  ['nonsense', "invalid URL 'nonsense'"],
  ['http://user:secret@127.0.0.1', 'contains credentials'],
  ['http://127.0.0.1/?a=1', 'has a query'],
])('rejects the URL %s without quoting its password', (url, reason) => {
  let message = '';
  try {
    new OrsClient(url);
  } catch (error) {
    message = String(error);
  }

  expect(message).toContain(reason);
  expect(message).not.toContain('secret');
});

test('sends the API key and the headers with every request', async () => {
  await using server = await startFakeServer({ '/maze/call': stream(event('end', output('x'))) });
  await using client = createClient(server, {
    apiKey: 'k-0',
    headers: { 'X-Team': 'blue', 'X-Api-Key': 'k-1', ACCEPT: 'text/html' },
  });

  const session = await openEpisode(client);
  await session.call('go');
  await session.close();

  expect(server.seen.length).toBeGreaterThan(4);
  for (const { headers } of server.seen) expect(headers).toMatchObject({ 'x-api-key': 'k-1', 'x-team': 'blue' });
});

test('follows redirects to the same origin only, with method and body', async () => {
  await using other = await startFakeServer({ '/create_session': json({ sid: 'stolen' }) });
  await using server = await startFakeServer({
    '/create': (response) => response.writeHead(308, { Location: '/moved' }).end(),
    '/moved': json({}),
  });
  await using client = createClient(server, { apiKey: 'k-1' });
  await using lured = await startFakeServer({
    '/create_session': (response) => response.writeHead(307, { Location: `${other.url}/create_session` }).end(),
  });
  await using luredClient = createClient(lured, { apiKey: 'k-1' });

  await openEpisode(client);

  expect(server.to('/moved')).toMatchObject([{ method: 'POST', body: { env_name: 'maze' } }]);
  await expect(openEpisode(luredClient)).rejects.toThrow(`redirects to ${other.url}/create_session`);
  expect(other.seen).toEqual([]);
});

test('rejects circular redirects', async () => {
  await using server = await startFakeServer({
    '/list_environments': (response) => response.writeHead(308, { Location: '/list_environments' }).end(),
  });
  await using client = createClient(server);

  await expect(client.environments()).rejects.toThrow('redirects to');
  expect(server.seen).toHaveLength(4);
});

test('plays an episode by a custom fetch, including failures', async () => {
  await using server = await startFakeServer({
    '/maze/call': inOrder(stream(event('task_id', 't1')), reset, stream(event('end', output('done', { reward: 0.5 })))),
  });
  let requests = 0;
  const counting: typeof fetch = (...args) => {
    requests++;
    return fetch(...args);
  };
  await using client = createClient(server, { fetch: counting });

  await using session = await openEpisode(client);
  const result = await session.call('go');

  expect(result).toMatchObject({ text: 'done', reward: 0.5, repeated: false });
  expect(requests).toBe(server.seen.length);
});

test('sends requests one after the other over one connection', async () => {
  const connections = new Set<unknown>();
  await using server = await startFakeServer({
    '/list_environments': (response, seen, nth) => {
      connections.add(response.socket);
      json(['maze'])(response, seen, nth);
    },
  });
  await using client = createClient(server);

  for (let count = 0; count < 20; count++) await client.environments();

  expect(connections.size).toBe(1);
});

test('closes the connection of a stream that is left early, with fetch', async () => {
  let closed = 0;
  await using server = await startFakeServer({
    '/maze/call': (response, seen, nth) => {
      response.on('close', () => closed++);
      open(event('task_id', 't1'))(response, seen, nth);
    },
  });
  await using client = createClient(server, { fetch });
  const session = await openEpisode(client);
  const controller = new AbortController();
  const leave = () => controller.abort(new DOMException('it took too long', 'TimeoutError'));

  const waiting = session.call('go', {}, { signal: controller.signal, onStart: leave });

  await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
  await until(() => closed === 1);
});

test.each([
  ['an invalid result', '/maze/call', (client: OrsClient) => openEpisode(client).then((session) => session.call('go'))],
  ['a rejected session', '/create_session', (client: OrsClient) => openEpisode(client)],
])('leaves no connection open after %s', async (_what, path, ask) => {
  let closed = false;
  await using server = await startFakeServer({
    [path]: (response, seen, nth) => {
      response.on('close', () => {
        closed = true;
      });
      open(event('end', 'nonsense'), event('error', 'no'))(response, seen, nth);
    },
    '/delete': json({}),
  });
  await using client = createClient(server);

  await expect(ask(client)).rejects.toBeInstanceOf(OrsClientError);

  await until(() => closed);
});

test('rejects a header that cannot be sent at once', async () => {
  await using server = await startFakeServer();
  await using client = createClient(server, { headers: { 'X-Bad': 'line\nbreak' } });

  await expect(client.environments()).rejects.toThrow('invalid');
  expect(server.seen).toEqual([]);
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const noOpenssl = hasOpenssl ? undefined : 'HTTPS with a private authority needs openssl; install it';

testUnless(noOpenssl)('an authority that is handed in is trusted, and others are refused at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ors-kit-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'].concat([
      '-addext',
      'subjectAltName=IP:127.0.0.1',
      '-keyout',
      key,
      '-out',
      cert,
    ]),
    { stdio: 'ignore' },
  );
  const ors = createOrsServer([lab().environment], { log: pino({ level: 'silent' }) });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, ors.handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await using trusting = new OrsClient(url, { ca: readFileSync(cert) });
    await using doubting = new OrsClient(url);

    expect(await trusting.environments()).toEqual(['lab']);
    await expect(doubting.environments()).rejects.toMatchObject({
      name: 'OrsConnectionError',
      retryable: false,
      message: expect.stringContaining('pass the certificate of its authority as ca'),
    });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await ors.close();
    rmSync(folder, { recursive: true });
  }
});

test('rejects running and later requests after close, and opens no connections', async () => {
  await using server = await start(lab().environment);
  const client = new OrsClient(server.url);
  const session = await client.environment('lab').session({ split: 'train', index: 0 });
  const waiting = session.call('until_aborted').catch((error: unknown) => error);
  await until(() => server.sessionCount === 1);

  await client.close();
  await client.close();

  expect(await waiting).toMatchObject({ name: 'SessionLostError' });
  await expect(client.environments()).rejects.toThrow('is closed');
  expect(server.sessionCount).toBe(1);
});

test('reads a character that arrives in two chunks', async () => {
  const bytes = Buffer.from(JSON.stringify(['bogotá']));
  await using server = await startFakeServer({
    '/list_environments': async (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write(bytes.subarray(0, bytes.indexOf(0xc3) + 1));
      // Otherwise both chunks may be read as one.
      await delay(100);
      response.end(bytes.subarray(bytes.indexOf(0xc3) + 1));
    },
  });
  await using client = createClient(server);

  expect(await client.environments()).toEqual(['bogotá']);
});
