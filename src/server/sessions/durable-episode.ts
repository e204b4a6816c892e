import { deriveSeed, errorMessage, isRecord, tryParseJson } from '../../core/index.ts';
import type { Conditions } from '../../environment/index.ts';
import type { HostedEpisode, HostedToolResult } from '../../hosting/index.ts';
import type { CallOutcome } from '../calls/call-table.ts';
import type { EpisodeJournal, JournaledCall, ResumedEpisode } from './journal.ts';

/** Why a server gives an episode up that its journal does not follow any more. */
export class JournalFailure extends Error {
  override readonly name = 'JournalFailure';
}

/** An episode in a journal: writes each call before it runs, and its outcome before the client receives it. */
export class DurableEpisode {
  /** Conditions of setup. */
  readonly conditions: Conditions;
  readonly #journal: EpisodeJournal;
  #lastCall: number;
  /** Calls are stored in the order of their numbers. */
  #begun: Promise<void> | undefined;

  constructor(journal: EpisodeJournal, conditions: Conditions, lastCall = 0) {
    this.#journal = journal;
    this.conditions = conditions;
    this.#lastCall = lastCall;
  }

  /**
   * Runs a new call.
   *
   * @throws JournalFailure if the call or its outcome cannot be stored; the client must not receive the outcome then.
   */
  async run(
    call: Pick<JournaledCall, 'taskId' | 'name' | 'input'>,
    work: (conditions: Conditions) => CallOutcome | PromiseLike<CallOutcome>,
    snapshot: () => ReturnType<HostedEpisode['snapshot']>,
  ): Promise<CallOutcome> {
    this.#lastCall++;
    const journaled = { ...call, number: this.#lastCall, now: Date.now() };
    const before = this.#begun;
    this.#begun = this.#store(async () => {
      await before;
      await this.#journal.begin(journaled);
    });
    await this.#begun;
    return this.finish(journaled, work, snapshot);
  }

  /** Runs a call that is stored already. @throws JournalFailure as `run` does. */
  async finish(
    call: JournaledCall,
    work: (conditions: Conditions) => CallOutcome | PromiseLike<CallOutcome>,
    snapshot: () => ReturnType<HostedEpisode['snapshot']>,
  ): Promise<CallOutcome> {
    const outcome = await work(this.conditionsOf(call));
    await this.#store(async () => this.#journal.end(call.number, outcome, await snapshot()));
    return outcome;
  }

  /** Stores the outcome of a call that does not run. @throws JournalFailure as `run` does. */
  end({ number }: JournaledCall, outcome: CallOutcome): Promise<void> {
    return this.#store(() => this.#journal.end(number, outcome, undefined));
  }

  /** Each call has its own random numbers, so that simultaneous calls do not change those of each other. */
  conditionsOf({ number, now }: Pick<JournaledCall, 'number' | 'now'>): Conditions {
    return { seed: deriveSeed(this.conditions.seed, number), now };
  }

  release(): Promise<void> {
    return this.#journal.release();
  }

  remove(): Promise<void> {
    return this.#journal.remove();
  }

  async #store(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      throw new JournalFailure(`its journal failed: ${errorMessage(error)}`, { cause: error });
    }
  }
}

/**
 * Runs the calls of an episode again, in their order, after its setup.
 *
 * @returns true if the episode is finished.
 * @throws Error that names the first call whose result differs.
 */
export async function replayCalls(
  episode: HostedEpisode,
  { calls }: Pick<ResumedEpisode, 'calls'>,
  durable: DurableEpisode,
): Promise<boolean> {
  let isFinished = false;
  for (const call of calls) {
    const { number, name, input, outcome } = call;
    // A call that was refused, or interrupted, has changed nothing.
    if (!outcome || wasRefused(outcome)) continue;
    const result = await runAgain(() => episode.run(name, input, undefined, durable.conditionsOf(call)));
    if (!equals(outcome, result)) {
      const cause = "an environment with durability: 'replay' must give the same results again";
      throw new Error(`the replay of call ${number} (${name}) gave another result than the call; ${cause}`);
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

/** Returns true for a call that the server refused: its tool did not run. */
function wasRefused(outcome: CallOutcome): boolean {
  if (outcome.event !== 'end') return false;
  const result = tryParseJson(outcome.json);
  return isRecord(result) && result.ok === false && result.reason !== undefined;
}

/** Returns undefined for an error of the tool. */
async function runAgain(run: () => ReturnType<HostedEpisode['run']>): Promise<HostedToolResult | undefined> {
  try {
    return await run();
  } catch {
    // Compared with the outcome of the call, which is an error too if the environment repeats itself.
    return undefined;
  }
}

function equals(outcome: CallOutcome, result: HostedToolResult | undefined): boolean {
  if (outcome.event !== 'end' || result === undefined) return outcome.event !== 'end' && result === undefined;
  if (result.ok) return outcome.json === result.json;
  // The text of a failure depends on secrets and limits of the server.
  const before = tryParseJson(outcome.json);
  return isRecord(before) && before.ok === false;
}
