import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Changes to bodies of requests and responses. */
export interface Tampering {
  readonly request?: (path: string, body: string) => string;
  readonly answer?: (path: string, body: string) => string;
}

/** Starts a proxy that changes requests and responses. */
export async function tamper(url: string, { request, answer }: Tampering): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(async (incoming, response) => {
    const { method = 'GET', url: path = '/' } = incoming;
    const sent = await text(incoming);
    const body = request ? request(path, sent) : sent;
    const from = await fetch(url + path, { method, headers: headersOf(incoming), ...(body !== '' && { body }) });
    const came = await from.text();
    const type = from.headers.get('content-type') ?? 'text/plain';
    const sid = from.headers.get('x-session-id');
    response.writeHead(from.status, { 'content-type': type, ...(sid && { 'x-session-id': sid }) });
    response.end(answer ? answer(path, came) : came);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const { host: _host, connection: _connection, 'content-length': _length, ...others } = headers;
  return Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)]));
}
