import { iterateRuns } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';

export const promptsSaySomething: ValidationRule = {
  name: 'prompts-say-something',
  levels: ['error'],
  sentence: 'Every prompt contains a text or an image',
  *check(evidence) {
    for (const { split, index, run } of iterateRuns(evidence)) {
      if (run.kind !== 'idle' || !run.prompt?.isEmpty) continue;
      yield { split, index, message: 'the prompt is empty; tell the agent what to do, and how to hand it in' };
    }
  },
};
