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
import { skeletons } from './block-rows.ts';
import type { SqlDialect, SqlReader } from './driver.ts';
import { encodeStoredText, equalColumns, escapeLike, type SqlCondition, whereAll } from './statements.ts';
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
  reader: SqlReader,
  org: string,
  query: BlockSearchQuery,
): Promise<StorePage<BlockHit>> {
  const { dialect } = reader;
  if (query.trace_id !== undefined) await findTrace(reader, org, query.trace_id);
  const fits = traceFits(query);
  const read = query.q === undefined ? '0' : 't.bytes';
  const isOwn = `${dialect.columnIn('id')} AND org_rid = (SELECT rid FROM organizations WHERE name = ?)`;
  const isCandidate = [...blockFits(query), mayHold(dialect, query)];
  const source: SearchSource<SearchedTraceRow> = {
    async traces(position, limit) {
      const where = whereAll([
        ...equalColumns({ org, id: query.trace_id, run: query.run }, 't.'),
        position && afterTrace(position),
      ]);
      // A column instead of a condition: a statement examines no more traces than it returns.
      const sql = `SELECT t.rid, t.id, t.created_us, t.block_count, ${read} AS bytes,
        CASE WHEN ${fits.sql} THEN 1 ELSE 0 END AS may_match
        FROM trace_rows AS t WHERE ${where.sql} ORDER BY t.created_us DESC, t.id DESC LIMIT ?`;
      const rows = await reader.query<FoundTraceRow>(sql, [...fits.params, ...where.params, limit]);
      return rows.map(({ may_match, ...row }) => ({ ...row, mayMatch: may_match === 1 }));
    },
    async candidates(ranges) {
      if (ranges.length === 0) return [];
      const ids = new Map(ranges.map(({ trace }) => [trace.rid, trace.id]));
      const where = whereAll([inRanges(dialect, ranges), ...isCandidate]);
      const sql = `SELECT b.trace_rid, b.ord, b.id, b.bytes FROM block_rows AS b WHERE ${where.sql}`;
      const rows = await reader.query<CandidateRow>(sql, where.params);
      return rows.map(({ trace_rid, ...row }) => ({ ...row, trace_id: ids.get(trace_rid) ?? '' }));
    },
    async payloads(ids) {
      const sql = `SELECT id, payload FROM block_rows WHERE ${isOwn}`;
      const params = [dialect.list(ids), encodeStoredText(org)];
      const rows = await reader.query<{ readonly id: string; readonly payload: string }>(sql, params);
      return new Map(rows.map(({ id, payload }) => [id, payload]));
    },
    async skeletons(ids) {
      const sql = `SELECT ${skeletons.columns} FROM block_rows WHERE ${isOwn}`;
      const found = skeletons.read(await reader.query(sql, [dialect.list(ids), encodeStoredText(org)]));
      return new Map(found.map(({ block }) => [block.id, block]));
    },
  };
  return await findBlocks(source, query);
}

const afterTrace = ({ created_us, id, isSearched }: TraceSearchPosition): SqlCondition => [
  `(t.created_us, t.id) ${isSearched ? '<' : '<='} (?, ?)`,
  created_us,
  id,
];

/** Not EXISTS, for which PostgreSQL may scan the calls of all traces; this subquery runs per row. */
const HAS_CALL = '(SELECT c.name FROM block_rows AS c WHERE c.trace_rid = t.rid AND c.name = ? LIMIT 1) IS NOT NULL';
const IS_OF_CALL = `(
  SELECT c.name FROM block_rows AS c WHERE c.id = b.parent_block_id AND c.org_rid = b.org_rid) = ?`;

/** Condition that a block of a trace may be a hit. */
const traceFits = ({ environment, group_id, name, has_error }: BlockSearchQuery) =>
  whereAll([
    ['t.block_count > 0'],
    ...equalColumns({ environment, group_id }, 't.'),
    has_error === true ? ['t.error_count > 0'] : undefined,
    name === undefined ? undefined : [HAS_CALL, encodeStoredText(name)],
  ]);

/** Conditions of the query for a block, without the text. */
function blockFits({ sub_type, name, has_error }: BlockSearchQuery): SqlCondition[] {
  return [
    ...equalColumns({ sub_type }, 'b.'),
    has_error === undefined ? undefined : [`b.sub_type = 'TOOL_RESULT' AND b.is_error = ${has_error ? 1 : 0}`],
    name === undefined ? undefined : ofTool(encodeStoredText(name)),
  ];

  function ofTool(stored: string): SqlCondition {
    if (sub_type === 'TOOL_CALL') return ['b.name = ?', stored];
    if (sub_type === 'TOOL_RESULT' || has_error !== undefined) return [IS_OF_CALL, stored];
    return [`(b.name = ? OR (b.sub_type = 'TOOL_RESULT' AND ${IS_OF_CALL}))`, stored, stored];
  }
}

/** Keeps payloads that cannot match in the database. */
const mayHold = (dialect: SqlDialect, { q }: BlockSearchQuery): SqlCondition =>
  q === undefined ? undefined : [dialect.like('b.payload'), payloadPattern(q)];

function inRanges(dialect: SqlDialect, ranges: readonly OrdinalRange<SearchedTraceRow>[]): SqlCondition {
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
