/** Beyond what sums of fractions are off by: ten times 0.1 is less than 1. */
const ROUNDING = 1e-9;

/** Whether a reward reaches a bound, but for what a sum of fractions is off by. */
export const reachesBound = (reward: number, bound: number): boolean => reward >= bound - slackOf(bound);

/** Whether a reward is more than a bound by more than what a sum of fractions is off by. */
export const exceedsBound = (reward: number, bound: number): boolean => reward > bound + slackOf(bound);

/** Below it, what lies between rewards is rounding, and teaches little. */
const MIN_STD = 1e-6;

/** How many standard deviations a reward is above the mean of its group, as GRPO counts them; 0 where all are equal. */
export const advantageOf = (reward: number, mean: number, std: number): number =>
  std === 0 ? 0 : (reward - mean) / (std + MIN_STD);

const slackOf = (bound: number): number => ROUNDING * Math.max(1, Math.abs(bound));
