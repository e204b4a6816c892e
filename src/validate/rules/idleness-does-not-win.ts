import type { Rule } from '../finding.ts';
import { callText } from '../words.ts';
import { winners } from './winners.ts';

export const idlenessDoesNotWin: Rule = {
  name: 'idleness-does-not-win',
  levels: ['error', 'warning'],
  sentence: 'Doing nothing, or one call with a minimal valid input, does not earn `maxReward`',
  *check(evidence) {
    const max = `maxReward ${evidence.maxReward}`;
    yield* winners(
      evidence,
      ({ kind }) => kind === 'idle',
      (_run, tasks) =>
        `calling nothing gets ${max} in ${tasks}; give maxReward the sum of rewards of a perfect episode`,
    );
    yield* winners(
      evidence,
      ({ kind }) => kind === 'least',
      ({ steps: [step] }, tasks) => {
        const call = step ? callText(step.tool, step.input) : '';
        return `${call}, an input made of the schema alone, gets ${max} in ${tasks}; pay for the answer and not for the call`;
      },
    );
  },
};
