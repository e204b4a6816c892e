import type { ValidationRule } from '../finding.ts';

export const cleanupSucceeds: ValidationRule = {
  name: 'cleanup-succeeds',
  levels: ['error'],
  sentence: 'teardown and the functions of onCleanup succeed, however the episode ends',
  *check({ lifecycles }) {
    const told = new Set<string>();
    for (const { how, split, index, failures } of lifecycles) {
      for (const failure of failures) {
        if (told.has(failure)) continue;
        told.add(failure);
        yield {
          split,
          index,
          message: `of an episode that was ${how}, ${failure}; undo what is there, and nothing else`,
        };
      }
    }
  },
};
