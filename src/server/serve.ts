import type { Server } from 'node:http';
import { isLoopbackHost } from '../core/index.ts';
import type { Environment } from '../environment/index.ts';
import type { HostedEnvironment } from '../hosting/index.ts';
import {
  addressOf,
  closeAfterResponses,
  createNodeServer,
  type Exposure,
  endHttp,
  listen,
  refuseExposure,
} from '../http/index.ts';
import { createServer, type DrainOptions, type OrsServer } from './create-server.ts';
import type { ServerOptions } from './server-options.ts';
import { resolveSettings } from './settings.ts';

/**
 * Address to listen on.
 *
 * @example
 * const options: ListenOptions = { port: 0, host: '127.0.0.1' };
 */
export interface ListenOptions {
  /**
   * TCP port; 0 selects a free one.
   *
   * @default 8080
   */
  readonly port?: number;
  /**
   * Host name or IP address. The default can be reached only from this machine.
   *
   * @default '127.0.0.1'
   */
  readonly host?: string;
  /**
   * Allows a server that other machines can reach to run without `authenticate`.
   *
   * @default false
   */
  readonly insecure?: boolean;
}

/**
 * A server that listens.
 *
 * @example
 * await using server: RunningServer = await serve([environment], { port: 0 });
 * console.log(server.url, server.sessionCount);
 */
export interface RunningServer extends OrsServer, AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Lets the process end although the server listens and has connections. */
  readonly unref: () => void;
}

/**
 * Serves environments over HTTP. On a loopback address and without `authenticate`, the server accepts only requests to
 * local host names and addresses, unless `allowedHosts` is set.
 *
 * @throws TypeError as `createServer` does, and for a host that other machines can reach without `authenticate` or
 * `insecure`; Error with code EADDRINUSE if the port is in use.
 * @example
 * await using server = await serve([environment], { port: 8080 });
 * console.log(server.url);
 */
export async function serve(
  environments: readonly (Environment | HostedEnvironment)[],
  { port = 8080, host = '127.0.0.1', insecure = false, ...options }: ListenOptions & ServerOptions = {},
): Promise<RunningServer> {
  const hasKeys = options.authenticate !== undefined;
  assertServerNotExposed({ host, hasKeys, insecure });
  const ors = createServer(environments, { ...(isLoopbackHost(host) && !hasKeys && { allowedHosts: [] }), ...options });
  const http = createHttpServer(ors, options);
  try {
    await listen(http, port, host);
  } catch (error) {
    await ors.close();
    throw error;
  }
  const { drain, close: closeSessions } = ors;
  const close = () => endHttp(http, closeSessions());
  return Object.assign(ors, addressOf(http), {
    async drain(options?: DrainOptions) {
      closeAfterResponses(http);
      await drain(options);
      await close();
    },
    close,
    unref: () => void http.unref().on('connection', (socket) => socket.unref()),
    [Symbol.asyncDispose]: close,
  });
}

/**
 * Creates a server of `node:http` with the timeouts and limits that ORS clients need. It does not listen yet.
 *
 * @example
 * const http = createHttpServer(createServer([environment]));
 * http.listen(8080);
 */
export const createHttpServer = ({ handler }: OrsServer, options: ServerOptions = {}): Server =>
  createNodeServer(handler, resolveSettings(options));

/**
 * Checks that other machines cannot reach a server without API keys, unless the user accepts that. `serve` calls it.
 *
 * @throws TypeError that lists what to change.
 * @example
 * assertServerNotExposed({ host: '0.0.0.0', hasKeys: true, insecure: false });
 */
export const assertServerNotExposed = (exposure: Exposure): void =>
  refuseExposure(exposure, {
    danger: 'run the tools of its environments',
    keys: '--api-keys <file> or ORS_API_KEYS; authenticate',
    confirm: '--insecure (insecure: true)',
  });
