import type { RewardSummary, Run, RunStats, TraceStatus } from '../../../../generated/trace.ts';
import { sum } from '../../../core/index.ts';
import { notFound, TraceStoreError } from '../../model/index.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { type CountedReward, countIntoBins, histogramEdges, summarizeRewards, toRewardSummary } from '../summaries.ts';
import { toTimestamp } from '../trace-changes.ts';
import type { RunQuery, StorePage } from '../trace-store.ts';
import type { SqlDialect, SqlReader } from './driver.ts';
import {
  afterCursor,
  decodeStoredText,
  encodeStoredText,
  isCursorOf,
  likePatternContaining,
  whereAll,
} from './statements.ts';

interface RunRow {
  readonly run: string;
  readonly traces: number;
  readonly blocks: number;
  readonly bytes: number;
  readonly with_error: number;
  readonly running: number;
  readonly finished: number;
  readonly error: number;
  readonly abandoned: number;
  readonly rewarded: number;
  readonly least: number | null;
  readonly most: number | null;
  readonly first_us: number;
  readonly last_us: number;
}

const STATUSES: readonly TraceStatus[] = ['running', 'finished', 'error', 'abandoned'];

const COLUMNS = `run, count(*) AS traces, sum(block_count) AS blocks,
  sum(bytes) AS bytes, sum(CASE WHEN error_count > 0 THEN 1 ELSE 0 END) AS with_error,
  ${STATUSES.map((status) => `sum(CASE WHEN status = '${status}' THEN 1 ELSE 0 END) AS ${status}`).join(', ')},
  count(reward_sum) AS rewarded, min(reward_sum) AS least, max(reward_sum) AS most, min(created_us) AS first_us,
  max(updated_us) AS last_us`;

export async function listSqlRuns(
  reader: SqlReader,
  dialect: SqlDialect,
  org: string,
  { q, cursor, limit }: RunQuery,
): Promise<StorePage<Run>> {
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
    `SELECT * FROM (SELECT ${COLUMNS} FROM ${dialect.tracesByRun} WHERE ${of.sql} GROUP BY run) AS runs
     WHERE ${after.sql} ORDER BY last_us DESC, run DESC LIMIT ?`,
    [...of.params, ...after.params, limit + 1],
  );
  const found = rows.slice(0, limit);
  const last = rows.length > limit ? found.at(-1) : undefined;
  const moments = await readRunStatistics(reader, dialect, org, found);
  return {
    items: found.flatMap((row) => {
      const own = row.least === row.most ? UNUSED_STATISTICS : moments.get(row.run);
      // Omits a run whose traces were deleted meanwhile.
      return own ? [toRun(row, rewardOf(row, own))] : [];
    }),
    next_cursor: last ? encodeCursor('runs', [last.last_us, last.run]) : null,
  };
}

/** Not used by the summary if rewards are equal, or if there are none. */
const UNUSED_STATISTICS = { mean: 0, variance: 0 };

const rewardOf = (
  { traces, rewarded, least: min, most: max }: RunRow,
  { mean, variance }: Pick<RunStatistics, 'mean' | 'variance'>,
): RewardSummary =>
  toRewardSummary({ count: rewarded, count_without: traces - rewarded, mean, variance, min: min ?? 0, max: max ?? 0 });

export async function readRunStats(
  reader: SqlReader,
  dialect: SqlDialect,
  org: string,
  { run, bins }: { readonly run: string; readonly bins: number },
): Promise<RunStats> {
  const params = [encodeStoredText(org), encodeStoredText(run)];
  const columns = `SELECT ${COLUMNS} FROM ${dialect.tracesByRun} WHERE org = ? AND run = ? GROUP BY run`;
  const counts =
    'SELECT step, reward_sum AS reward, count(*) AS count FROM trace_rows WHERE org = ? AND run = ? GROUP BY step, reward_sum ORDER BY step, reward_sum';
  const [[row], rewards] = await Promise.all([
    reader.query<RunRow>(columns, params),
    reader.query<StepReward>(counts, params),
  ]);
  if (!row) throw new TraceStoreError(notFound(`there is no run ${JSON.stringify(run)} in this organization`));
  const whole = toRun(row, summarizeRewards(rewards));
  const edges = histogramEdges(whole.reward, bins);
  return {
    run: whole,
    edges,
    histogram: countIntoBins(rewards, edges),
    steps: [...byStep(rewards)].map(([step, own]) => ({
      step,
      trace_count: sum(own.map(({ count }) => count)),
      reward: summarizeRewards(own),
      histogram: countIntoBins(own, edges),
    })),
  };
}

type StepReward = CountedReward & { readonly step: number | null };

/** Groups by step, ascending; the rewards without a step come last. */
function byStep(rewards: readonly StepReward[]): ReadonlyMap<number | null, StepReward[]> {
  const steps = new Map<number | null, StepReward[]>();
  for (const reward of rewards) {
    const own = steps.get(reward.step);
    if (own) own.push(reward);
    else steps.set(reward.step, [reward]);
  }
  const without = steps.get(null);
  if (steps.delete(null) && without) steps.set(null, without);
  return steps;
}

const toRun = (row: RunRow, reward: RewardSummary): Run => ({
  run: decodeStoredText(row.run),
  trace_count: row.traces,
  block_count: row.blocks,
  bytes: row.bytes,
  error_count: row.with_error,
  status: { running: row.running, finished: row.finished, error: row.error, abandoned: row.abandoned },
  reward,
  first_created_at: toTimestamp(row.first_us),
  last_updated_at: toTimestamp(row.last_us),
});

/** Mean and variance of the rewards of a run. */
interface RunStatistics {
  readonly run: string;
  readonly mean: number;
  readonly variance: number;
}

/** Minimum and maximum of the rewards of a run; null if there are none. */
interface RunRewardRange {
  readonly run: string;
  readonly least: number | null;
  readonly most: number | null;
}

/** Rewards up to this value can be squared and summed as doubles, whatever their number. */
const MAX_SUMMABLE = 1e140;

/** Reads mean and variance for the runs whose rewards differ. */
async function readRunStatistics(
  reader: SqlReader,
  dialect: SqlDialect,
  org: string,
  runs: readonly RunRewardRange[],
): Promise<ReadonlyMap<string, RunStatistics>> {
  const varying = runs.filter(({ least: min, most: max }) => min !== max);
  if (varying.length === 0) return new Map();
  const isLarge = varying.some(({ least: min, most: max }) => Math.max(-(min ?? 0), max ?? 0) > MAX_SUMMABLE);
  const chosen = `FROM trace_rows WHERE org = ? AND ${dialect.columnIn('run')}`;
  const params = [encodeStoredText(org), dialect.list(varying.map(({ run }) => run))];
  const moments =
    dialect.variance && !isLarge
      ? await reader.query<RunStatistics>(
          // Excludes larger rewards that were written meanwhile.
          `SELECT run, avg(reward_sum) AS mean, ${dialect.variance('reward_sum')} AS variance ${chosen}
           AND abs(reward_sum) <= ${MAX_SUMMABLE} GROUP BY run`,
          params,
        )
      : await reader.query<RunStatistics>(exactMoments(dialect, chosen), [...params, ...params]);
  return new Map(moments.map((each) => [each.run, each]));
}

/** Computes the variance from the mean: the difference of two large sums would lose all precision. */
function exactMoments({ toExactNumeric, toDouble }: SqlDialect, chosen: string): string {
  const distance = `(${toExactNumeric('t.reward_sum')} - ${toExactNumeric('m.mean')})`;
  return `SELECT t.run, max(m.mean) AS mean, ${toDouble(`avg(${distance} * ${distance})`)} AS variance
    FROM (SELECT run, reward_sum ${chosen}) AS t
    JOIN (SELECT run, ${toDouble(`avg(${toExactNumeric('reward_sum')})`)} AS mean ${chosen} GROUP BY run) AS m ON m.run = t.run
    GROUP BY t.run`;
}
