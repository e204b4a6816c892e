import type { ValidationRule } from '../finding.ts';

export const indexInRange: ValidationRule = {
  name: 'index-in-range',
  levels: ['error'],
  sentence: 'An index beyond the last task is rejected',
  *check({ splits }) {
    for (const { name, count, outOfRange: beyond } of splits) {
      for (const { description: asked, index, refused } of beyond) {
        if (refused) continue;
        const message = `${asked} ${index} was given, although num_tasks is ${count}; answer 400, or say how many there are`;
        yield { split: name, index, message };
      }
    }
  },
};
