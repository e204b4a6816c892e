import { type OperationId, operations } from '../../generated/ors-operations.ts';
import { type JSONObject, SESSION_HEADER } from '../protocol/index.ts';
import { ConnectionFailure, connected } from './connection-failure.ts';
import { OrsConnectionError, OrsProtocolError } from './errors.ts';
import { openTransport, type TransportOptions } from './open-transport.ts';
import { readText } from './read-text.ts';
import { readRefusal } from './refusal.ts';
import { isTransient, RetryBudget, type RetryPolicy } from './retry.ts';
import { joinSignals } from './signals.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/** An attempt that brings no answer in this time is made anew, in ms. */
const ANSWER_MS = 60_000;
/** Some servers set the episode up before they answer, and a second request would set it up twice. */
const CREATE_MS = 600_000;
/** A server that has never answered is more likely a wrong address than a broken network, in ms. */
const FIRST_CONTACT_MS = 30_000;
const MAX_REDIRECTS = 3;

/** What a request says besides its operation. */
export interface OrsRequest {
  readonly environment?: string;
  readonly sid?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JSONObject;
  /** Each of them ends the request, and what it throws is the reason. */
  readonly signals?: readonly (AbortSignal | undefined)[];
}

/** How a request is repeated. */
export interface Persistence {
  readonly retry?: Partial<RetryPolicy>;
  /** When the server was last heard of on another way, by performance.now(): being slow is then no failure. */
  readonly lastHeardAt?: () => number;
  /** Told of each failure that is followed by another attempt. */
  readonly onFailure?: (failure: unknown) => void;
}

export interface HttpOptions {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: TransportOptions;
  readonly retry: RetryPolicy;
}

/** Requests of operations to one server. */
export class Http {
  readonly baseUrl: string;
  readonly retry: RetryPolicy;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #options: TransportOptions;
  readonly #closed = new AbortController();
  #transport: Promise<Transport> | undefined;
  #hasAnswered = false;

  constructor({ baseUrl, headers, transport, retry }: HttpOptions) {
    this.baseUrl = baseUrl;
    this.retry = retry;
    this.#headers = headers;
    this.#options = transport;
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
    const response = await this.#follow({
      method: method.toUpperCase(),
      url,
      headers: {
        Accept: accept,
        ...this.#headers,
        ...(sid !== undefined && { [SESSION_HEADER]: sid }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
    if (response.status >= 200 && response.status < 300) return response;
    throw readRefusal(`${method.toUpperCase()} ${url}`, sid, response, await connected(url, () => readText(response)));
  }

  /**
   * A request and its JSON, repeated while that may help.
   *
   * @throws OrsHttpError, OrsConnectionError; OrsProtocolError if the answer is no JSON; the signal's reason.
   */
  async json(operation: OperationId, request: OrsRequest, persistence?: Persistence): Promise<unknown> {
    return this.persist(operation, request, persistence, async (signal) => {
      const response = await this.send(operation, 'application/json', { ...request, signal });
      const text = await connected(this.baseUrl, () => readText(response));
      try {
        return JSON.parse(text);
      } catch {
        throw notJson(this.baseUrl + operations[operation].path, response, text);
      }
    });
  }

  /** A request whose answer says nothing but that it was heard. */
  async tell(operation: OperationId, request: OrsRequest, persistence?: Persistence): Promise<void> {
    await this.persist(operation, request, persistence, async (signal) => {
      const response = await this.send(operation, 'application/json', { ...request, signal });
      await connected(this.baseUrl, () => readText(response));
    });
  }

  /** Makes attempts until one succeeds, fails for good, or the budget is used up. */
  async persist<Answer>(
    operation: OperationId,
    { signals = [] }: OrsRequest,
    { retry, lastHeardAt, onFailure }: Persistence = {},
    attempt: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const policy = { ...this.retry, ...retry };
    const answerMs = operation === 'createEpisode' ? CREATE_MS : Math.min(ANSWER_MS, policy.budgetMs);
    if (!this.#hasAnswered) policy.budgetMs = Math.min(policy.budgetMs, FIRST_CONTACT_MS);
    const budget = new RetryBudget(policy);
    const ends = [...signals, this.#closed.signal];
    for (;;) {
      const startedAt = performance.now();
      const joined = joinSignals(...ends);
      let slow: ConnectionFailure | undefined;
      const giveUp = () => {
        slow = new ConnectionFailure(`${this.baseUrl} gave no answer to ${operation} in ${answerMs / 1000} s`);
        joined.abort(slow);
      };
      const timer = setTimeout(giveUp, answerMs);
      try {
        return await attempt(joined.signal);
      } catch (error) {
        // What is left of the answer must not hold its connection.
        joined.abort(error);
        for (const end of ends) end?.throwIfAborted();
        const failure = slow ?? error;
        if (isTransient(failure)) onFailure?.(failure);
        const wasHeard = slow !== undefined && (lastHeardAt?.() ?? 0) > startedAt;
        await budget.recover(failure, wasHeard ? 0 : performance.now() - startedAt, ...ends);
      } finally {
        clearTimeout(timer);
        joined.release();
      }
    }
  }

  /** Lets go of all connections; whatever waits for an answer, or is asked later, fails. */
  async close(): Promise<void> {
    this.#closed.abort(new OrsConnectionError(`the client of ${this.baseUrl} is closed`));
    await (await this.#transport)?.close();
  }

  async #follow(request: TransportRequest, redirects = 0): Promise<TransportResponse> {
    this.#transport ??= openTransport(this.#options);
    const transport = await this.#transport;
    const response = await connected(request.url, () => transport.send(request));
    this.#hasAnswered = true;
    if (response.status !== 307 && response.status !== 308) return response;
    const target = new URL(response.header('Location') ?? '', request.url);
    // A key or a secret must not follow to a host that was not asked for.
    if (target.origin !== new URL(request.url).origin || redirects === MAX_REDIRECTS) {
      throw new OrsProtocolError(`${request.url} redirects to ${target.href}; use that address if you trust it`);
    }
    await connected(request.url, () => readText(response));
    return this.#follow({ ...request, url: target.href }, redirects + 1);
  }
}

function notJson(url: string, response: TransportResponse, text: string): OrsProtocolError {
  const type = response.header('Content-Type') ?? 'no media type';
  const detail = `${url} answered ${response.status} with ${type} that is no JSON: ${text.slice(0, 80)}`;
  return new OrsProtocolError(`${detail}; is there an ORS server?`, { status: response.status });
}
