import {
  type CallHandle,
  type CallResult,
  OrsClientError,
  OrsConnectionError,
  type RemoteEnvironment,
  type Session,
} from '../client/index.ts';
import { pointerKeys, settlesWithin, sleep, sum } from '../core/index.ts';
import type { JSONObject, JSONValue } from '../protocol/index.ts';
import { CLOSE_TIMEOUT_MS, classifyCallError, errorDetail, type RequestLimits, withDeadline } from '../trial/index.ts';
import type { SessionWrapper } from './options.ts';
import {
  type CallStep,
  type ClockReference,
  type ClockUnit,
  MAIN,
  type OutputReference,
  type PlayedCall,
  type TranscriptRun,
  type TranscriptStep,
} from './transcript.ts';

/** Thrown when the budget of an environment is used up. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
}

/** Limits of the requests of one environment, and what has been used of them. */
export interface AuditBudget {
  /** Time at which no further session is opened, as of `performance.now()`. */
  readonly endsAt: number;
  readonly maxSessions: number;
  sessions: number;
  calls: number;
}

export interface PlayerSettings extends RequestLimits {
  readonly secrets: Readonly<Record<string, string>>;
  readonly budget: AuditBudget;
  readonly wrap?: SessionWrapper | undefined;
}

/** Plays a transcript on a task. @throws BudgetError; OrsConnectionError; the signal's reason. */
export type TranscriptPlayer = (
  position: { readonly split: string; readonly index: number },
  steps: readonly TranscriptStep[],
) => Promise<TranscriptRun>;

/** Longest text of an output that is kept; values are read from the whole text. */
const MAX_TEXT_LENGTH = 1_000;

/** Creates a player of transcripts for one environment. Each transcript gets new sessions, which are closed afterwards. */
export const createTranscriptPlayer =
  (remote: RemoteEnvironment, settings: PlayerSettings): TranscriptPlayer =>
  async ({ split, index }, steps) => {
    const run = new RunningTranscript(remote, split, index, settings);
    try {
      for (const step of steps) await run.play(step);
      await run.open(MAIN);
      return run.result();
    } catch (error) {
      settings.signal.throwIfAborted();
      // An environment that does not open a session has no exploit there.
      if (!(error instanceof OrsClientError) || error instanceof OrsConnectionError) throw error;
      return { ...run.result(), failure: errorDetail(error) };
    } finally {
      await run.close();
    }
  };

/** Result of a call, or the reason why there is none. */
type CallAnswer = Pick<PlayedCall, 'outcome' | 'text' | 'reward' | 'finished'> & Pick<CallResult, 'metadata'>;

class RunningTranscript {
  readonly #remote: RemoteEnvironment;
  readonly #split: string;
  readonly #index: number;
  readonly #settings: PlayerSettings;
  readonly #sessions = new Map<string, Session>();
  /** Names of sessions in which a call has finished the episode. */
  readonly #finished = new Set<string>();
  readonly #calls: PlayedCall[] = [];
  /** Outputs, their metadata, and refusals so far, the latest first. */
  readonly #texts: string[] = [];
  /** Number of texts before the last step. */
  #earlierTexts = 0;

  constructor(remote: RemoteEnvironment, split: string, index: number, settings: PlayerSettings) {
    this.#remote = remote;
    this.#split = split;
    this.#index = index;
    this.#settings = settings;
  }

  async play(step: TranscriptStep): Promise<void> {
    this.#earlierTexts = this.#texts.length;
    if (step.do === 'open') await this.open(step.session ?? MAIN, step.index);
    else if (step.do === 'wait') await sleep(step.ms, this.#settings.signal);
    else if (step.do === 'close') await this.#close(step.session);
    else if (step.do === 'ping') await this.#ping(step.count);
    else if (step.do === 'together') await this.#call(...step.calls);
    else await this.#call(step);
  }

  async open(name: string, index = this.#index): Promise<Session> {
    const known = this.#sessions.get(name);
    if (known) return known;
    const { budget, secrets, wrap } = this.#settings;
    if (budget.sessions >= budget.maxSessions) throw new BudgetError(`the limit of ${budget.maxSessions} sessions`);
    if (performance.now() > budget.endsAt) throw new BudgetError('the time limit');
    budget.sessions++;
    const selector = { split: this.#split, index };
    return withDeadline(this.#settings, async (signal) => {
      const opened = await this.#remote.session(selector, { secrets, signal });
      const session = wrap ? wrap(opened) : opened;
      this.#sessions.set(name, session);
      // A recorded session begins with what an agent reads.
      if (wrap) await Promise.all([session.messages({ signal }), session.tools({ signal })]);
      return session;
    });
  }

  /** Makes calls at the same time, without those whose value is unknown. */
  async #call(...steps: readonly CallStep[]): Promise<void> {
    const known = steps.flatMap((step) => {
      const input = this.#inputOf(step);
      return input ? [{ ...step, input }] : [];
    });
    const sessions: Session[] = [];
    for (const { session = MAIN } of known) sessions.push(await this.open(session));
    const late = new Set(this.#finished);
    const played = known.map((step, at) => this.#requestAll(sessions[at] as Session, step));
    for (const [at, results] of (await Promise.all(played)).entries()) {
      const { session = MAIN, tool, input } = known[at] as CallStep;
      for (const { text, metadata, ...result } of results) {
        this.#texts.unshift(text, ...(metadata ? [JSON.stringify(metadata)] : []));
        const call = { session, tool, input, text: text.slice(0, MAX_TEXT_LENGTH), isAfterEnd: late.has(session) };
        this.#calls.push({ ...call, ...result });
        if (result.finished) this.#finished.add(session);
      }
    }
  }

  /** Returns the input of a call; undefined if no output has its value, so that the call makes no sense. */
  #inputOf({ input, read, clock }: CallStep): JSONObject | undefined {
    if (clock) return withValue(input, clock.at, clockValue(clock, new Date()));
    if (!read) return input;
    const value = findValue(this.#texts, read);
    return value === undefined ? undefined : withValue(input, read.at, value);
  }

  /** Requests a call once or twice, and returns the results of different runs. */
  async #requestAll(session: Session, { tool, input, again }: CallStep): Promise<readonly CallAnswer[]> {
    let handle: CallHandle | undefined;
    let second: Promise<CallAnswer> | undefined;
    const repeat = (call: CallHandle) => this.#request((signal) => session.resume(call, { signal }));
    const onStart = (call: CallHandle) => {
      handle = call;
      if (again === 'during') second ??= repeat(call);
    };
    const first = await this.#request((signal) => session.call(tool, input, { signal, onStart }));
    if (again === 'after' && handle) second = repeat(handle);
    const repeated = await second;
    return repeated && JSON.stringify(repeated) !== JSON.stringify(first) ? [first, repeated] : [first];
  }

  async #request(send: (signal: AbortSignal) => Promise<CallResult>): Promise<CallAnswer> {
    this.#settings.budget.calls++;
    try {
      const { text, reward, finished, metadata } = await withDeadline(this.#settings, send);
      return { outcome: 'output' as const, text, reward, finished, metadata };
    } catch (error) {
      this.#settings.signal.throwIfAborted();
      const { outcome, text } = classifyCallError(error, this.#settings);
      return { outcome, text, reward: null, finished: false, metadata: null };
    }
  }

  async #ping(count: number): Promise<void> {
    const session = await this.open(MAIN);
    for (let sent = 0; sent < count; sent++) await withDeadline(this.#settings, (signal) => session.ping({ signal }));
  }

  async #close(name: string): Promise<void> {
    const session = this.#sessions.get(name);
    this.#sessions.delete(name);
    if (session) await settlesWithin(CLOSE_TIMEOUT_MS, session[Symbol.asyncDispose]());
  }

  async close(): Promise<void> {
    for (const name of [...this.#sessions.keys()]) await this.#close(name);
  }

  result(): TranscriptRun {
    const own = this.#calls.filter(({ session }) => session === MAIN);
    const late = own.filter(({ isAfterEnd }) => isAfterEnd);
    return {
      reward: totalReward(own),
      rewardAfterEnd: totalReward(late),
      calls: this.#calls,
      earlierTexts: this.#texts.slice(this.#texts.length - this.#earlierTexts),
    };
  }
}

const totalReward = (calls: readonly PlayedCall[]): number => sum(calls.map(({ reward }) => reward ?? 0));

/** Returns the value that the first matching text contains; undefined if none does. */
export function findValue(
  texts: readonly string[],
  { pattern, isNumber }: OutputReference,
): string | number | undefined {
  const expression = new RegExp(pattern, 'iu');
  const found = texts.map((text) => expression.exec(text)?.[1]?.trim()).find(Boolean);
  const value = isNumber && found !== undefined ? Number(found) : found;
  return Number.isNaN(value) ? undefined : value;
}

/** Returns the value of a clock at a time. */
export function clockValue({ unit, choices, isNumber }: ClockReference, time: Date): JSONValue {
  if (unit === 'date') return time.toISOString().slice(0, 10);
  const number = CLOCK_PARTS[unit](time);
  return choices ? (choices[number % choices.length] ?? null) : isNumber ? number : String(number);
}

const CLOCK_PARTS: Readonly<Record<Exclude<ClockUnit, 'date'>, (time: Date) => number>> = {
  second: (time) => time.getUTCSeconds(),
  minute: (time) => time.getUTCMinutes(),
  hour: (time) => time.getUTCHours(),
  day: (time) => time.getUTCDate(),
  month: (time) => time.getUTCMonth() + 1,
  year: (time) => time.getUTCFullYear(),
  timestamp: (time) => Math.floor(time.getTime() / 1_000),
};

/** Copies an input with another value at the pointer of a property. */
function withValue(input: JSONObject, pointer: string, value: JSONValue): JSONObject {
  const [key = ''] = pointerKeys(pointer) ?? [];
  return { ...input, [key]: value };
}
