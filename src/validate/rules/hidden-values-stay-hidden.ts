import { groupBy, previewJson } from '../../core/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import type { Evidence, TaskEvidence } from '../evidence.ts';
import type { ValidationRule } from '../finding.ts';
import { formatShare, iterateLeaves } from '../words.ts';
import { findLeak, type HiddenValue } from './leaks.ts';
import { rewardedValues } from './paid-values.ts';

export const hiddenValuesStayHidden: ValidationRule = {
  name: 'hidden-values-stay-hidden',
  levels: ['warning'],
  sentence: 'Values that `publicTask` hides appear neither in the public task nor in the prompt',
  *check({ splits, tools }) {
    for (const { name, tasks } of splits) {
      for (const [path, secrets] of byPath(tasks, tools)) {
        const leak = findLeak(secrets);
        if (!leak) continue;
        const seen = formatShare(leak.count, secrets.length);
        const message = `the hidden '${path}', such as ${previewJson(leak.value)}, can be read in the prompt or the public task of ${seen}; keep it out if it is the answer`;
        yield { split: name, index: leak.index, message };
      }
    }
  },
};

/** Without what solve is paid for, of which another rule tells. */
function byPath(tasks: readonly TaskEvidence[], tools: Evidence['tools']): ReadonlyMap<string, readonly HiddenValue[]> {
  const found: (HiddenValue & { readonly path: string })[] = [];
  for (const task of tasks) {
    const { index, publicTask: open, fullTask, runs } = task;
    const prompt = runs.find(({ kind }) => kind === 'idle')?.prompt?.text;
    if (!fullTask || prompt === undefined) continue;
    const text = `${prompt}\n${textsOf(open).join('\n')}`;
    const paid = rewardedValues(task, tools);
    const known = new Set(Array.from(iterateLeaves(open), ({ path, value }) => `${path} ${value}`));
    const hidden = Array.from(iterateLeaves(fullTask)).filter(({ path, value }) => {
      const text = String(value).trim();
      return typeof value !== 'boolean' && text !== '' && !known.has(`${path} ${value}`) && !paid.includes(text);
    });
    for (const path of new Set(hidden.map((leaf) => leaf.path))) {
      const values = hidden.filter((leaf) => leaf.path === path).map(({ value }) => String(value).trim());
      found.push({ path, index, values, text });
    }
  }
  return groupBy(found, ({ path }) => path);
}

const textsOf = (task: JSONObject): string[] => Array.from(iterateLeaves(task), ({ value }) => String(value));
