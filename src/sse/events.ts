/**
 * A Server-Sent Event. Clients can send its id to continue after it.
 *
 * @example
 * const event: ServerSentEvent = { event: 'end', data: '{"ok":true}', id: '1' };
 */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
  readonly id?: string;
  /** True if the event is known to be ASCII, so that its length need not be measured. */
  readonly isAscii?: boolean;
}

/** A comment, which parsers ignore. It keeps a silent stream alive. */
export const HEARTBEAT_COMMENT = ': ping\n\n';

/** Encodes an event, with one `data:` field per line of its data. */
export function encodeEvent({ event, data, id }: ServerSentEvent): string {
  // A regular expression would test each character of a large result.
  const isOneLine = !data.includes('\n') && !data.includes('\r');
  const lines = isOneLine ? data : data.split(/\r\n|\r|\n/).join('\ndata: ');
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${lines}\n\n`;
}

const LF = 10;
const CR = 13;
const SPACE = 32;
const COLON = 58;
const FIRST_NON_ASCII = 0x80;

export interface DecodeOptions {
  /**
   * Handling of a last event without its blank line, if the stream ends without an error: `'drop'`, as in the HTML
   * standard, or `'emit'`, even if its last line is incomplete.
   *
   * @default 'drop'
   */
  readonly incomplete?: 'drop' | 'emit';
  /** Adds to each event the last id so far, if any, after which a client can continue. @default false */
  readonly withIds?: boolean;
}

/**
 * Decodes events from a stream of bytes, each as soon as its blank line has arrived. An event without a name is a
 * `message`; comments, `retry` and unknown fields are ignored.
 *
 * Takes linear time however the bytes are split, and buffers only the current event. A chunk can be reused when the next
 * one is requested. Source: HTML standard, "Server-sent events", parsing and interpreting an event stream.
 *
 * @throws whatever the stream throws.
 * @example
 * const { body } = await fetch(url, { method: 'POST' });
 * if (body) for await (const { event, data } of decodeEvents(body)) console.log(event, data);
 */
export async function* decodeEvents(
  bytes: AsyncIterable<Uint8Array>,
  { incomplete = 'drop', withIds = false }: DecodeOptions = {},
): AsyncGenerator<ServerSentEvent> {
  // With `ignoreBOM` the decoder keeps byte order marks: the parser removes only the one at the start of the stream.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const parser = new SseParser(withIds);
  for await (const read of bytes) {
    const last = read[read.length - 1];
    if (last === undefined) continue;
    // A chunk that ends with ASCII cuts no character, and can take the faster path of the decoder.
    for (const event of parser.push(decoder.decode(read, { stream: last >= FIRST_NON_ASCII }))) yield event;
  }
  if (incomplete === 'emit') yield* parser.push(`${decoder.decode()}\n\n`);
}

/** Parser for text that arrives in pieces. */
class SseParser {
  /** Character to skip at the start of the next piece: the byte order mark of the stream, or the LF of a CR LF. */
  #skipped: string | undefined = '\ufeff';
  #line = '';
  #event = '';
  #data: string | undefined;
  #id: string | undefined;
  #complete: ServerSentEvent[] = [];
  readonly #withIds: boolean;

  constructor(withIds: boolean) {
    this.#withIds = withIds;
  }

  /** Returns the events that this piece completes. */
  push(piece: string): ServerSentEvent[] {
    if (piece === '') return [];
    let start = piece[0] === this.#skipped ? 1 : 0;
    this.#skipped = piece.endsWith('\r') ? '\n' : undefined;

    let lf = -1;
    let cr = -1;
    for (;;) {
      if (lf < start) lf = indexOrLength('\n', piece, start);
      if (cr < start) cr = indexOrLength('\r', piece, start);
      const end = Math.min(lf, cr);
      if (end === piece.length) break;
      this.#endLine(piece, start, end);
      start = piece.charCodeAt(end) === CR && piece.charCodeAt(end + 1) === LF ? end + 2 : end + 1;
    }
    this.#line += piece.slice(start);

    const complete = this.#complete;
    this.#complete = [];
    return complete;
  }

  #endLine(piece: string, start: number, end: number): void {
    if (this.#line === '') {
      this.#parseLine(piece, start, end);
    } else {
      const line = this.#line + piece.slice(start, end);
      this.#line = '';
      this.#parseLine(line, 0, line.length);
    }
  }

  #parseLine(text: string, start: number, end: number): void {
    if (start === end) {
      this.#endEvent();
      return;
    }
    const data = fieldValue('data', text, start, end);
    if (data === undefined) {
      this.#event = fieldValue('event', text, start, end) ?? this.#event;
      if (this.#withIds) this.#readId(fieldValue('id', text, start, end));
    } else {
      this.#data = this.#data === undefined ? data : `${this.#data}\n${data}`;
    }
  }

  /** Source: HTML standard, which ignores ids with NUL. */
  #readId(id: string | undefined): void {
    if (id !== undefined && !id.includes('\0')) this.#id = id;
  }

  #endEvent(): void {
    if (this.#data !== undefined) {
      const id = this.#id === undefined ? {} : { id: this.#id };
      this.#complete.push({ event: this.#event || 'message', data: this.#data, ...id });
    }
    this.#event = '';
    this.#data = undefined;
  }
}

/** Returns the next index of a character, or the length of the text if there is none. */
function indexOrLength(character: string, text: string, from: number): number {
  const index = text.indexOf(character, from);
  return index < 0 ? text.length : index;
}

/** Returns the value of the field in the line from `start` to `end`, or undefined if the field has another name. */
function fieldValue(name: string, text: string, start: number, end: number): string | undefined {
  if (!text.startsWith(name, start)) return undefined;
  const colon = start + name.length;
  if (colon === end) return '';
  if (text.charCodeAt(colon) !== COLON) return undefined;
  return text.slice(text.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1, end);
}
