/** A response as text: the payloads of the benchmarks are ASCII, so that one byte is one character. */
export interface HttpResponse {
  status: number;
  /** Status line and headers. */
  head: string;
  body: string;
  /** Time at which the first byte of the body arrived, by `performance.now()`. */
  firstByteAt: number;
}

type State = 'head' | 'body' | 'chunk size' | 'chunk' | 'after chunk' | 'after last chunk';

const lineFeed = 10;

/**
 * Parses the HTTP/1.1 responses of one connection, framed by content-length or chunks, without trailers. It does a
 * tenth of the work of Node's own client, so that the server is the bottleneck instead of the load generator.
 */
export class HttpResponseParser {
  #state: State = 'head';
  /** The part of the status line and headers that has arrived. */
  #headPart = '';
  #head = '';
  #left = 0;
  #status = 0;
  #body = '';
  #firstByteAt = 0;

  /** The part of the current body that has arrived. */
  get body(): string {
    return this.#body;
  }

  /** Parses the next bytes, and returns the response if they complete it. */
  feed(bytes: Buffer, length: number): HttpResponse | undefined {
    let at = 0;
    while (at < length) {
      if (this.#state === 'head') at = this.#readHead(bytes, at, length);
      else if (this.#state === 'chunk size') at = this.#readChunkSize(bytes, at, length);
      else at = this.#readCounted(bytes, at, length);
      if (this.#isComplete()) return this.#take();
    }
    return undefined;
  }

  #readHead(bytes: Buffer, at: number, length: number): number {
    const before = this.#headPart.length;
    this.#headPart += bytes.toString('latin1', at, length);
    const end = this.#headPart.indexOf('\r\n\r\n');
    if (end === -1) return length;

    const head = this.#headPart.slice(0, end + 2);
    this.#headPart = '';
    this.#head = head;
    this.#status = Number(head.slice(9, 12));
    const size = /\r\ncontent-length: *(\d+)\r\n/i.exec(head)?.[1];
    const chunked = size === undefined && /\r\ntransfer-encoding: *chunked\r\n/i.test(head);
    if (size === undefined && !chunked) throw new Error(`a response without content-length or chunks: ${head}`);
    this.#state = chunked ? 'chunk size' : 'body';
    this.#left = Number(size ?? 0);
    this.#firstByteAt = 0;
    return at + end + 4 - before;
  }

  #readChunkSize(bytes: Buffer, at: number, length: number): number {
    for (let next = at; next < length; next += 1) {
      const byte = bytes[next] ?? 0;
      if (byte === lineFeed) {
        this.#state = this.#left === 0 ? 'after last chunk' : 'chunk';
        if (this.#left === 0) this.#left = 2;
        return next + 1;
      }
      const digit = Number.parseInt(String.fromCharCode(byte), 16);
      if (!Number.isNaN(digit)) this.#left = this.#left * 16 + digit;
    }
    return length;
  }

  /** Reads a part of known length: the body, a chunk, or the line end after a chunk. */
  #readCounted(bytes: Buffer, at: number, length: number): number {
    const end = Math.min(at + this.#left, length);
    this.#left -= end - at;
    if (this.#state === 'body' || this.#state === 'chunk') {
      if (this.#firstByteAt === 0) this.#firstByteAt = performance.now();
      this.#body += bytes.toString('latin1', at, end);
    }
    if (this.#left === 0 && this.#state === 'chunk') {
      this.#state = 'after chunk';
      this.#left = 2;
    } else if (this.#left === 0 && this.#state === 'after chunk') {
      this.#state = 'chunk size';
    }
    return end;
  }

  #isComplete(): boolean {
    return this.#left === 0 && (this.#state === 'body' || this.#state === 'after last chunk');
  }

  #take(): HttpResponse {
    const response = { status: this.#status, head: this.#head, body: this.#body, firstByteAt: this.#firstByteAt };
    this.#body = '';
    this.#state = 'head';
    return response;
  }
}
