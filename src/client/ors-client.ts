import { isRecord } from '../protocol/index.ts';
import { type Dialect, recognizeDialect } from './dialect.ts';
import { OrsProtocolError } from './errors.ts';
import { Http } from './http.ts';
import { createEpisode, createSession, deleteEpisode, type OpenOptions, type TaskChoice } from './open-session.ts';
import { RemoteEnvironment } from './remote-environment.ts';
import { DEFAULT_RETRY, type RetryPolicy } from './retry.ts';
import { Session, type SessionContext, type SessionHandle } from './session.ts';

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
  /** Time between two pings of a session, in ms; 0 sends none. Default: 10,000. */
  readonly pingIntervalMs?: number;
}

interface SignalOption {
  readonly signal?: AbortSignal;
}

/**
 * A client of one ORS server, of any implementation. It keeps connections; `close` lets go of them.
 *
 * @throws TypeError for a URL that is none of HTTP.
 */
export class OrsClient implements AsyncDisposable {
  readonly url: string;
  readonly #http: Http;
  readonly #context: SessionContext;
  readonly #sessions = new Set<Session>();
  readonly #secrets = { inHeader: false };
  readonly #farewells = new Set<Promise<void>>();
  #dialect: Promise<Dialect> | undefined;

  /** @param url of the server; may have a path, below which the operations are. */
  constructor(url: string | URL, options: OrsClientOptions = {}) {
    const { apiKey, headers, ca, fetch, retry, stallTimeoutMs = 30_000, pingIntervalMs = 10_000 } = options;
    this.url = baseUrl(url);
    this.#http = new Http({
      baseUrl: this.url,
      headers: { ...(apiKey && { 'X-API-Key': apiKey }), ...headers },
      transport: { ca, fetch },
      retry: { ...DEFAULT_RETRY, ...retry },
    });
    this.#context = {
      http: this.#http,
      pingIntervalMs,
      stallTimeoutMs,
      takesTaskIds: async () => (await this.dialect()).takesTaskIds,
      onClose: (session) => this.#sessions.delete(session),
    };
  }

  /** The names of the server's environments. Source: HTTP API, "GET /list_environments". */
  async environments({ signal }: SignalOption = {}): Promise<string[]> {
    const names = await this.#http.json('listEnvironments', { signals: [signal] });
    const list = isRecord(names) ? names.environments : names;
    if (Array.isArray(list) && list.every((name) => typeof name === 'string')) return list;
    throw new OrsProtocolError(`${this.url}/list_environments gave no list of names; is there an ORS server?`);
  }

  /** An environment by its name; nothing is asked yet. */
  environment(name: string): RemoteEnvironment {
    return new RemoteEnvironment(this.#http, name, (...args) => this.#open(...args));
  }

  /** Goes on with a session that was created elsewhere, and keeps it alive; nothing is asked yet. */
  attach(handle: SessionHandle): Session {
    const session = new Session(this.#context, handle);
    this.#sessions.add(session);
    return session;
  }

  /** Which implementation the server is; asked once, for diagnosis. */
  async dialect(): Promise<Dialect> {
    this.#dialect ??= recognizeDialect(this.#http).catch((error: unknown) => {
      this.#dialect = undefined;
      throw error;
    });
    return this.#dialect;
  }

  /** Lets go of all connections and sessions; sessions that were not closed end at the server when they expire. */
  async close(): Promise<void> {
    for (const session of this.#sessions) session.detach();
    await Promise.all(this.#farewells);
    await this.#http.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #open(environment: string, choice: TaskChoice, options: OpenOptions): Promise<Session> {
    const [sid] = await Promise.all([createSession(this.#http, options.signal), this.dialect()]);
    try {
      await createEpisode(this.#http, this.#secrets, sid, environment, choice, options);
    } catch (error) {
      this.#clearAway(sid);
      throw error;
    }
    // Not before: a ping that comes first would be told that there is no such session.
    return this.attach({ environment, sid });
  }

  /** Deletes an episode that may be there all the same, if only the answer was lost. Nobody waits for it but `close`. */
  #clearAway(sid: string): void {
    const farewell = deleteEpisode(this.#http, sid)
      // The server ends it by itself, and the caller has an error already.
      .catch(() => undefined)
      .finally(() => this.#farewells.delete(farewell));
    this.#farewells.add(farewell);
  }
}

function baseUrl(url: string | URL): string {
  const advice = 'give the address of an ORS server, such as http://127.0.0.1:8080';
  if (!URL.canParse(url)) throw new TypeError(`'${url}' is no URL; ${advice}`);
  const { protocol, username, password, search, hash, href } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`'${url}' is not of HTTP; ${advice}`);
  if (username || password) throw new TypeError('the URL holds a password; pass it as a header or as apiKey');
  if (search || hash) throw new TypeError(`'${url}' has a query or a fragment; ${advice}`);
  return href.replace(/\/+$/, '');
}
