import {
  type Awaitable,
  andFinally,
  andThen,
  createRedactor,
  errorMessage,
  isPromiseLike,
  NO_REDACTION,
  type Redactor,
  type Semaphore,
  settle,
  settlesWithin,
} from '../../core/index.ts';
import type { Conditions } from '../../environment/index.ts';
import type { HostedEnvironment, HostedEpisode, HostedSession } from '../../hosting/index.ts';
import { OrsError } from '../../protocol/index.ts';
import { type CallEntry, CallTable, type RefCounted } from '../calls/call-table.ts';
import type { ResultCache } from '../calls/result-cache.ts';
import { ToolQueue } from '../calls/tool-queue.ts';
import { retryLater } from '../limits/session-slots.ts';
import { withPermit } from '../limits/with-limits.ts';
import { type AuthorCodeContext, reportAuthorError, runAuthorCode } from '../observability/author-error.ts';
import {
  type AuthorWork,
  type AuthorWorkEnd,
  type Observer,
  observeWork,
  type SessionRef,
} from '../observability/observer.ts';
import type { ServerLog } from '../observability/server-log.ts';
import type { ServerSettings } from '../settings.ts';
import type { DurableEpisode } from './durable-episode.ts';
import type { EpisodeJournal } from './journal.ts';
import type { EpisodeRecorder } from './recorder.ts';
import { environmentSessionId } from './session-id.ts';

/** State that the sessions of a server share. */
interface SessionDependencies {
  readonly settings: ServerSettings;
  readonly observer: Observer;
  readonly log: ServerLog;
  readonly now: () => number;
  readonly resultCache: ResultCache;
  /** Undefined if the number of running setups is not limited. */
  readonly setupSemaphore: Semaphore | undefined;
  readonly sessionSlots: { release(owner: string | undefined): void };
  readonly sessions: {
    endAsLost(session: ServerSession, reason: string): void;
    endAsMoved(session: ServerSession, reason: string): void;
  };
}

export interface ServerSessionOptions extends Pick<ServerSession, 'sid' | 'owner' | 'environment' | 'toolset'> {
  readonly secrets: Readonly<Record<string, string>> | undefined;
  /** Journal of an episode that comes back, and its newest snapshot. */
  readonly durable?: DurableEpisode;
  readonly snapshot?: string | undefined;
  /** Remains of an episode that was evicted. */
  readonly evicted?: EvictedSession | undefined;
  /** True for an episode that comes back from the journal. @default false */
  readonly isReturning?: boolean;
}

/** Session that has left memory; its episode is in the journal. Keeps what the journal does not have. */
export interface EvictedSession
  extends Pick<ServerSession, 'sid' | 'owner' | 'recorder' | 'isFinished' | 'createdAt' | 'lastActivity'> {
  readonly environment: string;
  readonly secrets: Readonly<Record<string, string>> | undefined;
  /** Its entry in the journal. */
  journal: EpisodeJournal;
}

/** Why a session is gone. Clients receive it after the word "Session". */
export type SessionEndReason = string;

export const END_DELETED: SessionEndReason = 'deleted';
export const END_IDLE: SessionEndReason = 'expired: no request came in time';
export const END_MAX_LIFETIME: SessionEndReason = 'expired: it lasted longer than a session may';
/** Another server continues the session. */
export const END_MOVED: SessionEndReason = 'moved: another server continues it';
/** The session has left memory until its next request. */
export const END_EVICTED: SessionEndReason = 'evicted: its next request brings it back';
/** The journal differs from this server, or is out of reach: the next request continues the session from it. */
export const movedReason = (reason: string): SessionEndReason => `moved: ${reason}`;
export const lostReason = (reason: string): SessionEndReason => `lost: ${reason}`;

/** Returns the error of a request for an ended session. One that has moved continues with a repeated request. */
export const sessionGoneError = (ending: SessionEndReason): Error =>
  isMovedReason(ending)
    ? retryLater(503, `Session ${ending}; repeat the request`)
    : new OrsError('gone', `Session ${ending}`);

/** Returns the kind of a reason: deleted, expired, lost, moved or evicted. */
export function endReasonKind(ending: SessionEndReason): string {
  const end = ending.indexOf(':');
  return end === -1 ? ending : ending.slice(0, end);
}

/** Returns true for the end of a session that the next request continues, here or on another server. */
export const isMovedReason = (ending: SessionEndReason): boolean => endReasonKind(ending) === 'moved';

/**
 * A session from `/create` to its teardown: one episode, its setup, its calls, and the requests that wait for them. The
 * methods follow that order. Since a server can have very many idle sessions, most fields are created on first use.
 */
export class ServerSession implements HostedSession, RefCounted {
  readonly sid: string;
  /** The caller that created the session; undefined on servers without authentication. */
  readonly owner: string | undefined;
  readonly environment: HostedEnvironment;
  /** Toolset that the client selected, which the environment has. */
  readonly toolset: string | undefined;
  /** Undefined if the episode is not recorded. */
  recorder: EpisodeRecorder | undefined;
  /** Undefined if the episode is not in a journal. */
  durable: DurableEpisode | undefined;
  /** True once a tool output says that the episode is complete; no tool runs after that. */
  isFinished = false;
  /** True while the episode comes back from the journal. */
  isReturning: boolean;
  readonly #secrets: Readonly<Record<string, string>> | undefined;
  /** State of an episode that comes back, until its setup. */
  #snapshot: string | undefined;
  #redactor: Redactor | undefined;
  readonly #context: SessionDependencies;
  /** Times of the monotonic clock, in milliseconds. */
  readonly createdAt: number;
  lastActivity: number;
  /** Time of the last request that was not a ping. */
  #lastUse: number;
  /** Running calls, and requests that wait for the episode. */
  #refCount = 0;
  #episode: HostedEpisode | undefined;
  /** Settles with setup. */
  #settingUp: Promise<HostedEpisode> | undefined;
  /** Settles with setup, after the teardown of a failed one. */
  #setup: Promise<void> | undefined;
  /** The episode after a successful setup. */
  #ready: HostedEpisode | undefined;
  /** Why there will be no episode. */
  #failure: unknown;
  #isCleanedUp = true;
  #isTornDown = false;
  #teardown: Awaitable<void> | undefined;
  /** Settles when an ended session has left the journal; with the error if it has not. */
  #leaving: Promise<unknown> | undefined;
  #ending: SessionEndReason | undefined;
  #abort: AbortController | undefined;
  #calls: CallTable | undefined;
  #tools: ToolQueue | undefined;
  /** Rejects the requests that wait for the episode. */
  #waiting: Set<(reason: Error) => void> | undefined;

  constructor(
    {
      sid,
      owner,
      environment,
      toolset,
      secrets,
      durable,
      snapshot,
      evicted,
      isReturning = false,
    }: ServerSessionOptions,
    context: SessionDependencies,
  ) {
    this.sid = sid;
    this.owner = owner;
    this.environment = environment;
    this.toolset = toolset;
    this.#secrets = secrets;
    this.durable = durable;
    this.isReturning = isReturning;
    this.#snapshot = snapshot;
    this.#context = context;
    // An integer: V8 allocates an object for a fraction.
    this.lastActivity = Math.trunc(context.now());
    this.#lastUse = this.lastActivity;
    this.createdAt = evicted?.createdAt ?? this.lastActivity;
    this.recorder = evicted?.recorder;
  }

  /** Starts setup in the background. */
  begin(episode: HostedEpisode): void {
    this.#episode = episode;
    const done = settle(
      () => {
        const setup = this.#setUp(episode);
        this.#settingUp = isPromiseLike(setup) ? setup.then(() => episode) : undefined;
        return this.#settingUp;
      },
      () => {
        this.#settingUp = undefined;
        if (!this.hasEnded) this.#ready = episode;
      },
      (error) => {
        this.#settingUp = undefined;
        this.#failure ??= error;
        return this.#tearDown();
      },
    );
    if (!isPromiseLike(done)) return;
    this.#setup = done.then(() => {
      this.#setup = undefined;
    });
  }

  /** Runs setup, after waiting for a permit if the server limits the number of setups. */
  #setUp(episode: HostedEpisode): Awaitable<void> {
    const { observer, setupSemaphore, settings } = this.#context;
    const work = () => observeWork(observer, this.#describeWork('setup'), (end) => this.#runSetup(episode, end));
    if (!setupSemaphore) return work();
    const waiting = () => observer.waiting('setup');
    return withPermit(setupSemaphore, { signal: this.signal, graceMs: settings.deleteGraceMs, waiting }, work);
  }

  /** Runs setup with its time limit; the session is lost if setup exceeds it. */
  #runSetup(episode: HostedEpisode, end: (end: AuthorWorkEnd) => void): Awaitable<void> {
    if (this.hasEnded) throw this.signal.reason;
    const { setupTimeoutMs } = this.#context.settings;
    const snapshot = this.#snapshot;
    this.#snapshot = undefined;
    const setup = runAuthorCode(this.describeCode('setup'), this.#context, () => episode.setup(snapshot));
    if (setupTimeoutMs === Infinity) return setup;
    return andThen(settlesWithin(setupTimeoutMs, setup), (isInTime) => {
      if (isInTime) return setup;
      const reason = `its setup took longer than ${setupTimeoutMs} ms`;
      end({ outcome: 'timeout', error: reason });
      episode.abort(reason);
      const { sessions } = this.#context;
      // The next request can bring a stored episode back.
      if (this.isReturning) sessions.endAsMoved(this, reason);
      else sessions.endAsLost(this, reason);
      return setup;
    });
  }

  get isSettingUp(): boolean {
    return this.#settingUp !== undefined;
  }

  /** The episode, from the end of setup to the end of the session. */
  get readyEpisode(): HostedEpisode | undefined {
    return this.hasEnded ? undefined : this.#ready;
  }

  /** Settles with setup, or when the session ends. */
  get ready(): Promise<HostedEpisode> {
    if (this.#settingUp && !this.hasEnded) return this.#orGone(this.#settingUp);
    return this.#ready ? Promise.resolve(this.#ready) : Promise.reject(this.#failure);
  }

  /** Settles with the work, or rejects when the session ends. */
  untilEnded<T>(work: Awaitable<T>): Awaitable<T> {
    return isPromiseLike(work) ? this.#orGone(work) : work;
  }

  #orGone<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting ??= new Set();
      this.#waiting.add(reject);
      const done = () => {
        this.#waiting?.delete(reject);
        if (this.#waiting?.size === 0) this.#waiting = undefined;
      };
      work.then(resolve, reject).finally(done);
    });
  }

  get calls(): CallTable {
    this.#calls ??= new CallTable(this.#context.resultCache, this);
    return this.#calls;
  }

  get tools(): ToolQueue {
    this.#tools ??= new ToolQueue();
    return this.#tools;
  }

  /** Records activity, which postpones the idle timeout. A ping does not keep a session in memory. */
  touch({ isPing = false } = {}): void {
    this.lastActivity = this.#context.now();
    if (!isPing) this.#lastUse = this.lastActivity;
  }

  /** Runs something, and keeps the session alive meanwhile. */
  hold<T>(run: () => Awaitable<T>): Awaitable<T> {
    this.retain();
    return andFinally(run, () => this.release());
  }

  retain(): void {
    this.#refCount++;
  }

  release(): void {
    this.#refCount--;
    this.touch();
  }

  isIdle(timeoutMs: number): boolean {
    return this.#refCount === 0 && this.#context.now() - this.lastActivity >= timeoutMs;
  }

  /** Returns true for a session that is in the journal, and was not used for this time. */
  isEvictable(ms: number): boolean {
    const isUnused = this.#refCount === 0 && this.#context.now() - this.#lastUse >= ms;
    return isUnused && this.durable !== undefined && this.readyEpisode !== undefined && this.#tools?.isIdle !== false;
  }

  /** Returns what an evicted session leaves in memory. */
  toEvicted({ journal }: DurableEpisode): EvictedSession {
    const { sid, owner, recorder, isFinished, createdAt, lastActivity } = this;
    const environment = this.environment.name;
    return { sid, owner, recorder, isFinished, createdAt, lastActivity, environment, secrets: this.#secrets, journal };
  }

  isOlderThan(ms: number): boolean {
    return this.#context.now() - this.createdAt >= ms;
  }

  get state(): 'setup' | 'failed' | 'finished' | 'active' | 'idle' {
    if (this.isSettingUp) return 'setup';
    if (this.#failure !== undefined) return 'failed';
    if (this.isFinished) return 'finished';
    return this.#refCount > 0 ? 'active' : 'idle';
  }

  /**
   * Ends the session: rejects waiting requests, aborts running tools, waits `deleteGraceMs` for them, and tears the episode
   * down, which is abandoned after `deleteWaitMs`. Resolves after teardown.
   */
  end(ending: SessionEndReason): Awaitable<void> {
    const { deleteGraceMs, deleteWaitMs } = this.#context.settings;
    const hasFailed = this.#failure !== undefined;
    this.#ending = ending;
    const isMoved = isMovedReason(ending);
    const isEvicted = ending === END_EVICTED;
    this.durable?.abandon();
    if (!isMoved && !isEvicted) this.#leaving = this.#leaveJournal(false);
    if (!this.#ready) this.#failure ??= sessionGoneError(ending);
    for (const reject of this.#waiting ?? []) reject(sessionGoneError(ending));
    this.#abortWork();
    this.#calls?.endAll((call) => {
      if (isMoved && this.#isResumable(call)) call.cut(sessionGoneError(ending));
      else call.end({ event: 'error', message: `session ${ending}` });
    });
    if (!isEvicted) this.recorder?.ended(hasFailed ? 'failed' : endReasonKind(ending), this.isFinished);
    const isBusy = this.#setup !== undefined || this.#tools?.isIdle === false;
    return andThen(isBusy ? settlesWithin(deleteGraceMs, this.#waitUntilIdle()) : undefined, () => {
      const teardown = this.#tearDown();
      return andThen(settlesWithin(deleteWaitMs, teardown), (isTornDown) => {
        if (!isTornDown) this.#episode?.abort(`session ${this.sid} could not be torn down`);
        return andThen(teardown, () => {
          if (isMoved) this.#leaving = this.#leaveJournal(true);
          return andThen(this.#leaving, () => undefined);
        });
      });
    });
  }

  /** Returns true for a call that the next server of the session knows, or would run. */
  #isResumable({ hasIssuedId, taskId }: CallEntry): boolean {
    return !hasIssuedId || this.durable?.hasStored(taskId) === true;
  }

  /** Releases the episode for another server, or removes it. Resolves with the error if that failed. */
  #leaveJournal(isMoved: boolean): Promise<unknown> | undefined {
    const { durable } = this;
    return (isMoved ? durable?.journal.release() : durable?.journal.remove())?.catch((error: unknown) => {
      this.warn(`its journal failed: ${errorMessage(error)}`);
      return error;
    });
  }

  /** Settles with whether the ended session has left the journal. Otherwise a request can bring it back. */
  hasLeft(): Awaitable<boolean> {
    return andThen(this.#leaving, (error) => error === undefined);
  }

  /** @throws HttpError 503 for a session that the next request continues, here or on another server. */
  assertNotMoved(): void {
    if (this.#ending !== undefined && isMovedReason(this.#ending)) throw sessionGoneError(this.#ending);
  }

  /** True once the session has ended, even if its teardown is still running. */
  get hasEnded(): boolean {
    return this.#ending !== undefined;
  }

  /** Aborts when the session ends. */
  get signal(): AbortSignal {
    if (!this.#abort) {
      this.#abort = new AbortController();
      this.#abortWork();
    }
    return this.#abort.signal;
  }

  #abortWork(): void {
    if (this.hasEnded) this.#abort?.abort(new Error(`session ${this.#ending}`));
  }

  /** Resolves when neither setup nor a tool is running. */
  async #waitUntilIdle(): Promise<void> {
    await this.#setup;
    await this.#tools?.idle();
  }

  #tearDown(): Awaitable<void> {
    if (!this.#isTornDown) {
      this.#isTornDown = true;
      this.#teardown = observeWork(this.#context.observer, this.#describeWork('teardown'), (end) =>
        andThen(this.#episode?.teardown(), () => {
          if (!this.#isCleanedUp) end({ outcome: 'error' });
        }),
      );
    }
    return this.#teardown;
  }

  releaseSlot(): void {
    this.#context.sessionSlots.release(this.owner);
  }

  // The session as its episode sees it.

  get sessionId(): string {
    return environmentSessionId(this.sid, this.owner);
  }

  get conditions(): Conditions | undefined {
    return this.durable?.conditions;
  }

  get secrets(): Readonly<Record<string, string>> {
    return this.#secrets ?? {};
  }

  warn(message: string): void {
    this.#context.log.warn({ ...this.ref }, this.redactor.text(message));
  }

  onError(label: string, error: unknown, secrets: readonly string[] = []): void {
    this.#isCleanedUp = false;
    reportAuthorError(
      error,
      secrets.length === 0
        ? this.describeCode(label)
        : { ...this.describeCode(label), redactor: createRedactor([...Object.values(this.secrets), ...secrets]) },
      this.#context,
    );
  }

  onLost(reason: string): void {
    const { sessions } = this.#context;
    // An episode that ends its worker while it comes back would do so each time.
    const comesBack = this.durable !== undefined && this.readyEpisode !== undefined && !this.isReturning;
    if (comesBack) sessions.endAsMoved(this, reason);
    else sessions.endAsLost(this, reason);
  }

  // The session in the log and for observers.

  get ref(): SessionRef {
    return { sid: this.sid, environment: this.environment.name };
  }

  /** Masks the secrets of the session, which neither clients nor the log may see. */
  get redactor(): Redactor {
    this.#redactor ??= this.#secrets ? createRedactor(this.#secrets) : NO_REDACTION;
    return this.#redactor;
  }

  describeCode(label: string): AuthorCodeContext {
    return { environment: this.environment.name, label, sid: this.sid, redactor: this.redactor };
  }

  #describeWork(kind: 'setup' | 'teardown'): AuthorWork {
    return { sid: this.sid, environment: this.environment.name, kind };
  }
}
