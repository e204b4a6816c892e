import { once } from 'node:events';
import { createServer as createNodeServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import express, { type Request, type Response } from 'express';
import { createHttpServer, createServer } from 'ors-kit/server';
import { start } from '../support/client.ts';
import { request } from '../support/http.ts';
import { lab } from '../support/lab.ts';
import { withDeadline } from '../support/until.ts';

test('hides the members of Express until it handles a request, and allows assigning them', async () => {
  const seen: unknown[] = [];
  const handler = (message: IncomingMessage, response: ServerResponse) => {
    const read = ({ ip, query, path }: Partial<Request> = message as Request) => [ip, query, path];
    seen.push(read(), (response as Partial<Response>).json);
    Object.assign(message, { ip: '::1', query: { a: '1' }, path: '/of-mine' });
    seen.push(read());
    response.end();
  };
  await using server = await start(lab().environment, { mounts: { '/mine': handler }, validateResponses: false });
  await request(server.url, { target: '/docs/' });

  await request(server.url, { target: '/mine/x?a=1' });

  expect(seen).toEqual([[undefined, undefined, undefined], undefined, ['::1', { a: '1' }, '/of-mine']]);
});

test('leaves the settings of another Express application in the same process unchanged', async () => {
  const host = express().set('trust proxy', true);
  host.get('/mine/x', ({ ip, query, app }, response) => {
    response.json({ ip, query, isOwn: app === host });
  });
  await using server = await start(lab().environment, { mounts: { '/mine': host }, validateResponses: false });
  await request(server.url, { target: '/docs/' });

  const { body } = await request(server.url, { target: '/mine/x?a=1', headers: [['X-Forwarded-For', '192.0.2.1']] });

  expect(JSON.parse(String(body))).toEqual({ ip: '192.0.2.1', query: { a: '1' }, isOwn: true });
});

test('shows no member of Express to earlier listeners, on the fast path or not', async () => {
  const seen: unknown[] = [];
  const ors = createServer([lab().environment]);
  const http = createHttpServer(ors).prependListener('request', (message, response) => {
    const { ip, protocol } = message as Partial<Request>;
    seen.push([ip, protocol, (response as Partial<Response>).status]);
    Object.assign(message, { protocol: 'mine' });
  });
  await using server = await listening(http);

  const statuses: number[] = [];
  for (const target of ['/docs/', '/health', '/tools']) statuses.push((await request(server.url, { target })).status);
  await ors.close();

  expect(statuses).toEqual([200, 200, 200]);
  expect(seen).toEqual(Array(3).fill([undefined, undefined, undefined]));
});

test('shows no member of Express after an author assigns a property to a request', async () => {
  const handler = (message: IncomingMessage, response: ServerResponse) => {
    const named = Object.assign(message, { app: 'mine' });
    response.end(JSON.stringify([named.app, (message as Partial<Request>).ip ?? 'none']));
  };
  await using server = await start(lab().environment, { mounts: { '/mine': handler }, validateResponses: false });
  await request(server.url, { target: '/docs/' });

  expect((await request(server.url, { target: '/mine/x' })).body).toBe('["mine","none"]');
});

test('accepts requests whose `app` cannot be set, before and after Express is loaded', async () => {
  const ors = createServer([lab().environment]);
  const http = createNodeServer((message, response) => {
    Object.defineProperty(message, 'app', { get: () => undefined });
    ors.handler(message, response);
  });
  await using server = await listening(http);

  const first = await request(server.url, { target: '/docs/' });
  const second = await request(server.url, { target: '/docs/' });
  await ors.close();

  expect([first.status, second.status]).toEqual([200, 200]);
});

async function listening(http: Server): Promise<AsyncDisposable & { readonly url: string }> {
  await once(http.listen(0, '127.0.0.1'), 'listening');
  // It is one, because the server listens on a port.
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      http.close();
      await withDeadline(once(http, 'close'), 'the end of its connections');
    },
  };
}
