import { type OperationId, operations } from '../../generated/ors-operations.ts';
import { type JoinedSignal, joinSignals, startWatchdog, truncate } from '../core/index.ts';
import { type JSONObject, SESSION_HEADER } from '../protocol/index.ts';
import { ConnectionFailure, wrapConnectionErrors } from './connection-failure.ts';
import { OrsConnectionError, OrsProtocolError } from './errors.ts';
import { openTransport, type TransportOptions } from './open-transport.ts';
import { readResponseText } from './read-body.ts';
import { readErrorResponse } from './refusal.ts';
import { isTransientError, RetryBudget, type RetryPolicy } from './retry.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/** Some servers set the episode up before they answer, and a second request would set it up twice. */
const CREATE_MS = 600_000;
/** A server that has never answered is more likely a wrong address than a broken network, in ms. */
const FIRST_CONTACT_MS = 30_000;
const MAX_REDIRECTS = 3;

/** What a request says besides its operation. */
export interface OrsRequest {
  readonly environment?: string;
  readonly sid?: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JSONObject;
  /** Each of them ends the request, and what it throws is the reason. */
  readonly signals?: readonly (AbortSignal | undefined)[];
}

/** How a request is repeated. */
export interface RetryOptions {
  /** A bound on each answer, on what failures may cost and on what the server may ask to wait, in ms. Default: none. */
  readonly retryTimeoutMs?: number;
  /** When the server was last heard of on another way, by performance.now(): being slow is then no failure. */
  readonly lastActivityAt?: () => number | undefined;
  /** Told of each failure that is followed by another attempt. */
  readonly onFailure?: (failure: unknown) => void;
}

export interface HttpOptions {
  readonly baseUrl: string;
  /** Of every request; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: TransportOptions;
  readonly retry: RetryPolicy;
  /** A request without an answer for so long is made anew, in ms. */
  readonly answerTimeoutMs: number;
}

/** Requests of operations to one server. */
export class HttpClient {
  readonly baseUrl: string;
  readonly retry: RetryPolicy;
  readonly #options: HttpOptions;
  readonly #closed = new AbortController();
  #transport: Promise<Transport> | undefined;
  #lastHeardAt: number | undefined;

  constructor(options: HttpOptions) {
    this.baseUrl = options.baseUrl;
    this.retry = options.retry;
    this.#options = options;
  }

  /** Aborts when the client is closed. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** When the server last answered anything, by performance.now(); undefined if it never did. */
  get lastActivityAt(): number | undefined {
    return this.#lastHeardAt;
  }

  /** What failures may cost at this time, in ms. */
  get retryCapMs(): number {
    return this.#lastHeardAt === undefined ? FIRST_CONTACT_MS : Number.POSITIVE_INFINITY;
  }

  /**
   * One attempt, as far as the headers of the answer.
   *
   * @throws OrsHttpError for an answer that is no success; ConnectionFailure if there is none.
   */
  async send(
    operation: OperationId,
    accept: string,
    { environment = '', sid, headers, body, signal }: OrsRequest & { signal: AbortSignal },
  ): Promise<TransportResponse> {
    const { method, path } = operations[operation];
    const url = this.baseUrl + path.replace('{env_name}', encodeURIComponent(environment));
    const response = await this.#followRedirects({
      method: method.toUpperCase(),
      url,
      headers: {
        ...this.#options.headers,
        accept,
        ...(sid !== undefined && { [SESSION_HEADER.toLowerCase()]: sid }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
    if (response.status >= 200 && response.status < 300) return response;
    throw readErrorResponse(`${method.toUpperCase()} ${url}`, sid, response, await readResponseText(url, response));
  }

  /**
   * A request and its JSON, repeated while that may help.
   *
   * @throws OrsHttpError, OrsConnectionError; OrsProtocolError if the answer is no JSON; the signal's reason.
   */
  async json(operation: OperationId, request: OrsRequest, persistence?: RetryOptions): Promise<unknown> {
    return this.withRetries(operation, request, persistence, async ({ signal }) => {
      const response = await this.send(operation, 'application/json', { ...request, signal });
      const text = await readResponseText(this.baseUrl, response);
      try {
        return JSON.parse(text);
      } catch {
        throw notJson(this.baseUrl + operations[operation].path, response, text);
      }
    });
  }

  /** A request whose answer says nothing but that it was heard. */
  async sendIgnoringBody(operation: OperationId, request: OrsRequest, persistence?: RetryOptions): Promise<void> {
    await this.withRetries(operation, request, persistence, async ({ signal }) => {
      await readResponseText(this.baseUrl, await this.send(operation, 'application/json', { ...request, signal }));
    });
  }

  /** Makes attempts until one succeeds, fails for good, or the budget is used up. */
  async withRetries<Response>(
    operation: OperationId,
    { signals = [] }: OrsRequest,
    { retryTimeoutMs = Number.POSITIVE_INFINITY, lastActivityAt, onFailure }: RetryOptions = {},
    attempt: (joined: JoinedSignal) => Promise<Response>,
  ): Promise<Response> {
    const { answerTimeoutMs } = this.#options;
    const answerMs = operation === 'createEpisode' ? CREATE_MS : Math.min(answerTimeoutMs, retryTimeoutMs);
    const budget = new RetryBudget({
      ...this.retry,
      budgetMs: Math.min(this.retry.budgetMs, retryTimeoutMs),
      queueMs: Math.min(this.retry.queueMs, retryTimeoutMs),
    });
    const ends = [...signals, this.closed];
    for (;;) {
      const startedAt = performance.now();
      const joined = joinSignals(...ends);
      let slow: ConnectionFailure | undefined;
      const giveUp = (): undefined => {
        slow = new ConnectionFailure(`${this.baseUrl} gave no answer to ${operation} in ${answerMs / 1000} s`);
        joined.abort(slow);
      };
      const watch = startWatchdog(answerMs, giveUp);
      try {
        return await attempt(joined);
      } catch (error) {
        // What is left of the answer must not hold its connection.
        joined.abort(error);
        for (const end of ends) end?.throwIfAborted();
        const failure = slow ?? error;
        if (isTransientError(failure)) onFailure?.(failure);
        const wasHeard = slow !== undefined && (lastActivityAt?.() ?? 0) > startedAt;
        await budget.waitBeforeRetry(failure, wasHeard ? 0 : performance.now() - startedAt, this.retryCapMs, ...ends);
      } finally {
        watch.stop();
        joined.release();
      }
    }
  }

  /** Lets go of all connections; whatever waits for an answer, or is asked later, fails. */
  async close(): Promise<void> {
    this.#closed.abort(new OrsConnectionError(`the client of ${this.baseUrl} is closed`));
    await (await this.#transport)?.close();
  }

  async #followRedirects(request: TransportRequest, redirects = 0): Promise<TransportResponse> {
    this.#transport ??= openTransport(this.#options.transport);
    const transport = await this.#transport;
    const response = await wrapConnectionErrors(request.url, () => transport.send(request));
    this.#lastHeardAt = performance.now();
    if (response.status !== 307 && response.status !== 308) return response;
    const location = response.header('Location') ?? '';
    const target = URL.canParse(location, request.url) ? new URL(location, request.url) : undefined;
    // A key or a secret must not follow to a host that was not asked for.
    if (target?.origin !== new URL(request.url).origin || redirects === MAX_REDIRECTS) {
      const place = target?.href ?? `'${location}', which is no address`;
      throw new OrsProtocolError(`${request.url} redirects to ${place}; use the right address of the server`);
    }
    await readResponseText(request.url, response);
    return this.#followRedirects({ ...request, url: target.href }, redirects + 1);
  }
}

function notJson(url: string, response: TransportResponse, text: string): OrsProtocolError {
  const type = response.header('Content-Type') ?? 'no media type';
  const detail = `${url} answered ${response.status} with ${type} that is no JSON: ${truncate(text, 80)}`;
  return new OrsProtocolError(`${detail}; is there an ORS server?`, { status: response.status });
}
