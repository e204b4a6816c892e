import { iterateSteps } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';
import { formatCallText, truncateLine } from '../words.ts';

export const invalidInputsRefused: ValidationRule = {
  name: 'invalid-inputs-refused',
  levels: ['error', 'warning'],
  sentence: 'An input that does not match the schema is rejected with `ok: false`',
  *check(evidence) {
    const told = new Set<string>();
    for (const { split, index, run, step } of iterateSteps(evidence)) {
      if (run.kind !== 'invalid' || step.outcome === 'refused' || told.has(step.tool)) continue;
      told.add(step.tool);
      const call = `${formatCallText(step.tool, step.input)}, invalid by ${step.what},`;
      const isTaken = step.outcome === 'output';
      const message = isTaken
        ? `${call} was taken; check inputs by the schema that is shown, or show the one that is meant`
        : `${call} ${step.outcome === 'late' ? 'hung' : 'crashed'}: ${truncateLine(step.text, 160)}; check inputs before the tool runs`;
      yield { split, index, level: isTaken ? 'warning' : 'error', message };
    }
  },
};
