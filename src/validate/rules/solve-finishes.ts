import { iterateRuns } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';

export const solveFinishes: ValidationRule = {
  name: 'solve-finishes',
  levels: ['error'],
  sentence: 'An episode that `solve` plays is finished',
  *check(evidence) {
    for (const { split, index, run } of iterateRuns(evidence)) {
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
