import { formatNumber } from '../../core/index.ts';
import { exceedsBound } from '../../protocol/index.ts';
import { iterateRuns, totalReward } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';

export const rewardsWithinMax: ValidationRule = {
  name: 'rewards-within-max',
  levels: ['error'],
  sentence: 'The rewards of an episode are finite and add up to at most `maxReward`',
  *check(evidence) {
    const { maxReward } = evidence;
    const told = new Set<string>();
    for (const { split, index, run } of iterateRuns(evidence)) {
      const key = `${split} ${index} ${run.kind}`;
      const infinite = run.steps.find(({ outcome, text }) => outcome === 'malformed' && text.includes('reward'));
      if (infinite) {
        yield { split, index, message: `the call of ${infinite.tool} gave no proper reward: ${infinite.text}` };
      } else if (maxReward !== undefined && exceedsBound(totalReward(run), maxReward) && !told.has(key)) {
        told.add(key);
        const how = run.kind === 'solve' ? 'solve' : `a run of the kind '${run.kind}'`;
        const advice = 'raise maxReward, or pay no step twice';
        yield {
          split,
          index,
          message: `${how} got ${formatNumber(totalReward(run), 12)}, more than maxReward ${maxReward}; ${advice}`,
        };
      }
    }
  },
};
