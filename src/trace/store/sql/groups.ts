import type { Group, Trace } from '../../../../generated/trace.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { groupOf } from '../summaries.ts';
import type { GroupQuery, PageOf } from '../trace-store.ts';
import type { Dialect, SqlReader } from './driver.ts';
import { afterPlace, type Condition, isPlaceIn, type Order, type Where, whereAll } from './statements.ts';
import { readText, storedText } from './text.ts';
import { TRACE_COLUMNS, TRACES, type TraceRow, toTrace } from './trace-rows.ts';

interface GroupRow {
  readonly group_key: string;
  readonly place: number | null;
}

/** What groups are put in order by; the variance orders as the deviation does. */
const placesOf = ({ exact, nearest }: Dialect) => {
  const distance = `(${exact('reward_sum')} - ${exact('mean')})`;
  return {
    created: 'min(created_us)',
    mean: nearest(`avg(${exact('reward_sum')})`),
    // The mean first: the difference of two large sums would be no deviation.
    std: `CASE WHEN min(reward_sum) = max(reward_sum) THEN 0.0 ELSE ${nearest(`avg(${distance} * ${distance})`)} END`,
  } as const;
};

export async function listGroups(
  reader: SqlReader,
  dialect: Dialect,
  org: string,
  query: GroupQuery,
): Promise<PageOf<Group>> {
  const { sort = 'created', cursor, limit } = query;
  const list = `groups ${sort}`;
  const order: Order = {
    column: 'place',
    id: 'group_key',
    order: sort === 'created' ? 'asc' : 'desc',
    mayBeNull: true,
  };
  const of = whereAll([['org = ?', storedText(org)], ['group_key IS NOT NULL'], ...conditions(query)]);
  const after = whereAll([
    ['1 = 1'],
    cursor === undefined ? undefined : afterPlace(order, decodeCursor(list, cursor, isPlaceIn(sort === 'created'))),
  ]);
  const from = sort === 'std' ? `(${withMean(dialect, of)}) AS each` : `trace_rows WHERE ${of.sql}`;
  const rows = await reader.query<GroupRow>(
    `SELECT group_key, place FROM (SELECT group_key, ${placesOf(dialect)[sort]} AS place FROM ${from} GROUP BY group_key) AS g
     WHERE ${after.sql} ORDER BY place ${order.order} NULLS LAST, group_key ${order.order} LIMIT ?`,
    [...(sort === 'std' ? [...of.params, ...of.params] : of.params), ...after.params, limit + 1],
  );
  const found = rows.slice(0, limit);
  const last = rows.length > limit ? found.at(-1) : undefined;
  const members = await readMembers(reader, dialect, of, found);
  return {
    items: found.flatMap(({ group_key }) => {
      const [first, ...others] = members.get(group_key) ?? [];
      return first ? [groupOf(readText(group_key), [first, ...others])] : [];
    }),
    next_cursor: last ? encodeCursor(list, [last.place, last.group_key]) : null,
  };
}

const withMean = ({ exact, nearest }: Dialect, { sql }: Where) => `
  SELECT t.group_key, t.reward_sum, means.mean FROM trace_rows AS t JOIN (
    SELECT group_key AS key, ${nearest(`avg(${exact('reward_sum')})`)} AS mean FROM trace_rows WHERE ${sql} GROUP BY group_key
  ) AS means ON means.key = t.group_key WHERE ${sql}`;

const conditions = (query: GroupQuery): Condition[] => [
  ...(['run', 'environment', 'split', 'group_id', 'task_key'] as const).map((field): Condition => {
    const value = query[field];
    return value === undefined ? undefined : [`${field} = ?`, storedText(value)];
  }),
  query.step === undefined ? undefined : ['step = ?', query.step],
];

/** The traces of some groups, oldest first. */
async function readMembers(
  reader: SqlReader,
  dialect: Dialect,
  of: Where,
  groups: readonly GroupRow[],
): Promise<ReadonlyMap<string, Trace[]>> {
  const keys = groups.map(({ group_key }) => group_key);
  const rows = await reader.query<TraceRow & { readonly group_key: string }>(
    `SELECT ${TRACE_COLUMNS}, t.group_key FROM ${TRACES} WHERE ${of.sql} AND ${dialect.oneOf('group_key')}
     ORDER BY t.created_us, t.id`,
    [...of.params, dialect.list(keys)],
  );
  const members = new Map<string, Trace[]>(keys.map((key) => [key, []]));
  for (const row of rows) members.get(row.group_key)?.push(toTrace(row));
  return members;
}
