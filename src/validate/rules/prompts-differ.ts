import { canonicalJson } from '../../core/index.ts';
import type { Prompt, TaskEvidence } from '../evidence.ts';
import type { Rule } from '../finding.ts';
import { brief } from '../words.ts';

/** A warning only: there are environments in which the agent finds the task by its tools. */
export const promptsDiffer: Rule = {
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
      const message = `all ${prompts.length} sampled tasks have the prompt '${brief(first.text)}'; ${advice}`;
      yield { split: name, message };
    }
  },
};

const promptOf = ({ runs }: TaskEvidence): Prompt | undefined => runs.find(({ kind }) => kind === 'idle')?.prompt;

const areSame = (tasks: readonly TaskEvidence[]): boolean =>
  new Set(tasks.map(({ shown, whole }) => canonicalJson(whole ?? shown))).size === 1;
