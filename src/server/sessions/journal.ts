import type { Awaitable } from '../../core/index.ts';
import type { TaskSelectorFields } from '../../hosting/index.ts';
import type { SerializedBlock, SerializedMessage } from '../../protocol/index.ts';
import type { CallOutcome } from '../calls/call-table.ts';
import type { EpisodeStart } from './recorder.ts';

/**
 * Keeps the episodes of a server outside of its process, so that another process can continue them. Contains prompts, inputs,
 * results and snapshots as they are, but not the secrets of sessions.
 *
 * @example
 * await using journal: Journal = await openJournal('episodes.db');
 * await using server = await serve([environment], { journal });
 */
export interface Journal extends AsyncDisposable {
  /**
   * Adds an episode of this server. Resolves when it is stored.
   *
   * @throws EpisodeExistsError if the journal has an episode with this id and owner.
   */
  create(episode: JournaledEpisode): Promise<EpisodeJournal>;
  /**
   * Takes an episode over; from then on, the server that had it can write nothing more. Returns undefined if there is none.
   *
   * @throws EpisodeElsewhereError while another server has it.
   */
  resume(key: EpisodeKey): Promise<ResumedEpisode | undefined>;
  /**
   * Calls a function for each episode of this server that another one needs: its requests arrive there. The function
   * returns true if the journal may release the episode, because this server does not have it in memory.
   */
  onRequest?(mayRelease: (key: EpisodeKey) => boolean): void;
  /** Writes what is pending, and gives up the episodes of this server. */
  close(): Promise<void>;
}

/**
 * Identifies an episode: the id of its session, and the caller that owns it.
 *
 * @example
 * const key: EpisodeKey = { sid: 'a1', owner: undefined };
 */
export interface EpisodeKey {
  readonly sid: string;
  readonly owner: string | undefined;
}

/**
 * An episode as it was created.
 *
 * @example
 * const nameOf = ({ environment, sid }: JournaledEpisode) => `${environment}/${sid}`;
 */
export interface JournaledEpisode extends EpisodeKey {
  readonly environment: string;
  /** Version of the environment. @default none */
  readonly version?: string | undefined;
  readonly task: TaskSelectorFields;
  readonly toolset: string | undefined;
  /** Seed of the random numbers that setup and calls read. */
  readonly seed: number;
  /** Time of creation, in milliseconds since 1970. */
  readonly now: number;
  /** Names of the secrets that the client sent. */
  readonly secrets: readonly string[];
  /** How its record continues; undefined if it is not recorded. */
  readonly record?: JournaledRecord | undefined;
  /** Task id of the call at which it was forked, null if none was named. @default not a fork */
  readonly forkedAt?: string | null | undefined;
  /** Prompt and conversation, if a client has read them. @default nothing */
  readonly prompts?: JournaledPrompts | undefined;
}

/**
 * Prompt and conversation of an episode, as the first client has read them.
 *
 * @example
 * const prompts: JournaledPrompts = { prompt: [{ type: 'text', text: 'Walk.', detail: null }] };
 */
export interface JournaledPrompts {
  readonly prompt?: readonly SerializedBlock[];
  readonly messages?: readonly SerializedMessage[];
}

/**
 * What the record of an episode begins with, beside its task.
 *
 * @example
 * const record: JournaledRecord = { recordId: 'tr_1', run: 'baseline', group: undefined, tags: [] };
 */
export interface JournaledRecord extends Pick<EpisodeStart, 'run' | 'group' | 'tags' | 'parent'> {
  readonly recordId: string;
}

/**
 * A call before it runs.
 *
 * @example
 * const describe = ({ number, name }: JournaledCall) => `call ${number}: ${name}`;
 */
export interface JournaledCall {
  /** Position among the calls of the episode, from 1 up. */
  readonly number: number;
  readonly taskId: string;
  readonly name: string;
  readonly input: unknown;
  /** Problem in the JSON text of the input that the parsed value no longer shows. @default none */
  readonly inputProblem?: { readonly pointer: string; readonly message: string } | undefined;
  /** Time of the call, in milliseconds since 1970. */
  readonly now: number;
  /** True for an interrupted call that has begun once more. @default false */
  readonly isRepeated?: boolean;
}

/**
 * The journal of one episode. After another server has taken it over, every method except `release` rejects with
 * EpisodeElsewhereError.
 *
 * @example
 * const forgetAll = (journals: EpisodeJournal[]) => Promise.all(journals.map((journal) => journal.remove()));
 */
export interface EpisodeJournal {
  /**
   * Asserts that this server still has the episode: at once, without a promise, if its clock shows that its lease has not
   * ended since the last time. Otherwise renews the lease, and asks the database.
   *
   * @throws EpisodeElsewhereError if another server has taken the episode over, or it was deleted; Error if the lease cannot
   *   be renewed.
   */
  assertOwned(): Awaitable<void>;
  /** Adds the prompt or the conversation. Resolves when it is stored. */
  addPrompts(prompts: JournaledPrompts): Promise<void>;
  /** Resolves when the call is stored. */
  begin(call: JournaledCall): Promise<void>;
  /** Resolves when it is stored, in every mode, that an interrupted call begins once more. */
  repeat(call: JournaledCall): Promise<void>;
  /** Resolves when the outcome is stored, with the state after it if the environment has snapshots. */
  end(number: number, outcome: CallOutcome, snapshot: string | undefined): Promise<void>;
  /** Resolves when all calls and outcomes are stored. @throws Error if one of them could not be. */
  flush(): Promise<void>;
  /**
   * Copies the episode to a new one of this server, with the calls that have ended: now, or when the call with the task id
   * `at` did. Resolves when the copy is stored; with undefined if no call with this id has ended.
   *
   * @param recordOf returns the record of the copy, given that of the episode and the number of copied calls.
   * @throws EpisodeExistsError if the journal has an episode with the id of the copy.
   */
  fork(sid: string, at: string | undefined, recordOf: ForkRecord): Promise<ResumedEpisode | undefined>;
  /** Returns `forkedAt` of a fork of the episode; undefined if the journal has no episode with this id. */
  forkedAt(sid: string): Promise<string | null | undefined>;
  /** Releases the episode, so that another server can continue it immediately. */
  release(): Promise<void>;
  /** Removes an episode that has ended. */
  remove(): Promise<void>;
}

/**
 * Returns the record of a fork.
 *
 * @example
 * const unrecorded: ForkRecord = () => undefined;
 */
export type ForkRecord = (record: JournaledRecord | undefined, calls: number) => JournaledRecord | undefined;

/**
 * An episode that comes back, or a copy of one.
 *
 * @example
 * const interrupted = ({ calls }: ResumedEpisode) => calls.filter(({ outcome }) => outcome === undefined);
 */
export interface ResumedEpisode {
  readonly episode: JournaledEpisode;
  /** In the order in which they began. Those without an outcome were interrupted. */
  readonly calls: readonly (JournaledCall & { readonly outcome: CallOutcome | undefined })[];
  /** The newest snapshot. */
  readonly snapshot: string | undefined;
  readonly journal: EpisodeJournal;
}

/**
 * An episode with this id exists already.
 *
 * @example
 * throw new EpisodeExistsError('the journal has an episode a1');
 */
export class EpisodeExistsError extends Error {
  override readonly name = 'EpisodeExistsError';
}

/**
 * The episode belongs to another server.
 *
 * @example
 * throw new EpisodeElsewhereError('another server has this session');
 */
export class EpisodeElsewhereError extends Error {
  override readonly name = 'EpisodeElsewhereError';
}
