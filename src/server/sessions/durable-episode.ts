import {
  type Awaitable,
  deadlineSignal,
  deriveSeed,
  errorMessage,
  firstJsonDifference,
  isRecord,
  orElse,
  settlesWithin,
  tryParseJson,
  utf8LengthAbove,
} from '../../core/index.ts';
import type { Conditions } from '../../environment/index.ts';
import type { HostedEpisode, HostedToolResult } from '../../hosting/index.ts';
import type { CallOutcome } from '../calls/call-table.ts';
import type { ServerSettings } from '../settings.ts';
import {
  EpisodeElsewhereError,
  type EpisodeJournal,
  type JournaledCall,
  type JournaledPrompts,
  type ResumedEpisode,
} from './journal.ts';

/**
 * Outcome of a call that was running when its server ended, and that its tool does not allow to run once more. A failure of
 * the call that the agent can handle: after an `error` event, openreward ends the session.
 */
export const INTERRUPTED: CallOutcome = {
  event: 'end',
  json: JSON.stringify({
    ok: false,
    error:
      'interrupted: the server stopped while this call ran. It was not repeated, because its tool is not marked as ' +
      'idempotent; make a new call to try again',
    reason: 'interrupted',
  }),
};

/** A call of an episode that comes back has another result than before. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
}

/**
 * An episode could not be stored: this server knows more of it than the journal. Clients receive the message, so only the
 * cause, which belongs in the log, has paths and addresses.
 */
export class JournalError extends Error {
  override readonly name = 'JournalError';

  constructor(cause: unknown) {
    super(cause instanceof EpisodeElsewhereError ? cause.message : 'its journal failed', { cause });
  }
}

/** Runs a call, of which it gets the position in the episode. */
type CallWork = (conditions: Conditions, number: number) => Awaitable<CallOutcome>;
type Prompts = Required<JournaledPrompts>;
type TakeSnapshot = () => ReturnType<HostedEpisode['snapshot']>;

/** An episode in a journal: writes each call before it runs, and its outcome before the client receives it. */
export class DurableEpisode {
  /** Conditions of setup. */
  readonly conditions: Conditions;
  readonly journal: EpisodeJournal;
  /** Clock in milliseconds since 1970. */
  readonly #now: () => number;
  #lastCall: number;
  /** Prompt and conversation that are stored, or will be. */
  readonly #prompts: { -readonly [Kind in keyof Prompts]?: Promise<Prompts[Kind]> } = {};
  /** Calls are stored in the order of their numbers. */
  #begun: Promise<void> | undefined;
  /** Outcomes are stored in the order in which calls end, so that the newest snapshot has the changes of all of them. */
  #ended: Promise<void> | undefined;
  /** Calls without a stored outcome. */
  readonly #running = new Set<Promise<CallOutcome>>();
  /** Task ids of calls that are stored, without an outcome. */
  readonly #stored = new Set<string>();
  #isAbandoned = false;

  constructor(
    journal: EpisodeJournal,
    conditions: Conditions,
    now: () => number,
    {
      lastCall = 0,
      prompts,
    }: { readonly lastCall?: number | undefined; readonly prompts?: JournaledPrompts | undefined } = {},
  ) {
    this.journal = journal;
    this.#now = now;
    this.conditions = conditions;
    this.#lastCall = lastCall;
    if (prompts?.prompt) this.#prompts.prompt = Promise.resolve(prompts.prompt);
    if (prompts?.messages) this.#prompts.messages = Promise.resolve(prompts.messages);
  }

  /**
   * Returns the prompt that the first client has read, or reads and stores it: author code may return another one later.
   *
   * @throws the error of `read`; JournalError if it cannot be stored.
   */
  prompt(read: () => Awaitable<Prompts['prompt']>): Promise<Prompts['prompt']> {
    this.#prompts.prompt ??= this.#readOnce('prompt', read);
    return this.#prompts.prompt;
  }

  /** Returns the conversation that the first client has read, or reads and stores it. @throws Error as `prompt` does. */
  messages(read: () => Awaitable<Prompts['messages']>): Promise<Prompts['messages']> {
    this.#prompts.messages ??= this.#readOnce('messages', read);
    return this.#prompts.messages;
  }

  #readOnce<Kind extends keyof Prompts>(kind: Kind, read: () => Awaitable<Prompts[Kind]>): Promise<Prompts[Kind]> {
    const readAndStore = async () => {
      const value = await read();
      await this.#store(() => this.journal.addPrompts({ [kind]: value }));
      return value;
    };
    return readAndStore().catch((error: unknown) => {
      delete this.#prompts[kind];
      throw error;
    });
  }

  /**
   * Runs a new call.
   *
   * @throws JournalError if the call or its outcome cannot be stored; the client must not receive the outcome then. Error if
   *   the snapshot fails.
   */
  run(
    call: Pick<JournaledCall, 'taskId' | 'name' | 'input' | 'inputProblem'>,
    work: CallWork,
    snapshot: TakeSnapshot,
  ): Promise<CallOutcome> {
    this.#lastCall++;
    const journaled = { ...call, number: this.#lastCall, now: this.#now() };
    const begun = this.#begin(() => this.journal.begin(journaled));
    return this.#track(begun.then(() => this.#finish(journaled, work, snapshot)));
  }

  /**
   * Runs an interrupted call once more. Stores that first, so that a call that ends its process does not end one server after
   * the other.
   *
   * @throws Error as `run` does.
   */
  runAgain(call: JournaledCall, work: CallWork, snapshot: TakeSnapshot): Promise<CallOutcome> {
    this.#stored.add(call.taskId);
    const begun = this.#begin(() => this.journal.repeat(call));
    return this.#track(begun.then(() => this.#finish(call, work, snapshot)));
  }

  /** Stores the beginning of a call after those of the calls before it, so that they also run in this order. */
  #begin(store: () => Promise<void>): Promise<void> {
    const before = this.#begun;
    this.#begun = this.#store(async () => {
      await before;
      await store();
    });
    return this.#begun;
  }

  /** Returns true for a call without a stored outcome that another server would find in the journal. */
  hasStored(taskId: string): boolean {
    return this.#stored.has(taskId);
  }

  /** Resolves when the calls that run now have ended. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  #track(call: Promise<CallOutcome>): Promise<CallOutcome> {
    this.#running.add(call);
    return call.finally(() => this.#running.delete(call));
  }

  async #finish(call: JournaledCall, work: CallWork, snapshot: TakeSnapshot): Promise<CallOutcome> {
    this.#stored.add(call.taskId);
    const outcome = await work(this.conditionsOf(call), call.number);
    const before = this.#ended;
    const ended = this.#storeEnd(call, outcome, snapshot, before);
    this.#ended = ended;
    await ended;
    this.#stored.delete(call.taskId);
    return outcome;
  }

  async #storeEnd(
    { number }: JournaledCall,
    outcome: CallOutcome,
    snapshot: TakeSnapshot,
    before: Promise<void> | undefined,
  ): Promise<void> {
    await before;
    // The end of the session may have aborted the tool, so another server must not take that for its result.
    if (this.#isAbandoned) return;
    const saved = await orElse(snapshot, (error) => {
      throw new Error(`its snapshot failed: ${errorMessage(error)}`, { cause: error });
    });
    // The teardown may have changed the state before it was read.
    if (saved !== undefined && this.#isAbandoned) return;
    await this.#store(() => this.journal.end(number, outcome, saved));
  }

  /** Stores that a call was interrupted. @throws Error as `run` does. */
  interrupt({ number }: JournaledCall): Promise<void> {
    return this.#store(() => this.journal.end(number, INTERRUPTED, undefined));
  }

  /** Stores no further outcomes. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  /** Each call has its own random numbers, so that simultaneous calls do not change those of each other. */
  conditionsOf({ number, now }: Pick<JournaledCall, 'number' | 'now'>): Conditions {
    return { seed: deriveSeed(this.conditions.seed, number), now };
  }

  async #store(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      throw new JournalError(error);
    }
  }
}

type ReplayLimits = Pick<ServerSettings, 'callTimeoutMs' | 'deleteGraceMs' | 'maxResultBytes'>;

/**
 * Runs the calls of an episode again, in their order, after its setup.
 *
 * @returns true if the episode is finished.
 * @throws ReplayError that names the first call whose result differs, or that does not stop at its time limit.
 */
export async function replayCalls(
  episode: HostedEpisode,
  { calls }: Pick<ResumedEpisode, 'calls'>,
  durable: DurableEpisode,
  limits: ReplayLimits,
): Promise<boolean> {
  let isFinished = false;
  for (const call of calls) {
    const { number, name, outcome } = call;
    if (!outcome || !hasRun(outcome)) continue;
    const result = await runAgain(episode, call, durable.conditionsOf(call), limits);
    if (!equals(outcome, result, limits)) {
      const rule = "an environment with durability: 'replay' must return the same results again";
      const place = differingPath(outcome, result);
      throw new ReplayError(
        `the replay of call ${number} (${name}) returned another result than the call${place}; ${rule}`,
      );
    }
    isFinished ||= result?.ok === true && result.finished;
  }
  return isFinished;
}

/** Returns true if a result says that the episode is finished. */
export function finishes(outcome: CallOutcome | undefined): boolean {
  if (outcome?.event !== 'end') return false;
  const result = tryParseJson(outcome.json);
  return isRecord(result) && isRecord(result.output) && result.output.finished === true;
}

/** Creates the reason with which the signal of a tool aborts at its time limit. */
export const callTimeout = (ms: number): DOMException =>
  new DOMException(`the call ran longer than ${ms} ms`, 'TimeoutError');

/** Returns false for a call that the server refused, or that was interrupted: it has changed nothing. */
function hasRun(outcome: CallOutcome): boolean {
  if (outcome.event === 'error') return true;
  const result = tryParseJson(outcome.json);
  return !isRecord(result) || result.ok !== false || result.reason === undefined;
}

/** Returns undefined for a call that fails or reaches its time limit, which its client read as an error. */
async function runAgain(
  episode: HostedEpisode,
  { number, name, input }: JournaledCall,
  conditions: Conditions,
  { callTimeoutMs, deleteGraceMs }: ReplayLimits,
): Promise<HostedToolResult | undefined> {
  const timeoutMs = episode.tools.get(name)?.timeoutMs ?? callTimeoutMs;
  const limit = timeoutMs === Infinity ? undefined : deadlineSignal(timeoutMs, () => callTimeout(timeoutMs));
  const running = Promise.resolve(
    orElse(
      () => episode.run(name, input, limit?.signal, conditions),
      () => undefined,
    ),
  );
  try {
    if (!(await settlesWithin(timeoutMs + deleteGraceMs, running))) {
      throw new ReplayError(`the replay of call ${number} (${name}) did not stop at its time limit`);
    }
    const result = await running;
    return limit?.isTimedOut ? undefined : result;
  } finally {
    limit?.release();
  }
}

function equals(
  outcome: CallOutcome,
  result: HostedToolResult | undefined,
  { maxResultBytes }: Pick<ReplayLimits, 'maxResultBytes'>,
): boolean {
  if (outcome.event !== 'end' || result === undefined) return outcome.event !== 'end' && result === undefined;
  if (result.ok && outcome.json === result.json) return true;
  // A result that was too large to be sent is a failure.
  if (result.ok && utf8LengthAbove(maxResultBytes, result.json) === undefined) return false;
  // The text of a failure depends on secrets and limits of the server.
  const before = tryParseJson(outcome.json);
  return isRecord(before) && before.ok === false;
}

/** Names the first field that differs, without its values, which belong neither into a log nor to other clients. */
function differingPath(outcome: CallOutcome, result: HostedToolResult | undefined): string {
  if (outcome.event !== 'end' || !result?.ok) return '';
  const difference = firstJsonDifference(tryParseJson(outcome.json), tryParseJson(result.json));
  return difference ? `: ${difference.path} differs` : '';
}
