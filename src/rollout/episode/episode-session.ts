import {
  type CallHandle,
  type CallResult,
  OrsClientError,
  type Session,
  ToolCallError,
  type ToolFormat,
} from '../../client/index.ts';
import { deferred, joinSignals, overrideMethods } from '../../core/index.ts';
import {
  type Block,
  type JSONObject,
  type Message,
  plainPrompt,
  type ToolSpec,
  terminalToolInput,
  text,
} from '../../protocol/index.ts';
import type { AgentFork, AgentSession } from '../agent.ts';
import type { EpisodeStep } from './episode-record.ts';
import { toUnhandledError } from './unhandled-errors.ts';

interface ReadOptions {
  readonly signal?: AbortSignal;
  readonly format?: ToolFormat;
}

/** What the agent of an episode reads at its start. */
interface EpisodeReads {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly prompt: (options: Pick<ReadOptions, 'signal'>) => Promise<readonly Block[]>;
}

/**
 * Reads the conversation and the tools of a new episode, which the server sends after setup, and returns a session that
 * does not request them again: many environments in Python prepare the episode when its prompt is read.
 *
 * If setup fails, the episode is deleted.
 */
export async function readEpisode(session: Session, signal: AbortSignal): Promise<Session> {
  try {
    const messages = await session.messages({ signal });
    const tools = await session.tools({ signal });
    // An environment may have a prompt that differs from its conversation.
    let plain = plainPrompt(messages);
    const prompt: EpisodeReads['prompt'] = async ({ signal }) => {
      plain ??= await session.prompt(signal && { signal });
      return plain;
    };
    return withReads(session, { messages, tools, prompt });
  } catch (error) {
    await session[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * Returns a session for a fork of an episode, whose messages are the conversation up to the fork. A model continues it as
 * if the environment had begun with it.
 *
 * @param parent the session of the episode, as `readEpisode` returned it.
 * @param calls the messages after those of the parent.
 */
export async function continueEpisode(forked: Session, parent: Session, calls: readonly Message[]): Promise<Session> {
  const messages = [...(await parent.messages()), ...calls];
  const prompt: EpisodeReads['prompt'] = ({ signal }) => parent.prompt(signal && { signal });
  return withReads(forked, { messages, tools: await parent.tools(), prompt });
}

function withReads(session: Session, { messages, tools, prompt }: EpisodeReads): Session {
  const reads = {
    async messages({ format }: ReadOptions = {}) {
      return format ? (await loadFormats()).formatMessages(messages, format) : [...messages];
    },
    async prompt({ format, ...options }: ReadOptions = {}) {
      const blocks = await prompt(options);
      return format ? (await loadFormats()).formatPrompt(blocks, format) : [...blocks];
    },
    async tools({ format }: ReadOptions = {}) {
      return format ? (await loadFormats()).formatTools(tools, format) : [...tools];
    },
  };
  return overrideMethods(session, reads);
}

const loadFormats = () => import('../../client/formats/index.ts');

/** Call of an episode, and what the environment returned. */
export interface TrackedCall {
  readonly step: EpisodeStep;
  readonly input: JSONObject;
  /** Text of the final message that the call submits; undefined for any other call. */
  readonly answer: string | undefined;
  readonly blocks: readonly Block[];
}

/** State of an episode between two calls, while no call runs. */
export interface EpisodeState {
  /** Number of calls before it. */
  readonly calls: number;
  /** Task id of the last call that ended before it; undefined before the first call. */
  readonly at: string | undefined;
}

/** Calls of an agent that have not ended. */
class RunningCalls {
  readonly #running = new Map<Promise<CallResult>, { readonly name: string; readonly ended: Promise<void> }>();

  /** Adds no handler to the promise that it returns, so that a rejection that the agent does not handle is detected. */
  track(name: string, work: () => Promise<CallResult>): Promise<CallResult> {
    const end = deferred<void>();
    const result: Promise<CallResult> = work().finally(() => {
      this.#running.delete(result);
      end.resolve();
    });
    this.#running.set(result, { name, ended: end.promise });
    return result;
  }

  /** Resolves when the current calls have ended in any way. */
  async ended(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  /**
   * Waits for the current calls.
   *
   * @param isVoid returns true for an error that does not count.
   * @throws Error if one of them fails: the agent has returned and cannot handle it.
   */
  async settled(isVoid: (error: unknown) => boolean): Promise<void> {
    const pending = [...this.#running];
    const settled = await Promise.allSettled(pending.map(([result]) => result));
    for (const [at, end] of settled.entries()) {
      if (end.status === 'fulfilled' || isVoid(end.reason)) continue;
      throw toUnhandledError(end.reason, `the agent returned before its call of '${pending[at]?.[1].name}' failed`);
    }
  }

  /** Ignores failures of the current calls. */
  abandon(): void {
    for (const result of this.#running.keys()) result.catch(() => undefined);
  }
}

/** Calls of an episode, and the states between them. */
class CallLog {
  readonly #calls: (TrackedCall | undefined)[] = [];
  readonly states: EpisodeState[] = [];
  #running = 0;
  #lastEnded: string | undefined;

  /** Returns a function that logs the call with its task id, and one that must be called when it is over in any way. */
  begin() {
    if (this.#running === 0) this.states.push({ calls: this.ended().length, at: this.#lastEnded });
    this.#running += 1;
    const position = this.#calls.push(undefined) - 1;
    return {
      log: (call: TrackedCall, taskId: string | undefined) => {
        this.#calls[position] = call;
        this.#lastEnded = taskId ?? this.#lastEnded;
      },
      over: () => {
        this.#running -= 1;
      },
    };
  }

  /** Returns the calls that have ended, in the order in which they began. */
  ended(): TrackedCall[] {
    return this.#calls.filter((call) => call !== undefined);
  }

  /** Returns these calls and their results as a conversation. */
  messages(): Message[] {
    return this.ended().flatMap(callMessages);
  }
}

export interface TrackSessionOptions {
  /** Secrets of the episode, which forks need again. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Signal of the episode. */
  readonly signal: AbortSignal;
  /** Receives the error of each failed call. */
  readonly onRejected: (error: unknown) => void;
}

/**
 * Creates the session of an agent. Records the reward of each call, and aborts all requests with the episode, in addition
 * to signals of the agent.
 */
export function trackSession(session: Session, options: TrackSessionOptions) {
  const { secrets, signal, onRejected } = options;
  const log = new CallLog();
  const running = new RunningCalls();
  const forks: AsyncDisposable[] = [];

  async function recordCall(
    [name, input = {}, options]: Parameters<Session['call']>,
    answer?: string,
  ): Promise<CallResult> {
    const call = log.begin();
    const began = performance.now();
    let taskId: string | undefined;
    const onStart = (handle: CallHandle) => {
      taskId = handle.task_id;
      options?.onStart?.(handle);
    };
    const record = (ok: boolean, reward: number | null, blocks: readonly Block[]) => {
      const step = { tool: name, ok, reward, seconds: secondsSince(began) };
      call.log({ step, input, answer, blocks }, taskId);
    };
    try {
      const result = await withSignals(options?.signal, signal, (joined) =>
        session.call(name, input, { ...options, onStart, signal: joined }),
      );
      record(true, result.reward, result.blocks);
      return result;
    } catch (error) {
      onRejected(error);
      // A result that arrived after the end of the episode is void: neither a failure nor a reward.
      if (error instanceof ToolCallError) record(false, null, [text(error.detail)]);
      throw error;
    } finally {
      call.over();
    }
  }

  /** Submits a final message after the results of earlier calls. */
  async function submitAnswer(answer: string, options: Parameters<Session['answer']>[1]): Promise<CallResult> {
    await running.ended();
    if (session.finished) {
      const message = 'the answer was not submitted, because the episode is finished';
      throw new ToolCallError(message, { sid: session.sid, reason: 'episode_finished' });
    }
    const terminal = await withSignals(options?.signal, signal, (joined) => session.terminalTool({ signal: joined }));
    // Without a terminal tool, the session rejects.
    if (!terminal) return session.answer(answer, options);
    return recordCall([terminal.name, terminalToolInput(terminal, answer), options], answer);
  }

  /** Forks the session for the agent. The calls of the fork do not belong to the episode. */
  async function fork({ signal: own }: Parameters<AgentSession['fork']>[0] = {}): Promise<AgentFork> {
    await running.ended();
    const messages = log.messages();
    const forked = await withSignals(own, signal, (joined) => session.fork({ secrets, signal: joined }));
    const branch = trackSession(await continueEpisode(forked, session, messages), options);
    const close = async () => {
      await branch.close();
      await forked[Symbol.asyncDispose]();
    };
    forks.push({ [Symbol.asyncDispose]: close });
    return Object.defineProperty(branch.session, Symbol.asyncDispose, { value: close }) as AgentFork;
  }

  const tracked: AgentSession = {
    environment: session.environment,
    sid: session.sid,
    get finished() {
      return session.finished;
    },
    ...createReader(session, signal),
    call: (...args) => running.track(args[0], () => recordCall(args)),
    answer: (answer = '', options = {}) => running.track('answer', () => submitAnswer(answer, options)),
    fork,
  };

  return {
    session: tracked,
    log,
    /** Waits for the running calls. A failure after the end does not void the reward that finished the episode. */
    waitForCalls: () => running.settled((error) => session.finished && error instanceof OrsClientError),
    /** Ignores failures of the running calls, and closes the forks. */
    async close(): Promise<void> {
      running.abandon();
      await Promise.all(forks.map((branch) => branch[Symbol.asyncDispose]()));
    },
  };
}

/** Returns the methods that read something of the session, whose requests abort with the episode. */
function createReader(
  session: Session,
  signal: AbortSignal,
): Pick<Session, 'prompt' | 'messages' | 'tools' | 'terminalTool' | 'supportsFork'> {
  // `prompt`, `messages` and `tools` are overloaded by format; the casts pass any format on.
  const withSignal = (options: ReadOptions, joined: AbortSignal) =>
    ({ ...options, signal: joined }) as Required<ReadOptions>;
  const overloaded = {
    prompt: (options: ReadOptions = {}) =>
      withSignals(options.signal, signal, (joined) => session.prompt(withSignal(options, joined))),
    messages: (options: ReadOptions = {}) =>
      withSignals(options.signal, signal, (joined) => session.messages(withSignal(options, joined))),
    tools: (options: ReadOptions = {}) =>
      withSignals(options.signal, signal, (joined) => session.tools(withSignal(options, joined))),
  } as Pick<Session, 'prompt' | 'messages' | 'tools'>;
  return {
    ...overloaded,
    terminalTool: (options = {}) =>
      withSignals(options.signal, signal, (joined) => session.terminalTool({ signal: joined })),
    supportsFork: (options = {}) =>
      withSignals(options.signal, signal, (joined) => session.supportsFork({ signal: joined })),
  };
}

function callMessages({ step, input, answer, blocks }: TrackedCall, index: number): Message[] {
  if (answer !== undefined) return [{ role: 'assistant', blocks: [text(answer)] }];
  const id = `call_${index + 1}`;
  return [
    { role: 'assistant', blocks: [{ type: 'tool_call', id, name: step.tool, input }] },
    { role: 'user', blocks: [{ type: 'tool_result', tool_call_id: id, blocks: [...blocks], is_error: !step.ok }] },
  ];
}

async function withSignals<T>(
  own: AbortSignal | undefined,
  signal: AbortSignal,
  send: (joined: AbortSignal) => Promise<T>,
): Promise<T> {
  const joined = joinSignals(own, signal);
  try {
    return await send(joined.signal);
  } finally {
    joined.release();
  }
}

/** Returns the seconds since a `performance.now()`, rounded to milliseconds. */
export const secondsSince = (began: number): number => Math.round(performance.now() - began) / 1000;
