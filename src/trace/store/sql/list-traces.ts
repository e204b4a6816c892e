import type { Trace } from '../../../../generated/trace.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { toMicroseconds } from '../time.ts';
import type { StorePage, TraceQuery } from '../trace-store.ts';
import type { SqlDialect, SqlReader } from './driver.ts';
import { afterCursor, isCursorOf, likePatternContaining, type SqlCondition, whereAll } from './statements.ts';
import { encodeStoredText } from './text.ts';
import { TRACE_ROW_COLUMNS, TRACES_JOIN, type TraceRow, toTrace } from './trace-rows.ts';

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
  const place =
    query.cursor === undefined ? undefined : decodeCursor(list, query.cursor, isCursorOf(sort !== 'reward'));
  const where = whereAll([
    ['t.org = ?', encodeStoredText(org)],
    ...conditions(dialect, query),
    place && afterCursor({ column: `t.${column}`, id: 't.id', order, mayBeNull: sort === 'reward' }, place),
  ]);
  const by = `ORDER BY t.${column} ${order} NULLS LAST, t.id ${order}`;
  // First which, then what is in them: sorting all with all that is in them takes ten times as long.
  const chosen = `SELECT t.rid FROM trace_rows AS t WHERE ${where.sql} ${by} LIMIT ?`;
  const rows = await reader.query<TraceRow>(
    `SELECT ${TRACE_ROW_COLUMNS} FROM ${TRACES_JOIN} WHERE t.rid IN (${chosen}) ${by}`,
    [...where.params, limit + 1],
  );
  const found = rows.slice(0, limit);
  const last = rows.length > limit ? found.at(-1) : undefined;
  return { items: found.map(toTrace), next_cursor: last ? encodeCursor(list, [last[column], last.id]) : null };
}

function conditions(dialect: SqlDialect, query: TraceQuery): SqlCondition[] {
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
