import type { ValidationRule } from '../finding.ts';
import { formatShare, iterateLeaves } from '../words.ts';

const ANSWER =
  /^(answers?|final_answer|solutions?|gold(en)?(_.*)?|ground_?truths?|correct(_.*)?|reference_(answer|solution)s?|canonical_solution)$/;
/** Words of puzzles too; where `solve` submits something, it shows what the answer is. */
const PERHAPS =
  /^(targets?|goals?|expected(_.*)?|labels?|results?|tests?|test_cases?|checks?|rubrics?|hidden_.*|secrets?)$/;

export const taskKeysHideAnswers: ValidationRule = {
  name: 'task-keys-hide-answers',
  levels: ['warning'],
  sentence: 'No key of a public task is named like an answer',
  *check({ splits, hasSolve }) {
    for (const { name, tasks } of splits) {
      const paths = new Map<string, number>();
      for (const { publicTask } of tasks) {
        for (const path of new Set(Array.from(iterateLeaves(publicTask), ({ path }) => path))) {
          if (path.split('.').some((key) => isSuspect(key, hasSolve))) paths.set(path, (paths.get(path) ?? 0) + 1);
        }
      }
      for (const [path, count] of paths) {
        const advice = 'if it is the answer, leave it out with publicTask: agents may read tasks';
        yield {
          split: name,
          message: `the public task has '${path}' in ${formatShare(count, tasks.length)}; ${advice}`,
        };
      }
    }
  },
};

function isSuspect(key: string, hasSolve: boolean): boolean {
  const word = key
    .replaceAll('[]', '')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase();
  return ANSWER.test(word) || (!hasSolve && PERHAPS.test(word));
}
