import { setTimeout as delay } from 'node:timers/promises';
import {
  type CallHandle,
  type CallResult,
  type OrsClient,
  type Session,
  ToolCallError,
  ToolCrashedError,
} from 'ors-kit/client';

const ROLLS = 5;
/** Errors after which an agent gives up. */
const MAX_ERRORS = 20;

export interface PlayedCall {
  readonly name: string;
  readonly input: Readonly<Record<string, number>>;
  /** The block that is the same in each run. */
  readonly text: string;
  readonly reward: number | null;
  readonly finished: boolean;
}

export interface PlayedGame {
  readonly environment: string;
  readonly index: number;
  readonly sid: string;
  readonly prompt: string;
  readonly calls: readonly PlayedCall[];
  /** Results as received, with all blocks, by task id. */
  readonly results: ReadonlyMap<string, CallResult>;
}

/** Callbacks of an agent, and its pauses. */
export interface AgentOptions {
  /** Returns the maximum pause before a call. */
  readonly thinkMs: () => number;
  readonly onCall?: (session: Session) => () => void;
  /** Called for a call that a server did not repeat, and that the agent repeats. */
  readonly onInterrupted?: () => void;
  /** Called for a call that could not be stored, and whose result the agent fetches by its task id. */
  readonly onUnstored?: () => void;
}

/** Plays a game in which each call depends on the results before it. The session stays open. */
export async function playGame(
  client: OrsClient,
  environment: string,
  index: number,
  options: AgentOptions,
): Promise<PlayedGame & { readonly session: Session }> {
  const session = await client.environment(environment).session({ split: 'train', index });
  const prompt = JSON.stringify(await session.prompt());
  const calls: PlayedCall[] = [];
  const results = new Map<string, CallResult>();
  const play = async (name: string, input: Readonly<Record<string, number>> = {}) => {
    await delay(Math.random() * options.thinkMs());
    const called = options.onCall?.(session);
    const { taskId, result } = await callUntilDone(session, name, input, options);
    called?.();
    const [block] = result.blocks;
    const text = block?.type === 'text' ? block.text : '';
    calls.push({ name, input, text, reward: result.reward, finished: result.finished });
    results.set(taskId, result);
    return text;
  };
  for (let roll = 0; roll < ROLLS; roll++) {
    const value = Number((await play('roll')).split(' ').at(-1));
    if (value % 4 !== 0) await play('put', { value: value % 1000 });
  }
  await play('submit');
  return { session, environment, index, sid: session.sid, prompt, calls, results };
}

/** @throws every error of the client except the two documented ones, and those after many attempts. */
async function callUntilDone(
  session: Session,
  name: string,
  input: Readonly<Record<string, number>>,
  { onInterrupted, onUnstored }: AgentOptions,
): Promise<{ readonly taskId: string; readonly result: CallResult }> {
  let handle: CallHandle | undefined;
  let isStored = true;
  const onStart = (started: CallHandle) => {
    handle = started;
  };
  for (let errors = 0; ; errors++) {
    try {
      const result =
        handle && !isStored ? await session.resume(handle) : await session.call(name, { ...input }, { onStart });
      return { taskId: handle?.task_id ?? '', result };
    } catch (error) {
      if (errors === MAX_ERRORS) throw error;
      if (error instanceof ToolCallError && error.reason === 'interrupted') {
        isStored = true;
        onInterrupted?.();
      } else if (error instanceof ToolCrashedError && error.detail.includes('its journal failed:')) {
        isStored = false;
        onUnstored?.();
      } else {
        throw error;
      }
    }
  }
}
