import type { Trace } from '../../../../generated/trace.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { microsOf } from '../time.ts';
import type { PageOf, TraceQuery } from '../trace-store.ts';
import type { Dialect, SqlReader } from './driver.ts';
import { afterPlace, type Condition, holding, isPlaceIn, whereAll } from './statements.ts';
import { storedText } from './text.ts';
import { TRACE_COLUMNS, TRACES, type TraceRow, toTrace } from './trace-rows.ts';

const SORT_COLUMNS = { created: 'created_us', reward: 'reward_sum', length: 'block_count' } as const;

export async function listTraces(
  reader: SqlReader,
  dialect: Dialect,
  org: string,
  query: TraceQuery,
): Promise<PageOf<Trace>> {
  const { sort = 'created', order = 'desc', limit } = query;
  const list = `traces ${sort} ${order}`;
  const column = SORT_COLUMNS[sort];
  const place = query.cursor === undefined ? undefined : decodeCursor(list, query.cursor, isPlaceIn(sort !== 'reward'));
  const where = whereAll([
    ['t.org = ?', storedText(org)],
    ...conditions(dialect, query),
    place && afterPlace({ column: `t.${column}`, id: 't.id', order, mayBeNull: sort === 'reward' }, place),
  ]);
  const by = `ORDER BY t.${column} ${order} NULLS LAST, t.id ${order}`;
  // First which, then what is in them: sorting all with all that is in them takes ten times as long.
  const chosen = `SELECT t.rid FROM trace_rows AS t WHERE ${where.sql} ${by} LIMIT ?`;
  const rows = await reader.query<TraceRow>(`SELECT ${TRACE_COLUMNS} FROM ${TRACES} WHERE t.rid IN (${chosen}) ${by}`, [
    ...where.params,
    limit + 1,
  ]);
  const found = rows.slice(0, limit);
  const last = rows.length > limit ? found.at(-1) : undefined;
  return { items: found.map(toTrace), next_cursor: last ? encodeCursor(list, [last[column], last.id]) : null };
}

function conditions(dialect: Dialect, query: TraceQuery): Condition[] {
  const { tag, step, reward_min, reward_max, has_error, created_after, created_before, q } = query;
  const texts = (['run', 'environment', 'split', 'task_key', 'group_id', 'status', 'model'] as const).map(
    (field): Condition => {
      const value = query[field];
      return value === undefined ? undefined : [`t.${field} = ?`, storedText(value)];
    },
  );
  const pattern = q === undefined ? '' : holding(q);
  return [
    ...texts,
    step === undefined ? undefined : ['t.step = ?', step],
    tag === undefined ? undefined : ['t.rid IN (SELECT trace_rid FROM trace_tags WHERE tag = ?)', storedText(tag)],
    reward_min === undefined ? undefined : ['t.reward_sum >= ?', reward_min],
    reward_max === undefined ? undefined : ['t.reward_sum <= ?', reward_max],
    has_error === undefined ? undefined : [has_error ? 't.error_count > 0' : 't.error_count = 0'],
    created_after === undefined ? undefined : ['t.created_us >= ?', microsOf(created_after)],
    created_before === undefined ? undefined : ['t.created_us < ?', microsOf(created_before)],
    q === undefined ? undefined : [`(${dialect.like('t.id')} OR ${dialect.like('t.name')})`, pattern, pattern],
  ];
}
