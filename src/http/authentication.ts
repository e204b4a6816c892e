import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from './node-server.ts';

/** Returns the name of the caller; throws an HttpError for requests that are not authenticated. Runs before the body is read. */
export type Admit = (request: IncomingMessage) => Promise<string | undefined>;

const callers = new WeakMap<IncomingMessage, Promise<string | undefined>>();
const admitted = new WeakMap<IncomingMessage, string>();

/** Returns the caller of a request; calls `admit` once per request, also if both the fast path and Express ask. */
export function callerOf(request: IncomingMessage, admit: Admit | undefined): Promise<string | undefined> {
  if (!admit) return NO_CALLER;
  const known = callers.get(request);
  if (known) return known;
  const caller = admit(request).then((name) => {
    if (name !== undefined) admitted.set(request, name);
    return name;
  });
  callers.set(request, caller);
  return caller;
}

/** Name of the caller that was admitted; undefined before that, and on servers without authentication. */
export const admittedCaller = (request: IncomingMessage): string | undefined => admitted.get(request);

const NO_CALLER = Promise.resolve(undefined);

/** Reads the API key of a request: `X-API-Key`, or else the bearer token. */
export function readApiKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key;
  return /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
}

/** Time in which a stream can send why it ends before its connection is closed. */
const GRACE_MS = 1_000;

interface OpenResponse {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Set if the request only reads. Requests that write finish their work if they were received before. */
  readonly isRead: boolean;
  /** Sends the reason, and ends the response. */
  end: (() => void) | undefined;
}

/** Open responses by the API key of their request, which end when the key is revoked. */
export class OpenResponses {
  readonly #responses = new WeakMap<IncomingMessage, ServerResponse>();
  readonly #open = new Map<string, Set<OpenResponse>>();
  readonly #byTicket = new Map<number, OpenResponse>();
  #tickets = 0;
  /** Incremented when keys may have been revoked; a key that was looked up before is looked up again. */
  revision = 0;

  /** Keys with open responses. */
  get keys(): readonly string[] {
    return [...this.#open.keys()];
  }

  /** Wraps the handler of all requests, so that the response of each request is known when it is admitted. */
  track(handler: RequestHandler): RequestHandler {
    return (request, response, next) => {
      this.#responses.set(request, response);
      handler(request, response, next);
    };
  }

  /**
   * @param key id of the key that authenticated the request.
   * @returns the id of the response; 0 if the client has disconnected.
   */
  admitted(request: IncomingMessage, key: string): number {
    const response = this.#responses.get(request);
    if (!response || response.closed) return 0;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const open: OpenResponse = { request, response, isRead, end: undefined };
    const ticket = ++this.#tickets;
    this.#byTicket.set(ticket, open);
    const own = this.#open.get(key) ?? new Set();
    this.#open.set(key, own.add(open));
    response.once('close', () => {
      this.#byTicket.delete(ticket);
      own.delete(open);
      if (own.size === 0 && this.#open.get(key) === own) this.#open.delete(key);
    });
    return ticket;
  }

  /** Registers `end`, which is called when the key is revoked. It has a second to end the response, which is then cut. */
  onRevoked(ticket: number, end: () => void): void {
    const open = this.#byTicket.get(ticket);
    if (open) open.end = end;
  }

  /** Closes the responses of a key. A request that is still being received is cut at once: its rest is not authenticated. */
  revoke(key: string): void {
    const responses = [...(this.#open.get(key) ?? [])];
    this.#open.delete(key);
    for (const open of responses) {
      if (!open.request.complete) {
        open.response.destroy();
      } else if (open.end) {
        open.end();
        setTimeout(cut, GRACE_MS, open).unref();
      } else {
        cut(open);
      }
    }
  }
}

/** Cuts a response. A request that writes may finish, but a stream in its response is cut when it begins. */
function cut(open: OpenResponse): void {
  const { response, isRead } = open;
  if (response.closed || response.writableFinished) return;
  if (isRead || response.headersSent) response.destroy();
  else setTimeout(cut, GRACE_MS, open).unref();
}
