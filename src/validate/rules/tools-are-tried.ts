import type { ValidationRule } from '../finding.ts';

export const toolsAreTried: ValidationRule = {
  name: 'tools-are-tried',
  levels: ['note'],
  sentence: 'An input can be generated from the schema of every tool',
  *check({ untriedTools }) {
    for (const { tool, reason } of untriedTools) yield { message: `tool '${tool}' was not tried: ${reason}` };
  },
};
