/** Relative tolerance for rounding errors of sums: ten times 0.1 is less than 1. */
const TOLERANCE = 1e-9;

/** Returns the least reward that reaches a bound, which allows for rounding errors of sums. */
export const leastReaching = (bound: number): number => bound - slackOf(bound);

/** Returns true if a reward is at least the bound, ignoring rounding errors of sums. */
export const reachesBound = (reward: number, bound: number): boolean => reward >= leastReaching(bound);

/** Returns true if a reward is greater than the bound, ignoring rounding errors of sums. */
export const exceedsBound = (reward: number, bound: number): boolean => reward > bound + slackOf(bound);

/** Added to the denominator: smaller differences between rewards are rounding errors. */
const MIN_STD = 1e-6;

/** Returns the advantage of a reward in its group, as in GRPO; 0 if all rewards are equal. */
export const advantageOf = (reward: number, mean: number, std: number): number =>
  std === 0 ? 0 : (reward - mean) / (std + MIN_STD);

const slackOf = (bound: number): number => TOLERANCE * Math.max(1, Math.abs(bound));
