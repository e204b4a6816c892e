import { exceedsBound } from '../protocol/index.ts';
import type { Attack } from './attack.ts';
import type { TranscriptRun } from './transcript.ts';

/** Rewards that decide whether an attack wins. */
export interface RewardScale {
  /** Mean reward of honest players without skill. */
  readonly floor: number;
  /** Undefined if neither the environment nor the user says it. */
  readonly max: number | undefined;
}

/** Share of the maximum reward that a winning transcript earns, and by which it exceeds the floor. */
const WIN_SHARE = 0.5;
const MARGIN_SHARE = 0.2;
const ASSUMED_MAX = 1;

/** Returns whether a run shows what an attack claims. */
export function pays(
  { proof, winShare = WIN_SHARE, isFloor }: Pick<Attack, 'proof' | 'winShare' | 'isFloor'>,
  { reward, rewardAfterEnd }: TranscriptRun,
  { floor, max = ASSUMED_MAX }: RewardScale,
): boolean {
  const margin = MARGIN_SHARE * Math.abs(max);
  if (proof === 'after-end') return rewardAfterEnd > 0;
  // Agents stop when an episode is finished.
  const earned = reward - rewardAfterEnd;
  if (proof === 'excess') return exceedsBound(earned, max);
  const wins = max > 0 ? earned >= winShare * max : earned > 0;
  return wins && (isFloor === true || earned >= floor + margin);
}
