import { OrsConnectionError, OrsHttpError, SessionLostError } from './errors.ts';
import type { Http } from './http.ts';

const SESSION_IS_GONE =
  /^((the )?(session|episode)\b.{0,80}\b(not found|deleted|expired|gone|unknown|closed|terminated)\b|active environment not found)/i;

/** Whether a server's text says that a session is gone, in the words of the documents or of the Python servers. */
export const saysSessionIsGone = (text: string): boolean => SESSION_IS_GONE.test(text);

/** The time that one ping may take, with all its attempts. */
const PING_MS = 10_000;

/** Keeps one session alive, whatever its player does meanwhile, and notices when it is gone. */
export class Heartbeat {
  readonly #http: Http;
  readonly #sid: string;
  readonly #lost = new AbortController();
  readonly #intervalMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;
  #lastHeardAt = performance.now();

  /** @param intervalMs the longest time between two pings; 0 sends none. */
  constructor(http: Http, sid: string, intervalMs: number) {
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
  get lastHeardAt(): number {
    return this.#lastHeardAt;
  }

  heard(): void {
    this.#lastHeardAt = performance.now();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Ends everything that the session does. */
  lose(error: SessionLostError): SessionLostError {
    this.stop();
    this.#lost.abort(error);
    return error;
  }

  /**
   * Makes a SessionLostError of a refusal that means that the session is gone. A 404 may also mean a tool or an
   * environment; where its text leaves that open, a ping tells.
   */
  async explain(error: unknown): Promise<unknown> {
    if (!(error instanceof OrsHttpError) || error.sid === null) return error;
    if (error.status === 410) return this.lose(lost(error));
    if (error.status !== 404) return error;
    if (saysSessionIsGone(error.detail)) return this.lose(lost(error));
    const answer = await this.#ask();
    return isGone(answer) ? this.lose(lost(error)) : error;
  }

  /** Not on the dot, lest sessions that began together ping together for ever, each over a connection of its own. */
  #schedule(): void {
    if (this.#intervalMs === 0 || this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#ping(), this.#intervalMs * (1 - Math.random() / 4));
    // A session that nobody closed must not keep a process alive.
    if (typeof this.#timer === 'object') this.#timer.unref();
  }

  /** A ping that fails is made up for by the next; only an answer can say that the session is gone. */
  async #ping(): Promise<void> {
    const answer = await this.#ask();
    if (isGone(answer)) this.lose(lost(answer));
    else if (!(answer instanceof OrsConnectionError)) this.heard();
    this.#schedule();
  }

  #ask(): Promise<unknown> {
    const ping = this.#http.tell('ping', { sid: this.#sid }, { retry: { budgetMs: PING_MS } });
    return ping.catch((error: unknown) => error);
  }
}

/** A server without /ping answers 404 too, but says nothing of a session. */
const isGone = (answer: unknown): answer is OrsHttpError =>
  answer instanceof OrsHttpError &&
  (answer.status === 410 || (answer.status === 404 && /session|environment|episode/i.test(answer.detail)));

const lost = ({ status, detail, sid }: OrsHttpError): SessionLostError =>
  new SessionLostError(`session ${sid} is gone: ${detail}`, {
    status: status ?? undefined,
    detail,
    sid: sid ?? undefined,
    retryable: true,
  });
