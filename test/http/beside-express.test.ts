import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import express, { type Request, type Response } from 'express';
import { start } from '../support/client.ts';
import { request } from '../support/http.ts';
import { lab } from '../support/lab.ts';

test('a request that Express has not taken has nothing of it, and takes what is assigned', async () => {
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

test('an Express application of somebody else beside ours has all of its own', async () => {
  const host = express().set('trust proxy', true);
  host.get('/mine/x', ({ ip, query, app }, response) => {
    response.json({ ip, query, isOwn: app === host });
  });
  await using server = await start(lab().environment, { mounts: { '/mine': host }, validateResponses: false });
  await request(server.url, { target: '/docs/' });

  const { body } = await request(server.url, { target: '/mine/x?a=1', headers: [['X-Forwarded-For', '192.0.2.1']] });

  expect(JSON.parse(String(body))).toEqual({ ip: '192.0.2.1', query: { a: '1' }, isOwn: true });
});
