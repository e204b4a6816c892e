import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Condition, errorStack, fieldsOf, tryParseJson } from '../../../core/index.ts';
import { HarnessError } from '../../assertions.ts';
import { type Exchange, headerPairs } from '../../probe/index.ts';
import {
  operationOf,
  type ReceivedRequest,
  type ScriptedHandler,
  type ScriptedHandlers,
  type ScriptedOperation,
  ScriptedReply,
} from './exchange.ts';
import { defaultHandlers, type ScriptedServerState } from './healthy.ts';

export interface ScriptedServerParts {
  /** Returns the milliseconds since the start of the run. */
  readonly now: () => number;
  /** Returns the number of the next exchange of the run. */
  readonly nextNumber: () => number;
  readonly packetMs: number;
}

/**
 * A server whose handlers a check can replace. The others follow the standard and are lenient: they accept requests that
 * are wrong in ways that the check is not about.
 */
export class ScriptedServer implements AsyncDisposable {
  /** Path of the base URL; set before the client starts. */
  prefix = '';
  /** Path to which all other requests are redirected with 308. */
  redirectTo: string | undefined;
  /** All requests in order of arrival. */
  readonly requests: ReceivedRequest[] = [];
  readonly state: ScriptedServerState = { sids: [], taskIds: new Set() };
  readonly #parts: ScriptedServerParts;
  readonly #handlers: ScriptedHandlers;
  readonly #server: Server;
  readonly #changed = new Condition();
  #problem: unknown;
  #isClosed = false;

  constructor(parts: ScriptedServerParts) {
    this.#parts = parts;
    this.#handlers = defaultHandlers(this.state);
    // Clients may pause for long between two requests, and must not meet a connection that is just being closed.
    this.#server = createServer({ keepAliveTimeout: 300_000 }, (request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        this.#problem ??= error;
        response.destroy();
      });
    });
  }

  async listen(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.prefix}`;
  }

  /** Replaces the handler of an operation. */
  setHandler(operation: ScriptedOperation, handler: ScriptedHandler): void {
    this.#handlers[operation] = handler;
  }

  /** Handles an operation with this JSON response. */
  setResponse(operation: ScriptedOperation, status: number, body: unknown): void {
    this.setHandler(operation, (_, reply) => reply.json(status, body));
  }

  handlerOf(operation: ScriptedOperation): ScriptedHandler {
    return this.#handlers[operation];
  }

  /** Returns the milliseconds since the start of the run. */
  now(): number {
    return this.#parts.now();
  }

  /** Returns the requests of an operation. */
  requestsOf(operation: ScriptedOperation): readonly ReceivedRequest[] {
    return this.requests.filter((request) => request.operation === operation);
  }

  /** Waits until the condition holds, which is checked after each request, or the time is over; returns the condition. */
  waitFor(condition: () => boolean, ms: number): Promise<boolean> {
    return this.#changed.until(condition, { ms });
  }

  /** Waits, or until the server is closed. */
  async pause(ms: number): Promise<void> {
    await this.waitFor(() => this.#isClosed, ms);
  }

  /** @throws HarnessError if a handler has failed */
  check(): void {
    if (this.#problem === undefined) return;
    const problem = this.#problem;
    throw new HarnessError(`a handler of the check failed: ${errorStack(problem)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#changed.notify();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const sentAt = this.#parts.now();
    const number = this.#parts.nextNumber();
    const body = await buffer(incoming).catch(() => undefined);
    // The client has disconnected.
    if (body === undefined) return;
    const exchange: Exchange = {
      number,
      method: incoming.method ?? '',
      url: new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? '127.0.0.1'}`).href,
      requestHeaders: headerPairs(incoming.rawHeaders),
      requestBody: body.length > 0 ? body : undefined,
      sentAt,
      responseHeaders: [],
      chunks: [],
    };
    const request = this.#received(incoming, exchange, body.toString());
    this.requests.push(request);
    this.#changed.notify();
    const reply = new ScriptedReply(response, exchange, this.#parts.now, this.#parts.packetMs);
    const { pathname, search } = new URL(exchange.url);
    const isRedirected = this.redirectTo === undefined || pathname.startsWith(`${this.redirectTo}/`);
    if (!isRedirected) return reply.status(308, { Location: `${this.redirectTo}${pathname}${search}` });
    await this.#handlers[request.operation](request, reply);
  }

  #received(incoming: IncomingMessage, exchange: Exchange, body: string): ReceivedRequest {
    const { pathname } = new URL(exchange.url);
    const base =
      this.redirectTo !== undefined && pathname.startsWith(`${this.redirectTo}/`) ? this.redirectTo : this.prefix;
    const isBelow = pathname.startsWith(`${base}/`);
    const path = isBelow ? pathname.slice(base.length) : pathname;
    const header = (name: string) => {
      const value = incoming.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    };
    return {
      ...(isBelow ? operationOf(path) : { operation: 'other', environment: undefined }),
      path,
      method: exchange.method,
      header,
      sid: header('x-session-id'),
      json: { ...fieldsOf(tryParseJson(body)) },
      body,
      exchange,
    };
  }
}
