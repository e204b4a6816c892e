import { advantageOf } from '../../protocol/index.ts';
import { meanOf, standardDeviationOf } from './statistics.ts';

/** The samples of one task beside each other. */
export interface RewardGroup {
  readonly mean: number | null;
  /** Of all samples there are, as policy gradients use it; 0 where they are equal. */
  readonly std: number | null;
  /** (reward − mean) / (std + 1e-6) of each, in the order given; 0 where all are equal. */
  readonly advantages: readonly number[];
}

/** Mean, standard deviation and advantages of the rewards of a group. */
export function groupRewards(rewards: readonly number[]): RewardGroup {
  const mean = meanOf(rewards);
  const std = standardDeviationOf(rewards);
  return { mean, std, advantages: rewards.map((reward) => advantageOf(reward, mean ?? 0, std ?? 0)) };
}
