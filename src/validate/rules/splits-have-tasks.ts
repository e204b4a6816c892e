import type { ValidationRule } from '../finding.ts';

export const splitsHaveTasks: ValidationRule = {
  name: 'splits-have-tasks',
  levels: ['note'],
  sentence: 'Every split has tasks',
  *check({ splits }) {
    for (const { name, count } of splits) {
      if (count === 0) yield { split: name, message: 'it has no tasks; leave the split out, or fill it' };
    }
  },
};
