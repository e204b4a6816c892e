import { sum } from '../../core/index.ts';

/** How the rewards of an episode's calls become the reward of the episode. */
export type Reducer = 'sum' | 'last' | 'mean' | 'max' | 'min';

const reducers: Readonly<Record<Reducer, (rewards: readonly [number, ...number[]]) => number>> = {
  sum: (rewards) => sum(rewards),
  last: (rewards) => rewards.at(-1) as number,
  mean: (rewards) => reducers.sum(rewards) / rewards.length,
  max: (rewards) => rewards.reduce((one, other) => Math.max(one, other)),
  min: (rewards) => rewards.reduce((one, other) => Math.min(one, other)),
};

export const REDUCERS = Object.keys(reducers) as readonly Reducer[];

/**
 * The reward of an episode out of those of its calls, in their order. Null is no reward, and not one of 0: it is passed
 * over, and where all are null there is no reward. Source: ORS, "Rewards".
 */
export function reduceRewards(rewards: readonly (number | null)[], reducer: Reducer = 'sum'): number | null {
  const [first, ...others] = rewards.filter((reward) => reward !== null);
  return first === undefined ? null : reducers[reducer]([first, ...others]);
}
