import { formatDuration, plural } from '../../core/index.ts';
import { iterateSteps } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';
import { formatCallText } from '../words.ts';

/** No rule, for what is long depends on what is done; but who trains waits for it. */
export const stepTime: ValidationRule = {
  name: 'step-time',
  levels: ['note'],
  sentence: 'Duration of calls: the median and the slowest',
  *check(evidence) {
    const steps = Array.from(iterateSteps(evidence)).sort((a, b) => a.step.ms - b.step.ms);
    const median = steps[Math.floor((steps.length - 1) / 2)];
    const slowest = steps.at(-1);
    if (!median || !slowest) return;
    const { split, index, step } = slowest;
    const call = formatCallText(step.tool, step.input);
    const message = `of ${plural(steps.length, 'call')} the median took ${formatDuration(median.step.ms)}; the slowest, ${call}, took ${formatDuration(step.ms)}`;
    yield { split, index, message };
  },
};
