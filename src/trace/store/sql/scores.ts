import type { JSONObject, Score, ScoreInput, TraceId } from '../../../../generated/trace.ts';
import { parseExactJson, stringifyJson } from '../../../core/index.ts';
import {
  blockNotFound,
  isSameScore,
  runNotFound,
  type ScoreCondition,
  scoreIdConflict,
  scoreNotFound,
  TraceStoreError,
  toScore,
} from '../../model/index.ts';
import { decodeCursor, encodeCursor, pageOf } from '../cursor.ts';
import { toMicroseconds, toTimestamp } from '../trace-changes.ts';
import type { ScoreQuery, StorePage, TraceStore } from '../trace-store.ts';
import { SMALL_WRITE, type SqlDriver, type SqlReader, type SqlRow, type SqlValue, writeOnce } from './driver.ts';
import {
  afterCursor,
  decodeStoredText,
  decodeStoredTextOrNull,
  encodeStoredText,
  encodeStoredTextOrNull,
  insertRow,
  isCursorOf,
  type SqlCondition,
  whereAll,
} from './statements.ts';
import { findTrace } from './traces.ts';

interface ScoreRow extends Omit<Score, 'metadata' | 'created_at'> {
  readonly metadata: string;
  readonly created_us: number;
}

const SELECT_SCORES = `SELECT s.id, t.id AS trace_id, s.block_id, s.run, s.name, s.value, s.label, s.comment, s.author, s.source,
  s.metadata, s.created_us FROM score_rows AS s LEFT JOIN trace_rows AS t ON t.rid = s.trace_rid`;

const toRecord = ({ created_us, metadata, ...row }: ScoreRow): Score => ({
  ...row,
  run: decodeStoredTextOrNull(row.run),
  name: decodeStoredText(row.name),
  label: decodeStoredTextOrNull(row.label),
  comment: decodeStoredTextOrNull(row.comment),
  author: decodeStoredTextOrNull(row.author),
  // Trusted: only objects are written.
  metadata: parseExactJson(metadata) as JSONObject,
  created_at: toTimestamp(created_us),
});

/** Scores of runs, traces and blocks. @param now clock in milliseconds since 1970. */
export const createSqlScores = (
  driver: SqlDriver,
  now: () => number,
): Pick<TraceStore, 'addScore' | 'scores' | 'deleteScore'> => ({
  addScore: (org, input) =>
    writeOnce(driver, () =>
      driver.write(SMALL_WRITE, (transaction) => insertScore(transaction, org, input, Math.floor(now() * 1000))),
    ),
  scores: (org, query) => listScores(driver, org, query),
  deleteScore: (org, id) =>
    driver.write(SMALL_WRITE, async (transaction) => {
      const sql = 'DELETE FROM score_rows WHERE id = ? AND org = ? RETURNING id';
      const deleted = await transaction.query(sql, [id, encodeStoredText(org)]);
      if (deleted.length === 0) throw new TraceStoreError(scoreNotFound(id));
    }),
});

async function insertScore(transaction: SqlReader, org: string, input: ScoreInput, us: number) {
  const score = toScore(input, toTimestamp(us));
  const { id, block_id, run, name, value, label, comment, author, source, metadata } = score;
  const trace_rid = await findTarget(transaction, org, score);
  const owner = encodeStoredText(org);
  const [row] = await transaction.query<ScoreRow>(`${SELECT_SCORES} WHERE s.id = ? AND s.org = ?`, [id, owner]);
  const known = row && toRecord(row);
  if (known && !isSameScore(known, score)) throw new TraceStoreError(scoreIdConflict(id));
  if (known) return { score: known, isNew: false };
  const columns: SqlRow = {
    id,
    org: owner,
    trace_rid,
    block_id,
    run: encodeStoredTextOrNull(run),
    name: encodeStoredText(name),
    value,
    label: encodeStoredTextOrNull(label),
    comment: encodeStoredTextOrNull(comment),
    author: encodeStoredTextOrNull(author),
    source,
    metadata: stringifyJson(metadata),
    created_us: us,
  };
  await insertRow(transaction, 'score_rows', columns);
  return { score, isNew: true };
}

/** Returns the number of the scored trace, or null for a run. @throws TraceStoreError if the target does not exist. */
async function findTarget(transaction: SqlReader, org: string, { trace_id, block_id, run }: Score) {
  if (trace_id === null) {
    const sql = 'SELECT 1 AS found FROM trace_rows WHERE org = ? AND run = ? LIMIT 1';
    const found = await transaction.query(sql, [encodeStoredText(org), encodeStoredText(run ?? '')]);
    if (found.length === 0) throw new TraceStoreError(runNotFound(run ?? ''));
    return null;
  }
  const { rid } = await findTrace(transaction, org, trace_id);
  if (block_id !== null) await assertBlock(transaction, rid, trace_id, block_id);
  return rid;
}

async function assertBlock(transaction: SqlReader, rid: number, trace_id: TraceId, block_id: string): Promise<void> {
  const sql = `SELECT 1 AS found FROM block_rows AS b JOIN trace_rows AS t ON t.rid = b.trace_rid AND t.org_rid = b.org_rid
    WHERE b.id = ? AND t.rid = ?`;
  const found = await transaction.query(sql, [block_id, rid]);
  if (found.length === 0) throw new TraceStoreError(blockNotFound(trace_id, block_id));
}

async function listScores(reader: SqlReader, org: string, query: ScoreQuery): Promise<StorePage<Score>> {
  const { trace_id, block_id, run, name, author, cursor, limit } = query;
  const equal = (column: string, text: string | undefined): SqlCondition =>
    text === undefined ? undefined : [`${column} = ?`, encodeStoredText(text)];
  const order = { column: 's.created_us', id: 's.id', order: 'asc', mayBeNull: false } as const;
  const where = whereAll([
    ['s.org = ?', encodeStoredText(org)],
    equal('t.id', trace_id),
    equal('s.block_id', block_id),
    equal('coalesce(s.run, t.run)', run),
    equal('s.name', name),
    equal('s.author', author),
    cursor === undefined ? undefined : afterCursor(order, positionOf(cursor)),
  ]);
  const rows = await reader.query<ScoreRow>(`${SELECT_SCORES} WHERE ${where.sql} ORDER BY s.created_us, s.id LIMIT ?`, [
    ...where.params,
    limit + 1,
  ]);
  return pageOf(rows.map(toRecord), limit, ({ created_at, id }) => encodeCursor('scores', [created_at, id]));
}

/** Returns the position of a cursor, whose time is text. */
function positionOf(cursor: string): SqlValue[] {
  const [time, id = ''] = decodeCursor('scores', cursor, ([first, second]) => {
    const isTime = typeof first === 'string' && /^\d{4}-[\dT:.-]+Z$/.test(first);
    return isTime && isCursorOf(true)([0, second]);
  });
  return [toMicroseconds(String(time)), id];
}

/** Condition that a trace `t` has such a score. */
export function scoreCondition(org: string, { name, operator, value }: ScoreCondition): SqlCondition {
  const compared: SqlCondition =
    operator === undefined || value === undefined
      ? undefined
      : typeof value === 'string'
        ? ['label = ?', encodeStoredText(value)]
        : [`value ${operator} ?`, value];
  const { sql, params } = whereAll([
    ['org = ?', encodeStoredText(org)],
    ['name = ?', encodeStoredText(name)],
    ['trace_rid IS NOT NULL'],
    compared,
  ]);
  return [`t.rid IN (SELECT trace_rid FROM score_rows WHERE ${sql})`, ...params];
}

/** Join of traces `t` with the mean value of their scores of a name, `m.mean_score`. */
export const meanScores = (org: string, name: string) => ({
  sql: `LEFT JOIN (SELECT trace_rid, avg(value) AS mean_score FROM score_rows
    WHERE org = ? AND name = ? AND value IS NOT NULL AND trace_rid IS NOT NULL GROUP BY trace_rid) AS m ON m.trace_rid = t.rid`,
  params: [encodeStoredText(org), encodeStoredText(name)],
});
