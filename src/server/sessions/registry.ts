import {
  type Awaitable,
  andFinally,
  andThen,
  BoundedMap,
  Condition,
  createRedactor,
  errorMessage,
  isPromiseLike,
  RecentSecrets,
  type Redactor,
  settlesWithin,
} from '../../core/index.ts';
import type { HostedEpisode, LazyAbortController } from '../../hosting/index.ts';
import { OrsError } from '../../protocol/index.ts';
import { retryLater, shuttingDownError } from '../limits/session-slots.ts';
import type { Observer } from '../observability/observer.ts';
import type { ServerLog } from '../observability/server-log.ts';
import type { ServerSettings } from '../settings.ts';
import { EpisodeElsewhereError, type EpisodeKey } from './journal.ts';
import {
  END_DELETED,
  END_EVICTED,
  END_IDLE,
  END_MAX_LIFETIME,
  END_MOVED,
  type EvictedSession,
  endReasonKind,
  isMovedReason,
  lostReason,
  movedReason,
  type ServerSession,
  type SessionEndReason,
  sessionGoneError,
} from './session.ts';
import { sessionKey } from './session-id.ts';

interface Tombstone {
  readonly ending: SessionEndReason;
  readonly environment: string;
}

/** Number of evicted sessions that a sweep looks at, so that it blocks the server for milliseconds at most. */
const MAX_SWEPT = 10_000;

/** A session whose task is being looked up. */
interface PendingSession {
  readonly owner: string | undefined;
  readonly wait: LazyAbortController;
  readonly episode: Promise<HostedEpisode>;
}

/**
 * The sessions of a server, and a bounded memory of ended ones. Ids are scoped to their owner: two owners can use the
 * same id for two sessions, and neither can detect the other's.
 */
export class SessionRegistry {
  readonly #sessions = new Map<string, ServerSession>();
  readonly #evicted = new Map<string, EvictedSession>();
  readonly #pending = new Map<string, PendingSession>();
  readonly #tombstones: BoundedMap<string, Tombstone>;
  readonly #ending = new Map<string, Promise<void>>();
  /** Keys of sessions that are coming back from the journal, whether it has them or not. */
  readonly #returning = new Set<string>();
  #evictedToSweep = this.#evictedAtRest();
  /** Secrets of ended sessions, which late errors can still contain. */
  readonly #recentSecrets = new RecentSecrets();
  readonly #settings: ServerSettings;
  readonly #observer: Observer;
  readonly #now: () => number;
  readonly #log: ServerLog;
  /** Reset when a session is added or removed. */
  #redactor: Redactor | undefined;
  #isClosed = false;
  readonly #changed = new Condition();

  constructor(settings: ServerSettings, observer: Observer, now: () => number, log: ServerLog) {
    this.#tombstones = new BoundedMap(settings.tombstones);
    this.#settings = settings;
    this.#observer = observer;
    this.#now = now;
    this.#log = log;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Masks the secrets of all sessions, and of those that ended recently. */
  get redactor(): Redactor {
    this.#redactor ??= createRedactor([
      ...this.#recentSecrets.values,
      ...[...this].flatMap(({ secrets }) => Object.values(secrets)),
    ]);
    return this.#redactor;
  }

  /** All sessions, oldest first. */
  [Symbol.iterator](): Iterator<ServerSession> {
    return this.#sessions.values();
  }

  /**
   * Finds the episode of a session, adds the session and starts its setup. The id is reserved meanwhile, and a delete
   * cancels `wait`. If `find` fails, the id is free again.
   *
   * @param isReturning true if it comes back from the journal.
   * @throws OrsError bad_request if the id is in use; HttpError 503 if another request is looking for it in the journal.
   */
  add(
    session: ServerSession,
    wait: LazyAbortController,
    find: () => Awaitable<HostedEpisode>,
    isReturning = false,
  ): Awaitable<void> {
    const { owner } = session;
    const key = sessionKey(session.sid, owner);
    if (!isReturning && this.#returning.has(key)) throw returningError();
    if (this.#sessions.has(key) || this.#pending.has(key) || this.#ending.has(key)) {
      throw sessionExistsError();
    }
    const episode = find();
    if (!isPromiseLike(episode)) return this.#begin(session, episode);
    this.#pending.set(key, { owner, wait, episode });
    return episode
      .then((found) => this.#begin(session, found))
      .finally(() => {
        this.#pending.delete(key);
        this.#checkEmpty();
      });
  }

  /** Returns the session of a caller. */
  find(sid: string, caller?: string): ServerSession | undefined {
    return this.#sessions.get(sessionKey(sid, caller));
  }

  /** Returns the remains of a session that has left memory. */
  evictedOf(sid: string, caller: string | undefined): EvictedSession | undefined {
    return this.#evicted.get(sessionKey(sid, caller));
  }

  /** Marks a session that comes back from the journal, until the work is done. No request finds it meanwhile. */
  returning<T>(sid: string, caller: string | undefined, work: Promise<T>): Promise<T> {
    const key = sessionKey(sid, caller);
    this.#returning.add(key);
    return work.finally(() => this.#returning.delete(key));
  }

  /** Records activity of a session, if there is one. */
  touch(sid: string, caller: string | undefined, isPing: boolean): void {
    this.find(sid, caller)?.touch({ isPing });
    const evicted = this.evictedOf(sid, caller);
    if (evicted) evicted.lastActivity = this.#now();
  }

  /** Returns false if the teardown of an evicted session takes too long. */
  async waitForTeardown(sid: string, caller: string | undefined): Promise<boolean> {
    return settlesWithin(this.#settings.deleteWaitMs, this.#ending.get(sessionKey(sid, caller)));
  }

  /** Returns true for a session that is here, is being created here, or has ended here for good. */
  isKnown(sid: string, caller: string | undefined): boolean {
    const key = sessionKey(sid, caller);
    return this.#sessions.has(key) || this.#pending.has(key) || this.#endOf(key) !== undefined;
  }

  /** Forgets a session that left this server, and that the journal does not have any more. */
  forget(sid: string, caller: string | undefined): void {
    const key = sessionKey(sid, caller);
    const evicted = this.#evicted.get(key);
    evicted?.recorder?.ended(endReasonKind(END_MOVED), evicted.isFinished);
    this.#evicted.delete(key);
    if (this.#tombstones.get(key) !== undefined && !this.#endOf(key)) this.#tombstones.delete(key);
  }

  /** Returns the tombstone of a session that does not come back. */
  #endOf(key: string): Tombstone | undefined {
    const tombstone = this.#tombstones.get(key);
    return tombstone && isMovedReason(tombstone.ending) ? undefined : tombstone;
  }

  /** Returns the environment name of a caller's session, even if the session has ended. */
  environmentOf(sid: string, caller: string | undefined): string | undefined {
    const key = sessionKey(sid, caller);
    return this.#sessions.get(key)?.environment.name ?? this.#tombstones.get(key)?.environment;
  }

  /**
   * @throws OrsError not_found for an id that has no episode, gone for an id whose session has ended; HttpError 503 for a
   * session that left memory after the request had begun.
   */
  get(sid: string, caller: string | undefined): ServerSession {
    const key = sessionKey(sid, caller);
    if (this.#returning.has(key)) throw returningError();
    const session = this.#sessions.get(key);
    if (session) return session;
    if (this.#evicted.has(key)) throw returningError();
    const tombstone = this.#tombstones.get(key);
    if (tombstone) throw sessionGoneError(tombstone.ending);
    throw sessionNotFound();
  }

  /**
   * Ends a session, or waits for one that is ending.
   *
   * @throws OrsError not_found for an unknown id; HttpError 503 if the journal still has the session.
   */
  delete(sid: string, caller: string | undefined): Awaitable<unknown> {
    const key = sessionKey(sid, caller);
    const session = this.#sessions.get(key);
    if (session) return andThen(this.#end(session, END_DELETED), () => andThen(session.hasLeft(), assertDeleted));
    const pending = this.#pending.get(key);
    if (pending) return this.#deletePending(sid, pending);
    const evicted = this.#evicted.get(key);
    if (this.#returning.has(key)) throw returningError();
    if (evicted) return this.#endEvicted(evicted, END_DELETED).then(assertDeleted);
    if (!this.#tombstones.get(key)) throw sessionNotFound();
    const ending = settlesWithin(this.#settings.deleteWaitMs, this.#ending.get(key));
    return andThen(ending, () => assertDeleted(this.#endOf(key) !== undefined));
  }

  /** Ends a session whose episode cannot continue. Clients receive the reason. */
  endAsLost(session: ServerSession, reason: string): void {
    if (this.find(session.sid, session.owner) === session) void this.#end(session, lostReason(reason));
  }

  /** Drops a session that the journal does not know as this server does. Its next request brings it back. */
  endAsUnstored(session: ServerSession, { message, cause }: Error): void {
    if (this.find(session.sid, session.owner) !== session) return;
    if (cause !== undefined && !(cause instanceof EpisodeElsewhereError)) {
      session.warn(`its journal failed: ${errorMessage(cause)}`);
    }
    this.endAsMoved(session, message);
  }

  /** Drops a session that its next request brings back from the journal. */
  endAsMoved(session: ServerSession, reason: string): void {
    if (this.find(session.sid, session.owner) === session) void this.#end(session, movedReason(reason));
  }

  /** Ends sessions that have been idle for too long or exceed the maximum lifetime, and evicts unused ones. */
  sweep(): void {
    const { idleTimeoutMs, maxLifetimeMs, evictAfterMs } = this.#settings;
    for (const session of this.#sessions.values()) {
      if (session.isIdle(idleTimeoutMs)) void this.#end(session, END_IDLE);
      else if (session.isOlderThan(maxLifetimeMs)) void this.#end(session, END_MAX_LIFETIME);
      else if (session.isEvictable(evictAfterMs)) void this.#evict(session);
    }
    this.#sweepEvicted();
  }

  /** Looks at a part of the evicted sessions, and at the others next time: a million of them would block the server. */
  #sweepEvicted(): void {
    const { idleTimeoutMs, maxLifetimeMs } = this.#settings;
    const now = this.#now();
    for (let count = 0; count < MAX_SWEPT; count++) {
      const { done, value: evicted } = this.#evictedToSweep.next();
      if (done) {
        this.#evictedToSweep = this.#evictedAtRest();
        return;
      }
      if (now - evicted.lastActivity >= idleTimeoutMs) void this.#endEvicted(evicted, END_IDLE);
      else if (now - evicted.createdAt >= maxLifetimeMs) void this.#endEvicted(evicted, END_MAX_LIFETIME);
    }
  }

  /** Drops a session from memory, once all of it is in the journal, unless it is used meanwhile. */
  async #evict(session: ServerSession): Promise<void> {
    const { sid, owner, durable } = session;
    // A session whose journal has failed ends with its next call.
    const isStored = await durable?.journal.flush().then(
      () => true,
      () => false,
    );
    const isHere = this.find(sid, owner) === session && session.isEvictable(this.#settings.evictAfterMs);
    if (!durable || !isStored || !isHere || this.#isClosed) return;
    this.#evicted.set(sessionKey(sid, owner), session.toEvicted(durable));
    void this.#end(session, END_EVICTED);
  }

  /** Evicted sessions that are not coming back. There may be a million of them. */
  *#evictedAtRest(): Generator<EvictedSession, undefined> {
    for (const [key, evicted] of this.#evicted) if (!this.#returning.has(key)) yield evicted;
  }

  /** Ends a session that is not in memory, as `#end` does with others. Resolves with whether it has left the journal. */
  async #endEvicted(
    { sid, owner, environment, recorder, isFinished, journal }: EvictedSession,
    ending: SessionEndReason,
  ): Promise<boolean> {
    const key = sessionKey(sid, owner);
    const isMoved = isMovedReason(ending);
    this.#evicted.delete(key);
    this.#tombstones.set(key, { ending, environment });
    recorder?.ended(endReasonKind(ending), isFinished);
    if (isMoved) await this.#ending.get(key);
    const hasLeft = await (isMoved ? journal.release() : journal.remove()).then(
      () => true,
      (error: unknown) => {
        this.#log.warn({ sid, environment }, `its journal failed: ${errorMessage(error)}`);
        return false;
      },
    );
    if (!hasLeft) this.#tombstones.delete(key);
    await settlesWithin(this.#settings.deleteWaitMs, this.#ending.get(key));
    return hasLeft;
  }

  /** Resolves when the last session is gone, including those that are being created or torn down. */
  async waitUntilEmpty(): Promise<void> {
    await this.#changed.until(() => this.#isEmpty);
  }

  /** Gives up the idle sessions of the journal, which other servers can continue. */
  handOver(): void {
    for (const session of this.#sessions.values()) {
      if (session.durable && session.isIdle(0)) void this.#end(session, END_MOVED);
    }
    for (const evicted of this.#evictedAtRest()) void this.#endEvicted(evicted, END_MOVED);
  }

  /**
   * Gives up a session that another server needs, unless it is in use here.
   *
   * @returns true if this server does not have it, and is not bringing it back.
   */
  release({ sid, owner }: EpisodeKey): boolean {
    const key = sessionKey(sid, owner);
    const session = this.#sessions.get(key);
    const evicted = this.#evicted.get(key);
    if (session?.isEvictable(0)) void this.#end(session, END_MOVED);
    else if (evicted && !this.#returning.has(key)) void this.#endEvicted(evicted, END_MOVED);
    const isInUse = [this.#pending, this.#ending, this.#returning].some((keys) => keys.has(key));
    return !session && !evicted && !isInUse;
  }

  /** Ends all sessions; those of the journal can be continued. Resolves when all are torn down, at the latest after `deleteWaitMs`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const reason = new OrsError('unavailable', 'this server is shutting down');
    for (const { wait } of this.#pending.values()) wait.abort(reason);
    for (const session of this.#sessions.values()) void this.#end(session, session.durable ? END_MOVED : END_DELETED);
    const evicted = Array.from(this.#evictedAtRest(), (each) => this.#endEvicted(each, END_MOVED));
    await settlesWithin(this.#settings.deleteWaitMs, Promise.all([...this.#ending.values(), ...evicted]));
  }

  #begin(session: ServerSession, episode: HostedEpisode): void {
    if (this.#isClosed) {
      // The episode is open, so it needs a teardown.
      session.begin(episode);
      void session.end(this.#returning.has(sessionKey(session.sid, session.owner)) ? END_MOVED : END_DELETED);
      throw shuttingDownError();
    }
    const key = sessionKey(session.sid, session.owner);
    this.#sessions.set(key, session);
    this.#evicted.delete(key);
    this.#redactor = undefined;
    this.#observer.sessionOpened(session.ref);
    session.begin(episode);
  }

  async #deletePending(sid: string, { owner, wait, episode }: PendingSession): Promise<unknown> {
    const found = episode.catch(() => undefined);
    if (!(await settlesWithin(this.#settings.deleteGraceMs, found))) return wait.abort(sessionGoneError(END_DELETED));
    return this.delete(sid, owner);
  }

  #end(session: ServerSession, ending: SessionEndReason): Awaitable<void> {
    const key = sessionKey(session.sid, session.owner);
    this.#sessions.delete(key);
    this.#recentSecrets.add(Object.values(session.secrets));
    this.#redactor = undefined;
    // An earlier session may have had the same id.
    if (ending === END_EVICTED) this.#tombstones.delete(key);
    else this.#tombstones.set(key, { ending, environment: session.environment.name });
    this.#observer.sessionEnded(session.ref, endReasonKind(ending));
    const forgetUnlessLeft = (hasLeft: boolean) => {
      if (!hasLeft) this.#tombstones.delete(key);
    };
    const tearDown = () => {
      const done = andFinally(
        () => andThen(session.end(ending), () => andThen(session.hasLeft(), forgetUnlessLeft)),
        () => {
          this.#ending.delete(key);
          this.#observer.sessionTornDown(session.ref);
          this.#checkEmpty();
        },
      );
      if (isPromiseLike(done)) this.#ending.set(key, done);
      // A teardown that takes longer continues in the background.
      return andThen(settlesWithin(this.#settings.deleteWaitMs, done), () => undefined);
    };
    // Also after a failure: a slot that is not released is lost until the server restarts.
    return andFinally(tearDown, () => session.releaseSlot());
  }

  get #isEmpty(): boolean {
    return this.#sessions.size + this.#pending.size + this.#ending.size === 0;
  }

  #checkEmpty(): void {
    if (this.#isEmpty) this.#changed.notify();
  }
}

export const sessionExistsError = () =>
  new OrsError('bad_request', 'Session already exists; delete it first or use another X-Session-ID');

const returningError = () => retryLater(503, 'this session is coming back; repeat the request');

function assertDeleted(hasLeft: boolean): void {
  if (!hasLeft)
    throw retryLater(503, 'this session was not deleted, because its journal could not be written; repeat the request');
}

const sessionNotFound = () =>
  new OrsError('not_found', 'Session not found; create its episode with POST /create first');
