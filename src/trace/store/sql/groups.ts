import type { Group, Trace } from '../../../../generated/trace.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { toGroup } from '../summaries.ts';
import type { GroupQuery, StorePage } from '../trace-store.ts';
import type { SqlDialect, SqlReader } from './driver.ts';
import { afterCursor, isCursorOf, type SqlCondition, type SqlOrder, type WhereClause, whereAll } from './statements.ts';
import { decodeStoredText, encodeStoredText } from './text.ts';
import { TRACE_ROW_COLUMNS, TRACES_JOIN, type TraceRow, toTrace } from './trace-rows.ts';

interface GroupRow {
  readonly group_key: string;
  readonly place: number | null;
}

/** What groups are put in order by; the variance orders as the deviation does. */
const placesOf = ({ toExactNumeric, toDouble }: SqlDialect) => {
  const distance = `(${toExactNumeric('reward_sum')} - ${toExactNumeric('mean')})`;
  return {
    created: 'min(created_us)',
    mean: toDouble(`avg(${toExactNumeric('reward_sum')})`),
    // The mean first: the difference of two large sums would be no deviation.
    std: `CASE WHEN min(reward_sum) = max(reward_sum) THEN 0.0 ELSE ${toDouble(`avg(${distance} * ${distance})`)} END`,
  } as const;
};

export async function listGroups(
  reader: SqlReader,
  dialect: SqlDialect,
  org: string,
  query: GroupQuery,
): Promise<StorePage<Group>> {
  const { sort = 'created', cursor, limit } = query;
  const list = `groups ${sort}`;
  const order: SqlOrder = {
    column: 'place',
    id: 'group_key',
    order: sort === 'created' ? 'asc' : 'desc',
    mayBeNull: true,
  };
  const of = whereAll([['org = ?', encodeStoredText(org)], ['group_key IS NOT NULL'], ...conditions(query)]);
  const after = whereAll([
    ['1 = 1'],
    cursor === undefined ? undefined : afterCursor(order, decodeCursor(list, cursor, isCursorOf(sort === 'created'))),
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
      return first ? [toGroup(decodeStoredText(group_key), [first, ...others])] : [];
    }),
    next_cursor: last ? encodeCursor(list, [last.place, last.group_key]) : null,
  };
}

const withMean = ({ toExactNumeric, toDouble }: SqlDialect, { sql }: WhereClause) => `
  SELECT t.group_key, t.reward_sum, means.mean FROM trace_rows AS t JOIN (
    SELECT group_key AS key, ${toDouble(`avg(${toExactNumeric('reward_sum')})`)} AS mean FROM trace_rows WHERE ${sql} GROUP BY group_key
  ) AS means ON means.key = t.group_key WHERE ${sql}`;

const conditions = (query: GroupQuery): SqlCondition[] => [
  ...(['run', 'environment', 'split', 'group_id', 'task_key'] as const).map((field): SqlCondition => {
    const value = query[field];
    return value === undefined ? undefined : [`${field} = ?`, encodeStoredText(value)];
  }),
  query.step === undefined ? undefined : ['step = ?', query.step],
];

/** The traces of some groups, oldest first. */
async function readMembers(
  reader: SqlReader,
  dialect: SqlDialect,
  of: WhereClause,
  groups: readonly GroupRow[],
): Promise<ReadonlyMap<string, Trace[]>> {
  const keys = groups.map(({ group_key }) => group_key);
  const rows = await reader.query<TraceRow & { readonly group_key: string }>(
    `SELECT ${TRACE_ROW_COLUMNS}, t.group_key FROM ${TRACES_JOIN} WHERE ${of.sql} AND ${dialect.columnIn('group_key')}
     ORDER BY t.created_us, t.id`,
    [...of.params, dialect.list(keys)],
  );
  const members = new Map<string, Trace[]>(keys.map((key) => [key, []]));
  for (const row of rows) members.get(row.group_key)?.push(toTrace(row));
  return members;
}
