import {
  type Awaitable,
  andFinally,
  andThen,
  createRedactor,
  isPromiseLike,
  NO_REDACTION,
  type Redactor,
  settle,
  settlesWithin,
} from '../../core/index.ts';
import type { HostedEnvironment, HostedEpisode, HostedSession } from '../../hosting/index.ts';
import type { OrsError } from '../../protocol/index.ts';
import { type AuthorCodeContext, reportAuthorError } from '../author-error.ts';
import { CallTable, type RefCounted } from '../calls/call-table.ts';
import type { ResultCache } from '../calls/results.ts';
import { ToolQueue } from '../calls/tool-queue.ts';
import type { AuthorWork, SessionRef } from '../observe/observer.ts';
import { observeWork } from '../observe/watch-work.ts';
import type { EpisodeRecorder } from '../record.ts';
import { endReasonKind, type SessionEndReason, sessionGoneError } from './ending.ts';
import { environmentSessionId } from './session-id.ts';
import { type SetupDependencies, setUpEpisode } from './set-up.ts';

/** What all sessions of a server share. */
export interface SessionDependencies extends SetupDependencies {
  readonly resultCache: ResultCache;
  readonly now: () => number;
  readonly sessionSlots: { release(owner: string | undefined): void };
  readonly sessions: { endAsLost(session: ServerSession, reason: string): void };
}

export interface ServerSessionOptions {
  readonly sid: string;
  /** Whose it is, where the server admits only some. */
  readonly owner: string | undefined;
  readonly environment: HostedEnvironment;
  readonly secrets: Readonly<Record<string, string>> | undefined;
}

/**
 * A session from `/create` to its teardown: one episode, its calls, and who is waiting for it. There may be very many
 * that wait, so what most never need is made when it is asked for.
 */
export class ServerSession implements HostedSession, RefCounted {
  readonly sid: string;
  readonly owner: string | undefined;
  readonly environment: HostedEnvironment;
  /** Writes the episode down; undefined where nobody does. */
  recorder: EpisodeRecorder | undefined;
  /** Whether a tool said that the episode is complete; then no tool runs any more. */
  isFinished = false;
  readonly #secrets: Readonly<Record<string, string>> | undefined;
  #redactor: Redactor | undefined;
  readonly #context: SessionDependencies;
  readonly #createdAt: number;
  #lastActivity: number;
  #refCount = 0;
  #episode: HostedEpisode | undefined;
  /** Settles when setup does. */
  #settingUp: Promise<HostedEpisode> | undefined;
  /** Settles when setup has, and what one that failed has left is undone. */
  #setup: Promise<void> | undefined;
  /** The episode once it is set up, or why it never will be. */
  #ready: HostedEpisode | undefined;
  #failure: unknown;
  #isCleanedUp = true;
  #isTornDown = false;
  #teardown: Awaitable<void> | undefined;
  #ending: SessionEndReason | undefined;
  #abort: AbortController | undefined;
  #calls: CallTable | undefined;
  #tools: ToolQueue | undefined;
  #waiting: Set<(reason: OrsError) => void> | undefined;

  constructor({ sid, owner, environment, secrets }: ServerSessionOptions, context: SessionDependencies) {
    this.sid = sid;
    this.owner = owner;
    this.environment = environment;
    this.#secrets = secrets;
    this.#context = context;
    // Whole, since each fraction takes an object.
    this.#createdAt = Math.trunc(context.now());
    this.#lastActivity = this.#createdAt;
  }

  get calls(): CallTable {
    this.#calls ??= new CallTable(this.#context.resultCache, this);
    return this.#calls;
  }

  get tools(): ToolQueue {
    this.#tools ??= new ToolQueue();
    return this.#tools;
  }

  /** For whoever observes it. */
  get name(): SessionRef {
    return { sid: this.sid, environment: this.environment.name };
  }

  /** A part of the author's code, for whoever observes it. */
  describeWork(kind: 'setup' | 'teardown'): AuthorWork {
    return { sid: this.sid, environment: this.environment.name, kind };
  }

  get sessionId(): string {
    return environmentSessionId(this.sid, this.owner);
  }

  get secrets(): Readonly<Record<string, string>> {
    return this.#secrets ?? {};
  }

  /** Masks the session's secrets, which neither clients nor the log may see. */
  get redactor(): Redactor {
    this.#redactor ??= this.#secrets ? createRedactor(this.#secrets) : NO_REDACTION;
    return this.#redactor;
  }

  get state(): 'setup' | 'failed' | 'finished' | 'active' | 'idle' {
    if (this.isSettingUp) return 'setup';
    if (this.#failure !== undefined) return 'failed';
    if (this.isFinished) return 'finished';
    return this.#refCount > 0 ? 'active' : 'idle';
  }

  /** Names a part of the author's code that runs for this session. */
  describeCode(what: string): AuthorCodeContext {
    return { environment: this.environment.name, label: what, sid: this.sid, redactor: this.redactor };
  }

  warn(message: string): void {
    this.#context.log.warn({ ...this.name }, this.redactor.text(message));
  }

  onError(what: string, error: unknown, secrets: readonly string[] = []): void {
    this.#isCleanedUp = false;
    reportAuthorError(
      error,
      secrets.length === 0
        ? this.describeCode(what)
        : { ...this.describeCode(what), redactor: createRedactor([...Object.values(this.secrets), ...secrets]) },
      this.#context,
    );
  }

  onLost(reason: string): void {
    this.#context.sessions.endAsLost(this, reason);
  }

  /** Aborts when the session ends. */
  get signal(): AbortSignal {
    if (!this.#abort) {
      this.#abort = new AbortController();
      this.#abortWork();
    }
    return this.#abort.signal;
  }

  /** Whether the session has ended, though its teardown may still be under way. */
  get hasEnded(): boolean {
    return this.#ending !== undefined;
  }

  get isSettingUp(): boolean {
    return this.#settingUp !== undefined;
  }

  /** The episode, once it is set up and until the session ends. */
  get readyEpisode(): HostedEpisode | undefined {
    return this.hasEnded ? undefined : this.#ready;
  }

  /** Settles when setup does, or when the session ends before. */
  get ready(): Promise<HostedEpisode> {
    if (this.#settingUp && !this.hasEnded) return this.#orGone(this.#settingUp);
    return this.#ready ? Promise.resolve(this.#ready) : Promise.reject(this.#failure);
  }

  /** What the work gives, unless the session ends before it does. */
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

  /** Counts as activity. */
  touch(): void {
    this.#lastActivity = this.#context.now();
  }

  /** Keeps the session alive while something goes on for it. */
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
    return this.#refCount === 0 && this.#context.now() - this.#lastActivity >= timeoutMs;
  }

  isOlderThan(ms: number): boolean {
    return this.#context.now() - this.#createdAt >= ms;
  }

  /** Begins to set the episode up. */
  begin(episode: HostedEpisode): void {
    this.#episode = episode;
    const over = settle(
      () => {
        const setup = setUpEpisode(this, episode, this.#context);
        this.#settingUp = isPromiseLike(setup) ? setup.then(() => episode) : undefined;
        return this.#settingUp;
      },
      () => this.#setupDone(episode),
      (error) => this.#setupFailed(error),
    );
    if (!isPromiseLike(over)) return;
    this.#setup = over.then(() => {
      this.#setup = undefined;
    });
  }

  /**
   * Ends the session: whoever waits is told, running tools are told to stop and have `deleteGraceMs` to do so, then the
   * episode is torn down; one that is not after `deleteWaitMs` is abandoned. Resolves when it is torn down.
   */
  end(ending: SessionEndReason): Awaitable<void> {
    const { deleteGraceMs, deleteWaitMs } = this.#context.settings;
    const hasFailed = this.#failure !== undefined;
    this.#ending = ending;
    if (!this.#ready) this.#failure ??= sessionGoneError(ending);
    for (const giveUp of this.#waiting ?? []) giveUp(sessionGoneError(ending));
    this.#abortWork();
    this.#calls?.endAll({ event: 'error', message: `session ${ending}` });
    this.recorder?.ended(hasFailed ? 'failed' : endReasonKind(ending), this.isFinished);
    const isBusy = this.#setup !== undefined || this.#tools?.isIdle === false;
    return andThen(isBusy ? settlesWithin(deleteGraceMs, this.#waitUntilIdle()) : undefined, () => {
      const teardown = this.#tearDown();
      return andThen(settlesWithin(deleteWaitMs, teardown), (isOver) => {
        if (!isOver) this.#episode?.abort(`session ${this.sid} could not be torn down`);
        return teardown;
      });
    });
  }

  /** Frees its place. */
  releaseSlot(): void {
    this.#context.sessionSlots.release(this.owner);
  }

  #setupDone(episode: HostedEpisode): void {
    this.#settingUp = undefined;
    if (!this.hasEnded) this.#ready = episode;
  }

  #setupFailed(error: unknown): Awaitable<void> {
    this.#settingUp = undefined;
    this.#failure ??= error;
    return this.#tearDown();
  }

  #abortWork(): void {
    if (this.hasEnded) this.#abort?.abort(new Error(`session ${this.#ending}`));
  }

  /** Resolves when neither setup nor a tool runs. */
  async #waitUntilIdle(): Promise<void> {
    await this.#setup;
    await this.#tools?.idle();
  }

  #tearDown(): Awaitable<void> {
    if (!this.#isTornDown) {
      this.#isTornDown = true;
      this.#teardown = observeWork(this.#context.observer, this.describeWork('teardown'), (end) =>
        andThen(this.#episode?.teardown(), () => {
          if (!this.#isCleanedUp) end({ outcome: 'error' });
        }),
      );
    }
    return this.#teardown;
  }
}
