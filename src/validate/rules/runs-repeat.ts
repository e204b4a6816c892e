import { type CallEvidence, type EpisodeRun, iterateRuns } from '../evidence.ts';
import type { FindingLevel, RuleFinding, ValidationRule } from '../finding.ts';
import { formatCallText, truncateLine } from '../words.ts';

/** Texts may tell a time or an id; a reward must not be a matter of luck. */
export const runsRepeat: ValidationRule = {
  name: 'runs-repeat',
  levels: ['error', 'warning'],
  sentence: 'Two episodes of a task with the same calls return the same rewards and blocks',
  *check(evidence) {
    for (const { split, index, run } of iterateRuns(evidence)) {
      if (!run.repeats) continue;
      const difference = differenceOf(run.repeats, run);
      if (difference) yield { split, index, ...difference };
    }
  },
};

function differenceOf(
  first: EpisodeRun,
  second: EpisodeRun,
): (Pick<RuleFinding, 'message'> & { readonly level: FindingLevel }) | undefined {
  for (const [at, again] of second.steps.entries()) {
    const before = first.steps[at];
    if (!before || before.isAfterEnd) return undefined;
    const call = `call ${at + 1} of two equal episodes, ${formatCallText(again.tool, again.input)},`;
    if (accountOf(before) !== accountOf(again)) {
      const message = `${call} ${accountOf(before)} and then ${accountOf(again)}; keep chance out of it, or seed it by the task`;
      return { level: 'error', message };
    }
    if (before.digest !== again.digest) {
      const texts =
        before.text === again.text
          ? 'other blocks'
          : `'${truncateLine(before.text, 60)}' and then '${truncateLine(again.text, 60)}'`;
      const message = `${call} gave ${texts}; a trainer that replays the episode sees another one`;
      return { level: 'warning', message };
    }
  }
  return undefined;
}

/** What must be the same: how the call came out, and what it was worth. */
function accountOf({ outcome, reward, finished }: CallEvidence): string {
  if (outcome !== 'output') return outcome === 'refused' ? 'was refused' : `failed (${outcome})`;
  return `gave the reward ${reward}${finished ? ' and finished' : ''}`;
}
