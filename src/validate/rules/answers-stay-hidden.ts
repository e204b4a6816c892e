import { groupBy, previewJson } from '../../core/index.ts';
import type { TaskEvidence } from '../evidence.ts';
import type { RuleFinding, ValidationRule } from '../finding.ts';
import { formatShare, iterateLeaves } from '../words.ts';
import { findLeak } from './leaks.ts';
import { rewardedValues } from './paid-values.ts';

/** One field that happens to be equal is no leak; one as long as this is none by accident. */
const LONG_FIELD = 8;

/** What is paid for, as `solve` submits it: equal to a field of the public task, or within the prompt. */
export const answersStayHidden: ValidationRule = {
  name: 'answers-stay-hidden',
  levels: ['error', 'warning'],
  sentence: 'The rewarded answer of `solve` appears neither in a field of the public task nor in the prompt',
  *check({ splits, tools }) {
    for (const { name, tasks } of splits) {
      const paid = tasks
        .map((task) => ({ task, values: rewardedValues(task, tools) }))
        .filter(({ values }) => values.length > 0);
      yield* inFields(name, paid);
      const leak = findLeak(paid.map(({ task, values }) => ({ index: task.index, values, text: promptOf(task) })));
      if (!leak) continue;
      const message = `${previewJson(leak.value)}, which solve is paid for, stands in the prompt of ${formatShare(leak.count, paid.length)}; leave it out unless the agent should copy it`;
      yield { level: 'warning', split: name, index: leak.index, message };
    }
  },
};

interface RewardedValues {
  readonly task: TaskEvidence;
  readonly values: readonly string[];
}

function* inFields(split: string, paid: readonly RewardedValues[]): Generator<RuleFinding> {
  const hits: { readonly path: string; readonly index: number; readonly value: string }[] = [];
  for (const { task, values } of paid) {
    const paths = new Map(
      Array.from(iterateLeaves(task.publicTask), ({ path, value }) => [path, String(value).trim()]),
    );
    for (const [path, value] of paths) {
      // One of a list may be one of several choices.
      if (path.includes('[]') || !values.includes(value)) continue;
      hits.push({ path, index: task.index, value });
    }
  }
  for (const [path, found] of groupBy(hits, (hit) => hit.path)) {
    const [first] = found;
    const isLong = found.some(({ value }) => value.length >= LONG_FIELD);
    const differ = new Set(found.map(({ value }) => value)).size > 1;
    if (!(isLong || (differ && found.length === paid.length))) continue;
    const message = `'${path}' of the public task is ${previewJson(first.value)}, just what solve is paid for, in ${formatShare(found.length, paid.length)}; leave it out with publicTask`;
    yield { split, index: first.index, message };
  }
}

const promptOf = ({ runs }: TaskEvidence): string => runs.find(({ kind }) => kind === 'idle')?.prompt?.text ?? '';
