import { createServer as createNodeServer, type Server } from 'node:http';
import { answerInJson } from './answer-in-json.ts';
import type { OrsServer } from './create-server.ts';
import type { ServerOptions } from './server-options.ts';
import { withDefaults } from './settings.ts';

/** How often connections are looked at whose time is over. */
const CHECK_MS = 5_000;

/** Node's server for it, set up as ORS clients need it; it listens nowhere yet. */
export function createHttpServer({ handler }: OrsServer, options: ServerOptions = {}): Server {
  const { bodyLimitBytes, headerLimitBytes, headersTimeoutMs, requestTimeoutMs } = withDefaults(options);
  const http = createNodeServer(
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
    },
    handler,
  );
  // A training run asks a million times over the same connections.
  http.maxRequestsPerSocket = 0;
  // An answer may be silent for as long as its tool works.
  http.timeout = 0;
  answerInJson(http, handler, { bodyLimitBytes, headerLimitBytes });
  return http;
}
