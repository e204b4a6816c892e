import { canonicalJson } from '../../core/index.ts';
import {
  type CallEvidence,
  type EpisodeRun,
  noPrompts,
  noRuns,
  runsOf,
  type TaskEvidence,
  uniqueBy,
} from '../evidence.ts';
import type { RuleFinding, ValidationRule } from '../finding.ts';
import { excerpt, formatCall, truncateLine } from '../finding.ts';

export const episodeRules: readonly ValidationRule[] = [
  {
    name: 'episodes-open',
    levels: ['error'],
    sentence: 'Setup, prompt and tools of every task succeed',
    explanation:
      'A task whose setup, prompt or tool list fails cannot be played at all. Each sampled task is opened ' +
      'several times, also in a second copy of the module. Pass missing secrets with --secret, and fix ' +
      'what the message names.',
    untested: noRuns,
    *check(evidence) {
      const failed = runsOf(evidence).flatMap(({ run: { kind, failure }, ...position }) =>
        failure?.stage === 'open' ? [{ ...position, kind, failure }] : [],
      );
      for (const { kind, failure, ...position } of uniqueBy(failed, ({ split, index }) => `${split} ${index}`)) {
        const where = kind === 'fresh' ? ' in a second copy of the module' : '';
        const secrets = evidence.missingSecrets.map((name) => `--secret ${name}`).join(' ');
        const advice =
          secrets === '' ? 'if it needs a secret, pass it with --secret NAME' : `pass ${secrets}, which it needs`;
        yield { ...position, message: `the episode cannot be opened${where}: ${failure.message}; ${advice}` };
      }
    },
  },
  {
    name: 'prompts-say-something',
    levels: ['error'],
    sentence: 'Every prompt contains a text or an image',
    explanation:
      'A model cannot solve a task that it does not know. Describe the task in the prompt, and how to ' +
      'submit the answer.',
    untested: noPrompts,
    *check(evidence) {
      for (const { split, index, run } of runsOf(evidence)) {
        if (run.kind !== 'idle' || !run.prompt?.isEmpty) continue;
        yield { split, index, message: 'the prompt is empty; describe the task, and how to submit the answer' };
      }
    },
  },
  {
    name: 'prompts-differ',
    // Agents of some environments discover the task with tools.
    levels: ['warning'],
    sentence: 'Different tasks of a split have different prompts',
    explanation:
      'Equal prompts of different tasks usually mean that the prompt does not use the task. Put what ' +
      'distinguishes a task into its prompt, unless a tool returns it.',
    untested: ({ splits }) =>
      splits.some(({ tasks }) => tasks.filter(promptOf).length > 1)
        ? undefined
        : 'no split has two tasks that were played',
    *check({ splits }) {
      for (const { name, tasks } of splits) {
        const prompts = tasks.flatMap((task) => promptOf(task) ?? []);
        const [first] = prompts;
        if (!first || first.isEmpty || prompts.length < 2 || areEqual(tasks)) continue;
        if (prompts.some(({ digest }) => digest !== first.digest)) continue;
        const advice = 'put what distinguishes a task into its prompt, unless a tool returns it';
        const message = `all ${prompts.length} sampled tasks have the prompt '${truncateLine(first.text)}'; ${advice}`;
        yield { split: name, message };
      }
    },
  },
  {
    name: 'prompts-repeat',
    levels: ['error'],
    sentence: 'A task has the same prompt in every episode, and in a second copy of the module',
    explanation:
      'Samples of a group are compared with each other, so they must begin with the same prompt. The ' +
      'prompts of all episodes of a task are compared, also with those of a second copy of the module. ' +
      'Derive random parts from the task or from a seed.',
    untested: noPrompts,
    *check({ splits }) {
      for (const { name, tasks } of splits) {
        for (const { index, runs } of tasks) {
          const difference = promptDifference(runs);
          if (difference === undefined) continue;
          const advice = 'derive it from the task alone, and seed random numbers';
          const message = `the prompt is not the same in two episodes: ${difference}; ${advice}`;
          yield { split: name, index, message };
        }
      }
    },
  },
  {
    name: 'runs-repeat',
    // A different text is only a warning, since it may contain a time or an id.
    levels: ['error', 'warning'],
    sentence: 'Two episodes of a task with the same calls return the same rewards and blocks',
    explanation:
      'Trainers compare samples of one task, and replay episodes: luck in the rewards is noise in the ' +
      'gradient. Calls of solve and random calls are played twice. Seed random numbers with the task. A durable ' +
      'environment may also take them from `random` of the context: it passes if its episodes return the same with the ' +
      'same random numbers, which `episodes-come-back` tests.',
    untested: (evidence) =>
      runsOf(evidence).some(({ run }) => run.repeats) ? undefined : 'no episode was played twice',
    *check(evidence) {
      for (const { name: split, tasks } of evidence.splits) {
        for (const { index, runs, returns } of tasks) {
          if (repeatsWithItsSeed(returns)) continue;
          for (const run of runs) {
            const difference = run.repeats && runDifference(run.repeats, run);
            if (difference) yield { split, index, ...difference };
          }
        }
      }
    },
  },
];

/** Returns the prompt of a task, as an episode without calls received it. */
export const promptOf = ({ runs }: Pick<TaskEvidence, 'runs'>) => runs.find(({ kind }) => kind === 'idle')?.prompt;

const areEqual = (tasks: readonly TaskEvidence[]): boolean =>
  new Set(tasks.map(({ publicTask, fullTask }) => canonicalJson(fullTask ?? publicTask))).size === 1;

function promptDifference(runs: readonly EpisodeRun[]): string | undefined {
  const [first, ...others] = runs.flatMap(({ prompt }) => prompt ?? []);
  const other = others.find(({ digest }) => digest !== first?.digest);
  if (!first || !other) return undefined;
  if (first.text === other.text) return 'its images differ';
  return `it was '${excerpt(first.text, other.text)}', then '${excerpt(other.text, first.text)}'`;
}

/** Returns true if durable episodes that had the same random numbers and time have returned the same. */
function repeatsWithItsSeed(returns: TaskEvidence['returns'] = []): boolean {
  const again = returns.filter(({ how }) => how === 'played again');
  return again.length > 0 && again.every(({ problem }) => problem === undefined);
}

function runDifference(first: EpisodeRun, second: EpisodeRun): Pick<RuleFinding, 'level' | 'message'> | undefined {
  for (const [at, again] of second.steps.entries()) {
    const before = first.steps[at];
    if (!before || before.isAfterEnd) return undefined;
    const call = `call ${at + 1} of two equal episodes, ${formatCall(again)},`;
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
