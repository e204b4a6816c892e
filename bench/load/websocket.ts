import { createConnection, type Socket } from 'node:net';

const TEXT = 0x1;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;
const IS_LAST = 0x80;
const IS_MASKED = 0x80;

/**
 * Formats a frame of a client. Its mask is zero, which leaves the payload unchanged: a frame that is sent many times is
 * formatted once, and costs the server no less.
 */
function frameOf(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  if (length > 0xffff) throw new Error(`invalid message: expected at most 65,535 bytes, got ${length}`);
  const size = length < 126 ? [length] : [126, length >> 8, length & 0xff];
  return Buffer.concat([
    Buffer.from([IS_LAST | opcode, IS_MASKED | (size[0] ?? 0), ...size.slice(1), 0, 0, 0, 0]),
    payload,
  ]);
}

/** Formats a text message. */
export const textFrame = (text: string): Buffer => frameOf(TEXT, Buffer.from(text));

/** One read buffer for all sockets: each read is parsed before the next one begins. */
const readBuffer = Buffer.allocUnsafe(65_536);

interface PendingMessage {
  resolve: (text: string) => void;
  reject: (error: Error) => void;
}

/**
 * A WebSocket to a server on this machine, without extensions, with at most one pending message. It answers pings. Text
 * is decoded as Latin-1: the payloads of the benchmarks are ASCII.
 */
export class WebSocketConnection {
  readonly #socket: Socket;
  readonly #frames = new FrameParser((opcode, payload) => this.#onFrame(opcode, payload));
  #pending: PendingMessage | undefined;
  #handshake: string | undefined = '';
  #isClosing = false;
  /** The number of pings so far. */
  pings = 0;

  private constructor(port: number) {
    this.#socket = createConnection({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: readBuffer, callback: (length) => this.#read(length) },
    });
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('the server closed the WebSocket')));
  }

  static async open(port: number, path: string): Promise<WebSocketConnection> {
    const connection = new WebSocketConnection(port);
    await connection.#exchange(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: YmVuY2htYXJrc29mb3Vycw==\r\n\r\n',
    );
    return connection;
  }

  /** Sends a message in the form of `textFrame`, and resolves to the next message of the server. */
  send(frame: Buffer): Promise<string> {
    return this.#exchange(frame);
  }

  /** Sends a last message, and resolves when the server closes the connection in response. */
  async end(frame: Buffer): Promise<void> {
    this.#isClosing = true;
    await this.#exchange(frame);
    this.#socket.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #exchange(data: string | Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error('the WebSocket is closed'));
      this.#pending = { resolve, reject };
      this.#socket.write(data);
    });
  }

  #read(length: number): boolean {
    try {
      if (this.#handshake === undefined) this.#frames.feed(readBuffer, 0, length);
      else this.#readHandshake(this.#handshake, length);
    } catch (error) {
      this.#socket.destroy(error instanceof Error ? error : new Error(String(error)));
    }
    return true;
  }

  #readHandshake(earlier: string, length: number): void {
    const head = earlier + readBuffer.toString('latin1', 0, length);
    const end = head.indexOf('\r\n\r\n');
    this.#handshake = end === -1 ? head : undefined;
    if (end === -1) return;
    if (!head.startsWith('HTTP/1.1 101 ')) throw new Error(`invalid handshake: expected status 101, got ${head}`);
    this.#settle('');
    this.#frames.feed(readBuffer, end + 4 - earlier.length, length);
  }

  #onFrame(opcode: number, payload: string): void {
    if (opcode === TEXT) {
      this.#settle(payload);
    } else if (opcode === PING) {
      this.pings += 1;
      this.#socket.write(frameOf(PONG, Buffer.from(payload, 'latin1')));
    } else if (opcode === CLOSE) {
      this.#socket.write(frameOf(CLOSE, Buffer.from(payload, 'latin1')));
      if (!this.#isClosing) throw new Error(`the server closed the WebSocket: ${payload.slice(2)}`);
      this.#settle('');
    } else if (opcode !== PONG) {
      throw new Error(`invalid frame: expected text, ping, pong or close, got opcode ${opcode}`);
    }
  }

  #settle(text: string): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.resolve(text);
  }

  #fail(error: Error): void {
    this.#pending?.reject(error);
    this.#pending = undefined;
  }
}

/** Parses the unfragmented frames of a server. */
class FrameParser {
  readonly #onFrame: (opcode: number, payload: string) => void;
  #header: number[] = [];
  #payload = '';
  /** Bytes of the payload that are still missing; undefined while the header is incomplete. */
  #left: number | undefined;

  constructor(onFrame: (opcode: number, payload: string) => void) {
    this.#onFrame = onFrame;
  }

  feed(bytes: Buffer, start: number, length: number): void {
    let at = start;
    while (at < length) {
      if (this.#left === undefined) {
        this.#header.push(bytes[at] ?? 0);
        at += 1;
        this.#left = payloadLength(this.#header);
      } else {
        const end = Math.min(at + this.#left, length);
        this.#payload += bytes.toString('latin1', at, end);
        this.#left -= end - at;
        at = end;
      }
      if (this.#left === 0) this.#emit();
    }
  }

  #emit(): void {
    const [first = 0] = this.#header;
    const payload = this.#payload;
    this.#header = [];
    this.#payload = '';
    this.#left = undefined;
    if ((first & 0xf0) !== IS_LAST) throw new Error(`invalid frame: expected an unfragmented one, got byte ${first}`);
    this.#onFrame(first & 0xf, payload);
  }
}

/** Reads the length of the payload from a header; undefined if the header is incomplete. */
function payloadLength(header: readonly number[]): number | undefined {
  const [, short = 0] = header;
  const size = short < 126 ? 0 : short === 126 ? 2 : 8;
  if (header.length < 2 + size) return undefined;
  return size === 0 ? short : header.slice(2).reduce((sum, byte) => sum * 256 + byte, 0);
}
