import { formatNumber } from '../../core/index.ts';
import { reachesBound } from '../../protocol/index.ts';
import { iterateRuns, totalReward } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';
import { formatCallText, truncateLine } from '../words.ts';

export const solveReachesMax: ValidationRule = {
  name: 'solve-reaches-max',
  levels: ['error'],
  sentence: '`solve` of the environment completes and earns `maxReward`',
  *check(evidence) {
    const { maxReward } = evidence;
    for (const { split, index, run } of iterateRuns(evidence)) {
      if (run.kind !== 'solve' || run.repeats) continue;
      if (run.failure?.stage === 'solve') {
        const message = `solve failed: ${run.failure.message}; mend solve, or the tool that it calls`;
        yield { split, index, message };
      } else if (!run.failure && maxReward !== undefined && !reachesBound(totalReward(run), maxReward)) {
        const last = run.steps.findLast(({ isAfterEnd }) => !isAfterEnd);
        const end = last
          ? `; its last call ${formatCallText(last.tool, last.input)} gave '${truncateLine(last.text)}'`
          : '; it called nothing';
        const message = `solve gets ${formatNumber(totalReward(run), 12)} of maxReward ${maxReward}${end}`;
        yield { split, index, message };
      }
    }
  },
};
