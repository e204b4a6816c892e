import {
  formatPrompt,
  formatTools,
  type McpContent,
  restoreCall,
  type ToolFormat,
  type ToolFormats,
} from '../../client/formats/index.ts';
import type { CallResult } from '../../client/index.ts';
import { errorMessage, errorName, isRecord, propertyOf } from '../../core/index.ts';
import { type Block, type JSONObject, type ToolSpec, text } from '../../protocol/index.ts';

/** Session of `ors-kit/client`, or one that `recordEpisode` returned. */
export interface BridgeSession {
  readonly sid: string;
  readonly environment: string;
  /** True if a call has finished the episode. */
  readonly finished: boolean;
  /** Lists the tools of the episode. */
  tools(): Promise<readonly ToolSpec[]>;
  /**
   * Calls a tool.
   *
   * @param options `signal` stops waiting for the call, but does not cancel it on the server.
   */
  call(name: string, input: JSONObject, options?: { readonly signal?: AbortSignal }): Promise<SessionCallResult>;
}

type SessionCallResult = Pick<CallResult, 'blocks' | 'reward' | 'finished' | 'metadata'>;

/** Result of a call, for training and evaluation. Only its blocks are shown to the model. */
export interface BridgeCallResult extends SessionCallResult {
  /** Number of the call in the episode, from 1. */
  readonly number: number;
  /** Tool and input with the names of the environment. */
  readonly tool: string;
  readonly input: JSONObject;
  /** False if the tool rejected the input or the call failed. */
  readonly ok: boolean;
}

/** Part of a result that the model sees. */
export interface VisibleResult {
  readonly blocks: readonly VisibleBlock[];
  /** True if the blocks describe an error. */
  readonly isError: boolean;
}

/** Block without its `detail`, which is for programs. */
export type VisibleBlock = Readonly<McpContent>;

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

/** Creates the player of a session for a model with tools in this format. @throws as `session.tools`. */
export async function playSession<F extends ToolFormat>(
  session: BridgeSession,
  format: F,
  { onResult = () => {} }: BridgePlayOptions,
): Promise<SessionPlayer<F>> {
  const specs = await session.tools();
  let calls = 0;
  return {
    tools: formatTools(specs, format),
    async call(name, value, signal) {
      const over = reasonOver(session);
      if (over !== undefined) return toVisibleResult([text(`${over}; no tool runs after that.`)], true);
      const number = ++calls;
      // The input was parsed from JSON.
      const written = isRecord(value) ? (value as JSONObject) : {};
      const { name: tool, input } = restoreCall({ name, input: written }, specs, format);
      const settled = await settleCall(session, tool, input, signal);
      onResult({ number, tool, input, ...settled.result });
      if (settled.error !== undefined && errorName(settled.error) !== 'ToolCallError') throw settled.error;
      return toVisibleResult(settled.result.blocks, !settled.result.ok);
    },
  };
}

async function settleCall(session: BridgeSession, tool: string, input: JSONObject, signal?: AbortSignal) {
  try {
    const { blocks, reward, finished, metadata } = await session.call(tool, input, { ...(signal && { signal }) });
    return { result: { ok: true, blocks, reward, finished, metadata } };
  } catch (error) {
    const message = describeError(error);
    if (LOSSES.includes(errorName(error))) lostSessions.set(session, message);
    return { result: { ok: false, blocks: [text(message)], reward: null, finished: false, metadata: null }, error };
  }
}

/** Errors after which the state of the episode is unknown; by name, because they may be of another copy of the package. */
const LOSSES: readonly string[] = ['SessionLostError', 'CallLostError', 'OrsConnectionError'];

/** Reasons by lost session. */
const lostSessions = new WeakMap<object, string>();

/** Returns true if no tool of the episode runs any more: it is finished or lost. */
export const isEpisodeOver = (session: Pick<BridgeSession, 'finished'>): boolean => reasonOver(session) !== undefined;

function reasonOver(session: Pick<BridgeSession, 'finished'>): string | undefined {
  if (session.finished) return 'The episode is finished';
  const loss = lostSessions.get(session);
  return loss === undefined ? undefined : `The episode is lost (${loss})`;
}

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

/** Removes everything that is not for the model; blocks of unknown types become JSON. */
export const toVisibleBlocks = (blocks: readonly Block[]): VisibleBlock[] =>
  formatPrompt(blocks, 'mcp').map(({ content }) => content);
