import type { Group, Trace, TraceStatus } from '../../../../generated/trace.ts';
import { definedFields } from '../../../core/index.ts';
import { booleanParam, indexParam, numberParam, textParams } from '../api/location.ts';
import type { SortOrder } from '../parts/list.tsx';
import { formatTaskName, type ListedTask } from '../parts/trace-info.ts';
import type { TraceSortField } from '../parts/trace-table.tsx';

const TEXTS = ['environment', 'split', 'task_key', 'group_id', 'model', 'tag', 'q'] as const;
const FILTER_NAMES = [...TEXTS, 'step', 'status', 'reward_min', 'reward_max', 'has_error'] as const;
export const STATUSES: readonly TraceStatus[] = ['running', 'finished', 'error', 'abandoned'];

/** Filters of the traces of a run; each field is a query parameter of the API and, except for the query, of the address. */
export type TraceFilters = ReturnType<typeof readTraceFilters> & { readonly query?: string };

/** Reads the filters of an address; invalid values, such as a step of `x`, are ignored. */
export function readTraceFilters(query: URLSearchParams) {
  const number = (name: string) => numberParam(query, name);
  return definedFields({
    ...textParams(query, TEXTS),
    step: indexParam(query, 'step'),
    status: STATUSES.find((status) => status === query.get('status')),
    reward_min: number('reward_min'),
    reward_max: number('reward_max'),
    has_error: booleanParam(query, 'has_error'),
  });
}

/** Returns the query parameters with invalid values. */
export function unknownFilterParams(query: URLSearchParams): readonly string[] {
  const filters = readTraceFilters(query);
  const { sort, order } = readSortOrder(query);
  const { sort: gsort, order: gorder } = readGroupSortOrder(query);
  const orders = Object.entries({ sort, order, gsort, gorder }).filter(([name, used]) => query.get(name) !== used);
  const names = [...FILTER_NAMES.filter((name) => !(name in filters)), ...orders.map(([name]) => name)];
  return names.filter((name) => Boolean(query.get(name)));
}

/** Removes all filters from an address. */
export const NO_FILTERS: Readonly<Record<string, undefined>> = Object.fromEntries(
  FILTER_NAMES.map((name) => [name, undefined]),
);

export type GroupSort = keyof typeof GROUP_VALUES;

/** Reads the order of traces from an address. @default newest first */
export const readSortOrder = (query: URLSearchParams): SortOrder<TraceSortField> =>
  readOrder(query, '', ['created', 'reward', 'length']);

/** Reads the order of groups from an address. @default highest deviation first */
export const readGroupSortOrder = (query: URLSearchParams): SortOrder<GroupSort> =>
  readOrder(query, 'g', ['std', 'mean', 'step', 'task']);

function readOrder<Field extends string>(
  query: URLSearchParams,
  prefix: string,
  fields: readonly [Field, ...Field[]],
): SortOrder<Field> {
  const sort = fields.find((field) => field === query.get(`${prefix}sort`)) ?? fields[0];
  return { sort, order: query.get(`${prefix}order`) === 'asc' ? 'asc' : 'desc' };
}

const GROUP_VALUES = {
  std: ({ reward }: Group) => reward.std,
  mean: ({ reward }: Group) => reward.mean,
  step: ({ step }: Group) => step,
  task: ({ task_index }: Group) => task_index,
};

/** Sorts groups; those without a value come last. */
export function sortGroups(groups: readonly Group[], { sort, order }: SortOrder<GroupSort>): Group[] {
  const toValue = GROUP_VALUES[sort];
  const sign = order === 'asc' ? 1 : -1;
  return groups.toSorted((one, other) => {
    const [a, b] = [toValue(one), toValue(other)];
    if (a === b) return 0;
    if (a === null) return 1;
    return b === null ? -1 : sign * (a - b);
  });
}

/** Trace or group of a run. */
export type SeenTask = ListedTask & Partial<Pick<Trace, 'model' | 'tags'>>;

const NONE: ReadonlyMap<string, string> = new Map();
/** Labels by value of each filter: all that were seen of the run so far. */
export const NO_CHOICES = { task_key: NONE, environment: NONE, split: NONE, model: NONE, tag: NONE };
export type FilterChoices = Readonly<typeof NO_CHOICES>;

/** Adds the values of traces or groups; returns the same object without new ones. */
export function addFilterChoices(known: FilterChoices, seen: readonly SeenTask[]): FilterChoices {
  const added = (name: keyof FilterChoices, choicesOf: (task: SeenTask) => readonly (string | null | undefined)[]) => {
    const values = seen.flatMap(choicesOf).filter((value) => typeof value === 'string');
    return new Map([...known[name], ...values.map((value) => [value, value] as const)]);
  };
  const tasks = seen.flatMap((task) =>
    task.task_key === null ? [] : [[task.task_key, formatTaskName(task)] as const],
  );
  const next: FilterChoices = {
    task_key: new Map([...known.task_key, ...tasks]),
    environment: added('environment', ({ environment }) => [environment]),
    split: added('split', ({ split }) => [split]),
    model: added('model', ({ model }) => [model]),
    tag: added('tag', ({ tags }) => tags ?? []),
  };
  return (Object.keys(next) as (keyof FilterChoices)[]).every((name) => next[name].size === known[name].size)
    ? known
    : next;
}
