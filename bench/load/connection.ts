import { createConnection, type Socket } from 'node:net';
import { type HttpResponse, HttpResponseParser } from './response-parser.ts';

interface PendingRequest {
  resolve: (response: HttpResponse) => void;
  reject: (error: Error) => void;
}

/** One read buffer for all sockets: each read is parsed before the next one begins. */
const readBuffer = Buffer.allocUnsafe(65_536);

/** One keep-alive connection to a server on this machine, with at most one pending request. */
export class Connection {
  readonly #socket: Socket;
  readonly #parser = new HttpResponseParser();
  #pending: PendingRequest | undefined;

  private constructor(port: number) {
    this.#socket = createConnection({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: readBuffer, callback: (length) => this.#read(length) },
    });
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () =>
      this.#fail(new Error('the server closed the connection before it sent all of its response')),
    );
  }

  static async open(port: number): Promise<Connection> {
    const connection = new Connection(port);
    await new Promise<void>((resolve, reject) => {
      connection.#socket.once('connect', resolve).once('error', reject);
    });
    return connection;
  }

  /** Sends a request in the form of `httpRequest`, and resolves to the complete response. */
  send(request: string): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error('the connection is closed'));
      this.#pending = { resolve, reject };
      this.#socket.write(request, 'latin1');
    });
  }

  /** The part of the body that has arrived of an incomplete response. */
  get received(): string {
    return this.#parser.body;
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(length: number): boolean {
    try {
      const response = this.#parser.feed(readBuffer, length);
      if (response !== undefined) {
        const pending = this.#pending;
        this.#pending = undefined;
        pending?.resolve(response);
      }
    } catch (error) {
      this.#socket.destroy(error instanceof Error ? error : new Error(String(error)));
    }
    return true;
  }

  #fail(error: Error): void {
    this.#pending?.reject(error);
    this.#pending = undefined;
  }
}

/** Opens `count` connections or clients, runs `work`, and closes them even if it fails. */
export async function withOpened<Opened extends { close(): void }, T>(
  count: number,
  open: () => Promise<Opened>,
  work: (all: readonly Opened[]) => Promise<T>,
): Promise<T> {
  const all: Opened[] = [];
  try {
    for (let index = 0; index < count; index += 1) all.push(await open());
    return await work(all);
  } finally {
    for (const each of all) each.close();
  }
}

/** Opens `count` connections, runs `work`, and closes them even if it fails. */
export const withConnections = <T>(
  port: number,
  count: number,
  work: (connections: readonly Connection[]) => Promise<T>,
): Promise<T> => withOpened(count, () => Connection.open(port), work);

/** Formats an HTTP/1.1 request of the Open Reward Standard; a body is sent as JSON. */
export function httpRequest(method: 'GET' | 'POST', path: string, sid?: string, body?: object): string {
  const headers = sid === undefined ? {} : { 'X-Session-ID': sid };
  return jsonRequest(method, path, headers, body === undefined ? undefined : JSON.stringify(body));
}

/** Formats an HTTP/1.1 request with these headers and this JSON as its body. */
export function jsonRequest(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  headers: Readonly<Record<string, string>>,
  json?: string,
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  if (json !== undefined) lines.push('Content-Type: application/json\r\n');
  if (method === 'POST') lines.push(`Content-Length: ${json?.length ?? 0}\r\n`);
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n${json ?? ''}`;
}
