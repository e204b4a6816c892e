import { iterateSteps } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';
import { formatCallText } from '../words.ts';

export const endIsFinal: ValidationRule = {
  name: 'end-is-final',
  levels: ['error'],
  sentence: 'A finished episode runs no tool and returns no reward',
  *check(evidence) {
    for (const { split, index, step } of iterateSteps(evidence)) {
      if (!step.isAfterEnd || step.outcome !== 'output') continue;
      const call = formatCallText(step.tool, step.input);
      const message = `after the episode had finished, ${call} ran once more and gave the reward ${step.reward}; answer ok: false`;
      yield { split, index, message };
    }
  },
};
