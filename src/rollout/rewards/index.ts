export { type RewardStep, type RewardTotals, rewardsByStep, rewardsByTool } from './breakdown.ts';
export { groupRewards, type RewardGroup } from './group.ts';
export { passAtK } from './pass-at-k.ts';
export { REDUCERS, type Reducer, reduceRewards } from './reduce.ts';
export { meanOf, quantileOf, standardErrorOf } from './statistics.ts';
