import { stepsOf } from '../evidence.ts';
import type { Rule } from '../finding.ts';
import { callText } from '../words.ts';

export const endIsFinal: Rule = {
  name: 'end-is-final',
  levels: ['error'],
  sentence: 'A finished episode runs no tool and returns no reward',
  *check(evidence) {
    for (const { split, index, step } of stepsOf(evidence)) {
      if (!step.isAfterEnd || step.outcome !== 'output') continue;
      const call = callText(step.tool, step.input);
      const message = `after the episode had finished, ${call} ran once more and gave the reward ${step.reward}; answer ok: false`;
      yield { split, index, message };
    }
  },
};
