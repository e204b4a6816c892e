import { iterateSteps } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';
import { formatCallText } from '../words.ts';

/** Our server's words for a reason that is empty. */
const NO_REASON = /the tool gave no reason$/;
/** Nobody says what to do in fewer letters. */
const MIN_LETTERS = 4;

export const refusalsExplain: ValidationRule = {
  name: 'refusals-explain',
  levels: ['warning'],
  sentence: 'A result `ok: false` says what is wrong',
  *check(evidence) {
    const told = new Set<string>();
    for (const { split, index, step } of iterateSteps(evidence)) {
      if (step.outcome !== 'refused' || told.has(step.tool)) continue;
      const letters = step.text.replace(/[^\p{L}]/gu, '').length;
      if (!NO_REASON.test(step.text) && letters >= MIN_LETTERS) continue;
      told.add(step.tool);
      const call = formatCallText(step.tool, step.input);
      yield {
        split,
        index,
        message: `${call} was refused with '${step.text}'; say what was wrong, and what would be right`,
      };
    }
  },
};
