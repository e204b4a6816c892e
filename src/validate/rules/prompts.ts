import { canonicalJson } from '../../core/index.ts';
import { iterateRuns, type PromptEvidence, type TaskEvidence } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';
import { truncateLine } from '../text.ts';

export const episodesOpen: ValidationRule = {
  name: 'episodes-open',
  levels: ['error'],
  sentence: 'Setup, prompt and tools of every task succeed',
  *check(evidence) {
    const reported = new Set<string>();
    for (const { split, index, run } of iterateRuns(evidence)) {
      if (run.failure?.stage !== 'open' || reported.has(`${split} ${index}`)) continue;
      reported.add(`${split} ${index}`);
      const where = run.kind === 'fresh' ? ' in a second copy of the module' : '';
      const advice = 'if it needs a secret, pass it with --secret NAME';
      yield { split, index, message: `the episode cannot be opened${where}: ${run.failure.message}; ${advice}` };
    }
  },
};

export const promptsSaySomething: ValidationRule = {
  name: 'prompts-say-something',
  levels: ['error'],
  sentence: 'Every prompt contains a text or an image',
  *check(evidence) {
    for (const { split, index, run } of iterateRuns(evidence)) {
      if (run.kind !== 'idle' || !run.prompt?.isEmpty) continue;
      yield { split, index, message: 'the prompt is empty; describe the task, and how to submit the answer' };
    }
  },
};

/** A warning, since agents of some environments discover the task with tools. */
export const promptsDiffer: ValidationRule = {
  name: 'prompts-differ',
  levels: ['warning'],
  sentence: 'Different tasks of a split have different prompts',
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
};

/** Returns the prompt of a task, as an episode without calls received it. */
export const promptOf = ({ runs }: TaskEvidence): PromptEvidence | undefined =>
  runs.find(({ kind }) => kind === 'idle')?.prompt;

const areEqual = (tasks: readonly TaskEvidence[]): boolean =>
  new Set(tasks.map(({ publicTask, fullTask }) => canonicalJson(fullTask ?? publicTask))).size === 1;

export const promptsRepeat: ValidationRule = {
  name: 'prompts-repeat',
  levels: ['error'],
  sentence: 'A task has the same prompt in every episode, and in a second copy of the module',
  *check({ splits }) {
    for (const { name, tasks } of splits) {
      for (const task of tasks) {
        const texts = differentPrompts(task);
        if (!texts) continue;
        const [before, after] = texts;
        const difference =
          before === after
            ? 'its images differ'
            : `it was '${excerpt(before, after)}', then '${excerpt(after, before)}'`;
        const advice = 'derive it from the task alone, and seed random numbers';
        const message = `the prompt is not the same in two episodes: ${difference}; ${advice}`;
        yield { split: name, index: task.index, message };
      }
    }
  },
};

function differentPrompts({ runs }: TaskEvidence): readonly [string, string] | undefined {
  const [first, ...others] = runs.flatMap(({ prompt }) => prompt ?? []);
  const other = others.find(({ digest }) => digest !== first?.digest);
  return first && other && [first.text, other.text];
}

/** Returns the part of a text around the position where it begins to differ from another. */
function excerpt(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  return truncateLine((at > 20 ? '…' : '') + text.slice(at > 20 ? at - 15 : 0), 60);
}
