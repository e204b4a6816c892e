import type { BridgeResult } from '../session/index.ts';

/** A line of rewards, which no model sees. */
export type RewardRow = CallRow | EpisodeRow;

/** One call. */
export interface CallRow {
  readonly type: 'call';
  /** The session at the environment's server. */
  readonly sid: string;
  readonly environment: string;
  /** The number of the call in the episode, from 1. */
  readonly number: number;
  readonly tool: string;
  readonly ok: boolean;
  /** Null if there was none, which is not a reward of 0. */
  readonly reward: number | null;
  readonly finished: boolean;
}

/** All of an episode, once nobody plays it any more. */
export interface EpisodeRow {
  readonly type: 'episode';
  readonly sid: string;
  readonly environment: string;
  readonly calls: number;
  /** The sum; null if no call had a reward. */
  readonly reward: number | null;
  readonly finished: boolean;
}

type Of = Pick<EpisodeRow, 'sid' | 'environment'>;

/** Counts the rewards of an episode, and tells each of them and the total. */
export function createRewardRows({ sid, environment }: Of, tell: (row: RewardRow) => void) {
  let calls = 0;
  let sum: number | null = null;
  let isFinished = false;
  let isClosed = false;
  return {
    add({ number, tool, ok, reward, finished }: BridgeResult): void {
      calls += 1;
      if (reward !== null) sum = (sum ?? 0) + reward;
      isFinished ||= finished;
      tell({ type: 'call', sid, environment, number, tool, ok, reward, finished });
    },
    /** May be called again. */
    close(): void {
      if (isClosed) return;
      isClosed = true;
      tell({ type: 'episode', sid, environment, calls, reward: sum, finished: isFinished });
    },
  };
}
