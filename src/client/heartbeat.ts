import { OrsConnectionError, OrsHttpError, SessionLostError } from './errors.ts';
import type { HttpClient } from './http.ts';

/** The time that one ping may take, with all its attempts, in ms. */
const PING_MS = 10_000;
/** One for all sessions: to make an error takes long. */
const STOPPED = new DOMException('the session needs no more pings', 'AbortError');

/** Keeps one session alive, whatever its player does meanwhile, and notices when it is gone. */
export class Heartbeat {
  readonly #http: HttpClient;
  readonly #sid: string;
  readonly #lost = new AbortController();
  readonly #stopped = new AbortController();
  readonly #intervalMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastHeardAt = performance.now();

  /** @param intervalMs the longest time between two pings; 0 sends none. */
  constructor(http: HttpClient, sid: string, intervalMs: number) {
    this.#http = http;
    this.#sid = sid;
    this.#intervalMs = intervalMs;
    this.#schedule();
  }

  /** Aborts with a SessionLostError when the session is gone. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** When the server was last heard of, by performance.now(). */
  get lastActivityAt(): number {
    return this.#lastHeardAt;
  }

  recordActivity(): void {
    this.#lastHeardAt = performance.now();
  }

  /** Sends no more pings. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#stopped.abort(STOPPED);
  }

  /** Ends everything that the session does. */
  markLost(error: SessionLostError): SessionLostError {
    this.stop();
    this.#lost.abort(error);
    return error;
  }

  /**
   * Makes a SessionLostError of a refusal that means that the session is gone. A 404 may also mean a tool or an
   * environment, and a 410 a call; a ping tells.
   */
  async toSessionError(error: unknown): Promise<unknown> {
    if (!(error instanceof OrsHttpError) || error.sid === null) return error;
    if (error.status !== 404 && error.status !== 410) return error;
    const isSaid = error.status === 410 && mentionsSession(error.detail);
    const isGone = isSaid || (await this.isGone(error.detail));
    return isGone ? this.markLost(sessionLostError(error.sid, error.detail, error.status)) : error;
  }

  /**
   * Whether the session is gone, where a server's text gives reason to ask. Authors' errors can say anything, so the
   * text alone proves nothing: a ping that is answered says no, one that knows the session no more says yes, and where
   * a server has no pings, only the exact words of the standard's servers count.
   */
  async isGone(text: string): Promise<boolean> {
    const response = await this.#ask();
    if (response === undefined) return false;
    return saysGone(response) || (!(response instanceof OrsConnectionError) && EXACT.test(text));
  }

  /** Not on the dot, lest sessions that began together ping together for ever, each over a connection of its own. */
  #schedule(): void {
    if (this.#intervalMs === 0 || this.#stopped.signal.aborted) return;
    this.#timer = setTimeout(() => void this.#ping(), this.#intervalMs * (1 - Math.random() / 4));
    // A session that nobody closed must not keep a process alive.
    if (typeof this.#timer === 'object') this.#timer.unref();
  }

  /** A ping that fails is made up for by the next; only an answer can say that the session is gone. */
  async #ping(): Promise<void> {
    const response = await this.#ask(this.#stopped.signal);
    if (this.#stopped.signal.aborted) return;
    if (saysGone(response)) this.markLost(sessionLostError(this.#sid, response.detail, response.status));
    else if (!(response instanceof OrsConnectionError)) this.recordActivity();
    this.#schedule();
  }

  /** What went wrong with a ping; undefined for one that was answered. */
  #ask(signal?: AbortSignal): Promise<unknown> {
    const ping = this.#http.sendIgnoringBody(
      'ping',
      { sid: this.#sid, signals: [signal] },
      { retryTimeoutMs: PING_MS },
    );
    return ping.catch((error: unknown) => error);
  }
}

/** A text that a server sends when a session is gone, and nothing but that. */
const EXACT =
  /^(the )?session( \S+)?( was| has| is)?( not found| deleted| expired| gone| over| closed)\.?$|^active environment not found$/i;

/** Whether a text gives reason to ask whether the session is still there. */
export const mentionsSession = (text: string): boolean => /session|active environment/i.test(text);

/** A server without /ping answers 404 too, but says nothing of a session. */
const saysGone = (response: unknown): response is OrsHttpError =>
  response instanceof OrsHttpError &&
  (response.status === 410 || (response.status === 404 && /session|environment|episode/i.test(response.detail)));

export const sessionLostError = (sid: string, detail: string, status: number | null = null): SessionLostError =>
  new SessionLostError(`session ${sid} is gone: ${detail}`, {
    status: status ?? undefined,
    detail,
    sid,
    retryable: true,
  });
