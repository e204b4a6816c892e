import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { HttpError } from './http-error.ts';
import { failure } from './pipeline.ts';
import type { ListenerOptions, RequestHandler } from './request-handler.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Has the answers that Node gives by itself, to requests that never become one, say what was wrong in JSON. */
export function answerInJson(
  http: Server,
  handler: RequestHandler,
  { bodyLimitBytes, headerLimitBytes, describeFailure, refusalHeaders = () => ({}) }: ListenerOptions,
): void {
  const describe = (status: number, detail: string) => {
    const { content, status: told } = failure(new HttpError(status, detail), () => {}, '/', describeFailure);
    return { status: told, body: JSON.stringify('json' in content ? content.json : undefined) };
  };
  const refuse = (socket: Duplex, given: number, detail: string) => {
    const { status, body } = describe(given, detail);
    const headers = {
      Connection: 'close',
      'Content-Type': JSON_TYPE,
      'Content-Length': Buffer.byteLength(body),
      ...refusalHeaders(),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  };
  http.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable || hasBegun(socket)) return socket.destroy();
    if (error.code === 'HPE_HEADER_OVERFLOW')
      return refuse(socket, 431, `the headers are larger than the limit of ${headerLimitBytes} bytes`);
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return refuse(socket, 408, 'the request did not arrive in time');
    refuse(socket, 400, 'this is no valid HTTP request');
  });
  http.on('checkContinue', (request, response) => {
    // A body that will not be read is not asked for.
    if (Number(request.headers['content-length'] ?? 0) <= bodyLimitBytes) response.writeContinue();
    handler(request, response);
  });
  http.on('connect', (_request, socket) => refuse(socket, 405, 'this server is no proxy'));
  http.on('checkExpectation', (_request, response) => {
    const { status, body } = describe(417, 'this server meets no expectation but 100-continue');
    response.writeHead(status, { 'Content-Type': JSON_TYPE, ...refusalHeaders() });
    response.end(body);
  });
}

/** Whether an answer has begun on a connection: what came after its request must not be answered within it. Node asks so too. */
const hasBegun = (socket: Duplex & { _httpMessage?: ServerResponse }): boolean =>
  socket._httpMessage?.headersSent ?? false;
