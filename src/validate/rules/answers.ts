import { countBy, groupBy, listAt, previewJson, schemasIn } from '../../core/index.ts';
import type { Evidence, TaskEvidence } from '../evidence.ts';
import type { RuleFinding, ValidationRule } from '../finding.ts';
import { formatShare, leavesOf } from '../finding.ts';
import { promptOf } from './episodes.ts';
import { findLeak } from './find-leak.ts';

export const answerRules: readonly ValidationRule[] = [
  {
    name: 'answers-stay-hidden',
    levels: ['error', 'warning'],
    sentence: 'The rewarded answer of `solve` appears neither in a field of the public task nor in the prompt',
    explanation:
      'An answer that the agent can read needs no solving. The values for which solve is rewarded are ' +
      'searched in public tasks and prompts. Leave the field out with publicTask, or remove it from the ' +
      'prompt.',
    untested: ({ splits, tools }) =>
      splits.some(({ tasks }) => tasks.some((task) => rewardedValues(task, tools).length > 0))
        ? undefined
        : 'no input of solve was rewarded',
    *check({ splits, tools }) {
      for (const { name, tasks } of splits) {
        const rewarded = tasks
          .map((task) => ({ ...task, text: promptOf(task)?.text ?? '', values: rewardedValues(task, tools) }))
          .filter(({ values }) => values.length > 0);
        yield* answersInFields(name, rewarded);
        const leak = findLeak(rewarded);
        if (!leak) continue;
        const answer = `${previewJson(leak.value)}, for which solve is rewarded,`;
        const share = formatShare(leak.count, rewarded.length);
        const message = `${answer} is in the prompt of ${share}; remove it unless the agent should copy it`;
        yield { level: 'warning', split: name, index: leak.index, message };
      }
    },
  },
  {
    name: 'hidden-values-stay-hidden',
    levels: ['warning'],
    sentence: 'Values that `publicTask` hides appear neither in the public task nor in the prompt',
    explanation:
      'A value that publicTask removes is usually an answer, and may reach the agent in another field or ' +
      'in the prompt. Hidden values are searched in both. Remove the value if it is the answer.',
    untested: ({ splits, tools }) =>
      splits.some(({ tasks }) => tasks.some((task) => hiddenValues(task, tools).length > 0))
        ? undefined
        : 'no hidden value is known',
    *check({ splits, tools }) {
      for (const { name, tasks } of splits) {
        const hidden = tasks.flatMap((task) => hiddenValues(task, tools));
        for (const [path, secrets] of groupBy(hidden, (each) => each.path)) {
          const leak = findLeak(secrets);
          if (!leak) continue;
          const field = `the hidden '${path}', such as ${previewJson(leak.value)},`;
          const share = formatShare(leak.count, secrets.length);
          const message = `${field} is in the prompt or the public task of ${share}; remove it if it is the answer`;
          yield { split: name, index: leak.index, message };
        }
      }
    },
  },
  {
    name: 'task-keys-hide-answers',
    levels: ['warning'],
    sentence: 'No key of a public task is named like an answer',
    explanation:
      'Clients can list every field of a public task, and a key such as answer or solution suggests that ' +
      'it holds one. Leave the field out with publicTask, or rename it if it has another meaning.',
    untested: ({ splits }) => (splits.some(({ tasks }) => tasks.length > 0) ? undefined : 'no task was played'),
    *check({ splits, hasSolve }) {
      for (const { name, tasks } of splits) {
        const paths = tasks.flatMap(({ publicTask }) => [...new Set(leavesOf(publicTask).map(({ path }) => path))]);
        const suspects = paths.filter((path) => path.split('.').some((key) => isSuspect(key, hasSolve)));
        for (const [path, count] of countBy(suspects, (each) => each)) {
          const advice = 'if it is the answer, omit it with publicTask, since agents may read tasks';
          const message = `the public task has '${path}' in ${formatShare(count, tasks.length)}; ${advice}`;
          yield { split: name, message };
        }
      }
    },
  },
];

/** One field may equal the answer by accident, but not one of this length. */
const MIN_LONG_FIELD = 8;

/** Finds fields of public tasks that equal an answer as `solve` submits it. */
function* answersInFields(
  split: string,
  rewarded: readonly (TaskEvidence & { readonly values: readonly string[] })[],
): Generator<RuleFinding> {
  const hits = rewarded.flatMap(({ index, publicTask, values }) => {
    const fields = new Map(leavesOf(publicTask).map(({ path, text }) => [path, text]));
    return Array.from(fields, ([path, value]) => ({ path, index, value })).filter(
      // An item of an array may be one of several choices.
      ({ path, value }) => !path.includes('[]') && values.includes(value),
    );
  });
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

/** Returns the hidden values by path, except for rewarded answers, which `answers-stay-hidden` reports. */
function hiddenValues(task: TaskEvidence, tools: Evidence['tools']) {
  const { index, publicTask, fullTask } = task;
  const prompt = promptOf(task)?.text;
  if (!fullTask || prompt === undefined) return [];
  const shown = leavesOf(publicTask);
  const text = [prompt, ...shown.map(({ value }) => String(value))].join('\n');
  const shownFields = new Set(shown.map(({ path, value }) => `${path} ${value}`));
  const rewarded = rewardedValues(task, tools);
  const hidden = leavesOf(fullTask).filter(
    (leaf) =>
      typeof leaf.value !== 'boolean' &&
      leaf.text !== '' &&
      !shownFields.has(`${leaf.path} ${leaf.value}`) &&
      !rewarded.includes(leaf.text),
  );
  return [...groupBy(hidden, ({ path }) => path)].map(([path, leaves]) => {
    return { path, index, text, values: leaves.map((leaf) => leaf.text) };
  });
}

/** Returns the texts and numbers in inputs of rewarded calls, except for those that the schema lists. */
function rewardedValues({ runs }: TaskEvidence, tools: Evidence['tools']): string[] {
  const steps = runs.find(({ kind, repeats }) => kind === 'solve' && !repeats)?.steps ?? [];
  const rewarded = steps.filter(({ reward, isAfterEnd }) => !isAfterEnd && reward !== null && reward > 0);
  return rewarded.flatMap(({ tool, input }) => {
    const listed = listedValues(tools.get(tool)?.input_schema);
    return leavesOf(input)
      .filter(({ value, text }) => typeof value !== 'boolean' && !listed.has(value) && text !== '')
      .map(({ text }) => text);
  });
}

/** Returns the values that a schema lists in `const` and `enum`. */
function listedValues(root: unknown): ReadonlySet<unknown> {
  const schemas = Array.from(schemasIn(root), ({ schema }) => schema);
  return new Set(
    schemas.flatMap((schema) => [...('const' in schema ? [schema.const] : []), ...listAt(schema, 'enum')]),
  );
}

const ANSWER_KEY =
  /^(answers?|final_answer|solutions?|gold(en)?(_.*)?|ground_?truths?|correct(_.*)?|reference_(answer|solution)s?|canonical_solution)$/;
/** Keys that puzzles use too. If `solve` submits an answer, `answers-stay-hidden` is more exact. */
const POSSIBLE_ANSWER_KEY =
  /^(targets?|goals?|expected(_.*)?|labels?|results?|tests?|test_cases?|checks?|rubrics?|hidden_.*|secrets?)$/;

function isSuspect(key: string, hasSolve: boolean): boolean {
  const word = key
    .replaceAll('[]', '')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase();
  return ANSWER_KEY.test(word) || (!hasSolve && POSSIBLE_ANSWER_KEY.test(word));
}
