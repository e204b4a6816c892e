import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { onAbort, randomId } from '../../../core/index.ts';
import type { JSONObject } from '../../../protocol/index.ts';
import { asRequestError, type RequestError } from '../api/failure.ts';
import { useApiKey } from '../api/key.ts';
import { isAbort } from '../api/store.ts';
import {
  callPlaygroundTool,
  createPlaygroundEpisode,
  deletePlaygroundEpisode,
  isSessionGone,
  type OpenedEpisode,
  type PlaygroundTask,
  ping,
  readEpisode,
} from './episode.ts';
import type { PlaygroundCallOutcome } from './outcome.ts';

/** A call of this episode, and what came of it. */
export interface PlaygroundCall {
  readonly id: string;
  readonly tool: string;
  readonly input: JSONObject;
  /** How long its result took, in ms; undefined while it runs. */
  readonly ms?: number;
  readonly outcome?: PlaygroundCallOutcome;
  /** Why there is no outcome. */
  readonly failure?: RequestError;
}

export interface EpisodeState {
  /** `lost`: the server no longer has it; `failed`: it never began. */
  readonly stage: 'opening' | 'playing' | 'finished' | 'lost' | 'failed';
  readonly opened?: OpenedEpisode;
  readonly calls: readonly PlaygroundCall[];
  readonly failure?: RequestError;
  /** Of the trace that it is recorded as, where the server records. */
  readonly traceId?: string | undefined;
  /** The server does not answer; the episode may still be there. */
  readonly isDisconnected: boolean;
}

export interface PlaygroundEpisode extends EpisodeState {
  readonly isCalling: boolean;
  readonly call: (tool: string, input: JSONObject) => void;
  readonly startAgain: () => void;
}

/** Well below the 15 minutes after which servers end idle sessions; browsers slow timers of hidden pages to one a minute. */
const PING_MS = 20_000;
const BEGINNING: EpisodeState = { stage: 'opening', calls: [], isDisconnected: false };

/** Opens an episode and keeps it until another one is wanted, or the page is left; undefined opens none. */
export function useEpisode(task: PlaygroundTask | undefined): PlaygroundEpisode {
  const key = useApiKey();
  const [round, setRound] = useState(0);
  const [state, setState] = useState(BEGINNING);
  const life = useRef<EpisodeActions | undefined>(undefined);
  const subject = task && JSON.stringify([task.environment, task.split, task.index]);

  useEffect(() => {
    setState(BEGINNING);
    if (!task) return;
    const own = live(task, setState);
    life.current = own;
    addEventListener('pagehide', own.end);
    return () => {
      removeEventListener('pagehide', own.end);
      own.end();
    };
  }, [subject, round, key]);

  const startAgain = useCallback(() => setRound((before) => before + 1), []);
  const call = useCallback((tool: string, input: JSONObject) => life.current?.call(tool, input), []);
  return { ...state, isCalling: state.calls.some(({ ms }) => ms === undefined), call, startAgain };
}

interface EpisodeActions {
  readonly call: (tool: string, input: JSONObject) => void;
  readonly end: () => void;
}

type EpisodeUpdate = (state: EpisodeState) => EpisodeState;

/** The life of one episode, whatever is drawn meanwhile. */
function live(task: PlaygroundTask, setState: (change: EpisodeUpdate) => void): EpisodeActions {
  const over = new AbortController();
  const { signal } = over;
  let sid: string | undefined;
  const change = (next: EpisodeUpdate) => !signal.aborted && setState(next);
  const end = () => {
    over.abort();
    if (sid !== undefined) deletePlaygroundEpisode(sid);
    sid = undefined;
  };
  const lose = (failure: RequestError) => {
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
    keepAlive(sid, signal, change, lose);
    const opened = await readEpisode(sid, task.environment, signal);
    change((state) => ({ ...state, stage: 'playing', opened }));
  })().catch((error: unknown) => isAbort(error) || lose(asRequestError(error)));

  const call = async (tool: string, input: JSONObject) => {
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
    change((state) => ({ ...state, calls: [...state.calls, { id, tool, input }] }));
    try {
      const outcome = await callPlaygroundTool({ sid, environment: task.environment, tool, input, taskId: id }, signal);
      settle({ outcome });
      if (outcome.kind !== 'output' || !outcome.output.finished) return;
      change((state) => ({ ...state, stage: 'finished' }));
      // Nothing runs after that: its place is free for others.
      end();
    } catch (error) {
      if (isAbort(error)) return;
      settle({ failure: asRequestError(error) });
      if (isSessionGone(error))
        await ping(sid, signal).catch((why: unknown) => isSessionGone(why) && lose(asRequestError(why)));
    }
  };
  return { call: (tool, input) => void call(tool, input), end };
}

function keepAlive(
  sid: string,
  signal: AbortSignal,
  change: (next: EpisodeUpdate) => void,
  lose: (failure: RequestError) => void,
) {
  const ask = () =>
    ping(sid, signal).then(
      () => change((state) => (state.isDisconnected ? { ...state, isDisconnected: false } : state)),
      (error: unknown) => {
        if (isAbort(error)) return;
        if (isSessionGone(error)) lose(asRequestError(error));
        else change((state) => ({ ...state, isDisconnected: asRequestError(error).kind === 'offline' }));
      },
    );
  const timer = setInterval(ask, PING_MS);
  onAbort(signal, () => clearInterval(timer));
}
