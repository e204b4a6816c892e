import type { BridgeCallResult } from '../session/index.ts';

/** A line of rewards, which no model sees. */
export type RewardRow = CallRewardRow | EpisodeRewardRow;

/** One call. */
export interface CallRewardRow {
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
export interface EpisodeRewardRow {
  readonly type: 'episode';
  readonly sid: string;
  readonly environment: string;
  readonly calls: number;
  /** The sum; null if no call had a reward. */
  readonly reward: number | null;
  readonly finished: boolean;
}

type RewardRowSubject = Pick<EpisodeRewardRow, 'sid' | 'environment'>;

/** Counts the rewards of an episode, and tells each of them and the total. */
export function createRewardRows({ sid, environment }: RewardRowSubject, notify: (row: RewardRow) => void) {
  let calls = 0;
  let sum: number | null = null;
  let isFinished = false;
  let isClosed = false;
  return {
    add({ number, tool, ok, reward, finished }: BridgeCallResult): void {
      calls += 1;
      if (reward !== null) sum = (sum ?? 0) + reward;
      isFinished ||= finished;
      notify({ type: 'call', sid, environment, number, tool, ok, reward, finished });
    },
    /** May be called again. */
    close(): void {
      if (isClosed) return;
      isClosed = true;
      notify({ type: 'episode', sid, environment, calls, reward: sum, finished: isFinished });
    },
  };
}
