import { type Run, runsOf, type Step } from '../evidence.ts';
import type { Found, Level, Rule } from '../finding.ts';
import { brief, callText } from '../words.ts';

/** Texts may tell a time or an id; a reward must not be a matter of luck. */
export const runsRepeat: Rule = {
  name: 'runs-repeat',
  levels: ['error', 'warning'],
  sentence: 'Two episodes of a task with the same calls return the same rewards and blocks',
  *check(evidence) {
    for (const { split, index, run } of runsOf(evidence)) {
      if (!run.repeats) continue;
      const difference = differenceOf(run.repeats, run);
      if (difference) yield { split, index, ...difference };
    }
  },
};

function differenceOf(first: Run, second: Run): (Pick<Found, 'message'> & { readonly level: Level }) | undefined {
  for (const [at, again] of second.steps.entries()) {
    const before = first.steps[at];
    if (!before || before.isAfterEnd) return undefined;
    const call = `call ${at + 1} of two equal episodes, ${callText(again.tool, again.input)},`;
    if (accountOf(before) !== accountOf(again)) {
      const message = `${call} ${accountOf(before)} and then ${accountOf(again)}; keep chance out of it, or seed it by the task`;
      return { level: 'error', message };
    }
    if (before.digest !== again.digest) {
      const texts =
        before.text === again.text ? 'other blocks' : `'${brief(before.text, 60)}' and then '${brief(again.text, 60)}'`;
      const message = `${call} gave ${texts}; a trainer that replays the episode sees another one`;
      return { level: 'warning', message };
    }
  }
  return undefined;
}

/** What must be the same: how the call came out, and what it was worth. */
function accountOf({ outcome, reward, finished }: Step): string {
  if (outcome !== 'output') return outcome === 'refused' ? 'was refused' : `failed (${outcome})`;
  return `gave the reward ${reward}${finished ? ' and finished' : ''}`;
}
