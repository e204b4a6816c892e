import { type Awaitable, settle } from '../../awaitable/index.ts';
import type { HostedEnvironment, HostedEpisode } from '../../hosting/index.ts';
import { OrsError } from '../../protocol/index.ts';
import type { AuthorCode } from '../author-error.ts';
import { CallTable } from '../calls/call-table.ts';
import type { Results } from '../calls/results.ts';
import { ToolQueue } from '../calls/tool-queue.ts';
import type { SessionName } from '../observe/observer.ts';
import type { EpisodeRecord } from '../record.ts';
import { redact } from '../redact.ts';
import type { Settings } from '../settings.ts';
import { within } from './within.ts';

/** Why a session is gone: what follows the word session. */
export type Ending = string;

export const DELETED: Ending = 'deleted';
export const EXPIRED: Ending = 'expired: no request came in time';
export const TOO_OLD: Ending = 'expired: it lasted longer than a session may';
export const lost = (reason: string): Ending => `lost: ${reason}`;

export const gone = (ending: Ending): OrsError => new OrsError('gone', `Session ${ending}`);

type EndTimes = Pick<Settings, 'deleteGraceMs' | 'deleteWaitMs'>;

export interface SessionOptions {
  readonly sid: string;
  /** Whose it is, where the server admits only some. */
  readonly owner: string | undefined;
  /** Frees its place. May be called again. */
  readonly leave: () => void;
  readonly environment: HostedEnvironment;
  readonly episode: HostedEpisode;
  readonly secrets: readonly string[];
  /** Aborts what runs for the session. */
  readonly abort: AbortController;
  readonly results: Results;
  readonly now: () => number;
  /** Writes the episode down; undefined where nobody does. */
  readonly record: EpisodeRecord | undefined;
  /** Sets the episode up. Rejects with what clients are to be told. */
  readonly setup: () => Promise<void>;
  /** Undoes it; called once. Never rejects. */
  readonly teardown: () => Promise<void>;
}

/** A session from `/create` to its teardown: one episode, its calls, and who is waiting for it. */
export class Session {
  readonly sid: string;
  readonly owner: string | undefined;
  readonly leave: () => void;
  readonly record: EpisodeRecord | undefined;
  readonly environment: HostedEnvironment;
  /** Whether a tool said that the episode is complete; then no tool runs any more. */
  isFinished = false;
  isSettingUp = true;
  #hasFailed = false;
  /** The episode, once setup has succeeded and as long as the session is not over. */
  get readyEpisode(): HostedEpisode | undefined {
    return this.isSettingUp || this.#hasFailed || this.isOver ? undefined : this.#episode;
  }

  /** Settles when setup does, or when the session ends before; handlers await it. */
  readonly ready: Promise<HostedEpisode>;
  readonly #episode: HostedEpisode;
  /** Values that neither clients nor the log may see. */
  readonly secrets: readonly string[];
  readonly #abort: AbortController;
  readonly #now: () => number;
  readonly #results: Results;
  #calls: CallTable | undefined;
  #tools: ToolQueue | undefined;
  readonly #setup: Promise<unknown>;
  readonly #tearDown: () => Promise<void>;
  #teardown: Promise<void> | undefined;
  readonly #waiting = new Set<(reason: OrsError) => void>();
  readonly #since: number;
  #lastActivity: number;
  #holds = 0;

  constructor(options: SessionOptions) {
    const { environment, episode, secrets, abort, results, now, setup, teardown } = options;
    this.sid = options.sid;
    this.owner = options.owner;
    this.leave = options.leave;
    this.record = options.record;
    this.environment = environment;
    this.secrets = secrets;
    this.#results = results;
    this.#episode = episode;
    this.#abort = abort;
    this.#now = now;
    this.#since = now();
    this.#lastActivity = this.#since;
    this.#tearDown = () => (this.#teardown ??= teardown());
    const settingUp = setup().finally(() => {
      this.isSettingUp = false;
    });
    this.#setup = settingUp.catch(() => {
      this.#hasFailed = true;
      return this.#tearDown();
    });
    this.ready = this.orGone(settingUp.then(() => episode));
    // Nobody may be waiting, and setup's failure is told to whoever asks next.
    this.ready.catch(() => undefined);
  }

  /** Made when it is first needed: most sessions that there are wait, many for their first call. */
  get calls(): CallTable {
    this.#calls ??= new CallTable(this.#results);
    return this.#calls;
  }

  get tools(): ToolQueue {
    this.#tools ??= new ToolQueue();
    return this.#tools;
  }

  /** For whoever observes it. */
  get name(): SessionName {
    return { sid: this.sid, environment: this.environment.name };
  }

  get state(): 'setup' | 'failed' | 'finished' | 'active' | 'idle' {
    if (this.isSettingUp) return 'setup';
    if (this.#hasFailed) return 'failed';
    if (this.isFinished) return 'finished';
    return this.#holds > 0 ? 'active' : 'idle';
  }

  /** Names a part of the author's code that runs for this session. */
  code(what: string): AuthorCode {
    return { environment: this.environment.name, what, sid: this.sid, secrets: this.secrets };
  }

  /** Takes the session's secrets out of a text. */
  redact(text: string): string {
    return redact(text, this.secrets);
  }

  /** Aborts when the session ends. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Whether the session has ended, though its teardown may still be under way. */
  get isOver(): boolean {
    return this.#abort.signal.aborted;
  }

  /** What the work gives, unless the session ends before it does. */
  orGone<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      const done = () => this.#waiting.delete(reject);
      work.then(resolve, reject).finally(done);
    });
  }

  /** Counts as activity. */
  touch(): void {
    this.#lastActivity = this.#now();
  }

  /** Keeps the session alive while something goes on for it. */
  hold<T>(run: () => Awaitable<T>): Awaitable<T> {
    this.#holds++;
    const letGo = () => {
      this.#holds--;
      this.touch();
    };
    return settle(
      run,
      (value) => {
        letGo();
        return value;
      },
      (error) => {
        letGo();
        throw error;
      },
    );
  }

  isIdle(timeoutMs: number): boolean {
    return this.#holds === 0 && this.#now() - this.#lastActivity >= timeoutMs;
  }

  isOlderThan(ms: number): boolean {
    return this.#now() - this.#since >= ms;
  }

  /**
   * Ends the session: whoever waits is told, running tools are told to stop and have `deleteGraceMs` to do so, then the
   * episode is torn down; one that is not after `deleteWaitMs` is abandoned. Resolves when it is torn down.
   */
  async end(ending: Ending, { deleteGraceMs, deleteWaitMs }: EndTimes): Promise<void> {
    for (const giveUp of this.#waiting) giveUp(gone(ending));
    this.#abort.abort(new Error(`session ${ending}`));
    this.#calls?.end({ event: 'error', message: `session ${ending}` });
    this.record?.ended(this.#hasFailed ? 'failed' : (ending.split(':', 1)[0] ?? ''), this.isFinished);
    await within(
      deleteGraceMs,
      this.#setup.then(() => this.#tools?.idle()),
    );
    const teardown = this.#tearDown();
    if (!(await within(deleteWaitMs, teardown))) this.#episode.abandon(`session ${this.sid} could not be torn down`);
    await teardown;
  }
}
