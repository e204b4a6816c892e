import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostForUrl } from '../core/index.ts';
import { answerInJson } from './answer-in-json.ts';
import type { ListenerOptions, RequestHandler } from './request-handler.ts';
import { ServedRequest, ServedResponse } from './served-messages.ts';
import { guardSockets } from './sockets.ts';

/** Connections that may wait to be taken; with Node's 511, of 2,000 that come at once many would wait a second or three. */
const BACKLOG = 4096;

/** How often connections are looked at whose time is over. */
const CHECK_MS = 5_000;

/** Node's server, set up for clients that ask often and wait long; it listens nowhere yet. */
export function createNodeServer(handler: RequestHandler, options: ListenerOptions): Server {
  const { headerLimitBytes, headersTimeoutMs, requestTimeoutMs } = options;
  const http = createServer(
    {
      // `X-Secrets` travels in a header, and Node's own limit of 16 KB is soon reached.
      maxHeaderSize: headerLimitBytes,
      // Connections that send nothing, or a byte now and then, must not hold sockets for long.
      headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
      // The time of receiving alone: the largest body at 280 KB a second. A call may run for hours.
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.max(1, Math.min(CHECK_MS, headersTimeoutMs, requestTimeoutMs)),
      // Longer than clients and proxies keep idle connections (60 s), so that none is reset just as it is used again.
      keepAliveTimeout: 75_000,
      // Events are small and must not wait for one another.
      noDelay: true,
      requireHostHeader: false,
      IncomingMessage: ServedRequest,
      ServerResponse: ServedResponse,
    },
    handler,
  );
  // A training run asks a million times over the same connections.
  http.maxRequestsPerSocket = 0;
  // An answer may be silent for as long as its tool works.
  http.timeout = 0;
  answerInJson(http, handler, options);
  return guardSockets(http);
}

/** @throws Error with code EADDRINUSE if the port is taken. */
export function listen(http: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, BACKLOG, () => {
      http.off('error', reject);
      resolve();
    });
  });
}

/** Where a server that listens can be reached. */
export function addressOf(http: Server): { readonly port: number; readonly url: string } {
  const { address, port } = http.address() as AddressInfo;
  return { port, url: `http://${hostForUrl(address)}:${port}` };
}
