import { countBy, groupBy, listAt, previewJson, schemasIn } from '../../core/index.ts';
import type { Evidence, TaskEvidence } from '../evidence.ts';
import { formatShare, leavesOf, type RuleFinding, type ValidationRule } from '../finding.ts';
import { promptOf } from './episodes.ts';

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

/** Values of this length do not appear in a text by accident. */
const MIN_LONG_LENGTH = 12;

/** Values that a task should hide, and the text that may contain them. */
interface HiddenValue {
  readonly index: number;
  readonly values: readonly string[];
  readonly text: string;
}

interface Leak {
  /** Index of the task. */
  readonly index: number;
  readonly value: string;
  /** Number of tasks with a leak. */
  readonly count: number;
}

/**
 * Finds values that appear in the texts of their tasks. A short value may appear by accident, or as one of the choices
 * that all tasks list, so short values count only if all tasks contain theirs and most do not contain those of others.
 */
export function findLeak(secrets: readonly HiddenValue[]): Leak | undefined {
  const found = secrets.flatMap(({ index, values, text }) => {
    const value = values.filter((each) => containsWord(text, each)).sort((a, b) => b.length - a.length)[0];
    return value === undefined ? [] : [{ index, value, text }];
  });
  const [first] = found;
  if (!first) return undefined;
  const long = found.find(({ value }) => value.length >= MIN_LONG_LENGTH);
  if (long) return { index: long.index, value: long.value, count: found.length };
  if (found.length < secrets.length || !isSpecific(found)) return undefined;
  return { index: first.index, value: first.value, count: found.length };
}

/** Returns whether the values differ, and most of them do not appear in the texts of other tasks. */
function isSpecific(found: readonly { readonly value: string; readonly text: string }[]): boolean {
  const pairs = found.flatMap((one) =>
    found.filter(({ value }) => value !== one.value).map(({ value }) => [one.text, value] as const),
  );
  const crossed = pairs.filter(([text, value]) => containsWord(text, value)).length;
  return pairs.length > 0 && crossed * 2 < pairs.length;
}

/** Returns whether a text contains a value, other than as part of a longer word or number. */
function containsWord(text: string, value: string): boolean {
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_]/u.test(character);
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const before = isWord(value[0]) && isWord(text[at - 1]);
    const after = isWord(value.at(-1)) && isWord(text[at + value.length]);
    const isDecimal = /\d$/.test(value) && /^[.,]\d/.test(text.slice(at + value.length));
    if (!before && !after && !isDecimal) return true;
  }
  return false;
}
