import { type Awaitable, after, isComing, lastly } from '../../awaitable/index.ts';
import { createRedactor, type Redactor } from '../../core/index.ts';
import { type HostedEpisode, LateSecrets, type Wait } from '../../hosting/index.ts';
import { OrsError } from '../../protocol/index.ts';
import { shuttingDown } from '../limits/unavailable.ts';
import type { Observer } from '../observe/observer.ts';
import type { Settings } from '../settings.ts';
import { DELETED, type Ending, EXPIRED, gone, kindOf, lost, TOO_OLD } from './ending.ts';
import { Latest } from './latest.ts';
import type { Session } from './session.ts';
import { within } from './within.ts';

interface Tombstone {
  readonly ending: Ending;
  readonly owner: string | undefined;
  readonly environment: string;
}

/** A session whose episode is being found. */
interface Making {
  readonly owner: string | undefined;
  readonly wait: Wait;
  readonly episode: Promise<HostedEpisode>;
}

/** All sessions of a server by id, and a bounded memory of those that are gone. To others than its owner a session is none. */
export class SessionRegistry {
  readonly #sessions = new Map<string, Session>();
  readonly #making = new Map<string, Making>();
  readonly #gone: Latest<Tombstone>;
  readonly #ending = new Map<string, Promise<void>>();
  readonly #lateSecrets = new LateSecrets();
  readonly #settings: Settings;
  readonly #observer: Observer;
  /** Undefined after a session has come or gone. */
  #redactor: Redactor | undefined;
  #isClosed = false;
  readonly #onEmpty = new Set<() => void>();

  constructor(settings: Settings, observer: Observer) {
    this.#gone = new Latest(settings.tombstones);
    this.#settings = settings;
    this.#observer = observer;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Masks the secrets of all sessions, and of those that ended recently. */
  get redactor(): Redactor {
    this.#redactor ??= createRedactor([
      ...this.#lateSecrets.values,
      ...[...this].flatMap(({ secrets }) => Object.values(secrets)),
    ]);
    return this.#redactor;
  }

  /** All sessions, oldest first. */
  [Symbol.iterator](): Iterator<Session> {
    return this.#sessions.values();
  }

  /**
   * Adds a session, whose setup begins once `find` has given its episode; meanwhile the id is taken, and what ends the
   * session ends the wait for that. If it fails, it is as if nothing had been asked.
   *
   * @throws OrsError bad_request if the id is taken.
   */
  add(session: Session, wait: Wait, find: () => Awaitable<HostedEpisode>): Awaitable<void> {
    const { sid, owner } = session;
    if (this.#sessions.has(sid) || this.#making.has(sid) || this.#ending.has(sid)) {
      throw new OrsError('bad_request', 'Session already exists; delete it first or use another X-Session-ID');
    }
    const episode = find();
    if (!isComing(episode)) return this.#begin(session, episode);
    this.#making.set(sid, { owner, wait, episode });
    return episode
      .then((found) => this.#begin(session, found))
      .finally(() => {
        this.#making.delete(sid);
        this.#checkEmpty();
      });
  }

  /** The session of this id, whoever has it. */
  find(sid: string): Session | undefined {
    return this.#sessions.get(sid);
  }

  /** The name of a session's environment, also of one that is gone. */
  environmentOf(sid: string): string | undefined {
    return this.#sessions.get(sid)?.environment.name ?? this.#gone.get(sid)?.environment;
  }

  /** @throws OrsError not_found for an id that has no episode, gone for one whose episode has ended. */
  get(sid: string, caller: string | undefined): Session {
    const session = ownedBy(caller, this.#sessions.get(sid));
    if (session) return session;
    const tombstone = ownedBy(caller, this.#gone.get(sid));
    if (tombstone) throw gone(tombstone.ending);
    throw neverSeen();
  }

  /** Counts as activity of the session, if there is one. */
  touch(sid: string | undefined, caller: string | undefined): void {
    if (sid !== undefined) ownedBy(caller, this.#sessions.get(sid))?.touch();
  }

  /** Ends a session; one that has ended already is no error. @throws OrsError not_found for an id never seen. */
  delete(sid: string, caller: string | undefined): Awaitable<unknown> {
    const session = ownedBy(caller, this.#sessions.get(sid));
    if (session) return this.#end(session, DELETED);
    const making = ownedBy(caller, this.#making.get(sid));
    if (making) return this.#deleteMaking(sid, making);
    if (!ownedBy(caller, this.#gone.get(sid))) throw neverSeen();
    return within(this.#settings.deleteWaitMs, this.#ending.get(sid));
  }

  /** Ends a session whose episode cannot go on; clients are told why. */
  lose(session: Session, reason: string): void {
    if (this.#sessions.get(session.sid) === session) void this.#end(session, lost(reason));
  }

  /** Ends the sessions that have been idle too long, or have lasted too long. */
  sweep(): void {
    const { idleTimeoutMs, maxLifetimeMs } = this.#settings;
    for (const session of this.#sessions.values()) {
      if (session.isIdle(idleTimeoutMs)) void this.#end(session, EXPIRED);
      else if (session.isOlderThan(maxLifetimeMs)) void this.#end(session, TOO_OLD);
    }
  }

  /** Resolves when there is no session, none that is being made, and none that is being torn down. */
  empty(): Promise<void> {
    return new Promise((resolve) => {
      this.#onEmpty.add(resolve);
      this.#checkEmpty();
    });
  }

  /** Ends all sessions; resolves when all are torn down, or have had their time for it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const over = new OrsError('unavailable', 'this server is shutting down');
    for (const { wait } of this.#making.values()) wait.end(over);
    for (const session of this.#sessions.values()) void this.#end(session, DELETED);
    await within(this.#settings.deleteWaitMs, Promise.all(this.#ending.values()));
  }

  #begin(session: Session, episode: HostedEpisode): void {
    if (this.#isClosed) {
      // What finding it has begun is ended as it is for others.
      session.begin(episode);
      void session.end(DELETED);
      throw shuttingDown();
    }
    this.#sessions.set(session.sid, session);
    this.#redactor = undefined;
    this.#observer.sessionOpened(session.name);
    session.begin(episode);
  }

  async #deleteMaking(sid: string, { owner, wait, episode }: Making): Promise<unknown> {
    const found = episode.catch(() => undefined);
    if (!(await within(this.#settings.deleteGraceMs, found))) return wait.end(gone(DELETED));
    return this.delete(sid, owner);
  }

  #end(session: Session, ending: Ending): Awaitable<void> {
    const { sid } = session;
    this.#sessions.delete(sid);
    this.#lateSecrets.add(Object.values(session.secrets));
    this.#redactor = undefined;
    this.#gone.set(sid, { ending, owner: session.owner, environment: session.environment.name });
    this.#observer.sessionEnded(session.name, kindOf(ending));
    const tearDown = () => {
      const done = lastly(
        () => session.end(ending),
        () => {
          this.#ending.delete(sid);
          this.#observer.sessionGone(session.name);
          this.#checkEmpty();
        },
      );
      if (isComing(done)) this.#ending.set(sid, done);
      // A teardown that goes on does not keep others out.
      return after(within(this.#settings.deleteWaitMs, done), () => undefined);
    };
    // Also if it failed: a place that is never freed is lost until the server restarts.
    return lastly(tearDown, () => session.leave());
  }

  #checkEmpty(): void {
    if (this.#sessions.size + this.#making.size + this.#ending.size > 0) return;
    for (const tell of this.#onEmpty) tell();
    this.#onEmpty.clear();
  }
}

const neverSeen = () => new OrsError('not_found', 'Session not found; create its episode with POST /create first');

const ownedBy = <T extends { readonly owner: string | undefined }>(caller: string | undefined, one: T | undefined) =>
  one?.owner === caller ? one : undefined;
