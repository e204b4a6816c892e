import type { HostedEnvironment, HostedEpisode } from '../../hosting/index.ts';
import { OrsError } from '../../protocol/index.ts';
import type { AuthorCode } from '../author-error.ts';
import { CallTable } from '../calls/call-table.ts';
import type { Results } from '../calls/results.ts';
import { ToolQueue } from '../calls/tool-queue.ts';
import { redact } from '../redact.ts';
import type { Settings } from '../settings.ts';
import { within } from './within.ts';

/** Why a session is gone: what follows the word session. */
export type Ending = string;

export const DELETED: Ending = 'deleted';
export const EXPIRED: Ending = 'expired: no request came in time';
export const lost = (reason: string): Ending => `lost: ${reason}`;

export const gone = (ending: Ending): OrsError => new OrsError('gone', `Session ${ending}`);

type EndTimes = Pick<Settings, 'deleteGraceMs' | 'deleteWaitMs'>;

export interface SessionOptions {
  readonly sid: string;
  readonly environment: HostedEnvironment;
  readonly episode: HostedEpisode;
  readonly secrets: readonly string[];
  /** Aborts what runs for the session. */
  readonly abort: AbortController;
  readonly results: Results;
  readonly now: () => number;
  /** Sets the episode up. Rejects with what clients are to be told. */
  readonly setup: () => Promise<void>;
}

/** A session from `/create` to its teardown: one episode, its calls, and who is waiting for it. */
export class Session {
  readonly sid: string;
  readonly environment: HostedEnvironment;
  readonly calls: CallTable;
  readonly tools: ToolQueue;
  /** Whether a tool said that the episode is complete; then no tool runs any more. */
  isFinished = false;
  isSettingUp = true;
  /** Settles when setup does, or when the session ends before; handlers await it. */
  readonly ready: Promise<HostedEpisode>;
  readonly #episode: HostedEpisode;
  readonly #secrets: readonly string[];
  readonly #abort: AbortController;
  readonly #now: () => number;
  readonly #setup: Promise<unknown>;
  readonly #waiting = new Set<(reason: OrsError) => void>();
  #lastActivity: number;
  #holds = 0;

  constructor({ sid, environment, episode, secrets, abort, results, now, setup }: SessionOptions) {
    this.sid = sid;
    this.environment = environment;
    this.#secrets = secrets;
    this.calls = new CallTable(results);
    this.#episode = episode;
    this.#abort = abort;
    this.#now = now;
    this.#lastActivity = now();
    this.tools = new ToolQueue();
    const settingUp = setup().finally(() => {
      this.isSettingUp = false;
    });
    this.#setup = settingUp.catch(() => episode.teardown());
    this.ready = this.orGone(settingUp.then(() => episode));
    // Nobody may be waiting, and setup's failure is told to whoever asks next.
    this.ready.catch(() => undefined);
  }

  /** Names a part of the author's code that runs for this session. */
  code(what: string): AuthorCode {
    return { environment: this.environment.name, what, sid: this.sid, secrets: this.#secrets };
  }

  /** Takes the session's secrets out of a text. */
  redact(text: string): string {
    return redact(text, this.#secrets);
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
  async hold<T>(run: () => Promise<T>): Promise<T> {
    this.#holds++;
    try {
      return await run();
    } finally {
      this.#holds--;
      this.touch();
    }
  }

  isIdle(timeoutMs: number): boolean {
    return this.#holds === 0 && this.#now() - this.#lastActivity >= timeoutMs;
  }

  /**
   * Ends the session: whoever waits is told, running tools are told to stop and have `deleteGraceMs` to do so, then the
   * episode is torn down; one that is not after `deleteWaitMs` is abandoned. Resolves when it is torn down.
   */
  async end(ending: Ending, { deleteGraceMs, deleteWaitMs }: EndTimes): Promise<void> {
    for (const giveUp of this.#waiting) giveUp(gone(ending));
    this.#abort.abort(new Error(`session ${ending}`));
    this.calls.end({ event: 'error', message: `session ${ending}` });
    await within(
      deleteGraceMs,
      this.#setup.then(() => this.tools.idle()),
    );
    const teardown = this.#episode.teardown();
    if (!(await within(deleteWaitMs, teardown))) this.#episode.abandon(`session ${this.sid} could not be torn down`);
    await teardown;
  }
}
