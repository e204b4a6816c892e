import type { Broken } from './mutants.ts';

export interface FakeEvent {
  readonly event: string;
  readonly data: string;
}

const LONGEST_LINE = 131_072;

/** Parses events by the rules of WHATWG, except for the active fault. */
export class FakeEventReader {
  readonly #broken: Broken;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #hasBegun = false;
  #endsInCr = false;
  #line = '';
  #event = '';
  #data: string | undefined;

  constructor(broken: Broken) {
    this.#broken = broken;
  }

  /** Returns the events that these bytes complete. */
  feed(bytes: Uint8Array): FakeEvent[] {
    const lines = (this.#line + this.#decode(bytes)).split(this.#lineEnd());
    this.#line = lines.pop() ?? '';
    const isTooLong = [this.#line, ...lines].some((line) => line.length > LONGEST_LINE);
    if (isTooLong && this.#broken('limits-lines')) throw new Error('the line is too long');
    return lines.flatMap((line) => this.#take(line));
  }

  /** Handles the end of the stream. */
  end(): FakeEvent[] {
    return this.#broken('gives-cut-events') ? [...this.#take(this.#line), ...this.#take('')] : [];
  }

  #decode(bytes: Uint8Array): string {
    const decoder = this.#broken('decodes-packets') ? new TextDecoder('utf-8', { ignoreBOM: true }) : this.#decoder;
    let text = decoder.decode(bytes, { stream: true });
    if (!this.#hasBegun && text.startsWith('\ufeff') && !this.#broken('keeps-bom')) text = text.slice(1);
    this.#hasBegun = true;
    const splitsCr = !this.#broken('ignores-cr') && !this.#broken('keeps-cr') && !this.#broken('takes-lf-after-cr');
    if (splitsCr && this.#endsInCr && text.startsWith('\n')) text = text.slice(1);
    this.#endsInCr = text.endsWith('\r');
    return text;
  }

  #lineEnd(): RegExp {
    if (this.#broken('keeps-cr')) return /\n/;
    if (this.#broken('ignores-cr')) return /\r\n|\n/;
    return this.#broken('splits-at-separators') ? /\r\n|[\n\r\u2028\u2029\u0085]/ : /\r\n|\n|\r/;
  }

  #take(line: string): FakeEvent[] {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    if (colon === 0 && this.#broken('fails-at-comments')) throw new Error(`'${line}' is not a field`);
    if (colon < 0 && this.#broken('fails-without-colon')) throw new Error(`'${line}' has no colon`);
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : this.#value(line.slice(colon + 1));
    if (name === 'event') this.#event = value;
    else if (name === 'data') this.#addData(value);
    else if (!['', 'id', 'retry'].includes(name) && this.#broken('fails-at-other-fields')) {
      throw new Error(`'${name}' is not a field`);
    }
    return [];
  }

  #value(text: string): string {
    if (this.#broken('trims-data')) return text.trimStart();
    if (this.#broken('expects-space')) return text.slice(1);
    return text.startsWith(' ') ? text.slice(1) : text;
  }

  #addData(value: string): void {
    if (this.#event === '' && this.#broken('expects-name-first')) return;
    const before = this.#broken('keeps-last-line') ? undefined : this.#data;
    const joint = this.#broken('joins-lines-by-spaces') ? ' ' : '\n';
    this.#data = before === undefined ? value : before + joint + value;
  }

  #dispatch(): FakeEvent[] {
    const events = this.#data === undefined ? [] : [{ event: this.#event || 'message', data: this.#data }];
    this.#event = '';
    this.#data = undefined;
    return events;
  }
}
