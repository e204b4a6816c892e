import {
  formatTools,
  type NamedToolCall,
  restoreCall,
  type ToolFormat,
  type ToolFormats,
} from '../../client/formats/index.ts';
import type { CallResult } from '../../client/index.ts';
import { errorMessage, errorName, isRecord, PendingPromises, propertyOf, pythonStrip } from '../../core/index.ts';
import {
  type Block,
  type JSONObject,
  type TerminalTool,
  type ToolSpec,
  terminalToolInput,
  terminalToolSpec,
  text,
} from '../../protocol/index.ts';
import { toVisibleBlocks, type VisibleResult } from './conversation.ts';

export {
  type AssistantPart,
  type ConversationResult,
  type ConversationTurn,
  type PromptedSession,
  readConversation,
  readTurns,
  toVisibleBlocks,
  type VisibleBlock,
  type VisibleResult,
} from './conversation.ts';

/**
 * Session of `ors-kit/client`, or one that `recordEpisode` returned.
 *
 * @example
 * const session: BridgeSession = await client.environment('maze').session({ split: 'train', index: 0 });
 * const tools = await aiTools(session);
 */
export interface BridgeSession {
  readonly sid: string;
  readonly environment: string;
  /** True if a call has finished the episode. */
  readonly finished: boolean;
  /** Lists the tools of the episode. */
  tools(): Promise<readonly ToolSpec[]>;
  /** Returns the tool that grades the final message of the agent; null if there is none. */
  terminalTool?(): Promise<TerminalTool | null>;
  /**
   * Calls a tool.
   *
   * @param options `signal` stops waiting for the call, but does not cancel it on the server.
   */
  call(name: string, input: JSONObject, options?: { readonly signal?: AbortSignal }): Promise<SessionCallResult>;
}

type SessionCallResult = Pick<CallResult, 'blocks' | 'reward' | 'finished' | 'metadata'>;

/**
 * Result of a call, for training and evaluation. Only its blocks are shown to the model.
 *
 * @example
 * const rewards: (number | null)[] = [];
 * const onResult = ({ reward }: BridgeCallResult) => void rewards.push(reward);
 * const tools = await aiTools(session, { onResult });
 */
export interface BridgeCallResult extends SessionCallResult {
  /** Number of the call in the episode, from 1. */
  readonly number: number;
  /** Tool and input with the names of the environment. */
  readonly tool: string;
  readonly input: JSONObject;
  /** False if the tool rejected the input or the call failed. */
  readonly ok: boolean;
  /** Why the server refused the call, such as `input_validation`; null if the call ran, or no reason was sent. */
  readonly reason: string | null;
}

/**
 * Options of bridges that play an episode.
 *
 * @example
 * const tools = await aiTools(session, { onResult: ({ tool, reward }) => console.log(tool, reward) });
 */
export interface BridgePlayOptions {
  /** Called with the result of every call that was sent to the environment, in order of completion. Must not throw. */
  readonly onResult?: (result: BridgeCallResult) => void;
}

/** Plays a session for a model: shows it results without rewards, which go to `onResult`. */
export interface SessionPlayer<F extends ToolFormat> {
  /** Tools of the episode in the format of the model. */
  readonly tools: ToolFormats[F][];
  /**
   * Calls a tool. Errors that the agent can handle are returned; after the end of the episode, every call is an error.
   *
   * @param name name as the model wrote it.
   * @param value input as the model wrote it; anything but an object counts as `{}`.
   * @param signal stops waiting; the tool continues on the server, and its reward is not reported.
   * @throws the error of the session if the tool crashed or the episode is lost; the signal's reason.
   */
  call(name: string, value: unknown, signal?: AbortSignal): Promise<VisibleResult>;
}

interface PlayerSettings {
  /** List the terminal tool too, for models whose final message the bridge cannot see. @default false */
  readonly listsTerminalTool?: boolean;
}

/**
 * Creates the player of a session for a model with tools in this format.
 *
 * @throws as `session.tools` and `session.terminalTool`.
 */
export async function playSession<F extends ToolFormat>(
  session: BridgeSession,
  format: F,
  options: BridgePlayOptions,
  { listsTerminalTool = false }: PlayerSettings = {},
): Promise<SessionPlayer<F>> {
  const all = await session.tools();
  // Python servers may list a tool of a toolset twice; the first one is called.
  const listed = all.filter(({ name }, at) => all.findIndex((tool) => tool.name === name) === at);
  const terminal = listsTerminalTool ? await terminalToolOf(session) : null;
  const isListed = listed.some(({ name }) => name === terminal?.name);
  const specs = terminal && !isListed ? [...listed, terminalToolSpec(terminal)] : listed;
  return {
    tools: formatTools(specs, format),
    async call(name, value, signal) {
      // The input was parsed from JSON.
      const written = isRecord(value) ? (value as JSONObject) : {};
      const call = restoreCall({ name, input: written }, specs, format);
      const isAnswer = terminal !== null && call.name === terminal.name;
      if (isAnswer) await untilIdle(session);
      const over = reasonOver(session);
      if (over !== undefined) return toVisibleResult([text(`${over}; no tool runs after that.`)], true);
      const result = isAnswer
        ? await submitAnswer(session, { ...call, input: toAnswerInput(terminal, call.input) }, options, signal)
        : await makeCall(session, call, options, signal);
      return toVisibleResult(result.blocks, !result.ok);
    },
  };
}

const terminalToolOf = async (session: BridgeSession): Promise<TerminalTool | null> =>
  (await session.terminalTool?.()) ?? null;

/** Returns the input of the terminal tool for the input that a model wrote. Other types are left to the environment. */
function toAnswerInput(terminal: TerminalTool, input: JSONObject): JSONObject {
  const { arg } = terminal;
  if (arg === undefined || arg === null) return {};
  const value = input[arg];
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isScalar ? terminalToolInput(terminal, pythonStrip(String(value))) : input;
}

/**
 * Submits the final message of a model to the terminal tool. The episode is over afterwards, unless the answer was refused.
 *
 * @returns null if there is nothing to submit to: no terminal tool, or the episode is over.
 * @throws the error of the session if the tool crashed or the episode is lost.
 */
export async function submitFinalText(
  session: BridgeSession,
  message: string,
  options: BridgePlayOptions,
): Promise<BridgeCallResult | null> {
  const terminal = await terminalToolOf(session);
  if (!terminal) return null;
  await untilIdle(session);
  if (isEpisodeOver(session)) return null;
  return submitAnswer(
    session,
    { name: terminal.name, input: terminalToolInput(terminal, pythonStrip(message)) },
    options,
  );
}

async function submitAnswer(
  session: BridgeSession,
  call: NamedToolCall,
  options: BridgePlayOptions,
  signal?: AbortSignal,
): Promise<BridgeCallResult> {
  const result = await makeCall(session, call, options, signal);
  if (result.ok) progressOf(session).over ??= 'The answer is submitted';
  return result;
}

/** Waits for the running calls before an answer: results that arrive after the grade do not count. */
async function untilIdle(session: BridgeSession): Promise<void> {
  await progressOf(session).running.settled();
}

/** Makes a call and reports its result. @throws the error of the session, except ToolCallError. */
async function makeCall(
  session: BridgeSession,
  { name: tool, input }: NamedToolCall,
  { onResult = () => {} }: BridgePlayOptions,
  signal?: AbortSignal,
): Promise<BridgeCallResult> {
  const progress = progressOf(session);
  const number = ++progress.calls;
  const settled = await progress.running.add(settleCall(session, tool, input, signal));
  const result = { number, tool, input, ...settled.result };
  onResult(result);
  if (settled.error !== undefined && errorName(settled.error) !== 'ToolCallError') throw settled.error;
  return result;
}

async function settleCall(session: BridgeSession, tool: string, input: JSONObject, signal?: AbortSignal) {
  try {
    const { blocks, reward, finished, metadata } = await session.call(tool, input, { ...(signal && { signal }) });
    return { result: { ok: true, reason: null, blocks, reward, finished, metadata } };
  } catch (error) {
    const message = describeError(error);
    if (LOSSES.includes(errorName(error))) progressOf(session).over = `The episode is lost (${message})`;
    const value = propertyOf(error, 'reason');
    const reason = typeof value === 'string' ? value : null;
    const none = { reward: null, finished: false, metadata: null };
    return { result: { ok: false, reason, blocks: [text(message)], ...none }, error };
  }
}

/** Errors after which the state of the episode is unknown; by name, because they may be of another copy of the package. */
const LOSSES: readonly string[] = ['SessionLostError', 'CallLostError', 'OrsConnectionError'];

/** State of an episode that its session does not have. */
interface EpisodeProgress {
  calls: number;
  readonly running: PendingPromises;
  /** Why no tool runs any more, although no call has finished the episode. */
  over?: string;
}

const episodes = new WeakMap<object, EpisodeProgress>();

function progressOf(session: object): EpisodeProgress {
  const progress: EpisodeProgress = episodes.get(session) ?? { calls: 0, running: new PendingPromises() };
  episodes.set(session, progress);
  return progress;
}

/** Returns true if no tool of the episode runs any more: it is finished or lost, or the answer is submitted. */
export const isEpisodeOver = (session: Pick<BridgeSession, 'finished'>): boolean => reasonOver(session) !== undefined;

const reasonOver = (session: Pick<BridgeSession, 'finished'>): string | undefined =>
  session.finished ? 'The episode is finished' : episodes.get(session)?.over;

/** Returns the reason that the server sent, without advice for programmers. */
function describeError(error: unknown): string {
  if (errorName(error) === 'SessionLostError') return 'the server does not know it any more';
  const detail = propertyOf(error, 'detail');
  return typeof detail === 'string' ? detail : errorMessage(error);
}

const toVisibleResult = (blocks: readonly Block[], isError: boolean): VisibleResult => ({
  blocks: toVisibleBlocks(blocks),
  isError,
});
