import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { openPortProxy } from '../../src/cli/serve/port-proxy.ts';

const anywhere = { port: 0, host: '127.0.0.1' };

test('queues a request for a limited time, then rejects it, and forwards the next one once a process serves', async () => {
  const proxy = await openPortProxy(anywhere, 50);
  using _closed = { [Symbol.dispose]: proxy.close };
  const server = createServer((_request, response) => response.end('served'));
  proxy.queue();

  const refused = await fetch(proxy.url);
  const detail = await refused.json();
  proxy.forwardTo((socket) => {
    server.emit('connection', socket);
    socket.resume();
  });
  const served = await fetch(proxy.url, { headers: { Connection: 'close' } });

  expect(refused.status).toBe(503);
  expect(refused.headers.get('Retry-After')).toBe('1');
  expect(detail).toEqual({ detail: 'nothing is served yet: the environments are still loading; try again' });
  expect(await served.text()).toBe('served');
});

test('forwards a queued request to the process that begins to serve', async () => {
  const proxy = await openPortProxy(anywhere);
  using _closed = { [Symbol.dispose]: proxy.close };
  const server = createServer((_request, response) => response.end('served'));
  proxy.queue();

  const answer = fetch(proxy.url, { headers: { Connection: 'close' } });
  setImmediate(() =>
    proxy.forwardTo((socket) => {
      server.emit('connection', socket);
      socket.resume();
    }),
  );

  expect(await (await answer).text()).toBe('served');
});
