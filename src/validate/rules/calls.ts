import { fieldsOf, formatDuration, groupBy, plural } from '../../core/index.ts';
import { EMPTY_TOOL_ERROR } from '../../environment/index.ts';
import type { ToolSpec } from '../../protocol/index.ts';
import type { TrialCallOutcome } from '../../trial/index.ts';
import { hasInvalidReward, noSteps, noTools, runsOf, stepsOf, uniqueBy } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';
import { formatCall, truncateLine } from '../finding.ts';

const FAILURES: Readonly<Partial<Record<TrialCallOutcome, string>>> = {
  crashed: 'crashed',
  late: 'timed out',
  lost: 'lost the session',
  malformed: 'returned what the standard does not allow',
};

/** Minimum number of letters of an explanation. */
const MIN_LETTERS = 4;

export const callRules: readonly ValidationRule[] = [
  {
    name: 'tools-answer',
    levels: ['error'],
    sentence: 'Every tool responds to a valid input in time, with an output or `ok: false`',
    explanation:
      'A tool that crashes or hangs on a valid input ends the episode without a reward, although the agent ' +
      'did nothing wrong. Every tool is called with generated valid inputs. Throw ToolError for what the ' +
      'agent can correct.',
    untested: noSteps,
    *check(evidence) {
      const failed = stepsOf(evidence).filter(
        // `rewards-within-max` reports invalid rewards.
        ({ run, step }) =>
          run.kind !== 'invalid' && !step.isAfterEnd && step.outcome in FAILURES && !hasInvalidReward(step),
      );
      const calls = uniqueBy(failed, ({ split, index, step }) => `${split} ${index} ${step.tool} ${step.outcome}`);
      for (const { split, index, step } of calls) {
        const call = `${formatCall(step)} ${FAILURES[step.outcome]}: ${truncateLine(step.text, 160)}`;
        const advice = 'throw ToolError for what the agent can correct, and return in all other cases';
        yield { split, index, message: `${call}; ${advice}` };
      }
    },
  },
  {
    name: 'refusals-explain',
    levels: ['warning'],
    sentence: 'A result `ok: false` says what is wrong',
    explanation:
      'A model corrects a call only if it learns what was wrong. The texts of all refusals are read. ' +
      'Describe the problem, and what would be correct.',
    untested: (evidence) =>
      stepsOf(evidence).some(({ step }) => step.outcome === 'refused') ? undefined : 'no call was refused',
    *check(evidence) {
      const unexplained = stepsOf(evidence).filter(
        ({ step: { outcome, text } }) => outcome === 'refused' && !isExplanation(text),
      );
      for (const { split, index, step } of uniqueBy(unexplained, ({ step }) => step.tool)) {
        const rejection = `${formatCall(step)} was rejected with '${step.text}'`;
        yield { split, index, message: `${rejection}; describe the problem, and what would be correct` };
      }
    },
  },
  {
    name: 'invalid-inputs-refused',
    levels: ['error', 'warning'],
    sentence: 'An input that does not match the schema is rejected with `ok: false`',
    explanation:
      'Models send inputs that break the schema; a tool that runs with them crashes or rewards nonsense. ' +
      'Every tool is called with inputs that are invalid in up to six ways. Validate inputs with the ' +
      'schema that the server lists.',
    untested: (evidence) =>
      runsOf(evidence).some(({ run }) => run.kind === 'invalid' && run.steps.length > 0)
        ? undefined
        : 'no invalid input was sent',
    *check(evidence) {
      const notRefused = stepsOf(evidence).filter(
        ({ run, step }) => run.kind === 'invalid' && step.outcome !== 'refused',
      );
      for (const { split, index, step } of uniqueBy(notRefused, ({ step }) => step.tool)) {
        const call = `${formatCall(step)}, invalid by ${step.what},`;
        const isAccepted = step.outcome === 'output';
        const message = isAccepted
          ? `${call} was accepted; validate inputs with the schema that the server lists, or correct the schema`
          : `${call} ${step.outcome === 'late' ? 'timed out' : 'crashed'}: ${truncateLine(step.text, 160)}; validate inputs before the tool runs`;
        yield { split, index, level: isAccepted ? 'warning' : 'error', message };
      }
    },
  },
  {
    name: 'inputs-are-accepted',
    levels: ['error', 'warning'],
    sentence: 'Every tool accepts some of the inputs that match its schema, the prompt and its refusals',
    explanation:
      'If a tool accepts no generated input, its outputs and rewards were not tested, and a model has to ' +
      'guess as well. Inputs follow the schema, the prompt and earlier refusals. Put limits into the ' +
      'schema, or state allowed values in the prompt.',
    untested: noSteps,
    *check(evidence) {
      const tried = stepsOf(evidence).filter(({ run, step }) => run.kind !== 'invalid' && !step.isAfterEnd);
      const isRefused = ({ step }: (typeof tried)[number]) => step.outcome === 'refused';
      const level = tried.every(isRefused) ? 'error' : 'warning';
      for (const [tool, calls] of groupBy(tried, ({ step }) => step.tool)) {
        const last = calls.at(-1);
        // The refusal of a tool without parameters is about the state of the episode.
        const isAboutInput = level === 'error' || hasParameters(evidence.tools.get(tool));
        if (!last || !isAboutInput || !calls.every(isRefused)) continue;
        const { split, index, step } = last;
        const summary = `'${tool}' accepted none of ${plural(calls.length, 'call')}, so its outputs and rewards were not tested`;
        const reason = `the last one, ${formatCall(step)}, was rejected with '${truncateLine(step.text, 160)}'`;
        const advice = 'put limits into the schema (enum, minimum, pattern), or state allowed values in the prompt';
        yield { split, index, level, message: `${summary}; ${reason}; ${advice}` };
      }
    },
  },
  {
    name: 'tools-are-tried',
    levels: ['note'],
    sentence: 'An input can be generated from the schema of every tool',
    explanation:
      'A tool without a generated input was not called, so no rule tested it. Simplify its schema, or add ' +
      'examples to it.',
    untested: noTools,
    check: ({ untriedTools }) =>
      untriedTools.map(({ tool, reason }) => ({ message: `tool '${tool}' was not called: ${reason}` })),
  },
];

const hasParameters = (tool: ToolSpec | undefined): boolean =>
  Object.keys(fieldsOf(fieldsOf(tool?.input_schema).properties)).length > 0;

const isExplanation = (text: string): boolean =>
  !text.endsWith(EMPTY_TOOL_ERROR) && text.replace(/[^\p{L}]/gu, '').length >= MIN_LETTERS;

/** Reports durations. Which ones are too long depends on the tool. */
export const stepTime: ValidationRule = {
  name: 'step-time',
  levels: ['note'],
  sentence: 'Duration of calls: the median and the slowest',
  explanation:
    'Calls of a slow environment keep accelerators waiting. The durations of all calls are measured. ' +
    'What is too slow depends on the tool.',
  untested: noSteps,
  *check(evidence) {
    const steps = stepsOf(evidence).sort((a, b) => a.step.ms - b.step.ms);
    const median = steps[Math.floor((steps.length - 1) / 2)];
    const slowest = steps.at(-1);
    if (!median || !slowest) return;
    const { split, index, step } = slowest;
    const medianTime = `of ${plural(steps.length, 'call')} the median took ${formatDuration(median.step.ms)}`;
    yield { split, index, message: `${medianTime}; the slowest, ${formatCall(step)}, took ${formatDuration(step.ms)}` };
  },
};
