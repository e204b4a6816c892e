import type { Rule } from '../finding.ts';

export const errorsAreCaught: Rule = {
  name: 'errors-are-caught',
  levels: ['error'],
  sentence: 'No code of the environment throws, or rejects, where nobody catches it',
  *check({ uncaught }) {
    for (const error of new Set(uncaught)) {
      yield {
        message: `nobody caught ${error}; it ends a process that serves: await what rejects, and catch in callbacks`,
      };
    }
  },
};
