import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { HttpError } from './http-error.ts';
import { currentResponse, oneAtATime } from './one-at-a-time.ts';
import { failure } from './pipeline.ts';
import type { ListenerOptions, RequestHandler } from './request-handler.ts';
import { destroySoon, lingeringClose } from './sockets.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Answers in JSON what Node would refuse in its own words: input that is not valid HTTP, headers that are too large,
 * requests that do not arrive in time, `CONNECT`, and expectations that are not supported.
 */
export function answerInJson(
  http: Server,
  handler: RequestHandler,
  { bodyLimitBytes, headerLimitBytes, describeFailure, refusalHeaders = () => ({}) }: ListenerOptions,
): void {
  const describe = (status: number, detail: string) => {
    const { content, status: described } = failure(new HttpError(status, detail), () => {}, '/', describeFailure);
    return { status: described, body: JSON.stringify('json' in content ? content.json : undefined) };
  };
  const refused = new WeakSet<Duplex>();
  /** Sends a last response on a connection, after those of the requests that arrived before, and closes it. */
  const refuse = (socket: Duplex, givenStatus: number, detail: string) => {
    // A parser that has failed once fails again with whatever comes next.
    if (refused.has(socket)) return;
    refused.add(socket);
    const { status, body } = describe(givenStatus, detail);
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
    // A body that will not be read is not asked for.
    if (Number(request.headers['content-length'] ?? 0) <= bodyLimitBytes) response.writeContinue();
    handler(request, response);
  };
  http.on('checkContinue', oneAtATime(onContinue));
  http.on('connect', (_request, socket) => {
    // Responses under way can end, but not wait for their reader: Node no longer listens for `drain` here.
    if (currentResponse(socket)) destroySoon(socket);
    refuse(socket, 405, 'CONNECT is not supported: this server is not a proxy');
  });
  const onExpectation: RequestHandler = (_request, response) => {
    const { status, body } = describe(417, 'invalid Expect header: expected 100-continue');
    response.writeHead(status, { 'Content-Type': JSON_TYPE, ...refusalHeaders() });
    response.end(body);
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
    // The request being answered is the one that cannot be read to its end.
    socket.destroy();
  } else {
    then();
  }
}
