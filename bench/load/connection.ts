import { createConnection, type Socket } from 'node:net';
import { type Reply, ReplyParser } from './reply-parser.ts';

interface Waiting {
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
}

/** One buffer for all sockets: a read is parsed before the next one begins. */
const shared = Buffer.allocUnsafe(65_536);

/** One keep-alive connection to a server on this machine, with at most one request under way. */
export class Connection {
  readonly #socket: Socket;
  readonly #parser = new ReplyParser();
  #waiting: Waiting | undefined;

  private constructor(port: number) {
    this.#socket = createConnection({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: shared, callback: (length) => this.#read(length) },
    });
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () =>
      this.#fail(new Error('The server closed the connection before its answer was whole')),
    );
  }

  static async open(port: number): Promise<Connection> {
    const connection = new Connection(port);
    await new Promise<void>((resolve, reject) => {
      connection.#socket.once('connect', resolve).once('error', reject);
    });
    return connection;
  }

  /** Sends one request, as text that `httpRequest` wrote, and resolves to the whole reply. */
  send(request: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error('The connection is closed'));
      this.#waiting = { resolve, reject };
      this.#socket.write(request, 'latin1');
    });
  }

  /** What has come so far of the body of a reply that is not whole yet. */
  get received(): string {
    return this.#parser.body;
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(length: number): boolean {
    try {
      const reply = this.#parser.feed(shared, length);
      if (reply !== undefined) {
        const waiting = this.#waiting;
        this.#waiting = undefined;
        waiting?.resolve(reply);
      }
    } catch (error) {
      this.#socket.destroy(error instanceof Error ? error : new Error(String(error)));
    }
    return true;
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}

/** Opens `count` connections, works with them, and closes them whatever happens. */
export async function withConnections<T>(
  port: number,
  count: number,
  work: (connections: readonly Connection[]) => Promise<T>,
): Promise<T> {
  const connections: Connection[] = [];
  try {
    for (let index = 0; index < count; index += 1) connections.push(await Connection.open(port));
    return await work(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** The text of a request of HTTP/1.1; a body is sent as JSON. */
export function httpRequest(method: 'GET' | 'POST', path: string, sid?: string, body?: object): string {
  const json = body === undefined ? '' : JSON.stringify(body);
  const session = sid === undefined ? '' : `X-Session-ID: ${sid}\r\n`;
  const type = body === undefined ? '' : 'Content-Type: application/json\r\n';
  const length = method === 'POST' ? `Content-Length: ${json.length}\r\n` : '';
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${session}${type}${length}\r\n${json}`;
}
