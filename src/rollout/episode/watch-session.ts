import { type CallResult, type Session, ToolCallError, type ToolFormat } from '../../client/index.ts';
import { joinSignals } from '../../core/index.ts';
import type { Block } from '../../protocol/index.ts';
import type { AgentSession } from '../agent.ts';
import type { EpisodeStep } from './episode-record.ts';
import { toUnhandledError } from './stray-errors.ts';

/** A session that is watched: what its agent is given, and what became of its calls. */
export interface TrackedSession {
  readonly session: AgentSession;
  /** In the order in which the calls began; those that have ended. */
  readonly steps: () => readonly EpisodeStep[];
  /**
   * Waits for the calls that are under way.
   *
   * @throws Error where one of them fails: the agent has gone without it, so nobody else would learn of that.
   */
  readonly waitForCalls: () => Promise<void>;
  /** Leaves them to themselves. */
  readonly abandon: () => void;
}

interface PromptOptions {
  readonly signal?: AbortSignal;
  readonly format?: ToolFormat;
}

/** The same session, which is not asked again for a prompt that it has given. */
export function cachePrompt(session: Session, prompt: readonly Block[]): Session {
  const ask = async (options: PromptOptions = {}) =>
    // What overloads tell apart by the format, one call passes on.
    options.format ? session.prompt(options as Required<PromptOptions>) : [...prompt];
  return new Proxy(session, {
    get(target, key) {
      if (key === 'prompt') return ask;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/**
 * Notes the reward of every call. What an agent passes as a signal holds beside the one of the episode.
 *
 * @param signal ends whatever the agent waits for.
 * @param onRejected told of what a call is rejected with.
 */
export function trackSession(
  session: Session,
  signal: AbortSignal,
  onRejected: (error: unknown) => void = () => undefined,
): TrackedSession {
  const calls: (EpisodeStep | undefined)[] = [];
  const open = new Map<Promise<CallResult>, string>();

  async function withBoth<T>(own: AbortSignal | undefined, request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const joined = joinSignals(own, signal);
    try {
      return await request(joined.signal);
    } finally {
      joined.release();
    }
  }

  // Whether its rejection is handled is the agent's affair, so nothing here hangs on the promise itself.
  async function make(close: () => void, ...[name, input, options]: Parameters<Session['call']>): Promise<CallResult> {
    const place = calls.push(undefined) - 1;
    const began = performance.now();
    const note = (ok: boolean, reward: number | null) => {
      calls[place] = { tool: name, ok, reward, seconds: secondsSince(began) };
    };
    try {
      const result = await withBoth(options?.signal, (both) => session.call(name, input, { ...options, signal: both }));
      note(true, result.reward);
      return result;
    } catch (error) {
      onRejected(error);
      if (error instanceof ToolCallError) note(false, null);
      throw error;
    } finally {
      close();
    }
  }

  function call(...args: Parameters<Session['call']>): Promise<CallResult> {
    const result: Promise<CallResult> = make(() => void open.delete(result), ...args);
    open.set(result, args[0]);
    return result;
  }

  async function underWay(): Promise<void> {
    const left = [...open];
    const settled = await Promise.allSettled(left.map(([result]) => result));
    for (const [at, end] of settled.entries()) {
      if (end.status === 'fulfilled') continue;
      throw toUnhandledError(
        end.reason,
        `the agent returned before its call of '${left[at]?.[1]}' had ended, and that failed`,
      );
    }
  }

  // What overloads tell apart by the format, one call passes on.
  const withSignal = (options: PromptOptions, both: AbortSignal) =>
    ({ ...options, signal: both }) as Required<PromptOptions>;
  const ask = {
    prompt: (options: PromptOptions = {}) =>
      withBoth(options.signal, (both) => session.prompt(withSignal(options, both))),
    tools: (options: PromptOptions = {}) =>
      withBoth(options.signal, (both) => session.tools(withSignal(options, both))),
  };
  return {
    session: {
      environment: session.environment,
      sid: session.sid,
      get finished() {
        return session.finished;
      },
      // The same overloads as the client's.
      ...(ask as Pick<Session, 'prompt' | 'tools'>),
      call,
    },
    steps: () => calls.filter((step) => step !== undefined),
    waitForCalls: underWay,
    abandon: () => {
      for (const result of open.keys()) result.catch(() => undefined);
    },
  };
}

/** To the millisecond. */
export const secondsSince = (began: number): number => Math.round(performance.now() - began) / 1000;
