import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Mutant } from '../mutant.ts';
import { isFor, type WireAnswer } from '../wire.ts';
import { callFrames, callOf, sidOf } from './frames.ts';

const CRASHED = 'HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

export const hostileMutants: readonly Mutant[] = [
  {
    name: 'invalid HTTP is answered with 500',
    caughtBy: ['hostile/malformed-http'],
    wire: () => ({ server: refusing((code) => code !== 'HPE_HEADER_OVERFLOW') }),
  },
  {
    name: 'after invalid HTTP, health is answered with 500',
    caughtBy: ['hostile/malformed-http'],
    spreads: true,
    wire: () => {
      let isBroken = false;
      return {
        server: (server) => {
          server.on('clientError', (_error, socket) => {
            isBroken = true;
            socket.destroy();
          });
        },
        request: (request) => (isBroken && isFor(request, 'health') ? answer(500) : request),
      };
    },
  },
  {
    name: 'headers that are too large are answered with 500',
    caughtBy: ['hostile/oversized-head'],
    wire: () => ({ server: refusing((code) => code === 'HPE_HEADER_OVERFLOW') }),
  },
  {
    name: 'a request with two Hosts is answered with 500',
    caughtBy: ['hostile/malformed-http'],
    wire: () => ({ request: (request) => (Array.isArray(request.headers.host) ? answer(500) : request) }),
  },
  {
    name: 'a body of more than 32 MiB is answered with 500',
    caughtBy: ['hostile/oversized-body'],
    wire: () => ({ request: (request) => (request.body.length > 2 ** 25 ? answer(500) : request) }),
  },
  {
    name: 'the connection of a body that is too large is closed before its end',
    caughtBy: ['hostile/late-reader'],
    wire: () => ({
      server: instead((request, response, next) => {
        if (!(Number(request.headers['content-length']) > 2 ** 25)) return next();
        response.writeHead(413, { 'content-type': 'application/json', connection: 'close' });
        response.end('{"detail":"the body is too large"}', () => request.socket.destroy());
      }),
    }),
  },
  {
    name: 'an incomplete body is accepted as complete',
    caughtBy: ['hostile/broken-body'],
    wire: () => ({ takesBrokenBodies: true }),
  },
  {
    name: 'a second Content-Length is ignored',
    caughtBy: ['hostile/conflicting-lengths'],
    wire: () => ({ parsing: { insecureHTTPParser: true } }),
  },
  {
    name: 'health waits while 150 connections are open',
    caughtBy: ['hostile/slow-senders'],
    wire: () => {
      let count: () => Promise<number> = async () => 0;
      return {
        server: (server) => {
          count = () => new Promise((resolve) => server.getConnections((_error, open) => resolve(open)));
        },
        async request(request) {
          while (isFor(request, 'health') && (await count()) > 150) await sleep(50);
          return request;
        },
      };
    },
  },
  {
    name: 'a session is deleted when its streams have been read',
    caughtBy: ['hostile/stuck-readers'],
    wire: () => {
      const open = new Map<string, number>();
      const add = (sid: string, by: number) => open.set(sid, (open.get(sid) ?? 0) + by);
      return {
        async request(request) {
          while (isFor(request, 'delete') && (open.get(sidOf(request)) ?? 0) > 0) await sleep(20);
          return request;
        },
        frames: callFrames(async function* (frames, request) {
          if (callOf(request)?.name !== 'big') return yield* frames;
          add(sidOf(request), 1);
          try {
            yield* frames;
          } finally {
            add(sidOf(request), -1);
          }
        }),
      };
    },
  },
  {
    name: 'a request that comes before the last one is answered gets 400',
    caughtBy: ['hostile/pipelined'],
    wire: () => ({
      server: instead((request, response, next) => {
        const { socket } = request as { socket: Duplex & { busy?: number } };
        if (socket.busy) return response.writeHead(400).end();
        socket.busy = 1;
        response.once('finish', () => {
          socket.busy = 0;
        });
        next();
      }),
    }),
  },
  {
    name: 'a client that sends Expect: 100-continue gets 500',
    caughtBy: ['hostile/expect-continue'],
    wire: () => ({
      server: (server) => {
        server.on('checkContinue', (_request, response) => response.writeHead(500).end());
      },
    }),
  },
];

const answer = (status: number): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"detail":"internal error"}'),
});

const refusing = (isMeant: (code: string | undefined) => boolean) => (server: Server) => {
  server.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    socket.end(isMeant(error.code) ? CRASHED : CRASHED.replace('500 Internal Server Error', '400 Bad Request'));
  });
};

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Handles requests before the server. */
const instead = (first: (...parts: [...Parameters<Listener>, next: () => void]) => void) => (server: Server) => {
  const listeners = server.listeners('request') as Listener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) =>
    first(request, response, () => {
      for (const listener of listeners) listener(request, response);
    }),
  );
};
