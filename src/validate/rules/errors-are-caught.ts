import type { ValidationRule } from '../finding.ts';

export const errorsAreCaught: ValidationRule = {
  name: 'errors-are-caught',
  levels: ['error'],
  sentence: 'The code of the environment has no uncaught exception and no unhandled rejection',
  *check({ uncaught }) {
    for (const error of new Set(uncaught)) {
      yield {
        message: `nobody caught ${error}; it ends a process that serves: await what rejects, and catch in callbacks`,
      };
    }
  },
};
