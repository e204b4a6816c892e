import { OrsError } from '../../protocol/index.ts';
import type { Settings } from '../settings.ts';
import { DELETED, type Ending, EXPIRED, gone, lost, type Session } from './session.ts';
import { within } from './within.ts';

/** All sessions of a server by id, and a bounded memory of those that are gone. */
export class SessionRegistry {
  readonly #sessions = new Map<string, Session>();
  readonly #making = new Map<string, Promise<Session>>();
  readonly #gone = new Map<string, Ending>();
  readonly #ending = new Map<string, Promise<void>>();
  readonly #settings: Settings;
  #isClosed = false;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** All sessions, oldest first. */
  [Symbol.iterator](): Iterator<Session> {
    return this.#sessions.values();
  }

  /**
   * Adds the session that `make` gives; meanwhile the id is taken. If making fails, it is as if nothing had been asked.
   *
   * @throws OrsError bad_request if the id is taken.
   */
  async add(sid: string, make: () => Promise<Session>): Promise<Session> {
    if (this.#sessions.has(sid) || this.#making.has(sid) || this.#ending.has(sid)) {
      throw new OrsError('bad_request', 'Session already exists; delete it first or use another X-Session-ID');
    }
    const making = make();
    this.#making.set(sid, making);
    try {
      const session = await making;
      if (this.#isClosed) {
        void session.end(DELETED, this.#settings);
        throw new OrsError('unavailable', 'this server is shutting down');
      }
      this.#sessions.set(sid, session);
      this.#gone.delete(sid);
      return session;
    } finally {
      this.#making.delete(sid);
    }
  }

  find(sid: string): Session | undefined {
    return this.#sessions.get(sid);
  }

  /** @throws OrsError not_found for an id that has no episode, gone for one whose episode has ended. */
  get(sid: string): Session {
    const session = this.#sessions.get(sid);
    if (session) return session;
    const ending = this.#gone.get(sid);
    if (ending) throw gone(ending);
    throw new OrsError('not_found', 'Session not found; create its episode with POST /create first');
  }

  /** Counts as activity of the session, if there is one. */
  touch(sid: string | undefined): void {
    if (sid !== undefined) this.#sessions.get(sid)?.touch();
  }

  /** Ends a session; one that has ended already is no error. @throws OrsError not_found for an id never seen. */
  async delete(sid: string): Promise<void> {
    const making = this.#making.get(sid);
    if (making)
      await within(
        this.#settings.deleteWaitMs,
        making.catch(() => undefined),
      );
    const session = this.#sessions.get(sid);
    if (session) return this.#end(session, DELETED);
    const ending = this.#ending.get(sid);
    if (ending) await within(this.#settings.deleteWaitMs, ending);
    else if (!this.#gone.has(sid)) this.get(sid);
  }

  /** Ends a session whose episode cannot go on; clients are told why. */
  lose(session: Session, reason: string): void {
    if (this.#sessions.get(session.sid) === session) void this.#end(session, lost(reason));
  }

  /** Ends the sessions that have been idle too long. */
  sweep(): void {
    for (const session of this.#sessions.values()) {
      if (session.isIdle(this.#settings.idleTimeoutMs)) void this.#end(session, EXPIRED);
    }
  }

  /** Ends all sessions; resolves when all are torn down, or have had their time for it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const session of this.#sessions.values()) void this.#end(session, DELETED);
    await within(this.#settings.deleteWaitMs, Promise.all(this.#ending.values()));
  }

  async #end(session: Session, ending: Ending): Promise<void> {
    const { sid } = session;
    this.#sessions.delete(sid);
    this.#remember(sid, ending);
    const done = session.end(ending, this.#settings).finally(() => this.#ending.delete(sid));
    this.#ending.set(sid, done);
    await within(this.#settings.deleteWaitMs, done);
  }

  #remember(sid: string, ending: Ending): void {
    this.#gone.set(sid, ending);
    if (this.#gone.size <= this.#settings.tombstones) return;
    const [oldest] = this.#gone.keys();
    if (oldest !== undefined) this.#gone.delete(oldest);
  }
}
