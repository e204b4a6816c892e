import { meanOf, standardDeviationOf, sum } from '../core/index.ts';
import { advantageOf } from '../protocol/index.ts';

/**
 * How the reward of an episode is computed from the rewards of its calls.
 *
 * @example
 * const reducer: Reducer = 'last';
 * reduceRewards([0.5, null, 1], reducer); // 1
 */
export type Reducer = 'sum' | 'last' | 'mean' | 'max' | 'min';

const reducers: Readonly<Record<Reducer, (rewards: readonly [number, ...number[]]) => number>> = {
  sum: (rewards) => sum(rewards),
  last: (rewards) => rewards.at(-1) as number,
  mean: (rewards) => reducers.sum(rewards) / rewards.length,
  max: (rewards) => rewards.reduce((one, other) => Math.max(one, other)),
  min: (rewards) => rewards.reduce((one, other) => Math.min(one, other)),
};

/**
 * Names of all reducers.
 *
 * @example
 * REDUCERS.includes('sum'); // true
 */
export const REDUCERS = Object.keys(reducers) as readonly Reducer[];

/**
 * Returns the reward of an episode. Null means no reward, which differs from a reward of 0: nulls are skipped, and the
 * result is null if there is nothing else. Source: ORS, "Rewards".
 *
 * @param rewards in the order of the calls.
 * @example
 * reduceRewards([0.5, null, 1]); // 1.5
 */
export function reduceRewards(rewards: readonly (number | null)[], reducer: Reducer = 'sum'): number | null {
  const [first, ...others] = rewards.filter((reward) => reward !== null);
  return first === undefined ? null : reducers[reducer]([first, ...others]);
}

/**
 * Statistics over the samples of one task.
 *
 * @example
 * const { mean, std }: RewardGroup = groupRewards([0, 1]); // both 0.5
 */
export interface RewardGroup {
  readonly mean: number | null;
  /** Population standard deviation, as in policy gradients; 0 if all rewards are equal. */
  readonly std: number | null;
  /** (reward − mean) / (std + 1e-6) of each reward, in the order given; 0 if all are equal. */
  readonly advantages: readonly number[];
}

/**
 * Returns the mean, standard deviation and advantages of the rewards of a group.
 *
 * @example
 * groupRewards([0, 1]).advantages; // about [-1, 1]
 */
export function groupRewards(rewards: readonly number[]): RewardGroup {
  const mean = meanOf(rewards);
  const std = standardDeviationOf(rewards);
  return { mean, std, advantages: rewards.map((reward) => advantageOf(reward, mean ?? 0, std ?? 0)) };
}

/**
 * Tool and reward of one call of an episode.
 *
 * @example
 * const episode: RewardStep[] = [{ tool: 'look', reward: null }, { tool: 'submit', reward: 1 }];
 * rewardsByTool([episode]).submit?.reward; // 1
 */
export interface RewardStep {
  readonly tool: string;
  /** Null if the tool returned none. */
  readonly reward: number | null;
}

/**
 * Sums over several calls.
 *
 * @example
 * const perCall = ({ calls, reward }: RewardTotals) => reward / calls;
 */
export interface RewardTotals {
  readonly calls: number;
  /** Number of calls that returned a reward, including rewards of 0. */
  readonly rewardedCalls: number;
  readonly reward: number;
}

/**
 * Returns the totals of each tool.
 *
 * @example
 * rewardsByTool([[{ tool: 'submit', reward: 1 }]]).submit; // { calls: 1, rewardedCalls: 1, reward: 1 }
 */
export const rewardsByTool = (episodes: Iterable<readonly RewardStep[]>): Record<string, RewardTotals> =>
  Object.fromEntries(totalsBy(episodes, ({ tool }) => tool));

/**
 * Returns the totals of the first call of each episode, of the second, and so on.
 *
 * @example
 * rewardsByStep([[{ tool: 'look', reward: null }], [{ tool: 'submit', reward: 1 }]])[0]?.reward; // 1
 */
export const rewardsByStep = (episodes: Iterable<readonly RewardStep[]>): RewardTotals[] =>
  [...totalsBy(episodes, (_step, position) => position)]
    .sort(([one], [other]) => one - other)
    .map(([, total]) => total);

function totalsBy<Key>(
  episodes: Iterable<readonly RewardStep[]>,
  keyOf: (step: RewardStep, position: number) => Key,
): Map<Key, RewardTotals> {
  const totals = new Map<Key, RewardTotals>();
  for (const steps of episodes) {
    for (const [position, step] of steps.entries()) {
      const key = keyOf(step, position);
      const { calls, rewardedCalls, reward } = totals.get(key) ?? { calls: 0, rewardedCalls: 0, reward: 0 };
      totals.set(key, {
        calls: calls + 1,
        rewardedCalls: rewardedCalls + Number(step.reward !== null),
        reward: reward + (step.reward ?? 0),
      });
    }
  }
  return totals;
}
