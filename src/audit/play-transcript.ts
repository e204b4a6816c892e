import {
  type CallHandle,
  type CallResult,
  OrsClientError,
  OrsConnectionError,
  type RemoteEnvironment,
  type Session,
} from '../client/index.ts';
import { abortable, delayedSignal, plural, pointerKeys, settlesWithin, sleep, sum } from '../core/index.ts';
import type { JSONObject, JSONValue } from '../protocol/index.ts';
import {
  CLOSE_TIMEOUT_MS,
  classifyCallError,
  errorDetail,
  isTimeout,
  type RequestLimits,
  withDeadline,
} from '../trial/index.ts';
import { readableText } from './labels.ts';
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

/** Limits of the work in one environment, and what has been used of them. */
export interface AuditBudget {
  /** Time at which no further session is opened, as of `performance.now()`. The signal of the requests aborts then. */
  readonly endsAt: number;
  readonly maxSessions: number;
  readonly maxCalls: number;
  sessions: number;
  calls: number;
}

/** Counts a session before it is opened. @throws BudgetError */
export function countSession(budget: AuditBudget): void {
  if (budget.sessions >= budget.maxSessions) {
    throw new BudgetError(`the limit of ${plural(budget.maxSessions, 'session')}`);
  }
  if (performance.now() > budget.endsAt) throw new BudgetError('the time limit');
  budget.sessions++;
}

/** Counts a call before it is made. @throws BudgetError */
export function countCall(budget: AuditBudget): void {
  if (budget.calls >= budget.maxCalls) throw new BudgetError(`the limit of ${plural(budget.maxCalls, 'call')}`);
  budget.calls++;
}

export interface PlayerSettings extends RequestLimits {
  readonly secrets: Readonly<Record<string, string>>;
  readonly budget: AuditBudget;
  readonly wrap?: SessionWrapper | undefined;
}

/** Runs a request, and stops waiting for it when the signal aborts. @throws DOMException named TimeoutError. */
export const request = <T>(limits: RequestLimits, send: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  withDeadline(limits, (signal) => abortable(signal, () => send(signal)));

/** Time for closing sessions and servers when the budget has ended or the user has interrupted the audit. */
export const CLOSE_GRACE_MS = 200;

/** Closes a session. Waits for the server, but not for long after the signal has aborted. */
export async function closeSession(session: Session, signal: AbortSignal): Promise<void> {
  const grace = delayedSignal(CLOSE_GRACE_MS, signal);
  try {
    await settlesWithin(CLOSE_TIMEOUT_MS, session[Symbol.asyncDispose](), { signal: grace.signal });
  } finally {
    grace.release();
  }
}

/** Plays a transcript on a task. @throws BudgetError; OrsConnectionError; the signal's reason. */
export type TranscriptPlayer = (
  position: { readonly split: string; readonly index: number },
  steps: readonly TranscriptStep[],
) => Promise<TranscriptRun>;

/** Longest text of an output that is kept. */
const MAX_TEXT_LENGTH = 1_000;
/** Gives up after this many transcripts in a row for which the server opened no session. */
const MAX_REFUSED = 5;

/** Creates a player of transcripts for one environment. Each transcript gets new sessions, which are closed afterwards. */
export function createTranscriptPlayer(remote: RemoteEnvironment, settings: PlayerSettings): TranscriptPlayer {
  let refused = 0;
  let crashed = 0;
  return async ({ split, index }, steps) => {
    const run = new RunningTranscript(remote, split, index, settings);
    try {
      for (const step of steps) await run.play(step);
      const session = await run.open(MAIN);
      crashed = run.hasOnlyCrashed ? crashed + 1 : 0;
      // Servers may report only later that a session has failed to start.
      if (crashed >= MAX_REFUSED) await request(settings, (signal) => session.prompt({ signal }));
      refused = 0;
      return run.result();
    } catch (error) {
      settings.signal.throwIfAborted();
      const isRefusal = error instanceof OrsClientError && !(error instanceof OrsConnectionError);
      // An environment that does not open a session has no exploit there.
      if (!isRefusal && !isTimeout(error)) throw error;
      const failure = errorDetail(error);
      if (++refused < MAX_REFUSED) return { ...run.result(), failure };
      throw new Error(`the server opened no session ${MAX_REFUSED} times in a row: ${failure}`, { cause: error });
    } finally {
      await run.close();
    }
  };
}

/** Run of a transcript that was not played. */
export const NOT_PLAYED: TranscriptRun = {
  reward: 0,
  rewardBeforeEnd: 0,
  rewardAfterEnd: 0,
  calls: [],
  earlierTexts: [],
};

/**
 * Creates a player for the exploration of one attack. Many transcripts differ only in how their last step reads a value
 * from earlier outputs: if the outputs of the same earlier steps do not contain it, no session is opened.
 */
export function createExplorer(play: TranscriptPlayer): TranscriptPlayer {
  const outputs = new Map<string, readonly string[]>();
  return async (position, steps) => {
    const last = steps.at(-1);
    if (last?.do !== 'call' || !last.read) return play(position, steps);
    const key = JSON.stringify([position.index, steps.slice(0, -1)]);
    const known = outputs.get(key);
    if (known && findValue(known, last.read) === undefined) return NOT_PLAYED;
    const run = await play(position, steps);
    outputs.set(key, run.earlierTexts);
    return run;
  };
}

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

  get hasOnlyCrashed(): boolean {
    return this.#calls.length > 0 && this.#calls.every(({ outcome }) => outcome === 'crashed');
  }

  async open(name: string, index = this.#index): Promise<Session> {
    const known = this.#sessions.get(name);
    if (known) return known;
    const { budget, secrets, wrap } = this.#settings;
    countSession(budget);
    const selector = { split: this.#split, index };
    const opened = await request(this.#settings, (signal) => this.#remote.session(selector, { secrets, signal }));
    const session = wrap ? wrap(opened) : opened;
    this.#sessions.set(name, session);
    // A recorded session begins with what an agent reads.
    if (wrap) {
      await request(this.#settings, (signal) => Promise.all([session.messages({ signal }), session.tools({ signal })]));
    }
    return session;
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
    countCall(this.#settings.budget);
    try {
      const { text, reward, finished, metadata } = await request(this.#settings, send);
      return { outcome: 'output' as const, text, reward, finished, metadata };
    } catch (error) {
      this.#settings.signal.throwIfAborted();
      const { outcome, text } = classifyCallError(error, this.#settings);
      return { outcome, text, reward: null, finished: false, metadata: null };
    }
  }

  async #ping(count: number): Promise<void> {
    const session = await this.open(MAIN);
    for (let sent = 0; sent < count; sent++) await request(this.#settings, (signal) => session.ping({ signal }));
  }

  async #close(name: string): Promise<void> {
    const session = this.#sessions.get(name);
    this.#sessions.delete(name);
    if (session) await closeSession(session, this.#settings.signal);
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#sessions.keys(), (name) => this.#close(name)));
  }

  result(): TranscriptRun {
    const own = this.#calls.filter(({ session }) => session === MAIN);
    return {
      reward: totalReward(own),
      rewardBeforeEnd: totalReward(own.filter(({ isAfterEnd }) => !isAfterEnd)),
      rewardAfterEnd: totalReward(own.filter(({ isAfterEnd }) => isAfterEnd)),
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
  const found = texts.map((text) => expression.exec(readableText(text))?.[1]?.trim()).find(Boolean);
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
