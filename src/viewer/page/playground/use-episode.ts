import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { definedFields, onAbort, randomId } from '../../../core/index.ts';
import { type JSONObject, terminalToolInput } from '../../../protocol/index.ts';
import { useApiKey } from '../api/access.ts';
import { asRequestError, type RequestError } from '../api/request-error.ts';
import { isAbort } from '../api/store.ts';
import type { PlaygroundCallOutcome } from './call-outcome.ts';
import {
  callPlaygroundTool,
  createPlaygroundEpisode,
  deletePlaygroundEpisode,
  isSessionGone,
  type OpenedEpisode,
  ping,
  readEpisode,
} from './episode.ts';
import type { PlaygroundTask } from './task.ts';

/** Call of this episode with its result. */
export interface PlaygroundCall {
  readonly id: string;
  readonly tool: string;
  readonly input: JSONObject;
  /** Text of the final message, if the call submits it. */
  readonly answer?: string;
  /** Duration in ms; undefined while the call runs. */
  readonly ms?: number;
  readonly outcome?: PlaygroundCallOutcome;
  /** Set if the result is missing. */
  readonly failure?: RequestError;
}

export interface EpisodeState {
  /**
   * `answered`: the final message is graded, but the environment did not finish; `lost`: the server no longer has the
   * episode; `failed`: it never started.
   */
  readonly stage: 'opening' | 'playing' | 'finished' | 'answered' | 'lost' | 'failed';
  readonly opened?: OpenedEpisode;
  readonly calls: readonly PlaygroundCall[];
  readonly failure?: RequestError;
  /** Id of the recorded trace, if the server records. */
  readonly traceId?: string | undefined;
  /** Set if the server is unreachable; the episode may still exist. */
  readonly isDisconnected: boolean;
}

export interface PlaygroundEpisode extends EpisodeState {
  readonly isCalling: boolean;
  readonly call: (tool: string, input: JSONObject) => void;
  /** Submits the final message, which ends the episode unless it is refused. */
  readonly answer: (text: string) => void;
  readonly startAgain: () => void;
}

/** Far below the idle timeout of 15 minutes; browsers slow timers of hidden pages down to one a minute. */
const PING_MS = 20_000;
const BEGINNING: EpisodeState = { stage: 'opening', calls: [], isDisconnected: false };

/** Opens an episode and ends it when the task changes or the page is left. */
export function useEpisode(task: PlaygroundTask): PlaygroundEpisode {
  const key = useApiKey();
  const [round, setRound] = useState(0);
  const [state, setState] = useState(BEGINNING);
  const running = useRef<EpisodeActions | undefined>(undefined);
  const subject = JSON.stringify([task.environment, task.split, task.index]);

  useEffect(() => {
    setState(BEGINNING);
    const episode = runEpisode(task, setState);
    running.current = episode;
    addEventListener('pagehide', episode.end);
    return () => {
      removeEventListener('pagehide', episode.end);
      episode.end();
    };
  }, [subject, round, key]);

  const startAgain = useCallback(() => setRound((before) => before + 1), []);
  const call = useCallback((tool: string, input: JSONObject) => running.current?.call(tool, input), []);
  const terminal = state.opened?.terminalTool;
  const answer = useCallback(
    (text: string) => terminal && running.current?.call(terminal.name, terminalToolInput(terminal, text), text),
    [terminal],
  );
  return { ...state, isCalling: state.calls.some(({ ms }) => ms === undefined), call, answer, startAgain };
}

interface EpisodeActions {
  /** @param answer the final message, if the call submits it. */
  readonly call: (tool: string, input: JSONObject, answer?: string) => void;
  readonly end: () => void;
}

type EpisodeUpdate = (state: EpisodeState) => EpisodeState;

/** Runs one episode, independently of renders. */
function runEpisode(task: PlaygroundTask, setState: (change: EpisodeUpdate) => void): EpisodeActions {
  const controller = new AbortController();
  const { signal } = controller;
  let sid: string | undefined;
  const change = (next: EpisodeUpdate) => !signal.aborted && setState(next);
  const end = () => {
    controller.abort();
    if (sid !== undefined) deletePlaygroundEpisode(sid);
    sid = undefined;
  };
  const fail = (failure: RequestError) => {
    change((state) => ({
      ...state,
      failure,
      stage: state.stage === 'opening' ? 'failed' : 'lost',
      calls: state.calls.map((each) => (each.ms === undefined ? { ...each, failure, ms: 0 } : each)),
    }));
    end();
  };

  void (async () => {
    const created = await createPlaygroundEpisode(task);
    sid = created.sid;
    if (signal.aborted) return end();
    change((state) => ({ ...state, traceId: created.traceId }));
    keepAlive(sid, signal, change, fail);
    const opened = await readEpisode(sid, task.environment, signal);
    change((state) => ({ ...state, stage: 'playing', opened }));
  })().catch((error: unknown) => isAbort(error) || fail(asRequestError(error)));

  const call = async (tool: string, input: JSONObject, answer?: string) => {
    if (sid === undefined) return;
    const id = randomId('play-');
    const started = performance.now();
    const settle = (result: Partial<PlaygroundCall>) => {
      const ms = performance.now() - started;
      change((state) => ({
        ...state,
        calls: state.calls.map((each) => (each.id === id ? { ...each, ...result, ms } : each)),
      }));
    };
    change((state) => ({ ...state, calls: [...state.calls, { id, tool, input, ...definedFields({ answer }) }] }));
    try {
      const outcome = await callPlaygroundTool({ sid, environment: task.environment, tool, input, taskId: id }, signal);
      settle({ outcome });
      if (outcome.kind !== 'output') return;
      const { finished } = outcome.output;
      if (!finished && answer === undefined) return;
      change((state) => ({ ...state, stage: finished ? 'finished' : 'answered' }));
      // The episode cannot be continued; frees its slot.
      end();
    } catch (error) {
      if (isAbort(error)) return;
      settle({ failure: asRequestError(error) });
      if (isSessionGone(error))
        await ping(sid, signal).catch((why: unknown) => isSessionGone(why) && fail(asRequestError(why)));
    }
  };
  return { call: (tool, input, answer) => void call(tool, input, answer), end };
}

function keepAlive(
  sid: string,
  signal: AbortSignal,
  change: (next: EpisodeUpdate) => void,
  fail: (failure: RequestError) => void,
) {
  const ask = () =>
    ping(sid, signal).then(
      () => change((state) => (state.isDisconnected ? { ...state, isDisconnected: false } : state)),
      (error: unknown) => {
        if (isAbort(error)) return;
        if (isSessionGone(error)) fail(asRequestError(error));
        else change((state) => ({ ...state, isDisconnected: asRequestError(error).kind === 'offline' }));
      },
    );
  const timer = setInterval(ask, PING_MS);
  onAbort(signal, () => clearInterval(timer));
}
