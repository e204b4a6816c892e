import { isRecord, MAX_TIMER_MS, PendingPromises, parseBaseUrl, warnOnce } from '../core/index.ts';
import { OrsConnectionError, OrsHttpError, OrsProtocolError, WARNING, withSessionId } from './errors.ts';
import { HttpClient, type SignalOption } from './http.ts';
import {
  createEpisode,
  createSession,
  deleteEpisode,
  type OpenSessionOptions,
  type SecretsPlacement,
  type TaskSelector,
} from './open-session.ts';
import { RemoteEnvironment } from './remote-environment.ts';
import { DEFAULT_RETRY, type RetryPolicy } from './retry.ts';
import { type ClientSessionContext, Session, type SessionHandle } from './session.ts';

/**
 * Options of a client.
 *
 * @example
 * new OrsClient('https://envs.example.com', { apiKey: process.env.ORS_API_KEY, retry: { budgetMs: 60_000 } });
 */
export interface OrsClientOptions {
  /** Sent as `X-API-Key`. @default none */
  readonly apiKey?: string;
  /** Sent with every request. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** PEM of the certificate authorities to trust; in Node only. @default those of the platform */
  readonly ca?: string | Uint8Array;
  /** Function that sends the requests. @default a connection pool in Node, the global fetch elsewhere */
  readonly fetch?: typeof globalThis.fetch;
  /** Limits on retries; missing fields have their defaults. */
  readonly retry?: Partial<RetryPolicy>;
  /** Time without data after which the stream of a call is resumed on a new connection, in ms. @default 30_000 */
  readonly stallTimeoutMs?: number;
  /** Timeout of one attempt of a request, in ms; calls and /create wait longer. @default 60_000 */
  readonly responseTimeoutMs?: number;
  /** Maximum time between two pings of a session, in ms; 0 disables pings. @default 10_000 */
  readonly pingIntervalMs?: number;
}

/**
 * Implementation of a server, for diagnosis; the client detects all differences by itself.
 *
 * @example
 * const { name, version }: ServerDialect = await client.dialect();
 */
export interface ServerDialect {
  readonly name: 'ors-kit' | 'openreward' | 'ors-sdk' | 'unknown';
  /** Version that the server reports; null if it reports none. */
  readonly version: string | null;
  /** True if clients may choose the task id of a call: then it runs once, even if no response arrives. */
  readonly acceptsTaskIds: boolean;
}

/**
 * Client of one ORS server, of any implementation. It keeps connections open until `close`.
 *
 * @example
 * await using client = new OrsClient('http://127.0.0.1:8080');
 * const [name = ''] = await client.environments();
 * await using session = await client.environment(name).session({ split: 'train', index: 0 });
 * const result = await session.call('submit', { answer: '42' });
 */
export class OrsClient implements AsyncDisposable {
  readonly url: string;
  readonly #http: HttpClient;
  readonly #context: ClientSessionContext;
  readonly #sessions = new Set<Session>();
  readonly #secretsPlacement: SecretsPlacement = { inHeader: false };
  /** Sessions that are being opened, and deletions of those that failed to open. */
  readonly #pending = new PendingPromises();
  readonly #closing = new AbortController();
  #dialect: Promise<ServerDialect> | undefined;
  /** True if the last detection failed; the next call of `dialect` then repeats it. */
  #isDialectLost = false;

  /**
   * @param url URL of the server; it may have a path, which is the prefix of all operations.
   * @throws TypeError for a URL that is not http or https, or that contains a password, a query or a fragment;
   *   RangeError for a duration that is out of range.
   */
  constructor(url: string | URL, options: OrsClientOptions = {}) {
    const { apiKey, ca, fetch, headers = {} } = options;
    const { stallTimeoutMs = 30_000, pingIntervalMs = 10_000, responseTimeoutMs = 60_000 } = options;
    assertDuration('stallTimeoutMs', stallTimeoutMs, 1);
    assertDuration('pingIntervalMs', pingIntervalMs, 0);
    assertDuration('responseTimeoutMs', responseTimeoutMs, 1);
    const retry = { ...DEFAULT_RETRY, ...options.retry };
    for (const [name, value] of Object.entries(retry)) {
      assertDuration(`retry.${name}`, value, 0, Number.POSITIVE_INFINITY);
    }
    this.url = parseBaseUrl(url, 'pass the URL of an ORS server, such as http://127.0.0.1:8080');
    const lowerCased = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    this.#http = new HttpClient({
      baseUrl: this.url,
      headers: { ...(apiKey && { 'x-api-key': apiKey }), ...Object.fromEntries(lowerCased) },
      transport: { ca, fetch },
      retry,
      responseTimeoutMs,
    });
    this.#context = {
      http: this.#http,
      pingIntervalMs,
      stallTimeoutMs,
      // A server that cannot be identified gets only requests that every server accepts.
      acceptsTaskIds: () =>
        (this.#dialect ?? this.dialect()).then(({ acceptsTaskIds }) => acceptsTaskIds).catch(() => false),
      attach: (handle) => this.attach(handle),
      onEnd: (session) => this.#sessions.delete(session),
    };
  }

  /** Lists the names of the server's environments. Source: HTTP API, "GET /list_environments". */
  async environments({ signal }: SignalOption = {}): Promise<string[]> {
    const response = await this.#http.json('listEnvironments', { signals: [signal] });
    const names = isRecord(response) ? response.environments : response;
    const valid = Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
    if (Array.isArray(names) && valid.length === names.length) return valid;
    if (valid.length > 0) {
      warnOnce(`${this.url}/list_environments has entries that are not names; they are left out`, WARNING);
      return valid;
    }
    throw new OrsProtocolError(`${this.url}/list_environments returned no list of names; is there an ORS server?`);
  }

  /**
   * Returns an environment without sending a request.
   *
   * @throws TypeError for a name that no environment can have.
   */
  environment(name: string): RemoteEnvironment {
    assertEnvironmentName(name);
    return new RemoteEnvironment(this.#http, name, (...args) => this.#pending.add(this.#open(...args)));
  }

  async #open(environment: string, selector: TaskSelector, { signal, ...options }: OpenSessionOptions) {
    const signals = [signal, this.#closing.signal];
    // Not awaited: opening a session does not depend on the dialect.
    void this.dialect().catch(() => undefined);
    const sid = await createSession(this.#http, signals);
    try {
      await createEpisode(this.#http, this.#secretsPlacement, sid, environment, selector, options, signals);
    } catch (error) {
      // The episode may exist if only its response was lost. Only `close` waits for the deletion.
      void this.#pending.add(deleteEpisode(this.#http, sid)).catch(() => undefined);
      throw withSessionId(error, sid);
    }
    // After /create, because a ping before it would be rejected.
    return this.attach({ environment, sid });
  }

  /**
   * Continues a session that was created elsewhere and keeps it alive; sends no request by itself.
   *
   * @throws OrsConnectionError if the client is closed.
   */
  attach(handle: SessionHandle): Session {
    this.#closing.signal.throwIfAborted();
    const session = new Session(this.#context, handle);
    this.#sessions.add(session);
    return session;
  }

  /**
   * Returns the implementation of the server. It is detected once, unless the server does not respond.
   *
   * @throws OrsConnectionError if the server does not respond within a few seconds.
   */
  async dialect(): Promise<ServerDialect> {
    if (this.#dialect && !this.#isDialectLost) return this.#dialect;
    this.#isDialectLost = false;
    this.#dialect = detectServerDialect(this.#http).catch((error: unknown) => {
      this.#isDialectLost = true;
      throw error;
    });
    return this.#dialect;
  }

  /**
   * Closes all connections and detaches all sessions. Open sessions end on the server when they expire; sessions that
   * are being opened are deleted first.
   */
  async close(): Promise<void> {
    this.#closing.abort(new OrsConnectionError(`the client of ${this.url} is closed`));
    for (const session of this.#sessions) session.detach();
    await this.#pending.settled();
    await this.#http.close();
  }

  /** Calls `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Maximum time for detecting a dialect, in ms. */
const DETECTION_TIMEOUT_MS = 3_000;
const UNKNOWN_DIALECT: ServerDialect = { name: 'unknown', version: null, acceptsTaskIds: false };

/** Detects the implementation by /version, which ors-sdk does not have, and by the title of the OpenAPI document. */
async function detectServerDialect(http: HttpClient): Promise<ServerDialect> {
  const info = await requestIfSupported(http, 'version');
  const version = typeof info?.version === 'string' ? info.version : null;
  if (info?.name === 'ors-kit') return { name: 'ors-kit', version, acceptsTaskIds: true };
  if (info && 'build_sha' in info) return { ...UNKNOWN_DIALECT, name: 'openreward', version };
  const document = await requestIfSupported(http, 'openapi');
  const isFastApi = isRecord(document?.info) && document.info.title === 'FastAPI';
  const hasSessions = isRecord(document?.paths) && '/create_session' in document.paths;
  return isFastApi && hasSessions ? { ...UNKNOWN_DIALECT, name: 'ors-sdk' } : { ...UNKNOWN_DIALECT, version };
}

async function requestIfSupported(http: HttpClient, operation: 'version' | 'openapi') {
  try {
    const response = await http.json(operation, {}, { retryTimeoutMs: DETECTION_TIMEOUT_MS });
    return isRecord(response) ? response : undefined;
  } catch (error) {
    if (error instanceof OrsHttpError || error instanceof OrsProtocolError) return undefined;
    throw error;
  }
}

/** @throws TypeError for a name that cannot be a segment of a path. */
function assertEnvironmentName(name: unknown): asserts name is string {
  if (typeof name === 'string' && !['', '.', '..'].includes(name) && name.isWellFormed()) return;
  throw new TypeError(`${JSON.stringify(name)} is not a valid name of an environment`);
}

/** @throws RangeError for a duration outside of the range, or that is not a number. */
function assertDuration(option: string, value: number, min: number, max = MAX_TIMER_MS): void {
  if (typeof value === 'number' && value >= min && value <= max) return;
  const range = max === Number.POSITIVE_INFINITY ? `from ${min}` : `from ${min} to ${max}`;
  throw new RangeError(`invalid ${option}: expected a number of milliseconds ${range}, got ${value}`);
}
