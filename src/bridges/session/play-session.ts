import { errorMessage, errorName, propertyOf } from '../../core/index.ts';
import { type Block, type JSONObject, text } from '../../protocol/index.ts';
import type { BridgeCallResult, BridgeSession, VisibleResult } from './bridge-session.ts';
import { toVisibleBlocks } from './visible-blocks.ts';

export interface BridgePlayOptions {
  /** Told of every call that the environment was asked for, in the order in which they end. Must not throw. */
  readonly onResult?: (result: BridgeCallResult) => void;
}

/** Plays a session for a model: what a call gives is shown without its reward, which `onResult` is told. */
export interface SessionPlayer {
  /**
   * Calls a tool. What the agent can act on is shown as an error; after the end of the episode every call is.
   *
   * @param signal ends the waiting; the tool goes on at the server, and its reward is told to nobody.
   * @throws what the session throws where the tool failed by itself or the episode is lost; the signal's reason.
   */
  call(tool: string, input: JSONObject, signal?: AbortSignal): Promise<VisibleResult>;
}

/** Why an episode is lost, by its session. */
const losses = new WeakMap<object, string>();

export function playSession(session: BridgeSession, { onResult = () => {} }: BridgePlayOptions = {}): SessionPlayer {
  let calls = 0;
  return {
    async call(tool, input, signal) {
      const over = whyOver(session);
      if (over !== undefined) return shown([text(`${over}; no tool runs after that.`)], true);
      const number = ++calls;
      const settled = await settle(session, tool, input, signal);
      onResult({ number, tool, input, ...settled.result });
      if (settled.error !== undefined && errorName(settled.error) !== 'ToolCallError') throw settled.error;
      return shown(settled.result.blocks, !settled.result.ok);
    },
  };
}

interface SettledCall {
  readonly result: Omit<BridgeCallResult, 'number' | 'tool' | 'input'>;
  readonly error?: unknown;
}

async function settle(
  session: BridgeSession,
  tool: string,
  input: JSONObject,
  signal?: AbortSignal,
): Promise<SettledCall> {
  try {
    const { blocks, reward, finished, metadata } = await session.call(tool, input, { ...(signal && { signal }) });
    return { result: { ok: true, blocks, reward, finished, metadata } };
  } catch (error) {
    const message = detailOf(error);
    if (isLoss(error)) losses.set(session, message);
    return { result: { ok: false, blocks: [text(message)], reward: null, finished: false, metadata: null }, error };
  }
}

/** Whether no tool of the episode runs any more: it is finished, or it is lost. */
export const isEpisodeOver = (session: Pick<BridgeSession, 'finished'>): boolean => whyOver(session) !== undefined;

function whyOver(session: Pick<BridgeSession, 'finished'>): string | undefined {
  if (session.finished) return 'The episode is finished';
  const loss = losses.get(session);
  return loss === undefined ? undefined : `The episode is lost (${loss})`;
}

const shown = (blocks: readonly Block[], isError: boolean): VisibleResult => ({
  blocks: toVisibleBlocks(blocks),
  isError,
});

/** After these the state of the episode is unknown; by name, as they may be of another copy of the package. */
const LOSSES: readonly string[] = ['SessionLostError', 'CallLostError', 'OrsConnectionError'];

const isLoss = (error: unknown): boolean => LOSSES.includes(errorName(error));

/** What the server said, without the client's words around it; how sessions are made is nothing for a model. */
function detailOf(error: unknown): string {
  if (errorName(error) === 'SessionLostError') return 'the server does not know it any more';
  const detail = propertyOf(error, 'detail');
  return typeof detail === 'string' ? detail : errorMessage(error);
}
