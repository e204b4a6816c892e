import type { BlockHit } from '../../../../generated/trace.ts';
import {
  findBlocks,
  type OrdinalRange,
  type SearchCandidate,
  type SearchedTrace,
  type SearchSource,
  type TraceSearchPosition,
} from '../search.ts';
import type { BlockSearchQuery, StorePage } from '../trace-store.ts';
import { rowToSkeleton, SKELETON_COLUMNS, type SkeletonRow } from './block-rows.ts';
import type { SqlDialect, SqlDriver } from './driver.ts';
import { encodeStoredText, escapeLike, type SqlCondition, type WhereClause, whereAll } from './statements.ts';
import { findTrace } from './traces.ts';

interface FoundTraceRow extends Omit<SearchedTrace, 'mayMatch'> {
  readonly rid: number;
  readonly may_match: number;
}

type SearchedTraceRow = SearchedTrace & { readonly rid: number };

interface CandidateRow extends Omit<SearchCandidate, 'trace_id'> {
  readonly trace_rid: number;
}

/** Searches blocks in a database. @throws TraceStoreError TRACE_NOT_FOUND, TRACE_DELETED if the query names a trace. */
export async function searchTables(
  driver: SqlDriver,
  org: string,
  query: BlockSearchQuery,
): Promise<StorePage<BlockHit>> {
  const { dialect } = driver;
  if (query.trace_id !== undefined) await findTrace(driver, org, query.trace_id);
  const fits = traceFits(query);
  const read = query.q === undefined ? '0' : 't.bytes';
  const isOwn = `${dialect.columnIn('id')} AND org_rid = (SELECT rid FROM organizations WHERE name = ?)`;
  const isCandidate = [...blockFits(query), mayHold(dialect, query)];
  const source: SearchSource<SearchedTraceRow> = {
    async traces(position, limit) {
      const where = whereAll([...tracesOf(org, query), position && afterTrace(position)]);
      // A column instead of a condition: a statement examines no more traces than it returns.
      const sql = `SELECT t.rid, t.id, t.created_us, t.block_count, ${read} AS bytes,
        CASE WHEN ${fits.sql} THEN 1 ELSE 0 END AS may_match
        FROM trace_rows AS t WHERE ${where.sql} ORDER BY t.created_us DESC, t.id DESC LIMIT ?`;
      const rows = await driver.query<FoundTraceRow>(sql, [...fits.params, ...where.params, limit]);
      return rows.map(({ may_match, ...row }) => ({ ...row, mayMatch: may_match === 1 }));
    },
    async candidates(ranges) {
      if (ranges.length === 0) return [];
      const ids = new Map(ranges.map(({ trace }) => [trace.rid, trace.id]));
      const where = whereAll([inRanges(driver, ranges), ...isCandidate]);
      const sql = `SELECT b.trace_rid, b.ord, b.id, b.bytes FROM trace_blocks AS b WHERE ${where.sql}`;
      const rows = await driver.query<CandidateRow>(sql, where.params);
      return rows.map(({ trace_rid, ...row }) => ({ ...row, trace_id: ids.get(trace_rid) ?? '' }));
    },
    async payloads(ids) {
      const sql = `SELECT id, payload FROM trace_blocks WHERE ${isOwn}`;
      const params = [dialect.list(ids), encodeStoredText(org)];
      const rows = await driver.query<{ readonly id: string; readonly payload: string }>(sql, params);
      return new Map(rows.map(({ id, payload }) => [id, payload]));
    },
    async skeletons(ids) {
      const sql = `SELECT ${SKELETON_COLUMNS} FROM trace_blocks WHERE ${isOwn}`;
      const rows = await driver.query<SkeletonRow>(sql, [dialect.list(ids), encodeStoredText(org)]);
      return new Map(rows.map((row) => [row.id, rowToSkeleton(row).block]));
    },
  };
  return await findBlocks(source, query);
}

/** Conditions that use indexes. */
const tracesOf = (org: string, { trace_id, run }: BlockSearchQuery): SqlCondition[] => [
  ['t.org = ?', encodeStoredText(org)],
  trace_id === undefined ? undefined : ['t.id = ?', trace_id],
  run === undefined ? undefined : ['t.run = ?', encodeStoredText(run)],
];

const afterTrace = ({ created_us, id, isSearched }: TraceSearchPosition): SqlCondition => [
  `(t.created_us, t.id) ${isSearched ? '<' : '<='} (?, ?)`,
  created_us,
  id,
];

/** Not EXISTS, for which PostgreSQL may scan the calls of all traces; this subquery runs per row. */
const HAS_CALL = '(SELECT c.name FROM trace_blocks AS c WHERE c.trace_rid = t.rid AND c.name = ? LIMIT 1) IS NOT NULL';
const IS_OF_CALL = `(
  SELECT c.name FROM trace_blocks AS c WHERE c.id = b.parent_block_id AND c.org_rid = b.org_rid) = ?`;

/** Condition that a block of a trace may be a hit. */
function traceFits({ environment, group_id, name, has_error }: BlockSearchQuery): WhereClause {
  return whereAll([
    ['t.block_count > 0'],
    environment === undefined ? undefined : ['t.environment = ?', encodeStoredText(environment)],
    group_id === undefined ? undefined : ['t.group_id = ?', encodeStoredText(group_id)],
    has_error === true ? ['t.error_count > 0'] : undefined,
    name === undefined ? undefined : [HAS_CALL, encodeStoredText(name)],
  ]);
}

/** Conditions of the query for a block, without the text. */
function blockFits({ sub_type, name, has_error }: BlockSearchQuery): SqlCondition[] {
  const stored = name === undefined ? '' : encodeStoredText(name);
  const isResult = sub_type === 'TOOL_RESULT' || has_error !== undefined;
  return [
    sub_type === undefined ? undefined : ['b.sub_type = ?', sub_type],
    has_error === undefined ? undefined : [`b.sub_type = 'TOOL_RESULT' AND b.is_error = ${has_error ? 1 : 0}`],
    ofTool(),
  ];

  function ofTool(): SqlCondition {
    if (name === undefined) return undefined;
    if (sub_type === 'TOOL_CALL') return ['b.name = ?', stored];
    if (isResult) return [IS_OF_CALL, stored];
    return [`(b.name = ? OR (b.sub_type = 'TOOL_RESULT' AND ${IS_OF_CALL}))`, stored, stored];
  }
}

/** Keeps payloads that cannot match in the database. */
const mayHold = (dialect: SqlDialect, { q }: BlockSearchQuery): SqlCondition =>
  q === undefined ? undefined : [dialect.like('b.payload'), payloadPattern(q)];

function inRanges({ dialect }: SqlDriver, ranges: readonly OrdinalRange<SearchedTraceRow>[]): SqlCondition {
  const [only, ...others] = ranges;
  if (only && others.length === 0) {
    return ['b.trace_rid = ? AND b.ord > ? AND b.ord < ?', only.trace.rid, only.after, only.before];
  }
  return [dialect.columnIn('b.trace_rid'), dialect.list(ranges.map(({ trace }) => trace.rid))];
}

/** Length of the prefix in the pattern: each character makes the comparison slower. */
const PATTERN_CHARACTERS = 32;

/**
 * Pattern for `SqlDialect.like` that matches every payload (as JSON) with a string value that contains the text, ignoring
 * case. Also matches some other payloads.
 */
function payloadPattern(text: string): string {
  const prefix = Array.from(text).slice(0, PATTERN_CHARACTERS).join('');
  const written = JSON.stringify(prefix).slice(1, -1);
  return `%${Array.from(written, (character) => (OTHERS.test(character) ? '_' : escapeLike(character))).join('')}%`;
}

/** Letters that equal others in ways that databases do not know, which fold ASCII only: k equals K, s equals ſ. */
const OTHERS = /[ksKS]|(?![a-zA-Z])\p{Changes_When_Casemapped}/u;
