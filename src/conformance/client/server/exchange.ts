import type { ServerResponse } from 'node:http';
import { sleep } from '../../../core/index.ts';
import type { Exchange } from '../../probe/index.ts';

/** Answers requests of one operation. */
export type ScriptedHandler = (request: ReceivedRequest, reply: ScriptedReply) => void | Promise<void>;

export type ScriptedHandlers = Record<ScriptedOperation, ScriptedHandler>;

export const OPERATIONS = [
  'health',
  'list_environments',
  'create_session',
  'create',
  'ping',
  'delete',
  'delete_session',
] as const;

export const ENVIRONMENT_OPERATIONS = [
  'tools',
  'splits',
  'tasks',
  'num_tasks',
  'task',
  'task_range',
  'task_tools',
  'prompt',
  'call',
] as const;

/** What a request asks for; `other` is everything that the standard does not have. */
export type ScriptedOperation = (typeof OPERATIONS)[number] | (typeof ENVIRONMENT_OPERATIONS)[number] | 'other';

/** A request as the scripted server got it. */
export interface ReceivedRequest {
  readonly operation: ScriptedOperation;
  /** The environment that the path names; undefined for paths without. */
  readonly environment: string | undefined;
  /** From the server's base URL on. */
  readonly path: string;
  readonly method: string;
  /** The value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** X-Session-ID. */
  readonly sid: string | undefined;
  /** The body as a JSON object; empty if it is none. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Times in it are milliseconds since the run began; `sentAt` is when the request arrived. */
  readonly exchange: Exchange;
}

/** Which operation a path means. A path without environment means the same as one with. */
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
  return operation ? { operation, environment: decode(first) } : { operation: 'other', environment: undefined };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

type ReplyHeaders = Readonly<Record<string, string>>;

/** One event as it stands on the wire, unless a script writes it otherwise. */
export const eventText = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`;

/** The answer to one request, while it is written. */
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
      exchange.failure = 'the client broke the connection';
    });
  }

  /** Whether the client has gone. */
  get isClosed(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }

  /** A whole answer. */
  json(status: number, body: unknown, headers: ReplyHeaders = {}): void {
    const bytes = Buffer.from(JSON.stringify(body));
    this.#head(status, { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length), ...headers });
    this.#exchange.chunks.push({ at: this.#now(), bytes });
    this.#end(() => this.#response.end(bytes));
  }

  /** An answer without body. */
  status(status: number, headers: ReplyHeaders): void {
    this.#head(status, { 'Content-Length': '0', ...headers });
    this.#end(() => this.#response.end());
  }

  /** Begins an event stream. */
  stream(): void {
    this.#head(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
    this.#response.flushHeaders();
  }

  /** Writes a piece of a stream; resolves when it is on its way. */
  async write(piece: string | Uint8Array): Promise<void> {
    if (this.isClosed) return;
    const bytes = Buffer.from(piece as string);
    this.#exchange.chunks.push({ at: this.#now(), bytes });
    await new Promise<void>((resolve) => this.#response.write(bytes, () => resolve()));
  }

  async event(name: string, data: string): Promise<void> {
    await this.write(eventText(name, data));
  }

  /** Writes pieces with a pause after each, so that they arrive one by one. */
  async writeSpaced(pieces: readonly (string | Uint8Array)[]): Promise<void> {
    for (const piece of pieces) {
      await this.write(piece);
      await sleep(this.#packetMs);
      // Timers that are late come in a row; after this, what was written has left.
      await new Promise(setImmediate);
    }
  }

  end(): void {
    this.#end(() => this.#response.end());
  }

  /** Breaks the connection off, after what was written has had time to arrive. */
  async breakConnection(): Promise<void> {
    await sleep(this.#packetMs);
    this.#exchange.failure = 'the script broke the connection';
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
