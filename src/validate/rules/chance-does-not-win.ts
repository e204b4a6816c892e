import { formatNumber, plural } from '../../core/index.ts';
import { totalReward } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';
import { findMaxRewardRuns } from './winners.ts';

export const chanceDoesNotWin: ValidationRule = {
  name: 'chance-does-not-win',
  levels: ['error', 'warning'],
  sentence: 'A few random calls with valid inputs do not earn `maxReward`',
  check: (evidence) =>
    findMaxRewardRuns(
      evidence,
      ({ kind, repeats }) => kind === 'random' && !repeats,
      (run, tasks) =>
        `${plural(run.steps.filter(({ isAfterEnd }) => !isAfterEnd).length, 'random call')} got ${formatNumber(totalReward(run), 12)} of ` +
        `maxReward ${evidence.maxReward} in ${tasks}; make guessing dearer, or the answers more`,
    ),
};
