import type { ServerSentEvent } from './encode.ts';

const LF = 10;
const CR = 13;
const SPACE = 32;
const COLON = 58;
const FIRST_NON_ASCII = 0x80;

export interface DecodeOptions {
  /**
   * What becomes of a last event that no blank line ends, where the stream itself ends well: `'drop'`, as the HTML
   * standard has it, or `'give'`, even out of a line that is not whole. Default: `'drop'`.
   */
  readonly incomplete?: 'drop' | 'give';
}

/**
 * Reads events out of a stream of bytes, each as soon as its blank line is there.
 *
 * Takes time in proportion to the bytes, however they are cut, and keeps the event that is being read and nothing
 * else; a read may be overwritten once the next one is asked for. An event without a name is a `message`; comments,
 * `id`, `retry` and unknown fields are skipped. What the stream throws, this throws.
 * Source: HTML standard, "Server-sent events", parsing and interpreting an event stream.
 */
export async function* decodeEvents(
  bytes: AsyncIterable<Uint8Array>,
  { incomplete = 'drop' }: DecodeOptions = {},
): AsyncGenerator<ServerSentEvent> {
  // `ignoreBOM` leaves the byte order mark in the text: the decoder would take others away, further on.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const reader = new SseParser();
  for await (const read of bytes) {
    const last = read[read.length - 1];
    if (last === undefined) continue;
    // A character can be cut only where the last byte is not ASCII; all other reads take the decoder's fast way.
    for (const event of reader.push(decoder.decode(read, { stream: last >= FIRST_NON_ASCII }))) yield event;
  }
  if (incomplete === 'give') yield* reader.push(`${decoder.decode()}\n\n`);
}

/** The grammar of events, over text that comes in pieces. */
export class SseParser {
  /** A first character of the next piece that says nothing: the byte order mark of a stream, the LF of a CR LF. */
  #silent: string | undefined = '\ufeff';
  #line = '';
  #event = '';
  #data: string | undefined;
  #complete: ServerSentEvent[] = [];

  /** The events that this piece completes. */
  push(piece: string): ServerSentEvent[] {
    if (piece === '') return [];
    let start = piece[0] === this.#silent ? 1 : 0;
    this.#silent = piece.endsWith('\r') ? '\n' : undefined;

    let lf = -1;
    let cr = -1;
    for (;;) {
      if (lf < start) lf = placeOf('\n', piece, start);
      if (cr < start) cr = placeOf('\r', piece, start);
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
      this.#takeLine(piece, start, end);
    } else {
      const line = this.#line + piece.slice(start, end);
      this.#line = '';
      this.#takeLine(line, 0, line.length);
    }
  }

  #takeLine(text: string, start: number, end: number): void {
    if (start === end) {
      this.#endEvent();
      return;
    }
    const data = fieldValue('data', text, start, end);
    if (data === undefined) this.#event = fieldValue('event', text, start, end) ?? this.#event;
    else this.#data = this.#data === undefined ? data : `${this.#data}\n${data}`;
  }

  #endEvent(): void {
    if (this.#data !== undefined) this.#complete.push({ event: this.#event || 'message', data: this.#data });
    this.#event = '';
    this.#data = undefined;
  }
}

/** Where the mark comes next; the length of the text where it does not. */
function placeOf(mark: string, text: string, from: number): number {
  const place = text.indexOf(mark, from);
  return place < 0 ? text.length : place;
}

/** The value in the line from `start` to `end`; undefined where its field has another name. */
function fieldValue(name: string, text: string, start: number, end: number): string | undefined {
  if (!text.startsWith(name, start)) return undefined;
  const colon = start + name.length;
  if (colon === end) return '';
  if (text.charCodeAt(colon) !== COLON) return undefined;
  return text.slice(text.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1, end);
}
