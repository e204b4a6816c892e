import type { TraceStatus } from '../../../../generated/trace.ts';
import type { TraceSortField, TraceSortOrder } from '../parts/trace-table.tsx';
import { readGroupSortOrder } from './sort-groups.ts';

/** Which traces of a run are shown; each field stands in the address under its name, and is a filter of the API. */
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
const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false };

/** What an address asks for; what no trace could have, such as a step of `x`, is left out. */
export function readTraceFilters(query: URLSearchParams): TraceFilters {
  const number = (name: string) => numberIn(query.get(name));
  const step = number('step');
  const given = {
    ...Object.fromEntries(TEXTS.map((name) => [name, query.get(name) || undefined])),
    step: step !== undefined && Number.isSafeInteger(step) && step >= 0 ? step : undefined,
    status: STATUSES.find((status) => status === query.get('status')),
    reward_min: number('reward_min'),
    reward_max: number('reward_max'),
    has_error: BOOLEANS[query.get('has_error') ?? ''],
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

export function readSortOrder(query: URLSearchParams): TraceSortOrder {
  const sort = SORTS.find((each) => each === query.get('sort')) ?? 'created';
  return { sort, order: query.get('order') === 'asc' ? 'asc' : 'desc' };
}

/** Names of an address whose values no trace could have; it is read without them. */
export function unknownFilterParams(query: URLSearchParams): readonly string[] {
  const filters = readTraceFilters(query);
  const { sort, order } = readSortOrder(query);
  const { by: gsort, order: gorder } = readGroupSortOrder(query);
  const orders = Object.entries({ sort, order, gsort, gorder }).filter(([name, used]) => query.get(name) !== used);
  const names = [...FILTER_NAMES.filter((name) => !(name in filters)), ...orders.map(([name]) => name)];
  return names.filter((name) => Boolean(query.get(name)));
}

/** What takes all filters out of an address. */
export const NO_FILTERS: Readonly<Record<string, undefined>> = Object.fromEntries(
  FILTER_NAMES.map((name) => [name, undefined]),
);

function numberIn(text: string | null): number | undefined {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}
