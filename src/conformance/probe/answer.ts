import { isRecord, truncate, tryParseJson } from '../../core/index.ts';
import { UntestableError } from '../verdict.ts';
import type { StreamEvent, StrictSseParser } from './event-reader.ts';
import type { Exchange } from './exchange.ts';

/** An answer that is over. Its methods judge nothing: what is not there is untestable. */
export class ProbeResponse {
  readonly exchange: Exchange;
  readonly stream: StrictSseParser;

  constructor(exchange: Exchange, stream: StrictSseParser) {
    this.exchange = exchange;
    this.stream = stream;
  }

  /** 0 if no answer came. */
  get status(): number {
    return this.exchange.status ?? 0;
  }

  get isSuccess(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** The value of a header, whatever the case of its name. */
  header(name: string): string | undefined {
    return this.exchange.responseHeaders.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
  }

  get contentType(): string {
    return this.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  }

  get text(): string {
    return Buffer.concat(this.exchange.chunks.map(({ bytes }) => bytes)).toString('utf8');
  }

  /** The body as JSON; undefined if it is none. */
  get json(): unknown {
    return tryParseJson(this.text);
  }

  /** `detail` of an error, in whichever form it comes. */
  get detail(): string {
    const { json } = this;
    const detail = isRecord(json) ? json.detail : undefined;
    return typeof detail === 'string' ? detail : detail === undefined ? this.text : JSON.stringify(detail);
  }

  /** What the answer was, for a message: `404 {"detail":"..."}`. */
  get summary(): string {
    if (this.exchange.failure !== undefined) return `no whole answer (${this.exchange.failure})`;
    return `${this.status} ${truncate(this.text, 200)}`.trimEnd();
  }

  /** The same answer, which must not have broken off. */
  requireComplete(): this {
    const { failure, method, url } = this.exchange;
    if (failure === undefined) return this;
    throw new UntestableError(`${method} ${new URL(url).pathname} got no whole answer: ${failure}`);
  }

  /** The same answer, which must be a success. */
  requireSuccess(what: string): this {
    if (!this.isSuccess) throw new UntestableError(`${what} was answered with ${this.summary}`);
    return this;
  }

  // ---- of calls

  get events(): readonly StreamEvent[] {
    return this.stream.events;
  }

  /** The data of the first `task_id` event. */
  get taskId(): string | undefined {
    return this.events.find(({ event }) => event === 'task_id')?.data;
  }

  /** The data of all `chunk` events and of `end`, joined. Undefined if there is no `end`. */
  get resultText(): string | undefined {
    if (!this.events.some(({ event }) => event === 'end')) return undefined;
    return this.events
      .filter(({ event }) => event === 'chunk' || event === 'end')
      .map(({ data }) => data)
      .join('');
  }

  /** The result of a call as it was sent; undefined if there is none, or none that is JSON. */
  get result(): unknown {
    const text = this.resultText;
    return text === undefined ? undefined : tryParseJson(text);
  }

  /** The text of an `error` event. */
  get streamError(): string | undefined {
    return this.events.find(({ event }) => event === 'error')?.data;
  }

  /** Why the call failed, in whichever of the standard's ways it is said; undefined if it did not. */
  get failure(): string | undefined {
    if (this.status >= 400) return this.detail;
    const { result } = this;
    return this.streamError ?? (isRecord(result) && result.ok === false ? String(result.error) : undefined);
  }

  /** The output of a call that succeeded. */
  get output(): Record<string, unknown> {
    const { result } = this;
    if (isRecord(result) && result.ok === true && isRecord(result.output)) return result.output;
    throw new UntestableError(`the call gave no output: ${this.failure ?? this.summary}`);
  }

  /** All texts of that output, joined. */
  get outputText(): string {
    const { blocks } = this.output;
    return (Array.isArray(blocks) ? blocks : [])
      .map((block) => (isRecord(block) && typeof block.text === 'string' ? block.text : ''))
      .join('');
  }
}
