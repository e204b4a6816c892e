import type { RewardSummary, Run, RunStats, TraceStatus } from '../../../../generated/trace.ts';
import { notFound, Refusal } from '../../model/index.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { type CountedReward, edgesOf, histogramOf, summarize, summaryOf } from '../summaries.ts';
import { timestampOf } from '../time.ts';
import type { PageOf, RunQuery } from '../trace-store.ts';
import type { Dialect, SqlReader } from './driver.ts';
import { afterPlace, holding, isPlaceIn, whereAll } from './statements.ts';
import { readText, storedText } from './text.ts';

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
  readonly mean: number;
  readonly least: number;
  readonly most: number;
  readonly first_us: number;
  readonly last_us: number;
}

const STATUSES: readonly TraceStatus[] = ['running', 'finished', 'error', 'abandoned'];

const columnsOf = ({ exact, nearest }: Dialect): string => `run, count(*) AS traces, sum(block_count) AS blocks,
  sum(bytes) AS bytes, sum(CASE WHEN error_count > 0 THEN 1 ELSE 0 END) AS with_error,
  ${STATUSES.map((status) => `sum(CASE WHEN status = '${status}' THEN 1 ELSE 0 END) AS ${status}`).join(', ')},
  count(reward_sum) AS rewarded, ${nearest(`avg(${exact('reward_sum')})`)} AS mean, min(reward_sum) AS least,
  max(reward_sum) AS most, min(created_us) AS first_us, max(updated_us) AS last_us`;

export async function listRuns(
  reader: SqlReader,
  dialect: Dialect,
  org: string,
  { q, cursor, limit }: RunQuery,
): Promise<PageOf<Run>> {
  const of = whereAll([
    ['org = ?', storedText(org)],
    ['run IS NOT NULL'],
    q === undefined ? undefined : [dialect.like('run'), holding(q)],
  ]);
  const order = { column: 'last_us', id: 'run', order: 'desc', mayBeNull: false } as const;
  const after = whereAll([
    ['last_us > 0'],
    cursor === undefined ? undefined : afterPlace(order, decodeCursor('runs', cursor, isPlaceIn(true))),
  ]);
  const rows = await reader.query<RunRow>(
    `SELECT * FROM (SELECT ${columnsOf(dialect)} FROM trace_rows WHERE ${of.sql} GROUP BY run) AS runs
     WHERE ${after.sql} ORDER BY last_us DESC, run DESC LIMIT ?`,
    [...of.params, ...after.params, limit + 1],
  );
  const found = rows.slice(0, limit);
  const last = rows.length > limit ? found.at(-1) : undefined;
  const squares = await squaresOf(reader, dialect, org, found);
  return {
    items: found.map((row) => toRun(row, rewardOf(row, squares.get(row.run) ?? 0))),
    next_cursor: last ? encodeCursor('runs', [last.last_us, last.run]) : null,
  };
}

/** Of each run the sum of the squares of what is between its rewards and their mean, which has to be known before. */
async function squaresOf(
  reader: SqlReader,
  dialect: Dialect,
  org: string,
  rows: readonly RunRow[],
): Promise<ReadonlyMap<string, number>> {
  const chosen = `FROM trace_rows WHERE org = ? AND ${dialect.oneOf('run')}`;
  const params = [storedText(org), dialect.list(rows.map(({ run }) => run))];
  const { exact, nearest } = dialect;
  const distance = `(${exact('t.reward_sum')} - ${exact('m.mean')})`;
  const squares = await reader.query<{ readonly run: string; readonly squares: number }>(
    `SELECT t.run, ${nearest(`sum(${distance} * ${distance})`)} AS squares
     FROM (SELECT run, reward_sum ${chosen}) AS t
     JOIN (SELECT run, ${nearest(`avg(${exact('reward_sum')})`)} AS mean ${chosen} GROUP BY run) AS m ON m.run = t.run GROUP BY t.run`,
    [...params, ...params],
  );
  return new Map(squares.map((each) => [each.run, each.squares]));
}

const rewardOf = ({ traces, rewarded, mean, least, most }: RunRow, squares: number): RewardSummary =>
  summaryOf({ count: rewarded, count_without: traces - rewarded, mean, squares, min: least, max: most });

export async function readRunStats(
  reader: SqlReader,
  dialect: Dialect,
  org: string,
  { run, bins }: { readonly run: string; readonly bins: number },
): Promise<RunStats> {
  const params = [storedText(org), storedText(run)];
  const [row] = await reader.query<RunRow>(
    `SELECT ${columnsOf(dialect)} FROM trace_rows WHERE org = ? AND run = ? GROUP BY run`,
    params,
  );
  if (!row) throw new Refusal(notFound(`there is no run ${JSON.stringify(run)} in this organization`));
  const rewards = await reader.query<StepReward>(
    'SELECT step, reward_sum AS reward, count(*) AS count FROM trace_rows WHERE org = ? AND run = ? GROUP BY step, reward_sum ORDER BY step, reward_sum',
    params,
  );
  const whole = toRun(row, summarize(rewards));
  const edges = edgesOf(whole.reward, bins);
  return {
    run: whole,
    edges,
    histogram: histogramOf(rewards, edges),
    steps: [...byStep(rewards)].map(([step, own]) => ({
      step,
      trace_count: own.reduce((sum, { count }) => sum + count, 0),
      reward: summarize(own),
      histogram: histogramOf(own, edges),
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
  run: readText(row.run),
  trace_count: row.traces,
  block_count: row.blocks,
  bytes: row.bytes,
  error_count: row.with_error,
  status: { running: row.running, finished: row.finished, error: row.error, abandoned: row.abandoned },
  reward,
  first_created_at: timestampOf(row.first_us),
  last_updated_at: timestampOf(row.last_us),
});
