import { OrsConnectionError, OrsHttpError, SessionLostError } from './errors.ts';
import type { HttpClient } from './http.ts';

/** Timeout of one ping with all its attempts, in ms. */
const PING_TIMEOUT_MS = 10_000;
/** Shared by all sessions, because creating an error is slow. */
const STOPPED = new DOMException('the session needs no more pings', 'AbortError');

/** Keeps one session alive by pings, and detects when it is gone. */
export class Heartbeat {
  readonly #http: HttpClient;
  readonly #sid: string;
  readonly #lost = new AbortController();
  /** Aborts with a SessionLostError when the session is gone. */
  readonly lost = this.#lost.signal;
  readonly #stopped = new AbortController();
  readonly #intervalMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastActivityAt = performance.now();

  /** @param intervalMs maximum time between two pings; 0 disables them. */
  constructor(http: HttpClient, sid: string, intervalMs: number) {
    this.#http = http;
    this.#sid = sid;
    this.#intervalMs = intervalMs;
    this.#schedule();
  }

  /** Time of the last sign of life from the server, by `performance.now()`. */
  get lastActivityAt(): number {
    return this.#lastActivityAt;
  }

  recordActivity(): void {
    this.#lastActivityAt = performance.now();
  }

  /** Stops the pings. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#stopped.abort(STOPPED);
  }

  /** Stops the pings and aborts everything that the session is doing. */
  markLost(error: SessionLostError): SessionLostError {
    this.stop();
    this.#lost.abort(error);
    return error;
  }

  /**
   * Converts a rejection that means that the session is gone to a SessionLostError. A 404 may also refer to a tool or an
   * environment, and a 410 to a call, so a ping decides.
   */
  async toSessionError(error: unknown): Promise<unknown> {
    if (!(error instanceof OrsHttpError) || error.sid === null) return error;
    if (error.status !== 404 && error.status !== 410) return error;
    const isStated = error.status === 410 && mentionsSession(error.detail);
    const isGone = isStated || (await this.isGone(error.detail));
    return isGone ? this.markLost(sessionLostError(error.sid, error.detail, error.status)) : error;
  }

  /**
   * Returns whether the session is gone, after a text that suggests it. Errors of authors can have any text, so a ping
   * decides; for servers without pings, only the exact sentences of known servers count.
   */
  async isGone(text: string): Promise<boolean> {
    const error = await this.#tryPing();
    if (error === undefined) return false;
    return meansSessionGone(error) || (!(error instanceof OrsConnectionError) && SESSION_GONE.test(text));
  }

  /** Randomizes the interval: sessions that were opened together would otherwise ping together, each on a connection. */
  #schedule(): void {
    if (this.#intervalMs === 0 || this.#stopped.signal.aborted) return;
    this.#timer = setTimeout(() => void this.#ping(), this.#intervalMs * (1 - Math.random() / 4));
    // An unclosed session must not keep the process alive.
    if (typeof this.#timer === 'object') this.#timer.unref();
  }

  /** Pings and schedules the next ping; only a response can mean that the session is gone. */
  async #ping(): Promise<void> {
    const error = await this.#tryPing(this.#stopped.signal);
    if (this.#stopped.signal.aborted) return;
    if (meansSessionGone(error)) this.markLost(sessionLostError(this.#sid, error.detail, error.status));
    else if (!(error instanceof OrsConnectionError)) this.recordActivity();
    this.#schedule();
  }

  /** Resolves with the error of a ping; undefined if it succeeded. */
  #tryPing(signal?: AbortSignal): Promise<unknown> {
    const request = { sid: this.#sid, signals: [signal] };
    const ping = this.#http.sendIgnoringBody('ping', request, { retryTimeoutMs: PING_TIMEOUT_MS });
    return ping.catch((error: unknown) => error);
  }
}

/** Texts that servers send only when a session is gone. */
const SESSION_GONE =
  /^(the )?session( \S+)?( was| has| is)?( not found| deleted| expired| gone| over| closed)\.?$|^active environment not found$/i;

/** Returns true for a text that makes it worth checking the session. */
export const mentionsSession = (text: string): boolean => /session|active environment/i.test(text);

/** A server without /ping responds with 404 too, but does not mention a session. */
const meansSessionGone = (error: unknown): error is OrsHttpError =>
  error instanceof OrsHttpError &&
  (error.status === 410 || (error.status === 404 && /session|environment|episode/i.test(error.detail)));

export const sessionLostError = (sid: string, detail: string, status: number | null = null): SessionLostError =>
  new SessionLostError(`session ${sid} is gone: ${detail}`, { status, detail, sid, retryable: true });
