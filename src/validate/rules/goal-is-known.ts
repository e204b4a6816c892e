import type { ValidationRule } from '../finding.ts';

/** What is missing here keeps other rules from being held. */
export const goalIsKnown: ValidationRule = {
  name: 'goal-is-known',
  levels: ['note'],
  sentence: 'The environment has `solve` and `maxReward`, so that its rewards can be tested',
  *check({ hasSource, hasSolve, maxReward }) {
    if (hasSource && !hasSolve) {
      yield { message: 'it has no solve, so whether its tasks can be solved was not tried; add one' };
    }
    if (maxReward !== undefined) return;
    const advice = hasSource ? 'add it' : 'give it with --max-reward';
    yield { message: `its maxReward is not known, so whether doing nothing or chance wins was not judged; ${advice}` };
  },
};
