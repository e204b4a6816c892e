import { type CallEvidence, iterateSteps, type StepOutcome } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';
import { formatCallText, truncateLine } from '../words.ts';

const WORDS: Readonly<Partial<Record<StepOutcome, string>>> = {
  crashed: 'crashed',
  late: 'hung',
  lost: 'cost the session',
  malformed: 'gave what the standard does not allow',
};

export const toolsAnswer: ValidationRule = {
  name: 'tools-answer',
  levels: ['error'],
  sentence: 'Every tool responds to a valid input in time, with an output or `ok: false`',
  *check(evidence) {
    const told = new Set<string>();
    for (const { split, index, run, step } of iterateSteps(evidence)) {
      const key = `${split} ${index} ${step.tool} ${step.outcome}`;
      if (run.kind === 'invalid' || step.isAfterEnd || told.has(key)) continue;
      const what = isOfReward(step) ? undefined : WORDS[step.outcome];
      if (what === undefined) continue;
      told.add(key);
      const advice = 'throw ToolError for what the agent can mend, and return for everything else';
      yield {
        split,
        index,
        message: `${formatCallText(step.tool, step.input)} ${what}: ${truncateLine(step.text, 160)}; ${advice}`,
      };
    }
  },
};

/** A rule of its own tells it. */
const isOfReward = ({ outcome, text }: CallEvidence): boolean => outcome === 'malformed' && text.includes('reward');
