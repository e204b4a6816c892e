import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clampTimerMs, hostForUrl, isLoopbackHost } from '../../core/index.ts';
import { destroySockets, guardSockets, oneAtATime, type RequestHandler } from '../../http/index.ts';
import type { McpEpisodeOptions, McpSession } from './episode-server.ts';
import { createStream, type HttpEpisode, HttpEpisodes } from './http-episodes.ts';
import {
  type AcceptedForms,
  HttpRejection,
  type PostedMessages,
  readAccept,
  readMessages,
  readStatelessMessage,
  type StatelessMessage,
  sendRejection,
} from './http-messages.ts';
import { createJsonReply, MessageStream, parseEventId, type RpcReply } from './message-stream.ts';
import {
  RPC_CODES,
  type RpcRequest,
  type RpcResponse,
  SESSION_REVISIONS,
  STATELESS_REVISION,
  unsupportedRevision,
} from './messages.ts';

/**
 * Options of `serveMcpHttp`.
 *
 * @example
 * const open = () => maze.session({ split: 'train', index: 0 });
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

/**
 * Running MCP server over HTTP.
 *
 * @example
 * const open = () => client.environment('maze').session({ split: 'train', index: 0 });
 * await using server: RunningMcpHttpServer = await serveMcpHttp(open, { port: 0 });
 * console.log(server.url);
 */
export interface RunningMcpHttpServer extends AsyncDisposable {
  /** URL for MCP clients. */
  readonly url: string;
  readonly port: number;
  /** Deletes all episodes and ends the server. Can be called twice. */
  close(): Promise<void>;
}

/**
 * Serves an environment as an MCP server over streamable HTTP, at `/mcp`. Each MCP session is a separate episode.
 *
 * Clients of the revision 2026-07-28 have no sessions: each name in the URL (`/mcp?episode=<name>`) is a separate episode,
 * and the URL without a name is the episode of one client at a time. It ends when it is finished or idle, and the next
 * client gets a new one. Source: Model Context Protocol, transports, "Streamable HTTP".
 *
 * @param open opens a session for each client; if it throws, the client gets 502.
 * @throws TypeError for a host that other machines can reach, without `allowedHosts`; Error with code EADDRINUSE if the
 *   port is in use.
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
  const { idleMs = 15 * 60_000, maxEpisodes = 100 } = options;
  const episodes = new HttpEpisodes(open, { ...options, idleMs, maxEpisodes, onError });
  const handler: RequestHandler = (request, response) => {
    const rejection = describeRejection(request, allowedHosts);
    if (rejection !== undefined) return sendRejection(response, new HttpRejection(403, rejection));
    if (request.url?.split('?')[0] !== '/mcp') {
      return sendRejection(response, new HttpRejection(404, 'the server is at /mcp'));
    }
    handle(episodes, request, response).catch((error: unknown) => {
      if (!(error instanceof HttpRejection)) onError(error);
      sendRejection(response, error);
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

/** Handles the requests of the endpoint. @throws HttpRejection */
async function handle(episodes: HttpEpisodes, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, headers } = request;
  if (method === 'POST') {
    const accepted = readAccept(request);
    const posted = await readMessages(request);
    const stateless = readStatelessMessage(request, posted);
    if (stateless) return handleStateless(episodes, stateless, { request, response, accepted });
    return handlePost(episodes, posted, { request, response, accepted });
  }
  if (method !== 'GET' && method !== 'DELETE') throw new HttpRejection(405, `${method} is not supported`);
  const episode = sessionOf(episodes, headers);
  if (method === 'DELETE') {
    await episodes.delete(episode);
    return void response.writeHead(200).end();
  }
  holdOpen(episode, response);
  const lastId = headers['last-event-id'];
  if (lastId === undefined) return listen(episode, response);
  const last = parseEventId(String(lastId));
  const stream = last && episode.streams.get(last.stream);
  if (!stream) throw new HttpRejection(400, `unknown event id '${String(lastId)}'; its stream ended too long ago`);
  stream.open(response, last.number + 1);
}

/** Opens the stream for messages that belong to no request. There are none, but the connection shows that the client lives. */
function listen(episode: HttpEpisode, response: ServerResponse): void {
  const stream = new MessageStream();
  stream.open(response);
  const id = `listening ${++episode.streamCount}`;
  episode.streams.set(id, stream);
  response.once('close', () => episode.streams.delete(id));
}

function sessionOf(episodes: HttpEpisodes, headers: IncomingMessage['headers']): HttpEpisode {
  const id = headers['mcp-session-id'];
  if (id === undefined) {
    throw new HttpRejection(400, 'no session; send an initialize request, then its Mcp-Session-Id');
  }
  const episode = episodes.get(HttpEpisodes.sessionKey(String(id)));
  if (episode) return episode;
  throw new HttpRejection(404, 'this session is over; send an initialize request to start a new one');
}

/** Counts a response, without which an episode can become idle. */
function holdOpen(episode: HttpEpisode, response: ServerResponse): void {
  episode.busy += 1;
  response.once('close', () => {
    episode.busy -= 1;
    episode.lastActivityAt = Date.now();
  });
}

interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly accepted: AcceptedForms;
}

/** Handles messages of a session, or the `initialize` request that opens one. */
async function handlePost(
  episodes: HttpEpisodes,
  { messages, isBatch }: PostedMessages,
  { request: { headers }, response, accepted }: HttpExchange,
): Promise<void> {
  const requests = messages.flatMap((parsed) => (parsed.kind === 'request' ? parsed.message : []));
  const isNew = headers['mcp-session-id'] === undefined && requests[0]?.method === 'initialize';
  const id = HttpEpisodes.newSession();
  const episode = isNew ? await episodes.ensure(HttpEpisodes.sessionKey(id)) : sessionOf(episodes, headers);
  holdOpen(episode, response);
  if (isNew) response.setHeader('mcp-session-id', id);
  for (const parsed of messages) {
    const isCancellation = parsed.kind === 'notification' && parsed.message.method === 'notifications/cancelled';
    if (isCancellation) episode.requests.cancel(parsed.message.params?.requestId);
  }
  if (requests.length === 0) return void response.writeHead(202).end();
  const reply = openReply(episode, requests, { headers, response, accepted, isBatch });
  const notify = (method: string, params: object) => reply.send({ jsonrpc: '2.0', method, params: { ...params } });
  const running = requests.map(async (message) => {
    const result = await episode.requests.run(episode.server, message, notify);
    if (result) reply.send(result);
  });
  await Promise.all(running);
  reply.end();
}

/** Revision since which clients accept events without a message. */
const PRIMED_REVISION = '2025-11-25';

/** Begins the response of a session: a stream if a call may take long, and the client can read it. */
function openReply(
  episode: HttpEpisode,
  requests: readonly RpcRequest[],
  {
    headers,
    response,
    accepted,
    isBatch,
  }: Omit<HttpExchange, 'request'> & Pick<IncomingMessage, 'headers'> & { readonly isBatch: boolean },
): RpcReply {
  if (!wantsStream(requests, accepted)) return createJsonReply(response, isBatch);
  const stream = createStream(episode);
  stream.open(response);
  if (String(headers['mcp-protocol-version'] ?? '') >= PRIMED_REVISION) stream.prime();
  return stream;
}

const wantsStream = (requests: readonly RpcRequest[], { stream, json }: AcceptedForms): boolean =>
  stream && (!json || requests.some(({ method }) => method === 'tools/call'));

/** Handles a message of a client without a session. Closing the response cancels the request. */
async function handleStateless(
  episodes: HttpEpisodes,
  parsed: StatelessMessage,
  { request, response, accepted }: HttpExchange,
): Promise<void> {
  if (parsed.kind === 'notification') return void response.writeHead(202).end();
  const { message } = parsed;
  const name = new URL(request.url ?? '', 'http://localhost').searchParams.get('episode') ?? '';
  const episode = await namedEpisode(episodes, name, message);
  holdOpen(episode, response);
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  const reply = wantsStream([message], accepted) ? new MessageStream() : createJsonReply(response, false, statusOf);
  if (reply instanceof MessageStream) reply.open(response);
  const result = await episode.server.respond(message, {
    signal: controller.signal,
    notify: (method, params) => reply.send({ jsonrpc: '2.0', method, params: { ...params } }),
  });
  if (result) reply.send(result);
  reply.end();
  // No request would ever say that the client is gone.
  if (episode.server.isOver && episode.server.runningCalls === 0) await episodes.end(episode);
}

/** Status of a response of the stateless revision. Errors of the request itself are a part of the protocol. */
const statusOf = (response: RpcResponse): number =>
  'error' in response && response.error.code === RPC_CODES.methodNotFound ? 404 : 200;

/**
 * Returns the episode of a client without a session, by the name in its URL. A client begins with `server/discover`, which
 * replaces an episode that is over.
 *
 * Clients that name no episode cannot be distinguished. If a second one begins during the episode of the first one, the
 * error advises it to open a session, which has a separate episode.
 */
async function namedEpisode(episodes: HttpEpisodes, name: string, { method, id }: RpcRequest): Promise<HttpEpisode> {
  const key = HttpEpisodes.nameKey(name);
  if (method !== 'server/discover' || !episodes.has(key)) return episodes.ensure(key);
  const known = await episodes.ensure(key);
  if (known.server.isOver) {
    await episodes.delete(known);
    return episodes.ensure(key);
  }
  if (name !== '') return known;
  const advice = `another client plays the episode of this URL; append ?episode=<name> for another episode, or open a session`;
  throw new HttpRejection(400, unsupportedRevision(STATELESS_REVISION, SESSION_REVISIONS, advice), id);
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
