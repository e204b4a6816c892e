import { createServer as createNodeServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Environment } from '../environment/index.ts';
import type { HostedEnvironment } from '../hosting/index.ts';
import { answerInJson } from './answer-in-json.ts';
import { createServer, type OrsServer, type ServerOptions } from './create-server.ts';
import { DEFAULT_SETTINGS } from './settings.ts';

/** `X-Secrets` travels in a header, and Node's own limit of 16 KB is soon reached. */
const MAX_HEADER_BYTES = 64 * 1024;
/** Longer than clients keep idle connections, so that none is reset just as it is used again. */
const KEEP_ALIVE_MS = 75_000;

/** Connections that may wait to be taken; with Node's 511, of 2,000 that come at once many would wait a second or three. */
const BACKLOG = 4096;

export interface ListenOptions {
  /** Default: 8080; 0 takes a free one. */
  readonly port?: number;
  /** Default: 127.0.0.1, which only this machine reaches. */
  readonly host?: string;
}

export interface RunningServer extends OrsServer, AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

/**
 * Serves environments over HTTP until it is closed.
 *
 * @throws TypeError as createServer does; Error with code EADDRINUSE if the port is taken.
 */
export async function serve(
  environments: readonly (Environment | HostedEnvironment)[],
  { port = 8080, host = '127.0.0.1', ...options }: ListenOptions & ServerOptions = {},
): Promise<RunningServer> {
  const ors = createServer(environments, options);
  const http = createHttpServer(ors, options);
  try {
    await listen(http, port, host);
  } catch (error) {
    await ors.close();
    throw error;
  }
  const address = http.address() as AddressInfo;
  const close = async () => {
    const closed = new Promise((resolve) => http.close(resolve));
    await ors.close();
    http.closeAllConnections();
    await closed;
  };
  return {
    handler: ors.handler,
    get sessionCount() {
      return ors.sessionCount;
    },
    get sessions() {
      return ors.sessions;
    },
    sweep: ors.sweep,
    port: address.port,
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Node's server for it, set up as ORS clients need it; it listens nowhere yet. */
export function createHttpServer(
  { handler }: OrsServer,
  { bodyLimitBytes = DEFAULT_SETTINGS.bodyLimitBytes }: Pick<ServerOptions, 'bodyLimitBytes'> = {},
): Server {
  const settings = { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false };
  const http = createNodeServer(settings, handler);
  answerInJson(http, handler, bodyLimitBytes);
  return http;
}

function listen(http: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, BACKLOG, () => {
      http.off('error', reject);
      resolve();
    });
  });
}
