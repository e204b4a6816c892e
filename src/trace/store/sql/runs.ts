import type { RewardSummary, Run, RunStats, TraceStatus } from '../../../../generated/trace.ts';
import { sum } from '../../../core/index.ts';
import { notFound, TraceStoreError } from '../../model/index.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { type CountedReward, countIntoBins, histogramEdges, summarizeRewards, toRewardSummary } from '../summaries.ts';
import { toTimestamp } from '../time.ts';
import type { RunQuery, StorePage } from '../trace-store.ts';
import type { SqlDialect, SqlReader } from './driver.ts';
import { type RunStatistics, readRunStatistics } from './run-moments.ts';
import { afterCursor, isCursorOf, likePatternContaining, whereAll } from './statements.ts';
import { decodeStoredText, encodeStoredText } from './text.ts';

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
      const own = row.least === row.most ? EVEN : moments.get(row.run);
      // One that has been deleted meanwhile is no run any more.
      return own ? [toRun(row, rewardOf(row, own))] : [];
    }),
    next_cursor: last ? encodeCursor('runs', [last.last_us, last.run]) : null,
  };
}

/** Where rewards do not differ, or there are none, these are of no worth. */
const EVEN = { mean: 0, variance: 0 };

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

/** Ascending, what has no step last. */
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
