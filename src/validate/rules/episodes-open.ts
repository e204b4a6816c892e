import { iterateRuns } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';

export const episodesOpen: ValidationRule = {
  name: 'episodes-open',
  levels: ['error'],
  sentence: 'Setup, prompt and tools of every task succeed',
  *check(evidence) {
    const told = new Set<string>();
    for (const { split, index, run } of iterateRuns(evidence)) {
      if (run.failure?.stage !== 'open' || told.has(`${split} ${index}`)) continue;
      told.add(`${split} ${index}`);
      const where = run.kind === 'fresh' ? ' in a second copy of the module' : '';
      const advice = 'if it needs a secret, give it with --secret NAME';
      yield { split, index, message: `no episode can be opened${where}: ${run.failure.message}; ${advice}` };
    }
  },
};
