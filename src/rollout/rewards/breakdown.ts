/** A call of an episode: what came of it for the agent. */
export interface RewardStep {
  readonly tool: string;
  /** Null where the tool gave none. */
  readonly reward: number | null;
}

/** Where rewards come from. */
export interface RewardTotals {
  readonly calls: number;
  /** Calls that gave a reward, also one of 0. */
  readonly rewardedCalls: number;
  /** The sum of what they gave. */
  readonly reward: number;
}

/** The rewards of episodes by the tool that gave them. */
export const rewardsByTool = (episodes: Iterable<readonly RewardStep[]>): Record<string, RewardTotals> =>
  Object.fromEntries(sharesBy(episodes, ({ tool }) => tool));

/** The rewards of episodes by the place of the call in its episode, from the first. */
export const rewardsByStep = (episodes: Iterable<readonly RewardStep[]>): RewardTotals[] =>
  [...sharesBy(episodes, (_step, place) => place)].sort(([one], [other]) => one - other).map(([, share]) => share);

function sharesBy<Key>(
  episodes: Iterable<readonly RewardStep[]>,
  keyOf: (step: RewardStep, place: number) => Key,
): Map<Key, RewardTotals> {
  const shares = new Map<Key, RewardTotals>();
  for (const steps of episodes) {
    for (const [place, step] of steps.entries()) {
      const key = keyOf(step, place);
      const { calls, rewardedCalls, reward } = shares.get(key) ?? { calls: 0, rewardedCalls: 0, reward: 0 };
      const has = step.reward !== null;
      shares.set(key, {
        calls: calls + 1,
        rewardedCalls: rewardedCalls + Number(has),
        reward: reward + (step.reward ?? 0),
      });
    }
  }
  return shares;
}
