import type { ValidationRule } from '../finding.ts';

export const indexInRange: ValidationRule = {
  name: 'index-in-range',
  levels: ['error'],
  sentence: 'An index beyond the last task is rejected',
  *check({ splits }) {
    for (const { name, count, outOfRange } of splits) {
      for (const { description, index, refused } of outOfRange) {
        if (refused) continue;
        const message = `${description} ${index} was given, although num_tasks is ${count}; answer 400, or say how many there are`;
        yield { split: name, index, message };
      }
    }
  },
};
