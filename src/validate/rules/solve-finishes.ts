import { runsOf } from '../evidence.ts';
import type { Rule } from '../finding.ts';

export const solveFinishes: Rule = {
  name: 'solve-finishes',
  levels: ['error'],
  sentence: 'An episode that `solve` plays is finished',
  *check(evidence) {
    for (const { split, index, run } of runsOf(evidence)) {
      if (run.kind !== 'solve' || run.repeats || run.failure) continue;
      if (run.steps.some(({ finished }) => finished)) continue;
      const advice = 'return finished: true where the task is done, or agents play on to their limit';
      yield {
        split,
        index,
        message: `after the ${run.steps.length} calls of solve the episode is not finished; ${advice}`,
      };
    }
  },
};
