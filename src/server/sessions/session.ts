import type { Environment, Episode } from '../../environment/index.ts';
import { OrsError } from '../../protocol/index.ts';
import type { AuthorCode } from '../author-error.ts';
import { CallTable } from '../calls/call-table.ts';
import type { Results } from '../calls/results.ts';
import { ToolQueue } from '../calls/tool-queue.ts';
import { redact } from '../redact.ts';
import { within } from './within.ts';

/** Why a session is gone. */
export type Ending = 'deleted' | 'expired';

export interface SessionOptions {
  readonly sid: string;
  readonly episode: Episode;
  readonly secrets: readonly string[];
  /** Aborts what runs for the session. */
  readonly abort: AbortController;
  readonly results: Results;
  readonly now: () => number;
  /** Sets the episode up. Rejects with what clients are to be told. */
  readonly setup: (episode: Episode) => Promise<void>;
}

/** A session from `/create` to its teardown: one episode, its calls, and who is waiting for it. */
export class Session {
  readonly sid: string;
  readonly calls: CallTable;
  readonly tools: ToolQueue;
  /** Whether a tool said that the episode is complete; then no tool runs any more. */
  isFinished = false;
  isSettingUp = true;
  /** Settles when setup does, or when the session ends before; handlers await it. */
  readonly ready: Promise<Episode>;
  readonly #episode: Episode;
  readonly #secrets: readonly string[];
  readonly #abort: AbortController;
  readonly #now: () => number;
  readonly #setup: Promise<unknown>;
  readonly #waiting = new Set<(reason: OrsError) => void>();
  #lastActivity: number;
  #holds = 0;

  constructor({ sid, episode, secrets, abort, results, now, setup }: SessionOptions) {
    this.sid = sid;
    this.#secrets = secrets;
    this.calls = new CallTable(results);
    this.#episode = episode;
    this.#abort = abort;
    this.#now = now;
    this.#lastActivity = now();
    this.tools = new ToolQueue();
    const settingUp = setup(episode).finally(() => {
      this.isSettingUp = false;
    });
    this.#setup = settingUp.catch(() => episode.teardown());
    this.ready = this.orGone(settingUp.then(() => episode));
    // Nobody may be waiting, and setup's failure is told to whoever asks next.
    this.ready.catch(() => undefined);
  }

  get environment(): Environment {
    return this.#episode.environment;
  }

  /** Names a part of the author's code that runs for this session. */
  code(what: string): AuthorCode {
    return { environment: this.environment.name, what, sid: this.sid, secrets: this.#secrets };
  }

  /** Takes the session's secrets out of a text. */
  redact(text: string): string {
    return redact(text, this.#secrets);
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
   * Ends the session: whoever waits is told, running tools are told to stop and have `graceMs` to do so, then the
   * episode is torn down. Resolves when it is.
   */
  async end(ending: Ending, graceMs: number): Promise<void> {
    for (const giveUp of this.#waiting) giveUp(gone(ending));
    this.#abort.abort(new Error(`session ${ending}`));
    this.calls.end({ event: 'error', message: `session ${ending}` });
    await within(
      graceMs,
      this.#setup.then(() => this.tools.idle()),
    );
    await this.#episode.teardown();
  }
}

export function gone(ending: Ending): OrsError {
  return new OrsError('gone', ending === 'deleted' ? 'Session deleted' : 'Session expired: no request came in time');
}
