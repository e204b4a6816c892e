import type { Group, Run, RunDetails, RunStats, Score, Trace, TraceStatus } from '../../../../generated/trace.ts';
import { countBy, groupBy, meanOf, sum } from '../../../core/index.ts';
import { reachesBound } from '../../../protocol/index.ts';
import {
  groupKey,
  isContinuation,
  matchesScore,
  readCost,
  readTokenUsage,
  runNotFound,
  sortedScore,
  TraceStoreError,
} from '../../model/index.ts';
import { decodeCursor, encodeCursor, pageOf } from '../cursor.ts';
import { summarizeRewards, toGroup, toRunDetails, toRunStats } from '../summaries.ts';
import { toMicroseconds } from '../trace-changes.ts';
import type { GroupQuery, RunFilter, RunQuery, StorePage, TraceQuery } from '../trace-store.ts';

export function listMemoryTraces(
  traces: readonly Trace[],
  allScores: readonly Score[],
  query: TraceQuery,
): StorePage<Trace> {
  const { sort = 'created', order = 'desc' } = query;
  const name = sortedScore(sort);
  const scores = groupBy(allScores, ({ trace_id }) => trace_id);
  const meanScore = ({ id }: Trace) =>
    meanOf((scores.get(id) ?? []).flatMap((each) => (each.name === name ? (each.value ?? []) : [])));
  const value = (trace: Trace) => {
    if (name !== undefined) return meanScore(trace);
    return sort === 'created' ? trace.created_at : sort === 'length' ? trace.block_count : trace.reward_sum;
  };
  const found = traces.filter((trace) => matches(trace, query, scores));
  return page(found, { list: `traces ${sort} ${order}`, order, position: (trace) => [value(trace), trace.id] }, query);
}

type ScoresByTrace = ReadonlyMap<string | null, readonly Score[]>;

function matches(trace: Trace, query: Omit<TraceQuery, 'limit'>, scores: ScoresByTrace): boolean {
  const { reward_min, reward_max, has_error, parent, has_parent, created_after, created_before, tag, q, score } = query;
  const { reward_sum, created_at } = trace;
  return (
    hasFields(trace, query, ['run', 'environment', 'split', 'task_key', 'group_id', 'step', 'status', 'model']) &&
    (tag === undefined || trace.tags.includes(tag)) &&
    (reward_min === undefined || (reward_sum !== null && reward_sum >= reward_min)) &&
    (reward_max === undefined || (reward_sum !== null && reward_sum <= reward_max)) &&
    (has_error === undefined || trace.error_count > 0 === has_error) &&
    (parent === undefined || trace.parent_trace_id === parent) &&
    (has_parent === undefined || isContinuation(trace) === has_parent) &&
    (created_after === undefined || created_at >= created_after) &&
    (created_before === undefined || created_at < created_before) &&
    (q === undefined || isNamed(trace, q)) &&
    (score === undefined || matchesScore(scores.get(trace.id) ?? [], score))
  );
}

const isNamed = ({ id, name }: Trace, q: string): boolean =>
  includesIgnoringCase(id, q) || includesIgnoringCase(name ?? '', q);

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
  const { q, details } = query;
  const tracesByRun = groupTraces(traces, (trace) => (isContinuation(trace) ? null : trace.run));
  const runs = [...tracesByRun].map(([run, own]) => runOf(run, own));
  const found = runs.filter(({ run }) => q === undefined || includesIgnoringCase(run, q));
  const listed = page(found, { list: 'runs', order: 'desc', position: (run) => [run.last_updated_at, run.run] }, query);
  if (!details) return listed;
  const items = listed.items.map((run) => {
    const own = tracesByRun.get(run.run);
    return own ? { ...run, details: detailsOf(own, details.pass) } : run;
  });
  return { ...listed, items };
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

function detailsOf(traces: readonly [Trace, ...Trace[]], pass: number): RunDetails {
  const stepped = traces
    .filter(({ step }) => step !== null)
    .sort((one, other) => Number(one.step) - Number(other.step));
  const steps = [...groupBy(stepped, ({ step }) => Number(step))].map(([step, own]) => ({
    step,
    mean: summarizeRewards(own.map(countedReward)).mean,
  }));
  const seconds = traces.flatMap(({ created_at, finished_at }) =>
    finished_at === null ? [] : [(toMicroseconds(finished_at) - toMicroseconds(created_at)) / 1e6],
  );
  const total = (numbers: readonly (number | undefined)[]) => {
    const given = numbers.filter((number) => number !== undefined);
    return given.length === 0 ? null : sum(given);
  };
  const sums = {
    passed: traces.filter(({ reward_sum }) => reward_sum !== null && reachesBound(reward_sum, pass)).length,
    mean_seconds: meanOf(seconds),
    tokens: total(traces.map((trace) => readTokenUsage(trace)?.total)),
    cost: total(traces.map(readCost)),
    first_step: steps[0]?.step ?? null,
    last_step: steps.at(-1)?.step ?? null,
  };
  const players = traces.map(({ environment, model }) => ({ environment, model, count: 1 }));
  const tags = [
    ...countBy(
      traces.flatMap(({ tags }) => [...new Set(tags)]),
      (tag) => tag,
    ),
  ];
  return toRunDetails({
    sums,
    players,
    tags: tags.map(([name, count]) => ({ name, count })),
    steps,
    newest: traces.at(-1) ?? traces[0],
  });
}

export function computeRunStats(
  traces: readonly Trace[],
  allScores: readonly Score[],
  filter: RunFilter & { readonly run: string },
  bins: number,
): RunStats {
  const { run } = filter;
  const scores = groupBy(allScores, ({ trace_id }) => trace_id);
  const own = traces.filter((trace) => !isContinuation(trace) && matches(trace, filter, scores));
  if (own.length === 0) throw new TraceStoreError(runNotFound(run));
  return toRunStats(runOf(run, own), own.map(countedReward), bins);
}

const countedReward = ({ step, reward_sum }: Trace) => ({ step, reward: reward_sum, count: 1 });

/** @param matching traces of which each listed group must have one. */
export function groupMemoryTraces(
  traces: readonly Trace[],
  matching: readonly Trace[],
  query: GroupQuery,
): StorePage<Group> {
  const { sort = 'created', q } = query;
  const isRequested = (trace: Trace) =>
    hasFields(trace, query, ['run', 'environment', 'split', 'step', 'group_id', 'task_key', 'model']);
  const chosen = matching.filter((trace) => isRequested(trace) && (q === undefined || isNamed(trace, q)));
  const keys = new Set(chosen.map(groupKey));
  const requested = traces.filter((trace) => isRequested(trace) && keys.has(groupKey(trace)));
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
