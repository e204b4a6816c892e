import { truncate } from '../../core/index.ts';

/** A parsed event, with the time at which its last byte arrived. */
export interface StreamEvent {
  readonly event: string;
  /** All `data` lines, joined by LF. */
  readonly data: string;
  readonly dataLines: readonly string[];
  readonly at: number;
}

/** A comment line without its colon. */
export interface SseComment {
  readonly text: string;
  readonly at: number;
}

const FIELDS = ['event', 'data', 'id', 'retry'];
const MAX_NOTES = 20;

/**
 * Parses Server-Sent Events by the rules of WHATWG, and records what a strict sender would not send. Its time is linear
 * in the number of bytes, however they are chunked.
 */
export class StrictSseParser {
  readonly events: StreamEvent[] = [];
  readonly comments: SseComment[] = [];
  /** Valid constructs that some parsers mishandle. */
  readonly anomalies: string[] = [];
  /** The longest line so far, in bytes. */
  longestLine = 0;
  #text = new TextDecoder('utf-8', { ignoreBOM: true });
  /** Undefined as soon as the bytes are not UTF-8. */
  #strict: TextDecoder | undefined = new TextDecoder('utf-8', { fatal: true });
  readonly #problems: string[] = [];
  #line: string[] = [];
  #lineBytes = 0;
  #afterCr = false;
  #isFirstLine = true;
  #event = '';
  #data: string[] = [];

  /** Violations of the grammar, one sentence each. */
  get problems(): readonly string[] {
    return this.#strict ? this.#problems : ['the stream is not UTF-8', ...this.#problems];
  }

  feed(bytes: Uint8Array, at: number): void {
    this.#checkUtf8(bytes, true);
    this.#read(this.#text.decode(bytes, { stream: true }), at);
  }

  /** Reports the end of the stream. */
  end(at: number): void {
    this.#checkUtf8(new Uint8Array(), false);
    this.#read(this.#text.decode(), at);
    const rest = this.#line.join('');
    this.longestLine = Math.max(this.longestLine, this.#lineBytes);
    if (rest.startsWith(':')) this.#recordAnomaly(`the stream ends within a comment: ${quote(rest)}`);
    else if (rest !== '') this.#recordProblem(`the stream ends within a line: ${quote(rest)}`);
    else if (this.#data.length > 0 || this.#event !== '')
      this.#recordProblem('the last event has no blank line after it');
  }

  /** Keeps only the first events and comments. */
  truncate(max: number): void {
    this.events.splice(max);
    this.comments.splice(max);
    this.#line = [];
    this.#data = [];
  }

  #checkUtf8(bytes: Uint8Array, stream: boolean): void {
    if (!this.#strict) return;
    try {
      this.#strict.decode(bytes, { stream });
    } catch {
      this.#strict = undefined;
    }
  }

  #read(text: string, at: number): void {
    let from = 0;
    // CR, LF and CR LF end a line, and a chunk may end between CR and LF.
    if (this.#afterCr && text !== '') {
      this.#afterCr = false;
      if (text[0] === '\n') from = 1;
    }
    const ends = /\r\n|\r|\n/g;
    ends.lastIndex = from;
    for (let match = ends.exec(text); match; match = ends.exec(text)) {
      this.#add(text.slice(from, match.index));
      from = ends.lastIndex;
      if (match[0] === '\r' && from === text.length) this.#afterCr = true;
      this.#endLine(at);
    }
    this.#add(text.slice(from));
  }

  #add(part: string): void {
    if (part === '') return;
    this.#line.push(part);
    this.#lineBytes += Buffer.byteLength(part);
  }

  #endLine(at: number): void {
    let line = this.#line.join('');
    this.#line = [];
    this.longestLine = Math.max(this.longestLine, this.#lineBytes);
    this.#lineBytes = 0;
    if (this.#isFirstLine && line.startsWith('\uFEFF')) {
      this.#recordAnomaly('the stream begins with a byte-order mark');
      line = line.slice(1);
    }
    this.#isFirstLine = false;
    if (line === '') this.#endEvent(at);
    else if (line.startsWith(':')) this.comments.push({ text: line.slice(1), at });
    else this.#field(line);
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (colon < 0) this.#recordAnomaly(`a line has no colon: ${quote(line)}`);
    if (!FIELDS.includes(name)) this.#recordProblem(`'${quote(name)}' is not a field of Server-Sent Events`);
    if (name === 'event') this.#event = value;
    if (name === 'data') this.#data.push(value);
  }

  #endEvent(at: number): void {
    const event = this.#event;
    const dataLines = this.#data;
    this.#event = '';
    this.#data = [];
    if (dataLines.length > 0) {
      this.events.push({ event: event || 'message', data: dataLines.join('\n'), dataLines, at });
    } else if (event !== '') this.#recordAnomaly(`the event '${quote(event)}' has no data, so parsers ignore it`);
  }

  #recordProblem(problem: string): void {
    if (this.#problems.length < MAX_NOTES) this.#problems.push(problem);
  }

  #recordAnomaly(anomaly: string): void {
    if (this.anomalies.length < MAX_NOTES) this.anomalies.push(anomaly);
  }
}

const quote = (text: string): string => truncate(text, 60);
