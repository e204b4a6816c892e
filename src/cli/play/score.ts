import { formatNumber, noun, plural, sum } from '../../core/index.ts';

/** What an episode has brought so far. */
export interface Score {
  readonly calls: number;
  /** Of the calls that gave one, in their order. */
  readonly rewards: readonly number[];
}

export const EMPTY_SCORE: Score = { calls: 0, rewards: [] };

export const addCall = ({ calls, rewards }: Score, reward: number | null): Score => ({
  calls: calls + 1,
  rewards: reward === null ? rewards : [...rewards, reward],
});

export const formatTotalReward = ({ rewards }: Score): string => formatNumber(sum(rewards), 12);

const SHOWN_REWARDS = 20;

/** `3 calls, rewards 0, 0, 1, total 1` */
export function scoreText(score: Score): string {
  const { calls, rewards } = score;
  const count = plural(calls, 'call');
  if (rewards.length === 0) return `${count}, no rewards`;
  const hidden = rewards.length > SHOWN_REWARDS ? '…, ' : '';
  const shown = rewards
    .slice(-SHOWN_REWARDS)
    .map((reward) => formatNumber(reward, 12))
    .join(', ');
  return `${count}, ${noun(rewards.length, 'reward')} ${hidden}${shown}, total ${formatTotalReward(score)}`;
}
