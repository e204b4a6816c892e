import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeEvent, FakeEventReader } from './event-reader.ts';
import { FakeError } from './fake-error.ts';
import type { FakeHttp, FakeRequest } from './http.ts';
import type { Broken } from './mutants.ts';

const MOST_FAILURES = 4;
const PAUSE_MS = 20;
const MOST_COMMENTS = 3;
const EMPTY = { ok: true, output: { blocks: [], metadata: null, reward: null, finished: false } };

/** A stream has ended too early; `isProper` if the connection did not break. */
class EarlyEnd extends Error {
  readonly isProper: boolean;

  constructor(isProper: boolean) {
    super('the stream ended too early');
    this.isProper = isProper;
  }
}

export interface FakeCallParts {
  readonly http: FakeHttp;
  readonly request: FakeRequest;
  readonly broken: Broken;
  readonly silenceMs: number;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** One call, over several connections if necessary. */
export class FakeCall {
  readonly #parts: FakeCallParts;
  readonly #broken: Broken;
  #taskId: string | undefined;
  #comments = 0;
  /** Received parts of the result. */
  #chunks: string[] = [];

  constructor(parts: FakeCallParts) {
    this.#parts = parts;
    this.#broken = parts.broken;
  }

  /** Returns the received result. */
  async result(): Promise<Record<string, unknown>> {
    for (let failures = 0; ; failures++) {
      try {
        return await this.#attempt();
      } catch (error) {
        if (error instanceof FakeError || this.#parts.signal.aborted) throw error;
        this.#judge(error);
        if (failures >= MOST_FAILURES && !this.#broken('never-gives-up')) {
          throw new FakeError('gave_up', `given up after ${failures} failures: ${String(error)}`);
        }
        await sleep(this.#broken('never-gives-up') ? 0 : PAUSE_MS);
      }
    }
  }

  /** Throws for faults that end the call. */
  #judge(error: unknown): void {
    const { code } = error as { code?: string };
    const isProper = error instanceof EarlyEnd && error.isProper;
    if (error instanceof SyntaxError) throw new FakeError('other', error.message);
    if (isProper && this.#broken('fails-at-early-ends')) throw new FakeError('other', 'the stream is over');
    if (isProper || this.#taskId === undefined) return;
    if (this.#broken('fails-at-cuts') && code !== 'SILENT') throw new FakeError('other', 'the connection broke');
    if (this.#broken('calls-anew-after-cuts') && code !== 'SILENT') this.#taskId = undefined;
  }

  async #attempt(): Promise<Record<string, unknown>> {
    const { http, request } = this.#parts;
    const json = { ...(request.json as object), ...(this.#taskId !== undefined && { task_id: this.#taskId }) };
    if (!this.#broken('keeps-old-chunks')) this.#chunks = [];
    let response: IncomingMessage;
    try {
      response = await http.open({ ...request, json });
    } catch (error) {
      if (error instanceof FakeError || !this.#broken('invents-results')) throw error;
      return EMPTY;
    }
    const watch = this.#watch(response);
    try {
      return await this.#read(response, watch.heard);
    } finally {
      watch.stop();
      response.destroy();
    }
  }

  async #read(response: IncomingMessage, heard: () => void): Promise<Record<string, unknown>> {
    const reader = new FakeEventReader(this.#broken);
    try {
      for await (const bytes of response) {
        heard();
        this.#countComments(bytes);
        for (const event of reader.feed(bytes)) {
          const result = this.#take(event);
          if (result) return result;
        }
      }
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'ECONNRESET') throw new EarlyEnd(false);
      throw error instanceof FakeError || error instanceof EarlyEnd || code === 'SILENT'
        ? error
        : new FakeError('other', String(error));
    }
    for (const event of reader.end()) {
      const result = this.#take(event);
      if (result) return result;
    }
    throw new EarlyEnd(true);
  }

  /** Counts packets that contain only a comment. */
  #countComments(bytes: Uint8Array): void {
    if (/^:.*\n\n$/.test(Buffer.from(bytes).toString())) this.#comments++;
    const isTooMany = this.#comments >= MOST_COMMENTS && this.#broken('limits-comments');
    if (isTooMany) throw new FakeError('gave_up', 'the call takes too long');
  }

  #take({ event, data }: FakeEvent): Record<string, unknown> | undefined {
    if (event === 'task_id') this.#taskId ??= data;
    else if (event === 'chunk') this.#addChunk(data);
    else if (event === 'error') this.#fail(data);
    else if (event === 'end' || this.#isTakenForEnd(event)) return JSON.parse(this.#chunks.join('') + data);
    return undefined;
  }

  #isTakenForEnd(event: string): boolean {
    return event === 'message' ? this.#broken('takes-unnamed-events') : this.#broken('takes-unknown-events');
  }

  #addChunk(data: string): void {
    if (this.#broken('parses-chunks')) JSON.parse(data);
    if (this.#broken('keeps-last-chunk')) this.#chunks = [];
    this.#chunks.push(this.#broken('drops-cut-escapes') ? data.replace(/\\u[0-9a-f]{0,3}$/, '') : data);
  }

  #fail(message: string): void {
    if (this.#taskId === undefined && this.#broken('expects-task-id')) return;
    if (message === 'unknown task_id' && this.#broken('calls-anew-when-unknown')) {
      this.#taskId = undefined;
      throw new EarlyEnd(true);
    }
    throw new FakeError(this.#broken('takes-errors-for-refusals') ? 'tool_refused' : 'tool_crashed', message);
  }

  /** Aborts a silent stream. */
  #watch(response: IncomingMessage): { heard: () => void; stop: () => void } {
    const { silenceMs } = this.#parts;
    const breakOff = () => response.destroy(Object.assign(new Error('the stream is silent'), { code: 'SILENT' }));
    const start = () => (this.#broken('waits-for-ever') ? undefined : setTimeout(breakOff, silenceMs));
    let timer = start();
    return {
      heard: () => {
        clearTimeout(timer);
        timer = start();
      },
      stop: () => clearTimeout(timer),
    };
  }
}
