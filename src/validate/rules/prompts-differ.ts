import { canonicalJson } from '../../core/index.ts';
import type { PromptEvidence, TaskEvidence } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';
import { truncateLine } from '../words.ts';

/** A warning only: there are environments in which the agent finds the task by its tools. */
export const promptsDiffer: ValidationRule = {
  name: 'prompts-differ',
  levels: ['warning'],
  sentence: 'Different tasks of a split have different prompts',
  *check({ splits }) {
    for (const { name, tasks } of splits) {
      const prompts = tasks.flatMap((task) => promptOf(task) ?? []);
      const [first] = prompts;
      if (!first || first.isEmpty || prompts.length < 2 || areSame(tasks)) continue;
      if (prompts.some(({ digest }) => digest !== first.digest)) continue;
      const advice = 'put what is special in a task into its prompt, unless a tool tells it';
      const message = `all ${prompts.length} sampled tasks have the prompt '${truncateLine(first.text)}'; ${advice}`;
      yield { split: name, message };
    }
  },
};

const promptOf = ({ runs }: TaskEvidence): PromptEvidence | undefined =>
  runs.find(({ kind }) => kind === 'idle')?.prompt;

const areSame = (tasks: readonly TaskEvidence[]): boolean =>
  new Set(tasks.map(({ publicTask, fullTask }) => canonicalJson(fullTask ?? publicTask))).size === 1;
