import type {
  Group,
  RewardSummary,
  Run,
  RunDetails,
  RunStats,
  Trace,
  TraceStatus,
} from '../../../../generated/trace.ts';
import { groupBy } from '../../../core/index.ts';
import { leastReaching } from '../../../protocol/index.ts';
import {
  type CountedName,
  matchesTrace,
  runNotFound,
  type SearchQuery,
  type StepMean,
  sortedScore,
  TraceStoreError,
  traceTerms,
} from '../../model/index.ts';
import { decodeCursor, encodeCursor, pageOf, pageOfMatching } from '../cursor.ts';
import { type StepReward, summarizeRewards, toGroup, toRewardSummary, toRunDetails, toRunStats } from '../summaries.ts';
import { toMicroseconds, toTimestamp } from '../trace-changes.ts';
import type { GroupQuery, RunFilter, RunQuery, StorePage, TraceQuery } from '../trace-store.ts';
import type { SqlDialect, SqlReader, SqlValue } from './driver.ts';
import { meanScores, scoreCondition } from './scores.ts';
import { matchingQuery, narrowQuery, selectByBlocks } from './search-blocks.ts';
import {
  afterCursor,
  decodeStoredText,
  decodeStoredTextOrNull,
  encodeStoredText,
  equalColumns,
  isCursorOf,
  likePatternContaining,
  type SqlCondition,
  type SqlOrder,
  type WhereClause,
  whereAll,
} from './statements.ts';
import { readObject, TRACE_ROW_COLUMNS, TRACES_JOIN, type TraceRow, toTrace } from './traces.ts';

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
  const { query: search } = query;
  const { conditions, isExact } = narrowQuery(reader.dialect, org, search);
  const { sql: join, params: joined } = means ?? { sql: '', params: [] };
  const by = `ORDER BY ${table}.${column} ${order} NULLS LAST, t.id ${order}`;

  async function read(position: readonly SqlValue[] | undefined, count: number): Promise<readonly ListedRow[]> {
    const where = whereAll([
      ['t.org = ?', encodeStoredText(org)],
      ...traceConditions(reader.dialect, org, query),
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
      rid: row.rid,
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
        select: (rows) => selectListed(reader, search, rows),
        limit,
        cursorOf,
      });
  return { items: items.map(({ trace }) => trace), next_cursor };
}

/** A trace, and the value that the list is sorted by. */
interface ListedRow {
  readonly rid: number;
  readonly trace: Trace;
  readonly key: number | null;
}

async function selectListed(
  reader: SqlReader,
  query: SearchQuery | undefined,
  rows: readonly ListedRow[],
): Promise<readonly ListedRow[]> {
  if (!query) return rows;
  const terms = traceTerms(query);
  const ofTerms = rows.filter(({ trace }) => matchesTrace(terms, trace));
  const rids = ofTerms.map(({ rid }) => rid);
  const kept = new Set(await selectByBlocks(reader, query, rids));
  return ofTerms.filter(({ rid }) => kept.has(rid));
}

/** Condition of the traces that statistics count. */
const NO_PARENT = ['t.parent_trace_id IS NULL'] as const;

function traceConditions(dialect: SqlDialect, org: string, query: Omit<TraceQuery, 'limit'>): SqlCondition[] {
  const { run, environment, split, task_key, group_id, status, model, step } = query;
  const { tag, reward_min, reward_max, has_error, parent, has_parent, created_after, created_before, q, score } = query;
  return [
    ...equalColumns(
      { run, environment, split, task_key, group_id, status, model, step, parent_trace_id: parent },
      't.',
    ),
    has_parent === undefined ? undefined : has_parent ? ['t.parent_trace_id IS NOT NULL'] : NO_PARENT,
    tag === undefined
      ? undefined
      : ['t.rid IN (SELECT trace_rid FROM trace_tags WHERE tag = ?)', encodeStoredText(tag)],
    reward_min === undefined ? undefined : ['t.reward_sum >= ?', reward_min],
    reward_max === undefined ? undefined : ['t.reward_sum <= ?', reward_max],
    has_error === undefined ? undefined : [has_error ? 't.error_count > 0' : 't.error_count = 0'],
    created_after === undefined ? undefined : ['t.created_us >= ?', toMicroseconds(created_after)],
    created_before === undefined ? undefined : ['t.created_us < ?', toMicroseconds(created_before)],
    q === undefined ? undefined : named(dialect, q),
    score === undefined ? undefined : scoreCondition(org, score),
  ];
}

/** Condition that the id or the name of a trace `t` contains a text. */
function named(dialect: SqlDialect, text: string): SqlCondition {
  const pattern = likePatternContaining(text);
  return [`(${dialect.like('t.id')} OR ${dialect.like('t.name')})`, pattern, pattern];
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
  { q, query, cursor, limit, details: wanted }: RunQuery,
): Promise<StorePage<Run>> {
  const { dialect } = reader;
  const conditions: readonly SqlCondition[] = [
    ['t.org = ?', encodeStoredText(org)],
    ['t.run IS NOT NULL'],
    NO_PARENT,
    q === undefined ? undefined : [dialect.like('t.run'), likePatternContaining(q)],
  ];
  const matching = await matchingQuery(reader, org, query, whereAll(conditions));
  const of = whereAll([...conditions, ...matching]);
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
  const [moments, details] = await Promise.all([
    readRewardMoments(reader, items, tracesIn),
    wanted && readRunDetails(reader, tracesIn(items), wanted.pass),
  ]);
  return {
    items: items.flatMap((row) => {
      const { trace_count, rewarded: count, min_reward: min, max_reward: max } = row;
      // Not used by the summary if rewards are equal, or if there are none.
      const own = min === max ? { mean: 0, variance: 0 } : moments.get(row.run);
      // Omits a run whose traces were deleted meanwhile.
      if (!own) return [];
      const { mean, variance } = own;
      const summary = { count, count_without: trace_count - count, mean, variance, min: min ?? 0, max: max ?? 0 };
      const detailed = details?.get(row.run);
      return [{ ...toRun(row, toRewardSummary(summary)), ...(detailed && { details: detailed }) }];
    }),
    next_cursor,
  };

  /** Condition of the traces of these runs. */
  function tracesIn(runs: readonly RunRow[]): WhereClause {
    const names = dialect.list(runs.map(({ run }) => run));
    return whereAll([['t.org = ?', encodeStoredText(org)], [dialect.columnIn('t.run'), names], NO_PARENT, ...matching]);
  }
}

export async function readRunStats(
  reader: SqlReader,
  org: string,
  run: string,
  bins: number,
  filter: RunFilter = {},
): Promise<RunStats> {
  const conditions: readonly SqlCondition[] = [
    ['t.org = ?', encodeStoredText(org)],
    ...traceConditions(reader.dialect, org, { ...filter, run, has_parent: false }),
  ];
  const matching = await matchingQuery(reader, org, filter.query, whereAll(conditions));
  const { sql, params } = whereAll([...conditions, ...matching]);
  const columns = `SELECT ${RUN_COLUMNS} FROM ${reader.dialect.tracesByRun} WHERE ${sql} GROUP BY run`;
  const counts = `SELECT step, reward_sum AS reward, count(*) AS count FROM trace_rows AS t WHERE ${sql}
    GROUP BY step, reward_sum ORDER BY step, reward_sum`;
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

/** Reads mean and variance for the runs whose rewards differ. @param tracesIn condition of the traces of runs. */
async function readRewardMoments(
  { query, dialect }: SqlReader,
  runs: readonly RunRow[],
  tracesIn: (runs: readonly RunRow[]) => WhereClause,
): Promise<ReadonlyMap<string, RewardMoments>> {
  const varying = runs.filter(({ min_reward, max_reward }) => min_reward !== max_reward);
  if (varying.length === 0) return new Map();
  const isLarge = varying.some(
    ({ min_reward, max_reward }) => Math.max(-(min_reward ?? 0), max_reward ?? 0) > MAX_SUMMABLE,
  );
  const of = tracesIn(varying);
  const moments =
    dialect.variance && !isLarge
      ? await query<RewardMoments>(
          // Excludes larger rewards that were written meanwhile.
          `SELECT run, avg(reward_sum) AS mean, ${dialect.variance('reward_sum')} AS variance FROM trace_rows AS t
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

interface RunSums {
  readonly run: string;
  readonly passed: number;
  readonly mean_seconds: number | null;
  readonly tokens: number | null;
  readonly cost: number | null;
  readonly first_step: number | null;
  readonly last_step: number | null;
}

/** Rows of one run, by its stored name. */
type RunRows<Row> = Row & { readonly run: string };

/** Reads the details of the runs of these traces, by the stored name of the run. */
async function readRunDetails(
  { query, dialect }: SqlReader,
  { sql, params }: WhereClause,
  pass: number,
): Promise<ReadonlyMap<string, RunDetails>> {
  const select = <Row>(columns: string, by: string, from = 'trace_rows AS t', only = sql) =>
    query<RunRows<Row>>(`SELECT t.run, ${columns} FROM ${from} WHERE ${only} GROUP BY ${by}`, params);
  const newest = `SELECT t.run, d.run_info, d.metadata FROM ${TRACES_JOIN}
    WHERE t.rid IN (SELECT max(t.rid) FROM trace_rows AS t WHERE ${sql} GROUP BY t.run)`;
  const [sums, players, tags, steps, infos] = await Promise.all([
    query<RunSums>(`SELECT ${RUN_SUMS} FROM trace_rows AS t WHERE ${sql} GROUP BY t.run`, [
      leastReaching(pass),
      ...params,
    ]),
    select<StoredPlayer>('t.environment, t.model, count(*) AS count', 't.run, t.environment, t.model'),
    select<CountedName>(
      'g.tag AS name, count(*) AS count',
      't.run, g.tag',
      'trace_rows AS t JOIN trace_tags AS g ON g.trace_rid = t.rid',
    ),
    select<StepMean>(
      `t.step, CASE WHEN count(t.reward_sum) = 0 THEN NULL ELSE ${exactMean(dialect)} END AS mean`,
      't.run, t.step ORDER BY t.run, t.step',
      'trace_rows AS t',
      `${sql} AND t.step IS NOT NULL`,
    ),
    query<RunRows<Pick<TraceRow, 'run_info' | 'metadata'>>>(newest, params),
  ]);
  const [playersOf, tagsOf, stepsOf] = [groupBy(players, runOf), groupBy(tags, runOf), groupBy(steps, runOf)];
  const infoOf = new Map(infos.map((row) => [row.run, row]));
  return new Map(
    sums.map(({ run, ...own }) => {
      const info = infoOf.get(run);
      const parts = {
        sums: own,
        players: (playersOf.get(run) ?? []).map(toPlayer),
        tags: (tagsOf.get(run) ?? []).map(({ name, count }) => ({ name: decodeStoredText(name), count })),
        steps: stepsOf.get(run) ?? [],
        newest: { run_info: readObject(info?.run_info ?? '{}'), metadata: readObject(info?.metadata ?? '{}') },
      };
      return [run, toRunDetails(parts)];
    }),
  );
}

const RUN_SUMS = `t.run, sum(CASE WHEN t.reward_sum >= ? THEN 1 ELSE 0 END) AS passed,
  avg(CASE WHEN t.finished_us IS NULL THEN NULL ELSE (t.finished_us - t.created_us) / 1000000.0 END) AS mean_seconds,
  sum(t.tokens) AS tokens, sum(t.cost) AS cost, min(t.step) AS first_step, max(t.step) AS last_step`;

const runOf = ({ run }: { readonly run: string }): string => run;

interface StoredPlayer {
  readonly environment: string | null;
  readonly model: string | null;
  readonly count: number;
}

const toPlayer = ({ environment, model, count }: StoredPlayer): StoredPlayer => ({
  environment: decodeStoredTextOrNull(environment),
  model: decodeStoredTextOrNull(model),
  count,
});

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
    SELECT ${key} AS key, ${exactMean(dialect)} AS mean FROM trace_rows AS t WHERE ${sql} GROUP BY ${key}
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
  const requested: readonly SqlCondition[] = [
    ['t.org = ?', encodeStoredText(org)],
    ['t.group_key IS NOT NULL'],
    ...equalColumns({ run, environment, split, group_id, task_key, step, model }, 't.'),
  ];
  const of = whereAll([...requested, await hasMatchingMember(reader, org, query, requested)]);
  const after = whereAll([
    ['1 = 1'],
    cursor === undefined ? undefined : afterCursor(order, decodeCursor(list, cursor, isCursorOf(sort === 'created'))),
  ]);
  const isByStd = sort === 'std';
  const from = isByStd ? `(${rewardsWithMean(dialect, 'group_key', of)}) AS each` : `trace_rows AS t WHERE ${of.sql}`;
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

/** Condition that a member of the group of a trace `t` has the name and matches the query. */
async function hasMatchingMember(
  reader: SqlReader,
  org: string,
  { q, query }: GroupQuery,
  requested: readonly SqlCondition[],
): Promise<SqlCondition> {
  if (q === undefined && query === undefined) return undefined;
  const conditions = [...requested, q === undefined ? undefined : named(reader.dialect, q)];
  const matching = await matchingQuery(reader, org, query, whereAll(conditions));
  const { sql, params } = whereAll([...conditions, ...matching]);
  return [`t.group_key IN (SELECT t.group_key FROM trace_rows AS t WHERE ${sql})`, ...params];
}

/** Reads the traces of groups, oldest first. */
async function readMembers(reader: SqlReader, of: WhereClause, groups: readonly GroupRow[]) {
  const rows = await reader.query<TraceRow & { readonly group_key: string }>(
    `SELECT ${TRACE_ROW_COLUMNS}, t.group_key FROM ${TRACES_JOIN} WHERE ${of.sql} AND ${reader.dialect.columnIn('t.group_key')}
     ORDER BY t.created_us, t.id`,
    [...of.params, reader.dialect.list(groups.map(({ group_key }) => group_key))],
  );
  return groupBy(rows, ({ group_key }) => group_key);
}
