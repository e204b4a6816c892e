import type { SqlDialect, SqlReader } from './driver.ts';
import { encodeStoredText } from './text.ts';

/** What the rewards of a run come to. */
export interface RunStatistics {
  readonly run: string;
  readonly mean: number;
  readonly variance: number;
}

/** The least and the most of the rewards of a run; null where there are none. */
interface RunRewardRange {
  readonly run: string;
  readonly least: number | null;
  readonly most: number | null;
}

/** Rewards that are no larger can be squared and added as doubles, however many there are. */
const LARGE = 1e140;

/** Mean and variance of the rewards of those runs in which they differ. */
export async function readRunStatistics(
  reader: SqlReader,
  dialect: SqlDialect,
  org: string,
  runs: readonly RunRewardRange[],
): Promise<ReadonlyMap<string, RunStatistics>> {
  const uneven = runs.filter(({ least: min, most: max }) => min !== max);
  if (uneven.length === 0) return new Map();
  const isLarge = uneven.some(({ least: min, most: max }) => Math.max(-(min ?? 0), max ?? 0) > LARGE);
  const chosen = `FROM trace_rows WHERE org = ? AND ${dialect.columnIn('run')}`;
  const params = [encodeStoredText(org), dialect.list(uneven.map(({ run }) => run))];
  const moments =
    dialect.variance && !isLarge
      ? await reader.query<RunStatistics>(
          // Nor may those be large that have come meanwhile.
          `SELECT run, avg(reward_sum) AS mean, ${dialect.variance('reward_sum')} AS variance ${chosen}
           AND abs(reward_sum) <= ${LARGE} GROUP BY run`,
          params,
        )
      : await reader.query<RunStatistics>(exactMoments(dialect, chosen), [...params, ...params]);
  return new Map(moments.map((each) => [each.run, each]));
}

/** The mean first: the difference of two large sums would be no variance. */
function exactMoments({ toExactNumeric, toDouble }: SqlDialect, chosen: string): string {
  const distance = `(${toExactNumeric('t.reward_sum')} - ${toExactNumeric('m.mean')})`;
  return `SELECT t.run, max(m.mean) AS mean, ${toDouble(`avg(${distance} * ${distance})`)} AS variance
    FROM (SELECT run, reward_sum ${chosen}) AS t
    JOIN (SELECT run, ${toDouble(`avg(${toExactNumeric('reward_sum')})`)} AS mean ${chosen} GROUP BY run) AS m ON m.run = t.run
    GROUP BY t.run`;
}
