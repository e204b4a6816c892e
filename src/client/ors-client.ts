import { isRecord, PendingPromises, withoutCredentials, withoutTrailingSlashes } from '../core/index.ts';
import { assertEnvironmentName, assertNumberInRange } from './checks.ts';
import { detectServerDialect, type ServerDialect } from './dialect.ts';
import { OrsConnectionError, OrsProtocolError, withSessionId } from './errors.ts';
import { HttpClient } from './http.ts';
import {
  createEpisode,
  createSession,
  deleteEpisode,
  type OpenSessionOptions,
  type TaskSelector,
} from './open-session.ts';
import { RemoteEnvironment } from './remote-environment.ts';
import { DEFAULT_RETRY, type RetryPolicy } from './retry.ts';
import { type ClientSessionContext, Session, type SessionHandle } from './session.ts';
import type { SignalOption } from './signals.ts';

export interface OrsClientOptions {
  /** Sent as `X-API-Key`. Default: none. */
  readonly apiKey?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** PEM of the authorities to trust; Node only. Default: those of the platform. */
  readonly ca?: string | Uint8Array;
  /** Default: a pool of connections of its own in Node, the global fetch elsewhere. */
  readonly fetch?: typeof globalThis.fetch;
  /** How long one operation goes on against failures; what is left out has its default. */
  readonly retry?: Partial<RetryPolicy>;
  /** A stream that is silent for so long is asked for anew, in ms. Default: 30,000. */
  readonly stallTimeoutMs?: number;
  /** A request without an answer for so long is made anew, in ms; calls and /create wait longer. Default: 60,000. */
  readonly answerTimeoutMs?: number;
  /** Time between two pings of a session, in ms; 0 sends none. Default: 10,000. */
  readonly pingIntervalMs?: number;
}

/**
 * A client of one ORS server, of any implementation. It keeps connections; `close` lets go of them.
 *
 * @throws TypeError for a URL that is none of HTTP.
 */
export class OrsClient implements AsyncDisposable {
  readonly url: string;
  readonly #http: HttpClient;
  readonly #context: ClientSessionContext;
  readonly #sessions = new Set<Session>();
  readonly #secrets = { inHeader: false };
  /** Sessions that are being opened, and deletions of those that could not be. */
  readonly #pending = new PendingPromises();
  readonly #closing = new AbortController();
  #dialect: Promise<ServerDialect> | undefined;
  /** Whether the last question got no answer; then it is asked again when there is occasion. */
  #isDialectLost = false;

  /** @param url of the server; may have a path, below which the operations are. */
  constructor(url: string | URL, options: OrsClientOptions = {}) {
    const { apiKey, ca, fetch, headers = {} } = options;
    const { stallTimeoutMs = 30_000, pingIntervalMs = 10_000, answerTimeoutMs = 60_000 } = options;
    assertNumberInRange('stallTimeoutMs', stallTimeoutMs, 1);
    assertNumberInRange('pingIntervalMs', pingIntervalMs, 0);
    assertNumberInRange('answerTimeoutMs', answerTimeoutMs, 1);
    const retry = { ...DEFAULT_RETRY, ...options.retry };
    for (const [name, value] of Object.entries(retry))
      assertNumberInRange(`retry.${name}`, value, 0, Number.POSITIVE_INFINITY);
    this.url = baseUrl(url);
    const lowerCased = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    this.#http = new HttpClient({
      baseUrl: this.url,
      headers: { ...(apiKey && { 'x-api-key': apiKey }), ...Object.fromEntries(lowerCased) },
      transport: { ca, fetch },
      retry,
      answerTimeoutMs,
    });
    this.#context = {
      http: this.#http,
      pingIntervalMs,
      stallTimeoutMs,
      // A server that does not say what it is gets no more than what all servers take.
      takesTaskIds: () => (this.#dialect ?? this.dialect()).then((dialect) => dialect.takesTaskIds).catch(() => false),
      onEnd: (session) => this.#sessions.delete(session),
    };
  }

  /** The names of the server's environments. Source: HTTP API, "GET /list_environments". */
  async environments({ signal }: SignalOption = {}): Promise<string[]> {
    const names = await this.#http.json('listEnvironments', { signals: [signal] });
    const list = isRecord(names) ? names.environments : names;
    if (Array.isArray(list) && list.every((name) => typeof name === 'string')) return list;
    throw new OrsProtocolError(`${this.url}/list_environments gave no list of names; is there an ORS server?`);
  }

  /** An environment by its name; nothing is asked yet. @throws TypeError for a name that no environment can have. */
  environment(name: string): RemoteEnvironment {
    assertEnvironmentName(name);
    return new RemoteEnvironment(this.#http, name, (...args) => this.#pending.add(this.#open(...args)));
  }

  /**
   * Goes on with a session that was created elsewhere, and keeps it alive; nothing is asked yet.
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
   * Which implementation the server is, for diagnosis; asked once, if it answers.
   *
   * @throws OrsConnectionError if it does not within some seconds.
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
   * Lets go of all connections and sessions. Sessions that were not closed end at the server when they expire; those
   * that are being opened are deleted first.
   */
  async close(): Promise<void> {
    this.#closing.abort(new OrsConnectionError(`the client of ${this.url} is closed`));
    for (const session of this.#sessions) session.detach();
    await this.#pending.settled();
    await this.#http.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #open(
    environment: string,
    choice: TaskSelector,
    { secrets = {}, signal }: OpenSessionOptions,
  ): Promise<Session> {
    const signals = [signal, this.#closing.signal];
    // Not waited for: a session can be opened without knowing where.
    void this.dialect().catch(() => undefined);
    const sid = await createSession(this.#http, signals);
    try {
      await createEpisode(this.#http, this.#secrets, sid, environment, choice, secrets, signals);
    } catch (error) {
      // The episode may be there all the same, if only the answer was lost. Nobody waits for that but `close`.
      void this.#pending.add(deleteEpisode(this.#http, sid)).catch(() => undefined);
      throw withSessionId(error, sid);
    }
    // Not before: a ping that comes first would be told that there is no such session.
    return this.attach({ environment, sid });
  }
}

function baseUrl(url: string | URL): string {
  const advice = 'give the address of an ORS server, such as http://127.0.0.1:8080';
  if (!URL.canParse(url)) throw new TypeError(`'${withoutCredentials(url)}' is no URL; ${advice}`);
  const { protocol, username, password, search, hash, href } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new TypeError(`'${withoutCredentials(url)}' is not of HTTP; ${advice}`);
  if (username || password) throw new TypeError('the URL holds a password; pass it as a header or as apiKey');
  if (search || hash) throw new TypeError(`'${withoutCredentials(url)}' has a query or a fragment; ${advice}`);
  return withoutTrailingSlashes(href);
}
