import type { ServerResponse } from 'node:http';
import { decodePercent, sleep } from '../../../core/index.ts';
import type { Exchange } from '../../probe/index.ts';

/** Handles the requests of one operation. */
export type ScriptedHandler = (request: ReceivedRequest, reply: ScriptedReply) => void | Promise<void>;

export type ScriptedHandlers = Record<ScriptedOperation, ScriptedHandler>;

const OPERATIONS = [
  'health',
  'list_environments',
  'create_session',
  'create',
  'ping',
  'delete',
  'delete_session',
] as const;

const ENVIRONMENT_OPERATIONS = [
  'tools',
  'splits',
  'tasks',
  'num_tasks',
  'task',
  'task_range',
  'task_tools',
  'prompt',
  'call',
  'messages',
  'score_group',
] as const;

/** Operation of a request; `other` is every path that the standard does not define. */
export type ScriptedOperation = (typeof OPERATIONS)[number] | (typeof ENVIRONMENT_OPERATIONS)[number] | 'other';

/** A request that the scripted server has received. */
export interface ReceivedRequest {
  readonly operation: ScriptedOperation;
  /** Environment in the path, if any. */
  readonly environment: string | undefined;
  /** Path below the base URL. */
  readonly path: string;
  readonly method: string;
  /** Returns the value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** X-Session-ID. */
  readonly sid: string | undefined;
  /** The body as a JSON object; empty if it is not an object. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** `sentAt` is the time at which the request arrived. */
  readonly exchange: Exchange;
}

/** Returns the operation of a path, with or without an environment. */
export function operationOf(path: string): Pick<ReceivedRequest, 'operation' | 'environment'> {
  const segments = path.replace(/^\/|\/$/g, '').split('/');
  const [first = '', second] = segments;
  const known = <T extends string>(names: readonly T[], name: string | undefined) =>
    names.find((each) => each === name);
  if (segments.length === 1) {
    return {
      operation: known(OPERATIONS, first) ?? known(ENVIRONMENT_OPERATIONS, first) ?? 'other',
      environment: undefined,
    };
  }
  const operation = segments.length === 2 ? known(ENVIRONMENT_OPERATIONS, second) : undefined;
  return operation
    ? { operation, environment: decodePercent(first) ?? first }
    : { operation: 'other', environment: undefined };
}

type ReplyHeaders = Readonly<Record<string, string>>;

/** Formats an event. */
export const eventText = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`;

/** Writes the response to one request. */
export class ScriptedReply {
  readonly #response: ServerResponse;
  readonly #exchange: Exchange;
  readonly #now: () => number;
  readonly #packetMs: number;

  constructor(response: ServerResponse, exchange: Exchange, now: () => number, packetMs: number) {
    this.#response = response;
    this.#exchange = exchange;
    this.#now = now;
    this.#packetMs = packetMs;
    response.on('close', () => {
      if (exchange.endedAt !== undefined) return;
      exchange.endedAt = now();
      exchange.failure = 'the client closed the connection';
    });
  }

  /** The client has disconnected, or the response has ended. */
  get isClosed(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }

  /** Sends a JSON response. */
  json(status: number, body: unknown, headers: ReplyHeaders = {}): void {
    const bytes = Buffer.from(JSON.stringify(body));
    this.#head(status, { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length), ...headers });
    this.#exchange.chunks.push({ at: this.#now(), bytes });
    this.#end(() => this.#response.end(bytes));
  }

  /** Sends a response without a body. */
  status(status: number, headers: ReplyHeaders): void {
    this.#head(status, { 'Content-Length': '0', ...headers });
    this.#end(() => this.#response.end());
  }

  /** Starts an event stream. */
  stream(): void {
    this.#head(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
    this.#response.flushHeaders();
  }

  /** Writes a chunk of a stream; resolves when it has been passed to the system. */
  async write(chunk: string | Uint8Array): Promise<void> {
    if (this.isClosed) return;
    const bytes = Buffer.from(chunk as string);
    this.#exchange.chunks.push({ at: this.#now(), bytes });
    await new Promise<void>((resolve) => this.#response.write(bytes, () => resolve()));
  }

  async event(name: string, data: string): Promise<void> {
    await this.write(eventText(name, data));
  }

  /** Sends the last event, and ends the stream. */
  async endWith(name: string, data: string): Promise<void> {
    await this.event(name, data);
    this.end();
  }

  /** Writes chunks with a pause after each, so that they arrive separately. */
  async writeSpaced(chunks: readonly (string | Uint8Array)[]): Promise<void> {
    for (const chunk of chunks) {
      await this.write(chunk);
      await sleep(this.#packetMs);
      // Late timers fire in a row; setImmediate lets the socket write in between.
      await new Promise(setImmediate);
    }
  }

  end(): void {
    this.#end(() => this.#response.end());
  }

  /** Destroys the connection, after the previous chunks have had time to arrive. */
  async breakConnection(): Promise<void> {
    await sleep(this.#packetMs);
    this.#exchange.failure = 'the check closed the connection';
    this.#end(() => this.#response.destroy());
  }

  #head(status: number, headers: ReplyHeaders): void {
    this.#exchange.status = status;
    this.#exchange.responseHeaders = Object.entries(headers);
    this.#exchange.headAt = this.#now();
    this.#response.writeHead(status, { ...headers });
  }

  #end(end: () => void): void {
    this.#exchange.endedAt ??= this.#now();
    end();
  }
}
