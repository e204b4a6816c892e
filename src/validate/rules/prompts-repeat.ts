import type { TaskEvidence } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';
import { truncateLine } from '../words.ts';

export const promptsRepeat: ValidationRule = {
  name: 'prompts-repeat',
  levels: ['error'],
  sentence: 'A task has the same prompt in every episode, and in a second copy of the module',
  *check({ splits }) {
    for (const { name, tasks } of splits) {
      for (const task of tasks) {
        const texts = differing(task);
        if (!texts) continue;
        const [before, after] = texts;
        const difference =
          before === after ? 'its images differ' : `it was '${around(before, after)}', then '${around(after, before)}'`;
        const advice = 'make it of the task alone, with a seed where there is chance';
        const message = `the prompt is not the same in two episodes: ${difference}; ${advice}`;
        yield { split: name, index: task.index, message };
      }
    }
  },
};

function differing({ runs }: TaskEvidence): readonly [string, string] | undefined {
  const [first, ...others] = runs.flatMap(({ prompt }) => prompt ?? []);
  const other = others.find(({ digest }) => digest !== first?.digest);
  return first && other && [first.text, other.text];
}

/** The text from a little before the place where another begins to differ. */
function around(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  return truncateLine((at > 20 ? '…' : '') + text.slice(at > 20 ? at - 15 : 0), 60);
}
