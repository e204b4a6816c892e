import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clampTimerMs, errorMessage, isLoopbackHost } from '../../core/index.ts';
import { destroySockets, guardSockets, oneAtATime, type RequestHandler } from '../../http/index.ts';
import { createHttpEpisodes } from './http-episodes.ts';
import { describeRejection } from './local-requests.ts';
import { sendJsonRpcError } from './mcp-requests.ts';
import type { McpHttpEpisodesOptions, McpSession } from './options.ts';

export interface ServeMcpHttpOptions extends McpHttpEpisodesOptions {
  /** Default: 3000; 0 takes a free one. */
  readonly port?: number;
  /** Default: 127.0.0.1, which only this machine reaches. */
  readonly host?: string;
  /** Names, without ports, under which requests may reach the server. Default: those of this machine. */
  readonly allowedHosts?: readonly string[];
  /** How often it is looked for episodes that are idle, in ms. Default: 10 seconds. */
  readonly sweepMs?: number;
}

export interface RunningMcpHttpServer extends AsyncDisposable {
  /** Where clients connect to. */
  readonly url: string;
  readonly port: number;
  /** Deletes all episodes and ends the server. May be called twice. */
  close(): Promise<void>;
}

/**
 * Serves an environment as an MCP server over streamable HTTP, at `/mcp`: each session of MCP is an episode of its own.
 * Needs the package `@modelcontextprotocol/sdk`. Source: Model Context Protocol, transports, "Streamable HTTP".
 *
 * @param open opens a session for each client; what it throws is answered with 502.
 * @throws Error where the package is missing; TypeError for a host that other machines reach without `allowedHosts`;
 *   Error with code EADDRINUSE if the port is taken.
 */
export async function serveMcpHttp(
  open: () => Promise<McpSession>,
  { port = 3000, host = '127.0.0.1', allowedHosts, sweepMs = 10_000, ...options }: ServeMcpHttpOptions = {},
): Promise<RunningMcpHttpServer> {
  if (!isLoopbackHost(host) && allowedHosts === undefined) {
    throw new TypeError(`other machines reach ${host}; name the hosts that they may ask for by allowedHosts`);
  }
  const { onError = () => {} } = options;
  const episodes = await createHttpEpisodes(open, options);
  const response: RequestHandler = (request, response) => {
    const refusal = describeRejection(request, allowedHosts);
    if (refusal !== undefined) return sendJsonRpcError(response, 403, refusal);
    if (request.url?.split('?')[0] !== '/mcp') return sendJsonRpcError(response, 404, 'the server is at /mcp');
    episodes.answer(request, response).catch((error: unknown) => {
      onError(error);
      sendJsonRpcError(response, 502, errorMessage(error));
    });
  };
  const server = guardSockets(createServer(oneAtATime(response)));
  server.listen(port, host);
  await once(server, 'listening');
  const timer = setInterval(() => void episodes.sweep(), clampTimerMs(sweepMs)).unref();
  let closed: Promise<void> | undefined;
  const close = () =>
    (closed ??= (async () => {
      clearInterval(timer);
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      await episodes.close();
      destroySockets(server);
      await ended;
    })());
  const address = server.address() as AddressInfo;
  const url = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}/mcp`;
  return { url, port: address.port, close, [Symbol.asyncDispose]: close };
}
