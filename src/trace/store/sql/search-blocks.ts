import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BlockHit, BlockSkeleton, SearchHit } from '../../../../generated/trace.ts';
import { groupBy } from '../../../core/index.ts';
import {
  blockTerms,
  matchesBlock,
  matchesBlocks,
  matchesTrace,
  type SearchedBlock,
  type SearchField,
  type SearchQuery,
  type SearchTerm,
  scoreConditionOf,
  searchTexts,
  traceTerms,
} from '../../model/index.ts';
import {
  findBlocks,
  type OrdinalRange,
  type SearchCandidate,
  type SearchedTrace,
  type SearchSource,
  searchBlocks,
  type TraceSearchPosition,
} from '../search.ts';
import { toMicroseconds } from '../trace-changes.ts';
import type { BlockSearchQuery, QuerySearch, StorePage } from '../trace-store.ts';
import { skeletons } from './block-rows.ts';
import type { SqlDialect, SqlReader } from './driver.ts';
import { scoreCondition } from './scores.ts';
import {
  decodeStoredTextOrNull,
  encodeStoredText,
  equalColumns,
  escapeLike,
  type SqlCondition,
  type WhereClause,
  whereAll,
} from './statements.ts';
import { type ComparedRow, findTrace, TRACES_JOIN, toComparedTrace } from './traces.ts';

interface FoundTraceRow extends Omit<SearchedTrace, 'mayMatch'> {
  readonly rid: number;
  readonly may_match: number;
}

type SearchedTraceRow = SearchedTrace & { readonly rid: number };

interface CandidateRow extends Omit<SearchCandidate, 'trace_id'>, Pick<BlockSkeleton, 'sub_type' | 'role'> {
  readonly trace_rid: number;
  readonly is_error: number;
  readonly tool: string | null;
}

/** Reads of a search in the tables. */
interface TableSearch {
  /** Traces that are read. */
  readonly traces: readonly SqlCondition[];
  /** Condition that a block of a trace may be a hit. */
  readonly traceFits: WhereClause;
  /** Selects the traces that match; undefined if `traceFits` is exact. */
  readonly keepTraces?: ((rids: readonly number[]) => Promise<ReadonlySet<number>>) | undefined;
  /** Conditions for candidates. */
  readonly blockFits: readonly SqlCondition[];
  /** Selects the blocks that match among the candidates; undefined if the conditions are exact. */
  readonly terms?: readonly SearchTerm[];
  readonly readsPayloads: boolean;
}

/** Searches blocks in a database. @throws TraceStoreError TRACE_NOT_FOUND, TRACE_DELETED if the query names a trace. */
export async function searchTables(
  reader: SqlReader,
  org: string,
  query: BlockSearchQuery,
): Promise<StorePage<BlockHit>> {
  if (query.trace_id !== undefined) await findTrace(reader, org, query.trace_id);
  const source = createSource(reader, org, {
    traces: equalColumns({ id: query.trace_id, run: query.run }, 't.'),
    traceFits: traceFits(query),
    blockFits: [...blockFits(query), ...(query.q === undefined ? [] : [mayHold(reader.dialect, query.q)])],
    readsPayloads: query.q !== undefined,
  });
  return await findBlocks(source, query);
}

/** Searches blocks by the query language. JavaScript decides on most terms, so that engines cannot differ. */
export function searchTablesByQuery(
  reader: SqlReader,
  org: string,
  search: QuerySearch,
): Promise<StorePage<SearchHit>> {
  const { dialect } = reader;
  const ofTraces = traceTerms(search.query);
  const ofBlocks = blockTerms(search.query);
  const texts = searchTexts(search.query);
  const { conditions, isExact } = narrowTraces(dialect, org, ofTraces);
  const source = createSource(reader, org, {
    traces: [],
    traceFits: whereAll([
      ['t.block_count > 0'],
      ...conditions,
      ...ofBlocks.map((term) => blockTermOfTrace(dialect, term)),
    ]),
    keepTraces: isExact ? undefined : (rids) => matchingTraces(reader, ofTraces, rids),
    blockFits: [...ofBlocks.map((term) => narrowBlocks(dialect, term)), ...texts.map((text) => mayHold(dialect, text))],
    terms: ofBlocks,
    readsPayloads: texts.length + searchTexts(search.query, true).length > 0,
  });
  return searchBlocks(source, search);
}

function createSource(reader: SqlReader, org: string, search: TableSearch): SearchSource<SearchedTraceRow> {
  const { dialect } = reader;
  const { traceFits: fits, keepTraces, terms } = search;
  const read = search.readsPayloads ? 't.bytes' : '0';
  const isOwn = `${dialect.columnIn('id')} AND org_rid = (SELECT rid FROM organizations WHERE name = ?)`;
  const details = terms ? `, b.sub_type, b.role, b.is_error, ${TOOL} AS tool` : '';
  return {
    async traces(position, limit) {
      const where = whereAll([...equalColumns({ org }, 't.'), ...search.traces, position && afterTrace(position)]);
      // A column instead of a condition: a statement examines no more traces than it returns.
      const sql = `SELECT t.rid, t.id, t.created_us, t.block_count, ${read} AS bytes,
        CASE WHEN ${fits.sql} THEN 1 ELSE 0 END AS may_match
        FROM trace_rows AS t WHERE ${where.sql} ORDER BY t.created_us DESC, t.id DESC LIMIT ?`;
      const rows = await reader.query<FoundTraceRow>(sql, [...fits.params, ...where.params, limit]);
      const fitting = rows.flatMap(({ rid, may_match }) => (may_match === 1 ? [rid] : []));
      const kept = keepTraces && fitting.length > 0 ? await keepTraces(fitting) : new Set(fitting);
      return rows.map(({ may_match: _, ...row }) => ({ ...row, mayMatch: kept.has(row.rid) }));
    },
    async candidates(ranges) {
      if (ranges.length === 0) return [];
      const ids = new Map(ranges.map(({ trace }) => [trace.rid, trace.id]));
      const where = whereAll([inRanges(dialect, ranges), ...search.blockFits]);
      const sql = `SELECT b.trace_rid, b.ord, b.id, b.bytes${details} FROM block_rows AS b WHERE ${where.sql}`;
      const rows = await reader.query<CandidateRow>(sql, where.params);
      return rows.flatMap(({ trace_rid, ord, id, bytes, ...block }) => {
        const candidate = { trace_id: ids.get(trace_rid) ?? '', ord, id, bytes };
        if (!terms) return [candidate];
        const searched = toSearchedBlock(block);
        return matchesBlock(terms, searched) ? [{ ...candidate, tool: searched.tool }] : [];
      });
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
}

const afterTrace = ({ created_us, id, isSearched }: TraceSearchPosition): SqlCondition => [
  `(t.created_us, t.id) ${isSearched ? '<' : '<='} (?, ?)`,
  created_us,
  id,
];

/** Not EXISTS, for which PostgreSQL may scan the calls of all traces; this subquery runs per row. */
const hasCall = (condition: string): string =>
  `(SELECT c.name FROM block_rows AS c WHERE c.trace_rid = t.rid AND ${condition} LIMIT 1) IS NOT NULL`;
/** Name of the tool whose result a block is. */
const CALLED = '(SELECT c.name FROM block_rows AS c WHERE c.id = b.parent_block_id AND c.org_rid = b.org_rid)';
/** Name of the tool of a call or a result. */
const TOOL = `CASE b.sub_type WHEN 'TOOL_RESULT' THEN ${CALLED} ELSE b.name END`;

/** Condition that a block of a trace may be a hit. */
const traceFits = ({ environment, group_id, name, has_error }: BlockSearchQuery) =>
  whereAll([
    ['t.block_count > 0'],
    ...equalColumns({ environment, group_id }, 't.'),
    has_error === true ? ['t.error_count > 0'] : undefined,
    name === undefined ? undefined : [hasCall('c.name = ?'), encodeStoredText(name)],
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
    if (sub_type === 'TOOL_RESULT' || has_error !== undefined) return [`${CALLED} = ?`, stored];
    return [`(b.name = ? OR (b.sub_type = 'TOOL_RESULT' AND ${CALLED} = ?))`, stored, stored];
  }
}

/** Conditions that the traces of a query fulfil. */
interface NarrowedTraces {
  readonly conditions: readonly SqlCondition[];
  /** True if no other traces fulfil them. */
  readonly isExact: boolean;
}

/** Returns conditions on traces `t` that those which match a query fulfil; without a query, none. */
export function narrowQuery(dialect: SqlDialect, org: string, query: SearchQuery | undefined): NarrowedTraces {
  if (!query) return { conditions: [], isExact: true };
  const ofBlocks = blockTerms(query);
  const traces = narrowTraces(dialect, org, traceTerms(query));
  const [term] = ofBlocks;
  const isKnown = term === undefined || isExactOfTrace(term);
  return {
    conditions: [...traces.conditions, ...ofBlocks.map((each) => blockTermOfTrace(dialect, each))],
    isExact: traces.isExact && ofBlocks.length <= 1 && isKnown,
  };
}

/** Returns whether `blockTermOfTrace` decides on a term if there is no other one about blocks. */
const isExactOfTrace = ({ field, operator, value, isNegated }: SearchTerm): boolean =>
  !isNegated && ((field === 'tool' && operator === '=') || (field === 'error' && value === 'true'));

/** Number of traces that JavaScript decides on before other work gets its turn. */
const DECIDED_TRACES = 1_000;

/**
 * Returns conditions that exactly those traces `t` fulfil which match a query; without a query, none. If the database
 * cannot decide, reads the traces.
 *
 * @param among condition of the traces that matter.
 */
export async function matchingQuery(
  reader: SqlReader,
  org: string,
  query: SearchQuery | undefined,
  among: WhereClause,
): Promise<readonly SqlCondition[]> {
  const { dialect } = reader;
  const { conditions, isExact } = narrowQuery(dialect, org, query);
  if (!query || isExact) return conditions;
  const where = whereAll([[among.sql, ...among.params], ...conditions]);
  const rows = await reader.query<{ readonly rid: number }>(
    `SELECT t.rid FROM trace_rows AS t WHERE ${where.sql} ORDER BY t.rid`,
    where.params,
  );
  const ofTraces = traceTerms(query);
  const kept: number[] = [];
  for (let start = 0; start < rows.length; start += DECIDED_TRACES) {
    const rids = rows.slice(start, start + DECIDED_TRACES).map(({ rid }) => rid);
    const ofTerms = ofTraces.length > 0 ? [...(await matchingTraces(reader, ofTraces, rids))] : rids;
    kept.push(...(await selectByBlocks(reader, query, ofTerms)));
    await nextTurn();
  }
  return [[dialect.columnIn('t.rid'), dialect.list(kept)]];
}

/** Returns the traces whose blocks match the terms about blocks. */
export async function selectByBlocks(
  reader: SqlReader,
  query: SearchQuery,
  rids: readonly number[],
): Promise<readonly number[]> {
  const terms = blockTerms(query);
  if (terms.length === 0 || rids.length === 0) return rids;
  const { dialect } = reader;
  // A tool that has results has calls, whose names are in an index.
  const isAboutTools = terms.every(({ field }) => field === 'tool');
  const [tool, about] = isAboutTools
    ? (['b.name', `'TOOL_CALL' AS sub_type, NULL AS role, 0 AS is_error`] as const)
    : ([TOOL, 'b.sub_type, b.role, b.is_error'] as const);
  // If the only term is negated, the blocks that do not match it decide.
  const narrowing = terms.length === 1 ? terms.map((term) => ({ ...term, isNegated: false })) : terms;
  const where = whereAll([
    [dialect.columnIn('b.trace_rid'), dialect.list(rids)],
    isAboutTools ? ['b.name IS NOT NULL'] : undefined,
    ...narrowing.map((term) => narrowBlocks(dialect, term, tool)),
  ]);
  const rows = await reader.query<SearchedBlockRow>(
    `SELECT DISTINCT b.trace_rid, ${about}, ${tool} AS tool FROM block_rows AS b WHERE ${where.sql}`,
    where.params,
  );
  const byTrace = groupBy(rows, ({ trace_rid }) => trace_rid);
  return rids.filter((rid) => matchesBlocks(terms, (byTrace.get(rid) ?? []).map(toSearchedBlock)));
}

interface SearchedBlockRow extends Pick<SearchedBlock, 'sub_type' | 'role' | 'tool'> {
  readonly trace_rid: number;
  readonly is_error: number;
}

const toSearchedBlock = ({ sub_type, role, is_error, tool }: Omit<SearchedBlockRow, 'trace_rid'>): SearchedBlock => ({
  sub_type,
  role,
  is_error: is_error === 1,
  tool: decodeStoredTextOrNull(tool),
});

/** Returns conditions on traces `t` for terms about traces. Scores are always exact. */
function narrowTraces(dialect: SqlDialect, org: string, terms: readonly SearchTerm[]): NarrowedTraces {
  const conditions = terms.map((term) => traceCondition(dialect, org, term));
  const isExact = terms.every((term, at) => conditions[at] !== undefined && isExactTerm(term));
  return { conditions, isExact };
}

const TEXT_COLUMNS: Readonly<Partial<Record<SearchField, string>>> = {
  model: 't.model',
  env: 't.environment',
  run: 't.run',
  split: 't.split',
  group: 't.group_id',
  parent: 't.parent_trace_id',
  name: 't.name',
  trace: 't.id',
};
const NUMBER_COLUMNS: Readonly<Partial<Record<SearchField, string>>> = {
  reward: 't.reward_sum',
  step: 't.step',
  blocks: 't.block_count',
  errors: 't.error_count',
};

/** Returns whether exactly the traces that match a term fulfil its condition, if it has one. */
const isExactTerm = ({ field, operator }: SearchTerm): boolean => field === 'score' || operator !== '~';

function traceCondition(dialect: SqlDialect, org: string, term: SearchTerm): SqlCondition {
  if (!term.isNegated) return termCondition(dialect, org, term);
  return isExactTerm(term) ? negated(termCondition(dialect, org, term)) : undefined;
}

function termCondition(dialect: SqlDialect, org: string, term: SearchTerm): SqlCondition {
  const { field = 'name', operator, value } = term;
  if (field === 'score') return scoreCondition(org, scoreConditionOf(term));
  const text = String(value);
  if (field === 'status') return ['t.status = ?', text];
  if (field === 'after' || field === 'before') return [`t.created_us ${operator} ?`, toMicroseconds(text)];
  if (field === 'tag' && operator === '=') {
    return ['t.rid IN (SELECT trace_rid FROM trace_tags WHERE tag = ?)', encodeStoredText(text)];
  }
  const number = NUMBER_COLUMNS[field];
  // Databases reject a comparison of their integers with a fraction.
  if (number && (field === 'reward' || Number.isSafeInteger(value))) return [`${number} ${operator} ?`, Number(value)];
  const column = TEXT_COLUMNS[field];
  return column === undefined ? undefined : compareText(dialect, column, term);
}

/** A comparison with null is not true. */
const negated = (condition: SqlCondition): SqlCondition =>
  condition && [`NOT coalesce((${condition[0]}), FALSE)`, ...condition.slice(1)];

/** Characters that `encodeStoredText` may escape. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;

function compareText(dialect: SqlDialect, column: string, { operator, value }: SearchTerm): SqlCondition {
  const text = String(value);
  if (operator === '=') return [`${column} = ?`, encodeStoredText(text)];
  return ESCAPED.test(text) ? undefined : [dialect.like(column), foldedPattern(text)];
}

/** Returns a condition on traces `t` with blocks that match a term. */
function blockTermOfTrace(dialect: SqlDialect, term: SearchTerm): SqlCondition {
  if (term.isNegated) return undefined;
  if (term.field === 'error') return term.value === 'true' ? ['t.error_count > 0'] : undefined;
  if (term.field !== 'tool') return undefined;
  const named = compareText(dialect, 'c.name', term);
  return named && [hasCall(named[0]), ...named.slice(1)];
}

/** Returns a condition that the blocks `b` that match a term fulfil. @param tool name of the tool of a block. */
function narrowBlocks(dialect: SqlDialect, term: SearchTerm, tool = TOOL): SqlCondition {
  const { field, value, isNegated } = term;
  if (isNegated) return undefined;
  if (field === 'kind') return ['b.sub_type = ?', String(value)];
  if (field === 'role') return ['b.role IS NOT NULL'];
  if (field === 'error') return [`b.sub_type = 'TOOL_RESULT' AND b.is_error = ${value === 'true' ? 1 : 0}`];
  return compareText(dialect, tool, term);
}

/** Columns of the fields that are neither texts nor numbers. */
const OTHER_COLUMNS: Readonly<Partial<Record<SearchField, string>>> = {
  status: 't.status',
  task: 't.task_key, t.task_index',
  tag: 'd.tags',
  meta: 'd.metadata',
  after: 't.created_us',
  before: 't.created_us',
};

/** Returns the traces that match the terms; those about scores are ignored. */
async function matchingTraces(
  reader: SqlReader,
  terms: readonly SearchTerm[],
  rids: readonly number[],
): Promise<ReadonlySet<number>> {
  // Reading and parsing all columns of many traces takes ten times as long.
  const columns = terms.flatMap(
    ({ field = 'name' }) => TEXT_COLUMNS[field] ?? NUMBER_COLUMNS[field] ?? OTHER_COLUMNS[field] ?? [],
  );
  const from = columns.some((column) => column.startsWith('d.')) ? TRACES_JOIN : 'trace_rows AS t';
  const sql = `SELECT ${[...new Set(['t.rid', ...columns])].join(', ')} FROM ${from}
    WHERE ${reader.dialect.columnIn('t.rid')}`;
  const rows = await reader.query<ComparedRow & { readonly rid: number }>(sql, [reader.dialect.list(rids)]);
  return new Set(rows.flatMap((row) => (matchesTrace(terms, toComparedTrace(row)) ? [row.rid] : [])));
}

/** Keeps payloads that cannot match in the database. */
const mayHold = (dialect: SqlDialect, text: string): SqlCondition => [dialect.like('b.payload'), payloadPattern(text)];

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
const payloadPattern = (text: string): string => foldedPattern(JSON.stringify(prefixOf(text)).slice(1, -1));

const prefixOf = (text: string): string => Array.from(text).slice(0, PATTERN_CHARACTERS).join('');

/** Pattern that matches every text which contains this one, ignoring case. Also matches some other texts. */
const foldedPattern = (text: string): string =>
  `%${Array.from(text, (character) => (OTHERS.test(character) ? '_' : escapeLike(character))).join('')}%`;

/** Letters that equal others in ways that databases do not know, which fold ASCII only: k equals K, s equals ſ. */
const OTHERS = /[ksKS]|(?![a-zA-Z])\p{Changes_When_Casemapped}/u;
