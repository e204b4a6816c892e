import { isLoopbackHost } from '../core/index.ts';
import type { Environment } from '../environment/index.ts';
import type { HostedEnvironment } from '../hosting/index.ts';
import { addressOf, closeAfterAnswers, endHttp, listen } from '../http/index.ts';
import { assertServerNotExposed } from './auth/exposure.ts';
import { createServer, type OrsServer } from './create-server.ts';
import { createHttpServer } from './http-server.ts';
import type { ServerOptions } from './server-options.ts';

export interface ListenOptions {
  /** Default: 8080; 0 takes a free one. */
  readonly port?: number;
  /** Default: 127.0.0.1, which only this machine reaches. */
  readonly host?: string;
  /** Whether a server that other machines reach may do without `authenticate`. Default: false. */
  readonly insecure?: boolean;
}

export interface RunningServer extends OrsServer, AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

/**
 * Serves environments over HTTP until it is closed. On a loopback address and without `authenticate`, only requests to
 * local names and addresses are answered, unless `allowedHosts` says otherwise.
 *
 * @throws TypeError as createServer does, and for a host that other machines reach without `authenticate` or
 * `insecure`; Error with code EADDRINUSE if the port is taken.
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
  const close = () => endHttp(http, ors.close());
  return {
    handler: ors.handler,
    get sessionCount() {
      return ors.sessionCount;
    },
    get sessions() {
      return ors.sessions;
    },
    redact: ors.redact,
    sweep: ors.sweep,
    async drain(options) {
      closeAfterAnswers(http);
      await ors.drain(options);
      await close();
    },
    ...addressOf(http),
    close,
    [Symbol.asyncDispose]: close,
  };
}
