import type { ValidationRule } from '../finding.ts';
import { formatCallText } from '../words.ts';
import { findMaxRewardRuns } from './winners.ts';

export const idlenessDoesNotWin: ValidationRule = {
  name: 'idleness-does-not-win',
  levels: ['error', 'warning'],
  sentence: 'Doing nothing, or one call with a minimal valid input, does not earn `maxReward`',
  *check(evidence) {
    const max = `maxReward ${evidence.maxReward}`;
    yield* findMaxRewardRuns(
      evidence,
      ({ kind }) => kind === 'idle',
      (_run, tasks) =>
        `calling nothing gets ${max} in ${tasks}; give maxReward the sum of rewards of a perfect episode`,
    );
    yield* findMaxRewardRuns(
      evidence,
      ({ kind }) => kind === 'least',
      ({ steps: [step] }, tasks) => {
        const call = step ? formatCallText(step.tool, step.input) : '';
        return `${call}, an input made of the schema alone, gets ${max} in ${tasks}; pay for the answer and not for the call`;
      },
    );
  },
};
