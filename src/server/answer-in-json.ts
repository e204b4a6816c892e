import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { OrsServer } from './create-server.ts';
import type { Settings } from './settings.ts';

/** Has the answers that Node gives by itself, to requests that never become one, say what was wrong in JSON. */
export function answerInJson(
  http: Server,
  handler: OrsServer['handler'],
  { bodyLimitBytes, headerLimitBytes }: Pick<Settings, 'bodyLimitBytes' | 'headerLimitBytes'>,
): void {
  http.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    if (error.code === 'HPE_HEADER_OVERFLOW')
      return refuse(
        socket,
        '431 Request Header Fields Too Large',
        `the headers are larger than the limit of ${headerLimitBytes} bytes`,
      );
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
      return refuse(socket, '408 Request Timeout', 'the request did not arrive in time');
    refuse(socket, '400 Bad Request', 'this is no valid HTTP request');
  });
  http.on('checkContinue', (request, response) => {
    // A body that will not be read is not asked for.
    if (Number(request.headers['content-length'] ?? 0) <= bodyLimitBytes) response.writeContinue();
    handler(request, response);
  });
  http.on('connect', (_request, socket) => refuse(socket, '405 Method Not Allowed', 'this server is no proxy'));
  http.on('checkExpectation', (_request, response) => {
    response.writeHead(417, { 'Content-Type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify({ detail: 'this server meets no expectation but 100-continue' }));
  });
}

function refuse(socket: Duplex, status: string, detail: string): void {
  const body = JSON.stringify({ detail });
  const head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n`;
  socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
