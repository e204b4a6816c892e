import { formatNumber, plural } from '../core/index.ts';
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

/**
 * Claim of a finding that a replay does not meet.
 *
 * - `readable`: players can read the value of the calls where the finding says.
 * - `wins`: the transcript earns a share of the maximum reward. `above-floor`: and more than players without skill.
 * - `above-maximum`: the transcript earns more than the maximum reward.
 * - `after-end`: a call after the end of the episode earns a reward.
 *
 * @example
 * const isFixed = ({ unmet }: ReplayResult) => unmet !== undefined;
 */
export interface UnmetClaim {
  readonly claim: 'readable' | 'wins' | 'above-floor' | 'above-maximum' | 'after-end';
  readonly message: string;
}

/** Share of the maximum reward that a winning transcript earns, and by which it exceeds the floor. */
const WIN_SHARE = 0.5;
const MARGIN_SHARE = 0.2;
export const ASSUMED_MAX = 1;

type Claimant = Pick<Attack, 'proof' | 'winShare' | 'isFloor'>;

/** Returns the claim of an attack that a run does not meet; undefined if the run shows what the attack claims. */
export function unmetClaim(
  { proof, winShare = WIN_SHARE, isFloor }: Claimant,
  // Agents stop when an episode is finished.
  { rewardBeforeEnd: earned, rewardAfterEnd, calls }: Omit<TranscriptRun, 'reward'>,
  { floor, max = ASSUMED_MAX }: RewardScale,
): UnmetClaim | undefined {
  const unmet = (claim: UnmetClaim['claim'], message: string) => ({ claim, message });
  if (proof === 'after-end') {
    return rewardAfterEnd > 0 ? undefined : unmet('after-end', 'no call after the end of the episode earns a reward');
  }
  const sum = `it earns ${formatReward(earned)}`;
  if (proof === 'excess') {
    if (exceedsBound(earned, max)) return undefined;
    const paid = plural(calls.filter(({ reward }) => (reward ?? 0) > 0).length, 'paid call');
    return unmet('above-maximum', `${sum} by ${paid}, not more than the maximum of ${formatReward(max)}`);
  }
  const isWin = max > 0 ? earned >= winShare * max : earned > 0;
  if (!isWin) return unmet('wins', `${sum}, less than ${max > 0 ? formatReward(winShare * max) : 'a positive reward'}`);
  const least = floor + MARGIN_SHARE * Math.abs(max);
  if (isFloor || earned >= least) return undefined;
  return unmet(
    'above-floor',
    `${sum}, less than ${formatReward(least)}; players without skill earn ${formatReward(floor)}`,
  );
}

/** Returns whether a run shows what an attack claims. */
export const pays = (attack: Claimant, run: TranscriptRun, scale: RewardScale): boolean =>
  unmetClaim(attack, run, scale) === undefined;

/** Returns a sum of rewards as JSON can represent it: null if it is infinite. */
export const toReward = (sum: number): number | null => (Number.isFinite(sum) ? sum : null);

/** Formats a sum of rewards. */
export const formatReward = (sum: number | null): string =>
  sum !== null && Number.isFinite(sum) ? formatNumber(sum) : 'an infinite sum';
