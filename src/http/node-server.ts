import { AsyncResource } from 'node:async_hooks';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import { devNull } from 'node:os';
import type { Duplex } from 'node:stream';
import { hasCode, hostForUrl, settlesWithin } from '../core/index.ts';
import { ServedRequest, ServedResponse } from './express-prototypes.ts';
import type { DescribeFailure } from './http-error.ts';
import { JSON_TYPE } from './operation.ts';
import { refusal } from './pipeline.ts';
import { refuseBody } from './send-response.ts';

/** Accept queue. With Node's default of 511, many of 2,000 connections at once would wait 1 to 3 s for a retransmission. */
const BACKLOG = 4096;

/** Interval at which connections past their timeout are closed. */
const TIMEOUT_CHECK_MS = 5_000;

/** Creates Node's server for clients with frequent requests and long responses. It does not listen yet. */
export function createNodeServer(handler: RequestHandler, options: ListenerOptions): Server {
  const { headerLimitBytes, headersTimeoutMs, requestTimeoutMs } = options;
  const http = createServer(
    {
      // `X-Secrets` is a header, and Node's default limit is 16 KB.
      maxHeaderSize: headerLimitBytes,
      // Connections that send nothing or very slowly must not hold sockets for long.
      headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
      // Limits receiving only (the largest body at 280 KB/s); a call may run for hours.
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.max(1, Math.min(TIMEOUT_CHECK_MS, headersTimeoutMs, requestTimeoutMs)),
      // Longer than clients and proxies keep idle connections (60 s): a connection must not be reset just as it is reused.
      keepAliveTimeout: 75_000,
      // Events are small and must not wait for Nagle's algorithm.
      noDelay: true,
      requireHostHeader: false,
      IncomingMessage: ServedRequest,
      ServerResponse: ServedResponse,
    },
    handler,
  );
  // A training run sends a million requests over the same connections.
  http.maxRequestsPerSocket = 0;
  // A response is silent while its tool runs.
  http.timeout = 0;
  respondInJson(http, handler, options);
  return guardSockets(http);
}

/** @throws Error with code EADDRINUSE if the port is taken. */
export async function listen(http: Server, port: number, host: string): Promise<void> {
  http.listen(port, host, BACKLOG);
  await once(http, 'listening');
}

/** Returns the port and URL of a listening server. */
export function addressOf(http: Server): { readonly port: number; readonly url: string } {
  const { address, port } = http.address() as AddressInfo;
  return { port, url: `http://${hostForUrl(address)}:${port}` };
}

/** Handles a request; mounted in an Express application, passes other requests to `next`. */
export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** Sizes in bytes, times in milliseconds. */
export interface ListenerOptions {
  readonly bodyLimitBytes: number;
  readonly headerLimitBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly describeFailure?: DescribeFailure;
  /** Headers of responses to requests that never reach the handler. @default none */
  readonly refusalHeaders?: () => Readonly<Record<string, string>>;
}

/**
 * Responds with JSON where Node would send its own text: invalid HTTP, headers that are too large, requests that do not
 * arrive in time, and `CONNECT`. Requests with an unsupported expectation are passed to the handler.
 */
function respondInJson(
  http: Server,
  handler: RequestHandler,
  { bodyLimitBytes, headerLimitBytes, describeFailure, refusalHeaders = () => ({}) }: ListenerOptions,
): void {
  const refused = new WeakSet<Duplex>();
  /** Sends a last response on a connection, after those of the requests that arrived before, and closes it. */
  const refuse = (socket: Duplex, code: number, detail: string) => {
    // A parser that has failed once fails again with whatever comes next.
    if (refused.has(socket)) return;
    refused.add(socket);
    const { status, body } = refusal(code, detail, describeFailure);
    const headers = {
      Connection: 'close',
      'Content-Type': JSON_TYPE,
      'Content-Length': Buffer.byteLength(body),
      ...refusalHeaders(),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    afterResponses(socket, () => {
      lingeringClose(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
    });
  };
  http.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    if (error.code === 'HPE_HEADER_OVERFLOW')
      return refuse(socket, 431, `the headers are larger than the limit of ${headerLimitBytes} bytes`);
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return refuse(socket, 408, 'the request did not arrive in time');
    refuse(socket, 400, 'the request is not valid HTTP');
  });
  const onContinue: RequestHandler = (request, response) => {
    // Does not ask for a body that would not be read.
    if (Number(request.headers['content-length'] ?? 0) <= bodyLimitBytes) response.writeContinue();
    else refuseBody(request);
    handler(request, response);
  };
  http.on('checkContinue', oneAtATime(onContinue));
  http.on('connect', (_request, socket) => {
    // Responses under way can end, but not wait for their reader: Node no longer listens for `drain` here.
    if (currentResponse(socket)) destroySoon(socket);
    refuse(socket, 405, 'CONNECT is not supported: this server is not a proxy');
  });
  // The handler responds with 417.
  const onExpectation: RequestHandler = (request, response) => {
    refuseBody(request);
    handler(request, response);
  };
  http.on('checkExpectation', oneAtATime(onExpectation));
}

/** Calls `then` once every complete request on a connection is answered; destroys the connection in the middle of a response. */
function afterResponses(socket: Duplex, then: () => void): void {
  const response = currentResponse(socket);
  if (!response) {
    if (socket.writable) then();
    else lingeringClose(socket);
  } else if (response.req.complete) {
    response.once('finish', () => afterResponses(socket, then));
  } else if (response.headersSent) {
    // The request whose response has begun is the one that cannot be parsed to its end.
    socket.destroy();
  } else {
    then();
  }
}

/** The most requests that may be pipelined behind the one being answered; one more closes the connection. */
const MAX_PIPELINED = 256;

const pipelined = new WeakMap<Socket, number>();

/**
 * Handles the requests of a connection one at a time, in order. Node hands pipelined requests on at once and queues their
 * responses, but a queued response is never closed when its connection dies: its stream, its heartbeat and whatever the
 * handler holds would leak. A request that waits here for its turn holds nothing.
 *
 * Requests on a connection that is closing are dropped. Node still parses what arrives behind a response that closes the
 * connection, and one of its assertions ends the process if such a request is answered.
 */
export function oneAtATime(handler: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const { socket } = request;
    if (isClosing(socket)) return;
    if (!isQueued(response)) return handler(request, response, next);
    const waiting = (pipelined.get(socket) ?? 0) + 1;
    if (waiting > MAX_PIPELINED) return void socket.destroy();
    pipelined.set(socket, waiting);
    const handle = () => {
      pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1);
      if (!isClosing(socket)) handler(request, response, next);
    };
    // Node assigns the socket to a response when the one before it has been sent.
    response.once('socket', AsyncResource.bind(handle));
  };
}

/** The response whose turn it is on a connection; undefined if no request is being answered. */
const currentResponse = (socket: object): ServerResponse | undefined =>
  (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;

const isClosing = ({ destroyed, writableEnded }: Socket): boolean => destroyed === true || writableEnded === true;

const isQueued = ({ socket, req }: ServerResponse): boolean =>
  socket === null && req !== undefined && currentResponse(req.socket) !== undefined;

/** How long a client may take to read a refusal and to stop sending, before its connection is destroyed. */
const LINGER_MS = 1_000;

const openSockets = new WeakMap<NetServer, Set<Socket>>();

/**
 * Gives every socket of a server an error listener from the moment it is accepted, and keeps the open ones for
 * `destroySockets`.
 *
 * Node removes its own listeners from a socket that it hands out (`connect`, `upgrade`) and forgets the socket: a reset
 * by the client would then be an uncaught exception, and nothing would ever close a connection that the client keeps
 * half open.
 */
export function guardSockets<T extends NetServer>(server: T): T {
  const sockets = new Set<Socket>();
  openSockets.set(server, sockets);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    // A failed connection is closed by Node; requests and responses learn of it from their own `close` event.
    socket.on('error', ignoreError);
    socket.once('close', () => sockets.delete(socket));
  });
  return server;
}

const ignoreError = (): void => {};

/** Destroys every open socket of a guarded server, also those that Node has handed out. */
export function destroySockets(server: NetServer): void {
  for (const socket of openSockets.get(server) ?? []) socket.destroy();
}

/**
 * Destroys connections on which nothing has arrived, which are not idle for Node. undici opens one for later requests
 * after a stream was aborted, and browsers open some in advance.
 */
function destroyUnusedSockets(server: NetServer): void {
  for (const socket of openSockets.get(server) ?? []) {
    if (socket.bytesRead === 0) socket.destroy();
  }
}

/**
 * Ends a connection so that the client can read the last response: the sending half is closed, input is discarded for up
 * to a second, then the socket is destroyed. Destroying it at once would reset the connection, and a client that is still
 * sending would lose the response.
 */
function lingeringClose(socket: Duplex, lastBytes?: string): void {
  socket.end(lastBytes);
  socket.resume();
  destroySoon(socket);
}

/** Destroys a socket after a second, if it is not closed by then. */
function destroySoon(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** Time for clients to read the last responses. */
const LAST_RESPONSES_MS = 500;
const IDLE_SWEEP_MS = 20;

/** Makes every further response close its connection, so that clients and proxies move to other servers. */
export function closeAfterResponses(http: Server): void {
  const close = (_request: IncomingMessage, response: ServerResponse) => response.setHeader('Connection', 'close');
  for (const event of ['request', 'checkContinue', 'checkExpectation']) http.prependListener(event, close);
}

/** Stops listening, waits for `ending`, gives clients time to read the last responses, and closes all connections. */
export async function endHttp(http: Server, ending: Promise<void>): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()));
  await ending;
  // A connection becomes idle when its response is sent.
  const sweeper = setInterval(() => {
    http.closeIdleConnections();
    destroyUnusedSockets(http);
  }, IDLE_SWEEP_MS);
  await settlesWithin(LAST_RESPONSES_MS, closed);
  clearInterval(sweeper);
  destroySockets(http);
  await closed;
}

const DESCRIPTOR_CHECK_MS = 1_000;

/** Message for the log and for readiness probes. */
export const NO_DESCRIPTORS =
  'no file descriptors are left: new connections are dropped; raise `ulimit -n`, or close what holds them';

export type DescriptorWatch = ReturnType<typeof watchDescriptors>;

/**
 * Checks once a second whether the process can open another file descriptor. Without one the system drops new
 * connections, and neither the client nor the server gets an error for it.
 *
 * @param onChange called when the last descriptor is gone, and when there are some again.
 */
export function watchDescriptors(onChange: (hasSome: boolean) => void) {
  let hadSome = true;
  /** Returns whether the process can open a file or a connection now. */
  const check = (): boolean => {
    const hasSome = canOpen();
    if (hasSome !== hadSome) onChange(hasSome);
    hadSome = hasSome;
    return hasSome;
  };
  const timer = setInterval(check, DESCRIPTOR_CHECK_MS).unref();
  /** Stops the checks. */
  const close = () => clearInterval(timer);
  return { check, close };
}

function canOpen(): boolean {
  try {
    closeSync(openSync(devNull, 'r'));
    return true;
  } catch (error) {
    return !hasCode(error, 'EMFILE', 'ENFILE');
  }
}
