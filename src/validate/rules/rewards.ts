import { formatNumber, plural } from '../../core/index.ts';
import { exceedsBound, reachesBound } from '../../protocol/index.ts';
import {
  type EpisodeRun,
  type Evidence,
  hasInvalidReward,
  noSource,
  noSteps,
  runsOf,
  stepsOf,
  totalReward,
  type UntestedReason,
} from '../evidence.ts';
import type { RuleFinding, ValidationRule } from '../finding.ts';
import { formatCall, formatShare, truncateLine } from '../finding.ts';

const NO_MAX_REWARD = 'maxReward is not known';

const noSolve =
  (needsMaxReward: boolean): UntestedReason =>
  (evidence) => {
    if (!evidence.hasSource) return noSource(evidence);
    if (!evidence.hasSolve) return 'the environment has no solve';
    return needsMaxReward && evidence.maxReward === undefined ? NO_MAX_REWARD : undefined;
  };

const notPlayed =
  (kind: EpisodeRun['kind']): UntestedReason =>
  (evidence) => {
    if (evidence.maxReward === undefined) return NO_MAX_REWARD;
    const isPlayed = runsOf(evidence).some(({ run }) => run.kind === kind && !run.failure);
    return isPlayed ? undefined : 'no such episode could be played';
  };

export const rewardRules: readonly ValidationRule[] = [
  {
    name: 'goal-is-known',
    levels: ['note'],
    sentence: 'The environment has `solve` and `maxReward`, so that its rewards can be tested',
    explanation:
      'Without solve and maxReward, no rule can say whether the best play earns the best reward. Add both; ' +
      'for the URL of a server, pass --max-reward.',
    *check({ hasSource, hasSolve, maxReward }) {
      if (hasSource && !hasSolve) {
        yield { message: 'the environment has no solve, so its tasks were not solved; add it' };
      }
      if (maxReward !== undefined) return;
      const advice = hasSource ? 'add it' : 'pass it with --max-reward';
      yield { message: `maxReward is not known, so idle and random agents were not compared with it; ${advice}` };
    },
  },
  {
    name: 'solve-reaches-max',
    levels: ['error'],
    sentence: '`solve` of the environment completes and earns `maxReward`',
    explanation:
      'If the reference solution does not earn maxReward, no agent can, or the grader is wrong. solve ' +
      'plays each sampled task. Fix solve, the grader, or maxReward.',
    untested: noSolve(true),
    *check(evidence) {
      const { maxReward } = evidence;
      for (const { split, index, run } of solveRuns(evidence)) {
        if (run.failure?.stage === 'solve') {
          const message = `solve failed: ${run.failure.message}; fix solve, or the tool that it calls`;
          yield { split, index, message };
        } else if (!run.failure && maxReward !== undefined && !reachesBound(totalReward(run), maxReward)) {
          const last = run.steps.findLast(({ isAfterEnd }) => !isAfterEnd);
          const end = last
            ? `its last call ${formatCall(last)} returned '${truncateLine(last.text)}'`
            : 'it made no calls';
          const message = `solve earned ${formatNumber(totalReward(run), 12)} of maxReward ${maxReward}; ${end}`;
          yield { split, index, message };
        }
      }
    },
  },
  {
    name: 'solve-finishes',
    levels: ['error'],
    sentence: 'An episode that `solve` plays is finished',
    explanation:
      'Agents play until the environment says finished, so an episode without an end costs the whole ' +
      'budget of turns. Return finished: true with the last result.',
    untested: noSolve(false),
    *check(evidence) {
      for (const { split, index, run } of solveRuns(evidence)) {
        if (run.failure || run.steps.some(({ finished }) => finished)) continue;
        const advice = 'return finished: true when the task is done, or agents continue until their limit';
        const message = `after the ${run.steps.length} calls of solve the episode is not finished; ${advice}`;
        yield { split, index, message };
      }
    },
  },
  {
    name: 'idleness-does-not-win',
    levels: ['error', 'warning'],
    sentence: 'Doing nothing, or one call with a minimal valid input, does not earn `maxReward`',
    explanation:
      'A reward that is free teaches a model to do nothing. Each sampled task is played without any call, ' +
      'and with one minimal valid call of each tool. Reward the answer, not the call.',
    untested: notPlayed('idle'),
    *check(evidence) {
      const max = `maxReward ${evidence.maxReward}`;
      const advice = 'set maxReward to the sum of rewards of a perfect episode';
      yield* findWins(evidence, 'idle', (_run, tasks) => `calling nothing earns ${max} in ${tasks}; ${advice}`);
      yield* findWins(evidence, 'minimal', ({ steps: [step] }, tasks) => {
        const call = step ? formatCall(step) : '';
        return `${call}, an input generated from the schema alone, earns ${max} in ${tasks}; reward the answer, not the call`;
      });
    },
  },
  {
    name: 'chance-does-not-win',
    levels: ['error', 'warning'],
    sentence: 'A few random calls with valid inputs do not earn `maxReward`',
    explanation:
      'A reward that random calls earn is easy to find without solving the task. Each sampled task is ' +
      'played with eight random valid calls. Make guesses more expensive, or allow more answers.',
    untested: notPlayed('random'),
    check: (evidence) =>
      findWins(evidence, 'random', (run, tasks) => {
        const calls = plural(run.steps.filter(({ isAfterEnd }) => !isAfterEnd).length, 'random call');
        const reward = `${formatNumber(totalReward(run), 12)} of maxReward ${evidence.maxReward}`;
        return `${calls} earned ${reward} in ${tasks}; make guesses more expensive, or allow more answers`;
      }),
  },
  {
    name: 'rewards-within-max',
    levels: ['error'],
    sentence: 'The rewards of an episode are finite and add up to at most `maxReward`',
    explanation:
      'Scores are compared with maxReward, so a larger sum counts as more than perfect. The rewards of all ' +
      'episodes are added up. Raise maxReward, or do not reward a step twice.',
    untested: (evidence) => (evidence.maxReward === undefined ? NO_MAX_REWARD : noSteps(evidence)),
    *check(evidence) {
      const { maxReward } = evidence;
      const reported = new Set<string>();
      for (const { split, index, run } of runsOf(evidence)) {
        const key = `${split} ${index} ${run.kind}`;
        const invalid = run.steps.find(hasInvalidReward);
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
  },
  {
    name: 'end-is-final',
    levels: ['error'],
    sentence: 'A finished episode runs no tool and returns no reward',
    explanation:
      'A reward after the end is a way to earn more than the task allows. Tools are called again after the ' +
      'episode has finished. Return ok: false then; servers of this package do.',
    untested: (evidence) =>
      stepsOf(evidence).some(({ step }) => step.isAfterEnd) ? undefined : 'no episode was finished by a call',
    *check(evidence) {
      for (const { split, index, step } of stepsOf(evidence)) {
        if (!step.isAfterEnd || step.outcome !== 'output') continue;
        const ran = `${formatCall(step)} ran after the episode had finished`;
        yield { split, index, message: `${ran}, and returned the reward ${step.reward}; return ok: false` };
      }
    },
  },
];

const solveRuns = (evidence: Evidence) => runsOf(evidence).filter(({ run }) => run.kind === 'solve' && !run.repeats);

/**
 * Finds sampled tasks of which a run of a kind earns `maxReward`, and yields one finding per split. It is an error if these
 * are more than half of the tasks.
 */
function* findWins(
  { splits, maxReward }: Evidence,
  kind: EpisodeRun['kind'],
  describe: (run: EpisodeRun, tasks: string) => string,
): Generator<RuleFinding> {
  if (maxReward === undefined) return;
  const isPlayed = (run: EpisodeRun) => run.kind === kind && !run.repeats && !run.failure;
  for (const { name, tasks } of splits) {
    const played = tasks.filter(({ runs }) => runs.some(isPlayed));
    const won = played.flatMap(({ index, runs }) => {
      const run = runs.find((each) => isPlayed(each) && reachesBound(totalReward(each), maxReward));
      return run ? [{ index, run }] : [];
    });
    const [first] = won;
    if (!first) continue;
    const level = won.length * 2 > played.length ? 'error' : 'warning';
    const message = describe(first.run, formatShare(won.length, played.length));
    yield { level, split: name, index: first.index, message };
  }
}
