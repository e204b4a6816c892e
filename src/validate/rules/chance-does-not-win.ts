import { formatNumber, plural } from '../../core/index.ts';
import { totalOf } from '../evidence.ts';
import type { Rule } from '../finding.ts';
import { winners } from './winners.ts';

export const chanceDoesNotWin: Rule = {
  name: 'chance-does-not-win',
  levels: ['error', 'warning'],
  sentence: 'A few random calls with valid inputs do not earn `maxReward`',
  check: (evidence) =>
    winners(
      evidence,
      ({ kind, repeats }) => kind === 'random' && !repeats,
      (run, tasks) =>
        `${plural(run.steps.filter(({ isAfterEnd }) => !isAfterEnd).length, 'random call')} got ${formatNumber(totalOf(run), 12)} of ` +
        `maxReward ${evidence.maxReward} in ${tasks}; make guessing dearer, or the answers more`,
    ),
};
