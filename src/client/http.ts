import { type OperationId, operations } from '../../generated/ors-operations.ts';
import {
  isRecord,
  type JoinedSignal,
  joinSignals,
  parseRetryAfter,
  startWatchdog,
  truncate,
  tryParseJson,
} from '../core/index.ts';
import { type JSONObject, SESSION_HEADER } from '../protocol/index.ts';
import { OrsConnectionError, OrsHttpError, OrsProtocolError } from './errors.ts';
import { type AbortSignals, BusyError, isTransientError, RetryBudget, type RetryPolicy } from './retry.ts';
import {
  ConnectionFailure,
  createFetchTransport,
  readResponseText,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  wrapConnectionErrors,
} from './transport.ts';

/** Some servers set the episode up before they respond, and a second request would set it up again. */
const CREATE_TIMEOUT_MS = 600_000;
/** Retry budget until the first response, in ms: silence then is more likely a wrong URL than a broken network. */
const FIRST_CONTACT_MS = 30_000;
/**
 * Tells the server that it may respond 503 while the episode is starting, after this many seconds.
 * Source: RFC 7240, section 4.3.
 */
const WAIT_PREFERENCE = 'wait=25';
/** Longest pause, in ms, that a server may ask for while an episode is starting. */
const MAX_STARTING_DELAY_MS = 10_000;
/** Statuses with which a server, or a proxy in front of it, says that an episode is starting. */
const STARTING_STATUSES: readonly number[] = [429, 502, 503, 504];
const MAX_REDIRECTS = 3;
const MAX_DETAIL_LENGTH = 2_000;

/** Option of every client method that waits. */
export interface SignalOption {
  /** Stops waiting when it aborts; the method then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Parameters of a request. */
export interface OrsRequest {
  readonly environment?: string;
  readonly sid?: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JSONObject;
  /** Each of them cancels the request, which then rejects with its reason. */
  readonly signals?: AbortSignals;
}

/** Retries of one request. */
export interface RetryOptions {
  /** Upper bound of each attempt, of the cost of failures and of the requested waits, in ms. @default none */
  readonly retryTimeoutMs?: number;
  /** Time of the last sign of life from other requests, by `performance.now()`: a slow response is then no failure. */
  readonly lastActivityAt?: () => number | undefined;
  /** Called with each failure that is followed by another attempt. */
  readonly onFailure?: (failure: unknown) => void;
}

/** Options of an HttpClient. */
export interface HttpOptions {
  readonly baseUrl: string;
  /** Sent with every request; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: TransportOptions;
  readonly retry: RetryPolicy;
  /** Timeout of an attempt, in ms. */
  readonly responseTimeoutMs: number;
}

interface TransportOptions {
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly ca?: string | Uint8Array | undefined;
}

/** Sends requests of operations to one server. */
export class HttpClient {
  readonly baseUrl: string;
  readonly retry: RetryPolicy;
  readonly #options: HttpOptions;
  readonly #closed = new AbortController();
  /** Aborts when the client is closed. */
  readonly closed = this.#closed.signal;
  #transport: Promise<Transport> | undefined;
  #lastActivityAt: number | undefined;

  constructor(options: HttpOptions) {
    this.baseUrl = options.baseUrl;
    this.retry = options.retry;
    this.#options = options;
  }

  /** Time of the server's last response, by `performance.now()`; undefined before the first one. */
  get lastActivityAt(): number | undefined {
    return this.#lastActivityAt;
  }

  /** Current upper bound of every retry budget, in ms. */
  get retryCapMs(): number {
    return this.#lastActivityAt === undefined ? FIRST_CONTACT_MS : Number.POSITIVE_INFINITY;
  }

  /**
   * Sends a request and parses the JSON of its response; retries transient failures.
   *
   * @throws OrsHttpError; OrsConnectionError; OrsProtocolError if the body is not JSON; the signal's reason.
   */
  async json(operation: OperationId, request: OrsRequest, retry?: RetryOptions): Promise<unknown> {
    return this.withRetries(operation, request, retry, async ({ signal }) => {
      const response = await this.send(operation, 'application/json', { ...request, signal });
      const text = await readResponseText(this.baseUrl, response);
      try {
        return JSON.parse(text);
      } catch {
        throw notJsonError(this.baseUrl + operations[operation].path, response, text);
      }
    });
  }

  /** Sends a request and discards the body of its response; retries and errors as `json`. */
  async sendIgnoringBody(operation: OperationId, request: OrsRequest, retry?: RetryOptions): Promise<void> {
    await this.withRetries(operation, request, retry, async ({ signal }) => {
      await readResponseText(this.baseUrl, await this.send(operation, 'application/json', { ...request, signal }));
    });
  }

  /** Makes attempts until one succeeds, fails permanently or the retry budget is used up. */
  async withRetries<Response>(
    operation: OperationId,
    { signals = [] }: OrsRequest,
    { retryTimeoutMs = Number.POSITIVE_INFINITY, lastActivityAt, onFailure }: RetryOptions = {},
    attempt: (joined: JoinedSignal) => Promise<Response>,
  ): Promise<Response> {
    const { responseTimeoutMs } = this.#options;
    const isCreating = operation === 'createEpisode' || operation === 'forkEpisode';
    const timeoutMs = Math.min(isCreating ? CREATE_TIMEOUT_MS : responseTimeoutMs, retryTimeoutMs);
    const budget = new RetryBudget({
      ...this.retry,
      budgetMs: Math.min(this.retry.budgetMs, retryTimeoutMs),
      queueMs: Math.min(this.retry.queueMs, retryTimeoutMs),
    });
    const abortSignals = [...signals, this.closed];
    for (;;) {
      const startedAt = performance.now();
      const joined = joinSignals(...abortSignals);
      let timeout: ConnectionFailure | undefined;
      const onTimeout = (): undefined => {
        timeout = new ConnectionFailure(`${this.baseUrl} did not respond to ${operation} in ${timeoutMs / 1000} s`);
        joined.abort(timeout);
      };
      const watch = startWatchdog(timeoutMs, onTimeout);
      try {
        return await attempt(joined);
      } catch (error) {
        // Releases the connection that the rest of the response would occupy.
        joined.abort(error);
        for (const signal of abortSignals) signal?.throwIfAborted();
        const failure = timeout ?? error;
        if (isTransientError(failure)) onFailure?.(failure);
        const isAlive = timeout !== undefined && (lastActivityAt?.() ?? 0) > startedAt;
        const lostMs = isAlive ? 0 : performance.now() - startedAt;
        await budget.waitBeforeRetry(failure, lostMs, this.retryCapMs, ...abortSignals);
      } finally {
        watch.stop();
        joined.release();
      }
    }
  }

  /**
   * Makes one attempt and resolves with the head of the response.
   *
   * @throws OrsHttpError for a status other than 2xx; ConnectionFailure if no response arrives.
   */
  async send(
    operation: OperationId,
    accept: string,
    { environment = '', sid, headers, body, signal }: OrsRequest & { signal: AbortSignal },
  ): Promise<TransportResponse> {
    const { method, path } = operations[operation];
    const name = encodeURIComponent(environment);
    const url = this.baseUrl + path.replace('{env_name}', name).replace('{owner}/{name}', `-/${name}`);
    const response = await this.#followRedirects({
      method: method.toUpperCase(),
      url,
      headers: {
        ...this.#options.headers,
        accept,
        ...(sid !== undefined && { [SESSION_HEADER.toLowerCase()]: sid, prefer: WAIT_PREFERENCE }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
    if (response.status >= 200 && response.status < 300) return response;
    throw toHttpError(`${method.toUpperCase()} ${url}`, sid, response, await readResponseText(url, response));
  }

  /** Closes all connections; running and later requests reject. */
  async close(): Promise<void> {
    this.#closed.abort(new OrsConnectionError(`the client of ${this.baseUrl} is closed`));
    await (await this.#transport)?.close();
  }

  async #followRedirects(request: TransportRequest, redirects = 0): Promise<TransportResponse> {
    this.#transport ??= openTransport(this.#options.transport);
    const transport = await this.#transport;
    const response = await wrapConnectionErrors(request.url, () => transport.send(request));
    this.#lastActivityAt = performance.now();
    if (response.status !== 307 && response.status !== 308) return response;
    const location = response.header('Location') ?? '';
    const target = URL.canParse(location, request.url) ? new URL(location, request.url) : undefined;
    // Keys and secrets must not follow a redirect to another origin.
    if (target?.origin !== new URL(request.url).origin || redirects === MAX_REDIRECTS) {
      const shown = target?.href ?? `'${location}', which is not a valid URL`;
      throw new OrsProtocolError(`${request.url} redirects to ${shown}; use the URL of the server itself`);
    }
    await readResponseText(request.url, response);
    return this.#followRedirects({ ...request, url: target.href }, redirects + 1);
  }
}

/** Opens a connection pool in Node, whose own fetch gives up a silent response after 300 s; uses fetch elsewhere. */
async function openTransport({ fetch, ca }: TransportOptions): Promise<Transport> {
  if (!fetch && isNode()) {
    const { createNodeTransport } = await import('./node-transport.ts');
    return createNodeTransport(ca);
  }
  if (ca !== undefined) {
    throw new TypeError('ca requires Node and no fetch option; configure the certificates of your platform instead');
  }
  return createFetchTransport(fetch ?? globalThis.fetch.bind(globalThis));
}

// Bun and Deno also claim to be Node, but do not contain undici.
const isNode = (): boolean =>
  typeof process === 'object' && Boolean(process.versions?.node) && !('Bun' in globalThis) && !('Deno' in globalThis);

function notJsonError(url: string, response: TransportResponse, text: string): OrsProtocolError {
  const type = response.header('Content-Type') ?? 'no media type';
  const detail = `${url} returned ${response.status} with ${type} that is not JSON: ${truncate(text, 80)}`;
  return new OrsProtocolError(`${detail}; is there an ORS server?`, { status: response.status });
}

/** Converts a response other than 2xx to an error. `request` is the method and URL. */
function toHttpError(request: string, sid: string | undefined, { status, header }: TransportResponse, text: string) {
  const detail = detailOf(text) || `status ${status}`;
  const retryable = status === 408 || status === 429 || status >= 500;
  const error = new OrsHttpError(`${request}: ${status} ${detail}`, { status, detail, sid, retryable });
  if (STARTING_STATUSES.includes(status) && header('X-Backend-State') === 'starting') {
    return new BusyError(error, startingDelayMs(header('Retry-After')), true);
  }
  if (status !== 429 && status !== 503) return error;
  const retryAfterMs = parseRetryAfter(header('Retry-After'));
  return retryAfterMs === undefined ? error : new BusyError(error, retryAfterMs);
}

/** Returns the pause that a starting server asks for; 0 for a date, which the Python clients ignore too. */
function startingDelayMs(retryAfter = ''): number {
  const seconds = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) : 0;
  return Math.min(MAX_STARTING_DELAY_MS, seconds * 1000);
}

/** Finds the reason in a body: `{"detail"}` as a string, a list of issues or an object; else the text itself. */
function detailOf(text: string): string {
  const body = tryParseJson(text);
  if (body === undefined) return truncate(text.trim(), MAX_DETAIL_LENGTH);
  const detail = isRecord(body) ? (body.detail ?? body.error ?? body.message ?? body) : body;
  if (Array.isArray(detail)) return truncate(detail.map(describeIssue).join('; '), MAX_DETAIL_LENGTH);
  return truncate(typeof detail === 'string' ? detail : JSON.stringify(detail), MAX_DETAIL_LENGTH);
}

/** Formats an issue of the Python servers: `{"loc": ["body", "split"], "msg": "Field required"}`. */
function describeIssue(value: unknown): string {
  if (!isRecord(value) || typeof value.msg !== 'string') return JSON.stringify(value);
  return Array.isArray(value.loc) ? `${value.loc.join('.')}: ${value.msg}` : value.msg;
}
