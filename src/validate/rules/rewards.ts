import { formatNumber, plural } from '../../core/index.ts';
import { exceedsBound, reachesBound } from '../../protocol/index.ts';
import { type EpisodeRun, type Evidence, iterateRuns, totalReward } from '../evidence.ts';
import type { FindingLevel, RuleFinding, ValidationRule } from '../finding.ts';
import { formatCallText, formatShare, truncateLine } from '../text.ts';

/** Reports missing definitions without which other rules cannot be checked. */
export const goalIsKnown: ValidationRule = {
  name: 'goal-is-known',
  levels: ['note'],
  sentence: 'The environment has `solve` and `maxReward`, so that its rewards can be tested',
  *check({ hasSource, hasSolve, maxReward }) {
    if (hasSource && !hasSolve) {
      yield { message: 'the environment has no solve, so its tasks were not solved; add it' };
    }
    if (maxReward !== undefined) return;
    const advice = hasSource ? 'add it' : 'pass it with --max-reward';
    yield { message: `maxReward is not known, so idle and random agents were not compared with it; ${advice}` };
  },
};

export const solveReachesMax: ValidationRule = {
  name: 'solve-reaches-max',
  levels: ['error'],
  sentence: '`solve` of the environment completes and earns `maxReward`',
  *check(evidence) {
    const { maxReward } = evidence;
    for (const { split, index, run } of iterateRuns(evidence)) {
      if (run.kind !== 'solve' || run.repeats) continue;
      if (run.failure?.stage === 'solve') {
        const message = `solve failed: ${run.failure.message}; fix solve, or the tool that it calls`;
        yield { split, index, message };
      } else if (!run.failure && maxReward !== undefined && !reachesBound(totalReward(run), maxReward)) {
        const last = run.steps.findLast(({ isAfterEnd }) => !isAfterEnd);
        const end = last
          ? `its last call ${formatCallText(last.tool, last.input)} gave '${truncateLine(last.text)}'`
          : 'it made no calls';
        const message = `solve gets ${formatNumber(totalReward(run), 12)} of maxReward ${maxReward}; ${end}`;
        yield { split, index, message };
      }
    }
  },
};

export const solveFinishes: ValidationRule = {
  name: 'solve-finishes',
  levels: ['error'],
  sentence: 'An episode that `solve` plays is finished',
  *check(evidence) {
    for (const { split, index, run } of iterateRuns(evidence)) {
      if (run.kind !== 'solve' || run.repeats || run.failure) continue;
      if (run.steps.some(({ finished }) => finished)) continue;
      const advice = 'return finished: true when the task is done, or agents continue until their limit';
      const message = `after the ${run.steps.length} calls of solve the episode is not finished; ${advice}`;
      yield { split, index, message };
    }
  },
};

export const idlenessDoesNotWin: ValidationRule = {
  name: 'idleness-does-not-win',
  levels: ['error', 'warning'],
  sentence: 'Doing nothing, or one call with a minimal valid input, does not earn `maxReward`',
  *check(evidence) {
    const max = `maxReward ${evidence.maxReward}`;
    yield* findMaxRewardRuns(
      evidence,
      ({ kind }) => kind === 'idle',
      (_run, tasks) =>
        `calling nothing earns ${max} in ${tasks}; set maxReward to the sum of rewards of a perfect episode`,
    );
    yield* findMaxRewardRuns(
      evidence,
      ({ kind }) => kind === 'least',
      ({ steps: [step] }, tasks) => {
        const call = step ? formatCallText(step.tool, step.input) : '';
        return `${call}, an input generated from the schema alone, earns ${max} in ${tasks}; reward the answer, not the call`;
      },
    );
  },
};

export const chanceDoesNotWin: ValidationRule = {
  name: 'chance-does-not-win',
  levels: ['error', 'warning'],
  sentence: 'A few random calls with valid inputs do not earn `maxReward`',
  check: (evidence) =>
    findMaxRewardRuns(
      evidence,
      ({ kind, repeats }) => kind === 'random' && !repeats,
      (run, tasks) => {
        const calls = plural(run.steps.filter(({ isAfterEnd }) => !isAfterEnd).length, 'random call');
        const reward = `${formatNumber(totalReward(run), 12)} of maxReward ${evidence.maxReward}`;
        return `${calls} earned ${reward} in ${tasks}; make guesses more expensive, or allow more answers`;
      },
    ),
};

/**
 * Finds sampled tasks of which a run of some kind earns `maxReward`, and yields one finding per split. It is an error if
 * these are more than half of the tasks.
 */
function* findMaxRewardRuns(
  { splits, maxReward }: Evidence,
  isOfKind: (run: EpisodeRun) => boolean,
  describe: (run: EpisodeRun, tasks: string) => string,
): Generator<RuleFinding> {
  if (maxReward === undefined) return;
  for (const { name, tasks } of splits) {
    const played = tasks.filter(({ runs }) => runs.some((run) => isOfKind(run) && !run.failure));
    const won = played.flatMap(({ index, runs }) => {
      const run = runs.find((each) => isOfKind(each) && !each.failure && reachesBound(totalReward(each), maxReward));
      return run ? [{ index, run }] : [];
    });
    const [first] = won;
    if (!first) continue;
    const level: FindingLevel = won.length * 2 > played.length ? 'error' : 'warning';
    const message = describe(first.run, formatShare(won.length, played.length));
    yield { level, split: name, index: first.index, message };
  }
}

export const rewardsWithinMax: ValidationRule = {
  name: 'rewards-within-max',
  levels: ['error'],
  sentence: 'The rewards of an episode are finite and add up to at most `maxReward`',
  *check(evidence) {
    const { maxReward } = evidence;
    const reported = new Set<string>();
    for (const { split, index, run } of iterateRuns(evidence)) {
      const key = `${split} ${index} ${run.kind}`;
      const invalid = run.steps.find(({ outcome, text }) => outcome === 'malformed' && text.includes('reward'));
      if (invalid) {
        yield { split, index, message: `the call of ${invalid.tool} returned an invalid reward: ${invalid.text}` };
      } else if (maxReward !== undefined && exceedsBound(totalReward(run), maxReward) && !reported.has(key)) {
        reported.add(key);
        const player = run.kind === 'solve' ? 'solve' : `a run of the kind '${run.kind}'`;
        const reward = formatNumber(totalReward(run), 12);
        const advice = 'raise maxReward, or do not reward a step twice';
        yield { split, index, message: `${player} earned ${reward}, more than maxReward ${maxReward}; ${advice}` };
      }
    }
  },
};
