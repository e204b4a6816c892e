import { type CallResult, type Session, ToolCallError, type ToolFormat } from '../../client/index.ts';
import { joinSignals } from '../../core/index.ts';
import type { Block } from '../../protocol/index.ts';
import type { AgentSession } from '../agent.ts';
import type { EpisodeStep } from './episode-record.ts';
import { toUnhandledError } from './unhandled-errors.ts';

interface PromptOptions {
  readonly signal?: AbortSignal;
  readonly format?: ToolFormat;
}

/** Returns the same session with a known prompt, which it does not request again. */
export function cachePrompt(session: Session, prompt: readonly Block[]): Session {
  const cachedPrompt = async (options: PromptOptions = {}) =>
    // `prompt` is overloaded by format; the cast passes any format on.
    options.format ? session.prompt(options as Required<PromptOptions>) : [...prompt];
  return new Proxy(session, {
    get(target, key) {
      if (key === 'prompt') return cachedPrompt;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/**
 * Creates the session of an agent. Records the reward of each call, and aborts all requests with the episode, in addition
 * to signals of the agent.
 *
 * @param signal of the episode.
 * @param onRejected receives the error of each failed call.
 */
export function trackSession(session: Session, signal: AbortSignal, onRejected: (error: unknown) => void) {
  const calls: (EpisodeStep | undefined)[] = [];
  const running = new Map<Promise<CallResult>, string>();

  async function recordCall(...[name, input, options]: Parameters<Session['call']>): Promise<CallResult> {
    const position = calls.push(undefined) - 1;
    const began = performance.now();
    const record = (ok: boolean, reward: number | null) => {
      calls[position] = { tool: name, ok, reward, seconds: secondsSince(began) };
    };
    try {
      const result = await withSignals(options?.signal, signal, (joined) =>
        session.call(name, input, { ...options, signal: joined }),
      );
      record(true, result.reward);
      return result;
    } catch (error) {
      onRejected(error);
      if (error instanceof ToolCallError) record(false, null);
      throw error;
    }
  }

  // Adds no handler to the promise that it returns, so that a rejection that the agent does not handle is detected.
  function call(...args: Parameters<Session['call']>): Promise<CallResult> {
    const result: Promise<CallResult> = recordCall(...args).finally(() => running.delete(result));
    running.set(result, args[0]);
    return result;
  }

  /**
   * Waits for the running calls.
   *
   * @throws Error if one of them fails: the agent has returned and cannot handle it.
   */
  async function waitForCalls(): Promise<void> {
    const pending = [...running];
    const settled = await Promise.allSettled(pending.map(([result]) => result));
    for (const [at, end] of settled.entries()) {
      if (end.status === 'fulfilled') continue;
      throw toUnhandledError(end.reason, `the agent returned before its call of '${pending[at]?.[1]}' failed`);
    }
  }

  // `prompt` and `tools` are overloaded by format; the casts pass any format on.
  const withSignal = (options: PromptOptions, joined: AbortSignal) =>
    ({ ...options, signal: joined }) as Required<PromptOptions>;
  const overloaded = {
    prompt: (options: PromptOptions = {}) =>
      withSignals(options.signal, signal, (joined) => session.prompt(withSignal(options, joined))),
    tools: (options: PromptOptions = {}) =>
      withSignals(options.signal, signal, (joined) => session.tools(withSignal(options, joined))),
  } as Pick<Session, 'prompt' | 'tools'>;
  const tracked: AgentSession = {
    environment: session.environment,
    sid: session.sid,
    get finished() {
      return session.finished;
    },
    ...overloaded,
    call,
  };

  return {
    session: tracked,
    /** Returns the calls that have ended, in the order in which they began. */
    steps: () => calls.filter((step) => step !== undefined),
    waitForCalls,
    /** Ignores failures of the running calls. */
    abandon() {
      for (const result of running.keys()) result.catch(() => undefined);
    },
  };
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
