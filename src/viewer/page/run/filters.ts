import type { Group, Trace, TraceStatus } from '../../../../generated/trace.ts';
import { definedFields } from '../../../core/index.ts';
import { booleanParam, textParams } from '../api/location.ts';
import type { SortOrder } from '../parts/list.tsx';
import type { TraceSortField, TraceSortOrder } from '../parts/trace-table.tsx';

/** Filters of the traces of a run; each field is a query parameter of the address and of the API. */
export interface TraceFilters {
  readonly environment?: string;
  readonly split?: string;
  readonly task_key?: string;
  readonly group_id?: string;
  readonly step?: number;
  readonly status?: TraceStatus;
  readonly model?: string;
  readonly tag?: string;
  readonly reward_min?: number;
  readonly reward_max?: number;
  readonly has_error?: boolean;
  readonly q?: string;
}

const TEXTS = ['environment', 'split', 'task_key', 'group_id', 'model', 'tag', 'q'] as const;
export const FILTER_NAMES = [...TEXTS, 'step', 'status', 'reward_min', 'reward_max', 'has_error'] as const;
export const STATUSES: readonly TraceStatus[] = ['running', 'finished', 'error', 'abandoned'];
const SORTS: readonly TraceSortField[] = ['created', 'reward', 'length'];

/** Reads the filters of an address; invalid values, such as a step of `x`, are ignored. */
export function readTraceFilters(query: URLSearchParams): TraceFilters {
  const number = (name: string) => numberIn(query.get(name));
  const step = number('step');
  return definedFields({
    ...textParams(query, TEXTS),
    step: step !== undefined && Number.isSafeInteger(step) && step >= 0 ? step : undefined,
    status: STATUSES.find((status) => status === query.get('status')),
    reward_min: number('reward_min'),
    reward_max: number('reward_max'),
    has_error: booleanParam(query, 'has_error'),
  });
}

export function readSortOrder(query: URLSearchParams): TraceSortOrder {
  const sort = SORTS.find((each) => each === query.get('sort')) ?? 'created';
  return { sort, order: query.get('order') === 'asc' ? 'asc' : 'desc' };
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

function numberIn(text: string | null): number | undefined {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

const GROUP_SORTS = ['std', 'mean', 'step', 'task'] as const;
export type GroupSort = (typeof GROUP_SORTS)[number];
export type GroupSortOrder = SortOrder<GroupSort>;

/** Reads the order of groups from an address. @default highest deviation first */
export function readGroupSortOrder(query: URLSearchParams): GroupSortOrder {
  const sort = GROUP_SORTS.find((each) => each === query.get('gsort')) ?? 'std';
  return { sort, order: query.get('gorder') === 'asc' ? 'asc' : 'desc' };
}

const PLACES: Readonly<Record<GroupSort, (group: Group) => number | null>> = {
  std: ({ reward }) => reward.std,
  mean: ({ reward }) => reward.mean,
  step: ({ step }) => step,
  task: ({ task_index }) => task_index,
};

/** Sorts groups; those without a value come last. */
export function sortGroups(groups: readonly Group[], { sort, order }: GroupSortOrder): Group[] {
  const placeOf = PLACES[sort];
  const sign = order === 'asc' ? 1 : -1;
  return groups.toSorted((one, other) => {
    const [a, b] = [placeOf(one), placeOf(other)];
    if (a === b) return 0;
    if (a === null) return 1;
    return b === null ? -1 : sign * (a - b);
  });
}

type ListedTask = Pick<Trace, 'environment' | 'split' | 'task_key' | 'task_index'>;
type SeenTask = ListedTask & Partial<Pick<Trace, 'model' | 'tags'>>;

/** Values that can be selected in filters: all that were seen of the run so far. */
export interface FilterChoices {
  readonly environments: ReadonlySet<string>;
  readonly splits: ReadonlySet<string>;
  readonly models: ReadonlySet<string>;
  readonly tags: ReadonlySet<string>;
  /** By task_key. */
  readonly tasks: ReadonlyMap<string, ListedTask>;
}

const NONE: ReadonlySet<string> = new Set();
export const NO_CHOICES: FilterChoices = {
  environments: NONE,
  splits: NONE,
  models: NONE,
  tags: NONE,
  tasks: new Map(),
};

/** Adds the values of traces or groups; returns the same object if there are no new ones. */
export function addFilterChoices(known: FilterChoices, seen: readonly SeenTask[]): FilterChoices {
  const tasks = new Map(known.tasks);
  for (const each of seen) if (each.task_key !== null) tasks.set(each.task_key, each);
  const next: FilterChoices = {
    environments: withValues(known.environments, seen, ({ environment }) => [environment]),
    splits: withValues(known.splits, seen, ({ split }) => [split]),
    models: withValues(known.models, seen, ({ model }) => [model]),
    tags: withValues(known.tags, seen, ({ tags }) => tags ?? []),
    tasks,
  };
  return (Object.keys(next) as (keyof FilterChoices)[]).every((name) => next[name].size === known[name].size)
    ? known
    : next;
}

const withValues = (
  known: ReadonlySet<string>,
  seen: readonly SeenTask[],
  values: (seen: SeenTask) => readonly (string | null | undefined)[],
): ReadonlySet<string> => new Set([...known, ...seen.flatMap(values).filter((value) => typeof value === 'string')]);
