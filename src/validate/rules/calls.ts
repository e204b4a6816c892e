import { formatDuration, plural } from '../../core/index.ts';
import { type CallEvidence, type EpisodeRun, iterateRuns, iterateSteps, type StepOutcome } from '../evidence.ts';
import type { FindingLevel, RuleFinding, ValidationRule } from '../finding.ts';
import { formatCallText, truncateLine } from '../text.ts';

const OUTCOMES: Readonly<Partial<Record<StepOutcome, string>>> = {
  crashed: 'crashed',
  late: 'timed out',
  lost: 'lost the session',
  malformed: 'returned what the standard does not allow',
};

export const toolsAnswer: ValidationRule = {
  name: 'tools-answer',
  levels: ['error'],
  sentence: 'Every tool responds to a valid input in time, with an output or `ok: false`',
  *check(evidence) {
    const reported = new Set<string>();
    for (const { split, index, run, step } of iterateSteps(evidence)) {
      const key = `${split} ${index} ${step.tool} ${step.outcome}`;
      if (run.kind === 'invalid' || step.isAfterEnd || reported.has(key)) continue;
      // `rewards-within-max` reports invalid rewards.
      const isInvalidReward = step.outcome === 'malformed' && step.text.includes('reward');
      const outcome = isInvalidReward ? undefined : OUTCOMES[step.outcome];
      if (outcome === undefined) continue;
      reported.add(key);
      const call = `${formatCallText(step.tool, step.input)} ${outcome}: ${truncateLine(step.text, 160)}`;
      const advice = 'throw ToolError for what the agent can correct, and return in all other cases';
      yield { split, index, message: `${call}; ${advice}` };
    }
  },
};

/** Text of our server for an empty reason. */
const NO_REASON = /the tool gave no reason$/;
/** Minimum number of letters of an explanation. */
const MIN_LETTERS = 4;

export const refusalsExplain: ValidationRule = {
  name: 'refusals-explain',
  levels: ['warning'],
  sentence: 'A result `ok: false` says what is wrong',
  *check(evidence) {
    const reported = new Set<string>();
    for (const { split, index, step } of iterateSteps(evidence)) {
      if (step.outcome !== 'refused' || reported.has(step.tool)) continue;
      const letters = step.text.replace(/[^\p{L}]/gu, '').length;
      if (!NO_REASON.test(step.text) && letters >= MIN_LETTERS) continue;
      reported.add(step.tool);
      const call = formatCallText(step.tool, step.input);
      const message = `${call} was rejected with '${step.text}'; describe the problem, and what would be correct`;
      yield { split, index, message };
    }
  },
};

export const invalidInputsRefused: ValidationRule = {
  name: 'invalid-inputs-refused',
  levels: ['error', 'warning'],
  sentence: 'An input that does not match the schema is rejected with `ok: false`',
  *check(evidence) {
    const reported = new Set<string>();
    for (const { split, index, run, step } of iterateSteps(evidence)) {
      if (run.kind !== 'invalid' || step.outcome === 'refused' || reported.has(step.tool)) continue;
      reported.add(step.tool);
      const call = `${formatCallText(step.tool, step.input)}, invalid by ${step.what},`;
      const isAccepted = step.outcome === 'output';
      const message = isAccepted
        ? `${call} was accepted; validate inputs with the schema that the server lists, or correct the schema`
        : `${call} ${step.outcome === 'late' ? 'timed out' : 'crashed'}: ${truncateLine(step.text, 160)}; validate inputs before the tool runs`;
      yield { split, index, level: isAccepted ? 'warning' : 'error', message };
    }
  },
};

export const toolsAreTried: ValidationRule = {
  name: 'tools-are-tried',
  levels: ['note'],
  sentence: 'An input can be generated from the schema of every tool',
  *check({ untriedTools }) {
    for (const { tool, reason } of untriedTools) yield { message: `tool '${tool}' was not called: ${reason}` };
  },
};

/** Reports durations. Which ones are too long depends on the tool. */
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
    const medianTime = `of ${plural(steps.length, 'call')} the median took ${formatDuration(median.step.ms)}`;
    yield { split, index, message: `${medianTime}; the slowest, ${call}, took ${formatDuration(step.ms)}` };
  },
};

export const endIsFinal: ValidationRule = {
  name: 'end-is-final',
  levels: ['error'],
  sentence: 'A finished episode runs no tool and returns no reward',
  *check(evidence) {
    for (const { split, index, step } of iterateSteps(evidence)) {
      if (!step.isAfterEnd || step.outcome !== 'output') continue;
      const call = formatCallText(step.tool, step.input);
      const message = `${call} ran after the episode had finished, and returned the reward ${step.reward}; return ok: false`;
      yield { split, index, message };
    }
  },
};

/** A different text is only a warning, since it may contain a time or an id. */
export const runsRepeat: ValidationRule = {
  name: 'runs-repeat',
  levels: ['error', 'warning'],
  sentence: 'Two episodes of a task with the same calls return the same rewards and blocks',
  *check(evidence) {
    for (const { split, index, run } of iterateRuns(evidence)) {
      if (!run.repeats) continue;
      const difference = runDifference(run.repeats, run);
      if (difference) yield { split, index, ...difference };
    }
  },
};

function runDifference(
  first: EpisodeRun,
  second: EpisodeRun,
): (Pick<RuleFinding, 'message'> & { readonly level: FindingLevel }) | undefined {
  for (const [at, again] of second.steps.entries()) {
    const before = first.steps[at];
    if (!before || before.isAfterEnd) return undefined;
    const call = `call ${at + 1} of two equal episodes, ${formatCallText(again.tool, again.input)},`;
    if (describeOutcome(before) !== describeOutcome(again)) {
      const outcomes = `${describeOutcome(before)} and then ${describeOutcome(again)}`;
      return { level: 'error', message: `${call} ${outcomes}; remove randomness, or seed it with the task` };
    }
    if (before.digest !== again.digest) {
      const texts =
        before.text === again.text
          ? 'different blocks'
          : `'${truncateLine(before.text, 60)}' and then '${truncateLine(again.text, 60)}'`;
      return { level: 'warning', message: `${call} returned ${texts}; trainers that replay episodes see another one` };
    }
  }
  return undefined;
}

/** Describes the part of a call that has to be the same: its outcome, reward and end. */
function describeOutcome({ outcome, reward, finished }: CallEvidence): string {
  if (outcome !== 'output') return outcome === 'refused' ? 'was rejected' : `failed (${outcome})`;
  return `returned the reward ${reward}${finished ? ' and finished' : ''}`;
}
