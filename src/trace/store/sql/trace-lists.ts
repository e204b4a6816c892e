import type { Group, RewardSummary, Run, RunStats, Trace, TraceStatus } from '../../../../generated/trace.ts';
import { groupBy } from '../../../core/index.ts';
import { matchesTrace, runNotFound, sortedScore, TraceStoreError, traceTerms } from '../../model/index.ts';
import { decodeCursor, encodeCursor, pageOf, pageOfMatching } from '../cursor.ts';
import { type StepReward, summarizeRewards, toGroup, toRewardSummary, toRunStats } from '../summaries.ts';
import { toMicroseconds, toTimestamp } from '../trace-changes.ts';
import type { GroupQuery, RunQuery, StorePage, TraceQuery } from '../trace-store.ts';
import type { SqlDialect, SqlReader, SqlValue } from './driver.ts';
import { meanScores, scoreCondition } from './scores.ts';
import { narrowTraces } from './search-blocks.ts';
import {
  afterCursor,
  decodeStoredText,
  encodeStoredText,
  equalColumns,
  isCursorOf,
  likePatternContaining,
  type SqlCondition,
  type SqlOrder,
  type WhereClause,
  whereAll,
} from './statements.ts';
import { TRACE_ROW_COLUMNS, TRACES_JOIN, type TraceRow, toTrace } from './traces.ts';

const SORT_COLUMNS = { created: 'created_us', reward: 'reward_sum', length: 'block_count' } as const;

export async function listSqlTraces(reader: SqlReader, org: string, query: TraceQuery): Promise<StorePage<Trace>> {
  const { sort = 'created', order = 'desc', limit } = query;
  const list = `traces ${sort} ${order}`;
  const scored = sortedScore(sort);
  const means = scored === undefined ? undefined : meanScores(org, scored);
  const [table, column] = means
    ? (['m', 'mean_score'] as const)
    : (['t', SORT_COLUMNS[sort as keyof typeof SORT_COLUMNS]] as const);
  const mayBeNull = means !== undefined || sort === 'reward';
  const terms = query.query ? traceTerms(query.query) : [];
  const { conditions, isExact } = narrowTraces(reader.dialect, org, terms);
  const { sql: join, params: joined } = means ?? { sql: '', params: [] };
  const by = `ORDER BY ${table}.${column} ${order} NULLS LAST, t.id ${order}`;

  async function read(position: readonly SqlValue[] | undefined, count: number): Promise<readonly ListedRow[]> {
    const where = whereAll([
      ['t.org = ?', encodeStoredText(org)],
      ...traceConditions(reader.dialect, query),
      query.score === undefined ? undefined : scoreCondition(org, query.score),
      ...conditions,
      position && afterCursor({ column: `${table}.${column}`, id: 't.id', order, mayBeNull }, position),
    ]);
    // Sorting the ids first, and then reading the other columns of the page, takes a tenth of the time.
    const chosen = `SELECT t.rid FROM trace_rows AS t ${join} WHERE ${where.sql} ${by} LIMIT ?`;
    const rows = await reader.query<TraceRow & { readonly mean_score?: number | null }>(
      `SELECT ${TRACE_ROW_COLUMNS}${means ? ', m.mean_score' : ''} FROM ${TRACES_JOIN} ${join} WHERE t.rid IN (${chosen}) ${by}`,
      [...joined, ...joined, ...where.params, count],
    );
    return rows.map(({ mean_score, ...row }) => ({
      trace: toTrace(row),
      key: means ? (mean_score ?? null) : row[SORT_COLUMNS[sort as keyof typeof SORT_COLUMNS]],
    }));
  }

  const first = query.cursor === undefined ? undefined : decodeCursor(list, query.cursor, isCursorOf(!mayBeNull));
  const cursorOf = ({ trace, key }: ListedRow) => encodeCursor(list, [key, trace.id]);
  const { items, next_cursor } = isExact
    ? pageOf(await read(first, limit + 1), limit, cursorOf)
    : await pageOfMatching({
        read: (after, count) => read(after ? [after.key, after.trace.id] : first, count),
        matches: ({ trace }) => matchesTrace(terms, trace),
        limit,
        cursorOf,
      });
  return { items: items.map(({ trace }) => trace), next_cursor };
}

/** A trace, and the value that the list is sorted by. */
interface ListedRow {
  readonly trace: Trace;
  readonly key: number | null;
}

function traceConditions(dialect: SqlDialect, query: TraceQuery): SqlCondition[] {
  const { run, environment, split, task_key, group_id, status, model, step } = query;
  const { tag, reward_min, reward_max, has_error, created_after, created_before, q } = query;
  const pattern = q === undefined ? '' : likePatternContaining(q);
  return [
    ...equalColumns({ run, environment, split, task_key, group_id, status, model, step }, 't.'),
    tag === undefined
      ? undefined
      : ['t.rid IN (SELECT trace_rid FROM trace_tags WHERE tag = ?)', encodeStoredText(tag)],
    reward_min === undefined ? undefined : ['t.reward_sum >= ?', reward_min],
    reward_max === undefined ? undefined : ['t.reward_sum <= ?', reward_max],
    has_error === undefined ? undefined : [has_error ? 't.error_count > 0' : 't.error_count = 0'],
    created_after === undefined ? undefined : ['t.created_us >= ?', toMicroseconds(created_after)],
    created_before === undefined ? undefined : ['t.created_us < ?', toMicroseconds(created_before)],
    q === undefined ? undefined : [`(${dialect.like('t.id')} OR ${dialect.like('t.name')})`, pattern, pattern],
  ];
}

interface RunRow extends Pick<Run, 'run' | 'trace_count' | 'block_count' | 'bytes' | 'error_count'> {
  readonly running: number;
  readonly finished: number;
  readonly error: number;
  readonly abandoned: number;
  readonly rewarded: number;
  readonly min_reward: number | null;
  readonly max_reward: number | null;
  readonly first_us: number;
  readonly last_us: number;
}

const STATUSES: readonly TraceStatus[] = ['running', 'finished', 'error', 'abandoned'];

const RUN_COLUMNS = `run, count(*) AS trace_count, sum(block_count) AS block_count,
  sum(bytes) AS bytes, sum(CASE WHEN error_count > 0 THEN 1 ELSE 0 END) AS error_count,
  ${STATUSES.map((status) => `sum(CASE WHEN status = '${status}' THEN 1 ELSE 0 END) AS ${status}`).join(', ')},
  count(reward_sum) AS rewarded, min(reward_sum) AS min_reward, max(reward_sum) AS max_reward,
  min(created_us) AS first_us, max(updated_us) AS last_us`;

export async function listSqlRuns(
  reader: SqlReader,
  org: string,
  { q, cursor, limit }: RunQuery,
): Promise<StorePage<Run>> {
  const { dialect } = reader;
  const of = whereAll([
    ['org = ?', encodeStoredText(org)],
    ['run IS NOT NULL'],
    q === undefined ? undefined : [dialect.like('run'), likePatternContaining(q)],
  ]);
  const order = { column: 'last_us', id: 'run', order: 'desc', mayBeNull: false } as const;
  const after = whereAll([
    ['last_us > 0'],
    cursor === undefined ? undefined : afterCursor(order, decodeCursor('runs', cursor, isCursorOf(true))),
  ]);
  const rows = await reader.query<RunRow>(
    `SELECT * FROM (SELECT ${RUN_COLUMNS} FROM ${dialect.tracesByRun} WHERE ${of.sql} GROUP BY run) AS runs
     WHERE ${after.sql} ORDER BY last_us DESC, run DESC LIMIT ?`,
    [...of.params, ...after.params, limit + 1],
  );
  const { items, next_cursor } = pageOf(rows, limit, (last) => encodeCursor('runs', [last.last_us, last.run]));
  const moments = await readRewardMoments(reader, org, items);
  return {
    items: items.flatMap((row) => {
      const { trace_count, rewarded: count, min_reward: min, max_reward: max } = row;
      // Not used by the summary if rewards are equal, or if there are none.
      const own = min === max ? { mean: 0, variance: 0 } : moments.get(row.run);
      // Omits a run whose traces were deleted meanwhile.
      if (!own) return [];
      const { mean, variance } = own;
      const summary = { count, count_without: trace_count - count, mean, variance, min: min ?? 0, max: max ?? 0 };
      return [toRun(row, toRewardSummary(summary))];
    }),
    next_cursor,
  };
}

export async function readRunStats(reader: SqlReader, org: string, run: string, bins: number): Promise<RunStats> {
  const params = [encodeStoredText(org), encodeStoredText(run)];
  const columns = `SELECT ${RUN_COLUMNS} FROM ${reader.dialect.tracesByRun} WHERE org = ? AND run = ? GROUP BY run`;
  const counts =
    'SELECT step, reward_sum AS reward, count(*) AS count FROM trace_rows WHERE org = ? AND run = ? GROUP BY step, reward_sum ORDER BY step, reward_sum';
  const [[row], rewards] = await Promise.all([
    reader.query<RunRow>(columns, params),
    reader.query<StepReward>(counts, params),
  ]);
  if (!row) throw new TraceStoreError(runNotFound(run));
  return toRunStats(toRun(row, summarizeRewards(rewards)), rewards, bins);
}

const toRun = (row: RunRow, reward: RewardSummary): Run => ({
  run: decodeStoredText(row.run),
  trace_count: row.trace_count,
  block_count: row.block_count,
  bytes: row.bytes,
  error_count: row.error_count,
  status: { running: row.running, finished: row.finished, error: row.error, abandoned: row.abandoned },
  reward,
  first_created_at: toTimestamp(row.first_us),
  last_updated_at: toTimestamp(row.last_us),
});

/** Mean and variance of the rewards of a run. */
interface RewardMoments {
  readonly run: string;
  readonly mean: number;
  readonly variance: number;
}

/** Rewards up to this value can be squared and summed as doubles, whatever their number. */
const MAX_SUMMABLE = 1e140;

/** Reads mean and variance for the runs whose rewards differ. */
async function readRewardMoments(
  { query, dialect }: SqlReader,
  org: string,
  runs: readonly RunRow[],
): Promise<ReadonlyMap<string, RewardMoments>> {
  const varying = runs.filter(({ min_reward, max_reward }) => min_reward !== max_reward);
  if (varying.length === 0) return new Map();
  const isLarge = varying.some(
    ({ min_reward, max_reward }) => Math.max(-(min_reward ?? 0), max_reward ?? 0) > MAX_SUMMABLE,
  );
  const names = dialect.list(varying.map(({ run }) => run));
  const of = whereAll([
    ['org = ?', encodeStoredText(org)],
    [dialect.columnIn('run'), names],
  ]);
  const moments =
    dialect.variance && !isLarge
      ? await query<RewardMoments>(
          // Excludes larger rewards that were written meanwhile.
          `SELECT run, avg(reward_sum) AS mean, ${dialect.variance('reward_sum')} AS variance FROM trace_rows
           WHERE ${of.sql} AND abs(reward_sum) <= ${MAX_SUMMABLE} GROUP BY run`,
          of.params,
        )
      : await query<RewardMoments>(
          `SELECT run, max(mean) AS mean, ${varianceFromMean(dialect)} AS variance
           FROM (${rewardsWithMean(dialect, 'run', of)}) AS each GROUP BY run`,
          [...of.params, ...of.params],
        );
  return new Map(moments.map((each) => [each.run, each]));
}

const exactMean = ({ toExactNumeric, toDouble }: SqlDialect): string =>
  toDouble(`avg(${toExactNumeric('reward_sum')})`);

/** Variance of the rows of `rewardsWithMean`: the difference of two large sums would lose all precision. */
function varianceFromMean({ toExactNumeric, toDouble }: SqlDialect): string {
  const distance = `(${toExactNumeric('reward_sum')} - ${toExactNumeric('mean')})`;
  return toDouble(`avg(${distance} * ${distance})`);
}

/** Selects the reward of each trace and the mean of its group. The parameters of the condition are needed twice. */
const rewardsWithMean = (dialect: SqlDialect, key: 'run' | 'group_key', { sql }: WhereClause): string => `
  SELECT t.${key}, t.reward_sum, means.mean FROM trace_rows AS t JOIN (
    SELECT ${key} AS key, ${exactMean(dialect)} AS mean FROM trace_rows WHERE ${sql} GROUP BY ${key}
  ) AS means ON means.key = t.${key} WHERE ${sql}`;

interface GroupRow {
  readonly group_key: string;
  readonly sort_key: number | null;
}

/** Sort keys of groups. The variance has the same order as the deviation. */
const sortKeysOf = (dialect: SqlDialect) => ({
  created: 'min(created_us)',
  mean: exactMean(dialect),
  std: `CASE WHEN min(reward_sum) = max(reward_sum) THEN 0.0 ELSE ${varianceFromMean(dialect)} END`,
});

export async function listSqlGroups(reader: SqlReader, org: string, query: GroupQuery): Promise<StorePage<Group>> {
  const { dialect } = reader;
  const { sort = 'created', cursor, limit, run, environment, split, group_id, task_key, step, model } = query;
  const list = `groups ${sort}`;
  const order: SqlOrder = {
    column: 'sort_key',
    id: 'group_key',
    order: sort === 'created' ? 'asc' : 'desc',
    mayBeNull: true,
  };
  const of = whereAll([
    ['org = ?', encodeStoredText(org)],
    ['group_key IS NOT NULL'],
    ...equalColumns({ run, environment, split, group_id, task_key, step, model }),
  ]);
  const after = whereAll([
    ['1 = 1'],
    cursor === undefined ? undefined : afterCursor(order, decodeCursor(list, cursor, isCursorOf(sort === 'created'))),
  ]);
  const isByStd = sort === 'std';
  const from = isByStd ? `(${rewardsWithMean(dialect, 'group_key', of)}) AS each` : `trace_rows WHERE ${of.sql}`;
  const rows = await reader.query<GroupRow>(
    `SELECT group_key, sort_key FROM (SELECT group_key, ${sortKeysOf(dialect)[sort]} AS sort_key FROM ${from} GROUP BY group_key) AS g
     WHERE ${after.sql} ORDER BY sort_key ${order.order} NULLS LAST, group_key ${order.order} LIMIT ?`,
    [...(isByStd ? [...of.params, ...of.params] : of.params), ...after.params, limit + 1],
  );
  const { items, next_cursor } = pageOf(rows, limit, (last) => encodeCursor(list, [last.sort_key, last.group_key]));
  const members = await readMembers(reader, of, items);
  return {
    items: items.flatMap(({ group_key }) => {
      const own = members.get(group_key) ?? [];
      const [first, ...others] = own.map(({ group_key: _, ...row }) => toTrace(row));
      return first ? [toGroup(decodeStoredText(group_key), [first, ...others])] : [];
    }),
    next_cursor,
  };
}

/** Reads the traces of groups, oldest first. */
async function readMembers(reader: SqlReader, of: WhereClause, groups: readonly GroupRow[]) {
  const rows = await reader.query<TraceRow & { readonly group_key: string }>(
    `SELECT ${TRACE_ROW_COLUMNS}, t.group_key FROM ${TRACES_JOIN} WHERE ${of.sql} AND ${reader.dialect.columnIn('group_key')}
     ORDER BY t.created_us, t.id`,
    [...of.params, reader.dialect.list(groups.map(({ group_key }) => group_key))],
  );
  return groupBy(rows, ({ group_key }) => group_key);
}
