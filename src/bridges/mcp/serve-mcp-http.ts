import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clampTimerMs, errorMessage, hostForUrl, isLoopbackHost, tryParseJson } from '../../core/index.ts';
import { destroySockets, guardSockets, oneAtATime, type RequestHandler } from '../../http/index.ts';
import { loadServerSdk, type ServerSdk } from './sdk.ts';
import { createEpisodeServer, type McpEpisodeOptions, type McpSession } from './serve-mcp.ts';

/**
 * Options of `serveMcpHttp`.
 *
 * @example
 * await serveMcpHttp(open, { host: '0.0.0.0', allowedHosts: ['mcp.example.com'], maxEpisodes: 20 });
 */
export interface ServeMcpHttpOptions extends McpEpisodeOptions {
  /** Port of the server; 0 selects a free one. @default 3000 */
  readonly port?: number;
  /** Address of the network interface. @default '127.0.0.1', which only this machine can reach */
  readonly host?: string;
  /** Host names, without ports, that requests may use. @default those of this machine */
  readonly allowedHosts?: readonly string[];
  /** Time without a request after which an episode is deleted, in ms. @default 900_000 */
  readonly idleMs?: number;
  /** Interval of the search for idle episodes, in ms. @default 10_000 */
  readonly sweepMs?: number;
  /** Maximum number of open episodes; further ones are rejected with 503. @default 100 */
  readonly maxEpisodes?: number;
  /** Called when an episode cannot be opened or deleted. @default ignored */
  readonly onError?: (error: unknown) => void;
}

/** Running MCP server over HTTP. */
export interface RunningMcpHttpServer extends AsyncDisposable {
  /** URL for MCP clients. */
  readonly url: string;
  readonly port: number;
  /** Deletes all episodes and ends the server. Can be called twice. */
  close(): Promise<void>;
}

/**
 * Serves an environment as an MCP server over streamable HTTP, at `/mcp`. Each MCP session is a separate episode.
 * Requires the package `@modelcontextprotocol/sdk`. Source: Model Context Protocol, transports, "Streamable HTTP".
 *
 * @param open opens a session for each client; if it throws, the client gets 502.
 * @throws Error if the package is missing; TypeError for a host that other machines can reach, without `allowedHosts`;
 *   Error with code EADDRINUSE if the port is in use.
 * @example
 * const maze = client.environment('maze');
 * const server = await serveMcpHttp(() => maze.session({ split: 'train', index: 0 }), { port: 3000 });
 * console.log(server.url); // http://127.0.0.1:3000/mcp
 */
export async function serveMcpHttp(
  open: () => Promise<McpSession>,
  options: ServeMcpHttpOptions = {},
): Promise<RunningMcpHttpServer> {
  const { port = 3000, host = '127.0.0.1', allowedHosts, sweepMs = 10_000, onError = () => {} } = options;
  if (!isLoopbackHost(host) && allowedHosts === undefined) {
    throw new TypeError(`other machines can reach ${host}; list the host names that requests may use in allowedHosts`);
  }
  const episodes = await createHttpEpisodes(open, options);
  const handler: RequestHandler = (request, response) => {
    const rejection = describeRejection(request, allowedHosts);
    if (rejection !== undefined) return sendJsonRpcError(response, 403, rejection);
    if (request.url?.split('?')[0] !== '/mcp') return sendJsonRpcError(response, 404, 'the server is at /mcp');
    episodes.handle(request, response).catch((error: unknown) => {
      onError(error);
      sendJsonRpcError(response, 502, errorMessage(error));
    });
  };
  const server = guardSockets(createServer(oneAtATime(handler)));
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
  const url = `http://${hostForUrl(address.address)}:${address.port}/mcp`;
  return { url, port: address.port, close, [Symbol.asyncDispose]: close };
}

interface OpenEpisode {
  readonly transport: InstanceType<ServerSdk['StreamableHTTPServerTransport']>;
  readonly close: () => Promise<void>;
  /** Number of requests that are being handled. */
  busy: number;
  lastActivityAt: number;
}

/** Opens an episode for each MCP session and forwards its requests. */
async function createHttpEpisodes(open: () => Promise<McpSession>, options: ServeMcpHttpOptions) {
  const { idleMs = 15 * 60_000, maxEpisodes = 100, onError = () => {} } = options;
  const sdk = await loadServerSdk();
  const episodes = new Map<string, OpenEpisode>();
  let opening = 0;
  let isClosed = false;

  async function openEpisode(session: McpSession): Promise<OpenEpisode> {
    const id = randomUUID();
    try {
      const { server, close } = await createEpisodeServer(session, options);
      const end = () => {
        episodes.delete(id);
        return close();
      };
      const transport = new sdk.StreamableHTTPServerTransport({ sessionIdGenerator: () => id, onsessionclosed: end });
      server.onclose = () => void end().catch(onError);
      // The callbacks of the class are typed more loosely than those of its interface.
      await server.connect(transport as never);
      const episode: OpenEpisode = { transport, close: end, busy: 0, lastActivityAt: Date.now() };
      episodes.set(id, episode);
      return episode;
    } catch (error) {
      await session.close().catch(onError);
      throw error;
    }
  }

  async function closeAll(closing: readonly OpenEpisode[]): Promise<void> {
    await Promise.all(closing.map((episode) => episode.close().catch(onError)));
  }

  async function initialize(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = request.method === 'POST' ? await readJsonBody(request) : undefined;
    if (!sdk.isInitializeRequest(body)) {
      return sendJsonRpcError(response, 400, 'no session; send an initialize request, then its Mcp-Session-Id');
    }
    if (isClosed || episodes.size + opening >= maxEpisodes) {
      return sendJsonRpcError(response, 503, `all ${maxEpisodes} episodes are in use; try again later`);
    }
    opening += 1;
    try {
      const episode = await openEpisode(await open());
      // `close` did not wait for an episode that was being opened.
      if (isClosed) await episode.close();
      await handleRequest(episode, request, response, body);
    } finally {
      opening -= 1;
    }
  }

  return {
    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const id = request.headers['mcp-session-id'];
      if (id === undefined) return initialize(request, response);
      const episode = episodes.get(String(id));
      if (!episode) {
        return sendJsonRpcError(response, 404, 'this session is over; send an initialize request to start a new one');
      }
      await handleRequest(episode, request, response);
    },
    /** Deletes idle episodes. */
    sweep() {
      const isIdle = ({ busy, lastActivityAt }: OpenEpisode) => busy === 0 && Date.now() - lastActivityAt >= idleMs;
      return closeAll([...episodes.values()].filter(isIdle));
    },
    close() {
      isClosed = true;
      return closeAll([...episodes.values()]);
    },
  };
}

async function handleRequest(episode: OpenEpisode, request: IncomingMessage, response: ServerResponse, body?: unknown) {
  episode.busy += 1;
  response.once('close', () => {
    episode.busy -= 1;
    episode.lastActivityAt = Date.now();
  });
  await episode.transport.handleRequest(request, response, body);
}

/**
 * Returns why a request must be rejected; undefined for a request of this machine. Pages of other sites reach a local
 * server by their host name, or send their origin. Source: Model Context Protocol, transports, "Security Warning".
 */
function describeRejection({ headers }: IncomingMessage, allowedHosts?: readonly string[]): string | undefined {
  const isAllowed = (name: string) => (allowedHosts ? allowedHosts.includes(name) : isLoopbackHost(name));
  const host = hostnameOf(`http://${headers.host ?? ''}`);
  if (host === undefined || !isAllowed(host)) return `the host ${headers.host ?? '(none)'} is not allowed`;
  if (headers.origin === undefined) return undefined;
  const origin = hostnameOf(headers.origin);
  if (origin !== undefined && isAllowed(origin)) return undefined;
  return `the origin ${headers.origin} is not allowed`;
}

const hostnameOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).hostname.toLowerCase() : undefined;

/** Sends a JSON-RPC error that belongs to no request. */
function sendJsonRpcError(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.destroy();
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null });
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

/** Maximum length of an initialize request, in bytes. */
const MAX_BODY_LENGTH = 1024 * 1024;

/** Reads and parses a body; undefined if it is too long or not JSON. */
async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > MAX_BODY_LENGTH) return undefined;
    chunks.push(chunk);
  }
  return tryParseJson(Buffer.concat(chunks).toString('utf8'));
}
