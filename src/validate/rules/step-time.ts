import { stepsOf } from '../evidence.ts';
import type { Rule } from '../finding.ts';
import { callText, plural } from '../words.ts';

/** No rule, for what is long depends on what is done; but who trains waits for it. */
export const stepTime: Rule = {
  name: 'step-time',
  levels: ['note'],
  sentence: 'Duration of calls: the median and the slowest',
  *check(evidence) {
    const steps = Array.from(stepsOf(evidence)).sort((a, b) => a.step.ms - b.step.ms);
    const median = steps[Math.floor((steps.length - 1) / 2)];
    const slowest = steps.at(-1);
    if (!median || !slowest) return;
    const { split, index, step } = slowest;
    const call = callText(step.tool, step.input);
    const message = `of ${plural(steps.length, 'call')} the median took ${time(median.step.ms)}; the slowest, ${call}, took ${time(step.ms)}`;
    yield { split, index, message };
  },
};

const time = (ms: number): string =>
  ms < 1000 ? `${Number(ms.toPrecision(2))} ms` : `${Number((ms / 1000).toPrecision(3))} s`;
