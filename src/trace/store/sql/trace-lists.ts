import type { Group, Trace } from '../../../../generated/trace.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { toGroup } from '../summaries.ts';
import { toMicroseconds } from '../trace-changes.ts';
import type { GroupQuery, StorePage, TraceQuery } from '../trace-store.ts';
import type { SqlDialect, SqlReader } from './driver.ts';
import {
  afterCursor,
  decodeStoredText,
  encodeStoredText,
  isCursorOf,
  likePatternContaining,
  type SqlCondition,
  type SqlOrder,
  type WhereClause,
  whereAll,
} from './statements.ts';
import { TRACE_ROW_COLUMNS, TRACES_JOIN, type TraceRow, toTrace } from './traces.ts';

const SORT_COLUMNS = { created: 'created_us', reward: 'reward_sum', length: 'block_count' } as const;

export async function listSqlTraces(
  reader: SqlReader,
  dialect: SqlDialect,
  org: string,
  query: TraceQuery,
): Promise<StorePage<Trace>> {
  const { sort = 'created', order = 'desc', limit } = query;
  const list = `traces ${sort} ${order}`;
  const column = SORT_COLUMNS[sort];
  const position =
    query.cursor === undefined ? undefined : decodeCursor(list, query.cursor, isCursorOf(sort !== 'reward'));
  const where = whereAll([
    ['t.org = ?', encodeStoredText(org)],
    ...traceConditions(dialect, query),
    position && afterCursor({ column: `t.${column}`, id: 't.id', order, mayBeNull: sort === 'reward' }, position),
  ]);
  const by = `ORDER BY t.${column} ${order} NULLS LAST, t.id ${order}`;
  // Sorting the ids first, and then reading the other columns of the page, takes a tenth of the time.
  const chosen = `SELECT t.rid FROM trace_rows AS t WHERE ${where.sql} ${by} LIMIT ?`;
  const rows = await reader.query<TraceRow>(
    `SELECT ${TRACE_ROW_COLUMNS} FROM ${TRACES_JOIN} WHERE t.rid IN (${chosen}) ${by}`,
    [...where.params, limit + 1],
  );
  const found = rows.slice(0, limit);
  const last = rows.length > limit ? found.at(-1) : undefined;
  return { items: found.map(toTrace), next_cursor: last ? encodeCursor(list, [last[column], last.id]) : null };
}

function traceConditions(dialect: SqlDialect, query: TraceQuery): SqlCondition[] {
  const { tag, step, reward_min, reward_max, has_error, created_after, created_before, q } = query;
  const texts = (['run', 'environment', 'split', 'task_key', 'group_id', 'status', 'model'] as const).map(
    (field): SqlCondition => {
      const value = query[field];
      return value === undefined ? undefined : [`t.${field} = ?`, encodeStoredText(value)];
    },
  );
  const pattern = q === undefined ? '' : likePatternContaining(q);
  return [
    ...texts,
    step === undefined ? undefined : ['t.step = ?', step],
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

interface GroupRow {
  readonly group_key: string;
  readonly sort_key: number | null;
}

/** Sort keys of groups. The variance has the same order as the deviation. */
const sortKeysOf = ({ toExactNumeric, toDouble }: SqlDialect) => {
  const distance = `(${toExactNumeric('reward_sum')} - ${toExactNumeric('mean')})`;
  return {
    created: 'min(created_us)',
    mean: toDouble(`avg(${toExactNumeric('reward_sum')})`),
    // Computed from the mean: the difference of two large sums would lose all precision.
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
    column: 'sort_key',
    id: 'group_key',
    order: sort === 'created' ? 'asc' : 'desc',
    mayBeNull: true,
  };
  const of = whereAll([['org = ?', encodeStoredText(org)], ['group_key IS NOT NULL'], ...groupConditions(query)]);
  const after = whereAll([
    ['1 = 1'],
    cursor === undefined ? undefined : afterCursor(order, decodeCursor(list, cursor, isCursorOf(sort === 'created'))),
  ]);
  const from = sort === 'std' ? `(${withMean(dialect, of)}) AS each` : `trace_rows WHERE ${of.sql}`;
  const rows = await reader.query<GroupRow>(
    `SELECT group_key, sort_key FROM (SELECT group_key, ${sortKeysOf(dialect)[sort]} AS sort_key FROM ${from} GROUP BY group_key) AS g
     WHERE ${after.sql} ORDER BY sort_key ${order.order} NULLS LAST, group_key ${order.order} LIMIT ?`,
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
    next_cursor: last ? encodeCursor(list, [last.sort_key, last.group_key]) : null,
  };
}

const withMean = ({ toExactNumeric, toDouble }: SqlDialect, { sql }: WhereClause) => `
  SELECT t.group_key, t.reward_sum, means.mean FROM trace_rows AS t JOIN (
    SELECT group_key AS key, ${toDouble(`avg(${toExactNumeric('reward_sum')})`)} AS mean FROM trace_rows WHERE ${sql} GROUP BY group_key
  ) AS means ON means.key = t.group_key WHERE ${sql}`;

const groupConditions = (query: GroupQuery): SqlCondition[] => [
  ...(['run', 'environment', 'split', 'group_id', 'task_key'] as const).map((field): SqlCondition => {
    const value = query[field];
    return value === undefined ? undefined : [`${field} = ?`, encodeStoredText(value)];
  }),
  query.step === undefined ? undefined : ['step = ?', query.step],
];

/** Reads the traces of groups, oldest first. */
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
