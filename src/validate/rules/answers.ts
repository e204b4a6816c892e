import { groupBy, listAt, previewJson, schemasIn } from '../../core/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import type { Evidence, TaskEvidence } from '../evidence.ts';
import type { RuleFinding, ValidationRule } from '../finding.ts';
import { formatShare, iterateLeaves } from '../text.ts';
import { findLeak, type HiddenValue } from './find-leak.ts';
import { promptOf } from './prompts.ts';

/** One field may equal the answer by accident, but not one of this length. */
const MIN_LONG_FIELD = 8;

/** Checks answers as `solve` submits them: fields of the public task that equal one, and prompts that contain one. */
export const answersStayHidden: ValidationRule = {
  name: 'answers-stay-hidden',
  levels: ['error', 'warning'],
  sentence: 'The rewarded answer of `solve` appears neither in a field of the public task nor in the prompt',
  *check({ splits, tools }) {
    for (const { name, tasks } of splits) {
      const rewarded = tasks
        .map((task) => ({ task, values: rewardedValues(task, tools) }))
        .filter(({ values }) => values.length > 0);
      yield* answersInFields(name, rewarded);
      const leak = findLeak(
        rewarded.map(({ task, values }) => ({ index: task.index, values, text: promptOf(task)?.text ?? '' })),
      );
      if (!leak) continue;
      const answer = `${previewJson(leak.value)}, for which solve is rewarded,`;
      const share = formatShare(leak.count, rewarded.length);
      const message = `${answer} is in the prompt of ${share}; remove it unless the agent should copy it`;
      yield { level: 'warning', split: name, index: leak.index, message };
    }
  },
};

interface RewardedValues {
  readonly task: TaskEvidence;
  readonly values: readonly string[];
}

function* answersInFields(split: string, rewarded: readonly RewardedValues[]): Generator<RuleFinding> {
  const hits: { readonly path: string; readonly index: number; readonly value: string }[] = [];
  for (const { task, values } of rewarded) {
    const paths = new Map(
      Array.from(iterateLeaves(task.publicTask), ({ path, value }) => [path, String(value).trim()]),
    );
    for (const [path, value] of paths) {
      // An item of an array may be one of several choices.
      if (path.includes('[]') || !values.includes(value)) continue;
      hits.push({ path, index: task.index, value });
    }
  }
  for (const [path, found] of groupBy(hits, (hit) => hit.path)) {
    const [first] = found;
    const isLong = found.some(({ value }) => value.length >= MIN_LONG_FIELD);
    const differ = new Set(found.map(({ value }) => value)).size > 1;
    if (!(isLong || (differ && found.length === rewarded.length))) continue;
    const field = `'${path}' of the public task is ${previewJson(first.value)}`;
    const share = formatShare(found.length, rewarded.length);
    const message = `${field}, for which solve is rewarded, in ${share}; omit the field with publicTask`;
    yield { split, index: first.index, message };
  }
}

export const hiddenValuesStayHidden: ValidationRule = {
  name: 'hidden-values-stay-hidden',
  levels: ['warning'],
  sentence: 'Values that `publicTask` hides appear neither in the public task nor in the prompt',
  *check({ splits, tools }) {
    for (const { name, tasks } of splits) {
      for (const [path, secrets] of hiddenValuesByPath(tasks, tools)) {
        const leak = findLeak(secrets);
        if (!leak) continue;
        const field = `the hidden '${path}', such as ${previewJson(leak.value)},`;
        const share = formatShare(leak.count, secrets.length);
        const message = `${field} is in the prompt or the public task of ${share}; remove it if it is the answer`;
        yield { split: name, index: leak.index, message };
      }
    }
  },
};

/** Returns the hidden values, except for rewarded answers, which `answers-stay-hidden` reports. */
function hiddenValuesByPath(
  tasks: readonly TaskEvidence[],
  tools: Evidence['tools'],
): ReadonlyMap<string, readonly HiddenValue[]> {
  const found: (HiddenValue & { readonly path: string })[] = [];
  for (const task of tasks) {
    const { index, publicTask, fullTask } = task;
    const prompt = promptOf(task)?.text;
    if (!fullTask || prompt === undefined) continue;
    const text = `${prompt}\n${textsOf(publicTask).join('\n')}`;
    const rewarded = rewardedValues(task, tools);
    const shown = new Set(Array.from(iterateLeaves(publicTask), ({ path, value }) => `${path} ${value}`));
    const hidden = Array.from(iterateLeaves(fullTask)).filter(({ path, value }) => {
      const text = String(value).trim();
      return typeof value !== 'boolean' && text !== '' && !shown.has(`${path} ${value}`) && !rewarded.includes(text);
    });
    for (const path of new Set(hidden.map((leaf) => leaf.path))) {
      const values = hidden.filter((leaf) => leaf.path === path).map(({ value }) => String(value).trim());
      found.push({ path, index, values, text });
    }
  }
  return groupBy(found, ({ path }) => path);
}

const textsOf = (task: JSONObject): string[] => Array.from(iterateLeaves(task), ({ value }) => String(value));

/** Returns the texts and numbers in inputs of rewarded calls, except for those that the schema lists. */
function rewardedValues({ runs }: TaskEvidence, tools: Evidence['tools']): string[] {
  const steps = runs.find(({ kind, repeats }) => kind === 'solve' && !repeats)?.steps ?? [];
  const rewarded = steps.filter(({ reward, isAfterEnd }) => !isAfterEnd && reward !== null && reward > 0);
  return rewarded.flatMap(({ tool, input }) => {
    const listed = listedValues(tools.get(tool)?.input_schema);
    return Array.from(iterateLeaves(input), ({ value }) => value)
      .filter((value) => typeof value !== 'boolean' && !listed.has(value))
      .map((value) => String(value).trim())
      .filter((value) => value !== '');
  });
}

/** Returns the values that a schema lists in `const` and `enum`. */
function listedValues(root: unknown): ReadonlySet<unknown> {
  const values = new Set<unknown>();
  for (const { schema } of schemasIn(root)) {
    if ('const' in schema) values.add(schema.const);
    for (const value of listAt(schema, 'enum')) values.add(value);
  }
  return values;
}

const ANSWER_KEY =
  /^(answers?|final_answer|solutions?|gold(en)?(_.*)?|ground_?truths?|correct(_.*)?|reference_(answer|solution)s?|canonical_solution)$/;
/** Keys that puzzles use too. If `solve` submits an answer, `answers-stay-hidden` is more exact. */
const POSSIBLE_ANSWER_KEY =
  /^(targets?|goals?|expected(_.*)?|labels?|results?|tests?|test_cases?|checks?|rubrics?|hidden_.*|secrets?)$/;

export const taskKeysHideAnswers: ValidationRule = {
  name: 'task-keys-hide-answers',
  levels: ['warning'],
  sentence: 'No key of a public task is named like an answer',
  *check({ splits, hasSolve }) {
    for (const { name, tasks } of splits) {
      const paths = new Map<string, number>();
      for (const { publicTask } of tasks) {
        for (const path of new Set(Array.from(iterateLeaves(publicTask), ({ path }) => path))) {
          if (path.split('.').some((key) => isSuspect(key, hasSolve))) paths.set(path, (paths.get(path) ?? 0) + 1);
        }
      }
      for (const [path, count] of paths) {
        const advice = 'if it is the answer, omit it with publicTask, since agents may read tasks';
        const message = `the public task has '${path}' in ${formatShare(count, tasks.length)}; ${advice}`;
        yield { split: name, message };
      }
    }
  },
};

function isSuspect(key: string, hasSolve: boolean): boolean {
  const word = key
    .replaceAll('[]', '')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase();
  return ANSWER_KEY.test(word) || (!hasSolve && POSSIBLE_ANSWER_KEY.test(word));
}
