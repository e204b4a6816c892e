import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net';
import { ProbeConnection } from '../../../src/conformance/probe/connection.ts';
import type { HttpHeader } from '../../../src/conformance/probe/exchange.ts';

/** A request as the server received it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export interface Listening extends AsyncDisposable {
  readonly url: URL;
  /** Returns the number of connections so far. */
  readonly connections: () => number;
}

/** Starts an HTTP server that records its requests. */
export async function serveHttp(
  answer: (seen: Seen, response: ServerResponse) => unknown,
): Promise<Listening & { readonly seen: readonly Seen[] }> {
  const seen: Seen[] = [];
  const server = createHttp(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { method = '', url: path = '', headers, rawHeaders } = request;
    const one: Seen = { method, path, headers, rawHeaders, body };
    seen.push(one);
    await answer(one, response);
  });
  let count = 0;
  server.on('connection', () => count++);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    connections: () => count,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Starts a TCP server; `talk` gets each connection with its number, from 1. */
export async function serveTcp(talk: (socket: Socket, number: number) => void): Promise<Listening> {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createTcp((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    talk(socket, ++count);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    connections: () => count,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Returns a connection to a server, with a time limit of 5 s by default. */
export const connect = (url: URL, headers: readonly HttpHeader[] = [], timeoutMs = 5_000): ProbeConnection =>
  new ProbeConnection({ url, headers, timeoutMs, tls: {} });

/** Returns a complete HTTP/1.1 response that keeps the connection open. */
export const httpAnswer = (body: string): string => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
