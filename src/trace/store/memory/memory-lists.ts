import type { Group, Run, RunStats, Score, Trace, TraceStatus } from '../../../../generated/trace.ts';
import { groupBy, sum } from '../../../core/index.ts';
import {
  groupKey,
  matchesScore,
  matchesTrace,
  runNotFound,
  sortedScore,
  TraceStoreError,
  traceTerms,
} from '../../model/index.ts';
import { decodeCursor, encodeCursor, pageOf } from '../cursor.ts';
import { summarizeRewards, toGroup, toRunStats } from '../summaries.ts';
import type { GroupQuery, RunQuery, StorePage, TraceQuery } from '../trace-store.ts';

export function listMemoryTraces(
  traces: readonly Trace[],
  allScores: readonly Score[],
  query: TraceQuery,
): StorePage<Trace> {
  const { sort = 'created', order = 'desc', score } = query;
  const name = sortedScore(sort);
  const scores = groupBy(allScores, ({ trace_id }) => trace_id);
  const meanOf = ({ id }: Trace) => {
    const values = (scores.get(id) ?? []).flatMap((each) => (each.name === name ? (each.value ?? []) : []));
    return values.length === 0 ? null : sum(values) / values.length;
  };
  const value = (trace: Trace) => {
    if (name !== undefined) return meanOf(trace);
    return sort === 'created' ? trace.created_at : sort === 'length' ? trace.block_count : trace.reward_sum;
  };
  const terms = query.query ? traceTerms(query.query) : [];
  const found = traces.filter((trace) => {
    const own = scores.get(trace.id) ?? [];
    return matches(trace, query) && (!score || matchesScore(own, score)) && matchesTrace(terms, trace, own);
  });
  return page(found, { list: `traces ${sort} ${order}`, order, position: (trace) => [value(trace), trace.id] }, query);
}

function matches(trace: Trace, query: TraceQuery): boolean {
  const { reward_min, reward_max, has_error, created_after, created_before, tag, q } = query;
  const { reward_sum, created_at } = trace;
  return (
    hasFields(trace, query, ['run', 'environment', 'split', 'task_key', 'group_id', 'step', 'status', 'model']) &&
    (tag === undefined || trace.tags.includes(tag)) &&
    (reward_min === undefined || (reward_sum !== null && reward_sum >= reward_min)) &&
    (reward_max === undefined || (reward_sum !== null && reward_sum <= reward_max)) &&
    (has_error === undefined || trace.error_count > 0 === has_error) &&
    (created_after === undefined || created_at >= created_after) &&
    (created_before === undefined || created_at < created_before) &&
    (q === undefined || includesIgnoringCase(trace.id, q) || includesIgnoringCase(trace.name ?? '', q))
  );
}

/** Compares fields of a trace with a query; undefined fields of the query do not filter. */
export const hasFields = <Field extends keyof Trace>(
  trace: Trace,
  query: { readonly [F in Field]?: unknown },
  fields: readonly Field[],
): boolean => fields.every((field) => query[field] === undefined || trace[field] === query[field]);

/** Ignores the case of ASCII letters only, as databases do. */
const includesIgnoringCase = (text: string, part: string): boolean => lower(text).includes(lower(part));

const lower = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

export function listMemoryRuns(traces: readonly Trace[], query: RunQuery): StorePage<Run> {
  const { q } = query;
  const runs = [...groupTraces(traces, ({ run }) => run)].map(([run, own]) => runOf(run, own));
  const found = runs.filter(({ run }) => q === undefined || includesIgnoringCase(run, q));
  return page(found, { list: 'runs', order: 'desc', position: (run) => [run.last_updated_at, run.run] }, query);
}

function runOf(run: string, traces: readonly Trace[]): Run {
  const countOf = (status: TraceStatus) => traces.filter((trace) => trace.status === status).length;
  return {
    run,
    trace_count: traces.length,
    block_count: sum(traces.map((trace) => trace.block_count)),
    bytes: sum(traces.map((trace) => trace.bytes)),
    error_count: traces.filter((trace) => trace.error_count > 0).length,
    status: {
      running: countOf('running'),
      finished: countOf('finished'),
      error: countOf('error'),
      abandoned: countOf('abandoned'),
    },
    reward: summarizeRewards(traces.map(countedReward)),
    first_created_at: traces.map((trace) => trace.created_at).sort()[0] ?? '',
    last_updated_at:
      traces
        .map((trace) => trace.updated_at)
        .sort()
        .at(-1) ?? '',
  };
}

export function computeRunStats(traces: readonly Trace[], run: string, bins: number): RunStats {
  const own = traces.filter((trace) => trace.run === run);
  if (own.length === 0) throw new TraceStoreError(runNotFound(run));
  return toRunStats(runOf(run, own), own.map(countedReward), bins);
}

const countedReward = ({ step, reward_sum }: Trace) => ({ step, reward: reward_sum, count: 1 });

export function groupMemoryTraces(traces: readonly Trace[], query: GroupQuery): StorePage<Group> {
  const { sort = 'created' } = query;
  const requested = traces.filter((trace) =>
    hasFields(trace, query, ['run', 'environment', 'split', 'step', 'group_id', 'task_key', 'model']),
  );
  const oldestFirst = requested.sort((one, other) =>
    compare([one.created_at, one.id], [other.created_at, other.id], 'asc'),
  );
  const groups = [...groupTraces(oldestFirst, groupKey)].map(([key, own]) => ({
    group: toGroup(key, own),
    created: own[0].created_at,
  }));
  const position = ({ group, created }: (typeof groups)[number]): SortPosition => [
    sort === 'created' ? created : group.reward[sort],
    group.key,
  ];
  const order = sort === 'created' ? 'asc' : 'desc';
  const { items, next_cursor } = page(groups, { list: `groups ${sort}`, order, position }, query);
  return { items: items.map(({ group }) => group), next_cursor };
}

/** Groups traces by a key; omits traces without a key. */
function groupTraces(
  traces: readonly Trace[],
  keyOf: (trace: Trace) => string | null,
): Map<string, [Trace, ...Trace[]]> {
  const groups = groupBy(traces, keyOf);
  groups.delete(null);
  return groups as Map<string, [Trace, ...Trace[]]>;
}

type SortPosition = readonly [string | number | null, string];

interface SortOrdering<T> {
  readonly list: string;
  readonly order: 'asc' | 'desc';
  readonly position: (item: T) => SortPosition;
}

export function page<T>(
  items: readonly T[],
  { list, order, position }: SortOrdering<T>,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): StorePage<T> {
  const [value = null, id = ''] = cursor === undefined ? [] : decodeCursor(list, cursor);
  const sorted = [...items].sort((one, other) => compare(position(one), position(other), order));
  const rest =
    cursor === undefined ? sorted : sorted.filter((item) => compare(position(item), [value, String(id)], order) > 0);
  return pageOf(rest, limit, (last) => encodeCursor(list, position(last)));
}

/** Compares by value, null last in either order, then by id in the same order. */
function compare([value, id]: SortPosition, [otherValue, otherId]: SortPosition, order: 'asc' | 'desc'): number {
  const sign = order === 'asc' ? 1 : -1;
  if (value === null || otherValue === null) {
    if (value !== otherValue) return value === null ? 1 : -1;
  } else if (value !== otherValue) {
    return value < otherValue ? -sign : sign;
  }
  return id === otherId ? 0 : id < otherId ? -sign : sign;
}
