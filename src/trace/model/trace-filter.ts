import type { Score, Trace } from '../../../generated/trace.ts';
import { foldCase, isRecord } from '../../core/index.ts';

/** Conditions on traces. */
export interface TraceFilter {
  /** @param scores those of the trace and its blocks; only used with `usesScores`. */
  matches(trace: Trace, scores: readonly Score[]): boolean;
  /** True if the scores of a trace must be known. */
  readonly usesScores: boolean;
}

/** Fields by the names that filters have for them. */
const FIELDS: Readonly<Record<string, (trace: Trace) => unknown>> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  run: ({ run }) => run,
  environment: ({ environment }) => environment,
  variant: ({ variant }) => variant,
  split: ({ split }) => split,
  task: ({ task_key }) => task_key,
  task_index: ({ task_index }) => task_index,
  group: ({ group_id }) => group_id,
  parent: ({ parent_trace_id }) => parent_trace_id,
  step: ({ step }) => step,
  rollout_index: ({ rollout_index }) => rollout_index,
  model: ({ model }) => model,
  status: ({ status }) => status,
  tag: ({ tags }) => tags,
  reward: ({ reward_sum }) => reward_sum,
  reward_last: ({ reward_last }) => reward_last,
  reward_max: ({ reward_max }) => reward_max,
  blocks: ({ block_count }) => block_count,
  bytes: ({ bytes }) => bytes,
  errors: ({ error_count }) => error_count,
  created: ({ created_at }) => created_at,
  finished: ({ finished_at }) => finished_at,
};

/** Fields that are compared with numbers. */
const NUMBERS: readonly string[] = [
  'task_index',
  'step',
  'rollout_index',
  'reward',
  'reward_last',
  'reward_max',
  'blocks',
  'bytes',
  'errors',
];

/** Fields that are objects; a path follows, such as `metadata.difficulty`. */
const OBJECTS = ['metadata', 'run_info', 'rollout_info', 'task_spec'] as const;

/** Part of a text that is not a condition. */
interface InvalidFilter {
  readonly expected: string;
  readonly got: string;
}

const quote = (text: string): string => JSON.stringify(text.slice(0, 80).toWellFormed());

const CONDITION =
  /^\s*([\w.-]+)\s*(>=|<=|!=|==?|>|<|~)\s*(?:"([^"]*)"|'([^']*)'|([^\s"'&<>=!~][^\s"'&]*))\s*(?:(?:&&|and\b|,)\s*|$)/i;

/**
 * Parses conditions such as `reward>=1 and status=finished and metadata.level!=hard`. A condition compares a field with a
 * number or a text, which can have quotes; `~` means that the field contains the text. A field without a value matches only
 * `!=`.
 *
 * @returns the filter, or what the text must have at a place.
 */
export function parseTraceFilter(text: string): TraceFilter | InvalidFilter {
  const filters: TraceFilter['matches'][] = [];
  let usesScores = false;
  for (let rest = text; ; ) {
    const match = CONDITION.exec(rest);
    if (!match) {
      return { expected: 'conditions such as reward>=1 and status=finished', got: quote(rest) };
    }
    const [whole, field = '', operator = '', ...values] = match;
    const read = traceFieldReader(field);
    if (!read) {
      const names = [...Object.keys(FIELDS), ...OBJECTS.map((name) => `${name}.<key>`), 'score.<name>'].join(', ');
      return { expected: `one of the fields ${names}`, got: quote(field) };
    }
    const value = values.find((each) => each !== undefined) ?? '';
    if (NUMBERS.includes(field) && (value.trim() === '' || !Number.isFinite(Number(value)))) {
      return { expected: `a number after ${field}${operator}`, got: quote(value) };
    }
    filters.push((trace, scores) => compareField(read(trace, scores), operator, value));
    usesScores ||= field.startsWith(SCORE);
    rest = rest.slice(whole.length);
    if (rest === '') return { matches: (...of) => filters.every((matches) => matches(...of)), usesScores };
  }
}

/** Begins a field that stands for the values and labels of the scores with a name. */
const SCORE = 'score.';

/** Returns a function that reads a field of a trace, such as `reward` or `metadata.level`; undefined for other names. */
export function traceFieldReader(field: string): ((trace: Trace, scores: readonly Score[]) => unknown) | undefined {
  if (field.startsWith(SCORE)) {
    const name = field.slice(SCORE.length);
    return (_trace, scores) => scores.flatMap((score) => (score.name === name ? [score.value ?? score.label] : []));
  }
  if (Object.hasOwn(FIELDS, field)) return FIELDS[field];
  const object = OBJECTS.find((name) => field.startsWith(`${name}.`));
  if (!object) return undefined;
  const path = field.slice(object.length + 1).split('.');
  return (trace) =>
    path.reduce<unknown>((at, key) => (isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined), trace[object]);
}

/** Compares the value of a field; `~` means that it contains the text, ignoring case. */
export function compareField(value: unknown, operator: string, wanted: string): boolean {
  if (Array.isArray(value)) {
    if (operator === '!=') return value.every((each) => compareField(each, '!=', wanted));
    return value.some((each) => compareField(each, operator, wanted));
  }
  if (value === null || value === undefined) return operator === '!=';
  if (operator === '~') return foldCase(String(value)).includes(foldCase(wanted));
  const isNumber = typeof value === 'number' && wanted !== '' && Number.isFinite(Number(wanted));
  const [one, other] = isNumber ? [value, Number(wanted)] : [String(value), wanted];
  if (operator === '=' || operator === '==') return one === other;
  if (operator === '!=') return one !== other;
  if (operator === '>=') return one >= other;
  if (operator === '<=') return one <= other;
  return operator === '>' ? one > other : one < other;
}
