import type { BlockId, SubType, TraceId } from '../../../../generated/trace.ts';
import { isRecord } from '../../../core/index.ts';
import { BLOCK_ID, type BlockIndex, canonicalContent, type IndexedBlock } from '../../model/index.ts';
import { type ContentRow, toContent } from './block-rows.ts';
import type { SqlDialect, SqlReader } from './driver.ts';
import { decodeStoredText, decodeStoredTextOrNull, encodeStoredText } from './statements.ts';

/** Ids that a request mentions, which the rules may look up. */
interface MentionedIds {
  readonly ids: ReadonlySet<BlockId>;
  readonly parents: ReadonlySet<BlockId>;
  /** Keys of the calls in the request. */
  readonly callKeys: ReadonlySet<string>;
  /** `call_id` of calls and results. */
  readonly callIds: ReadonlySet<string>;
  readonly seqs: ReadonlySet<number>;
}

/** Index of the stored blocks that a request mentions. */
export interface LoadedBlockIndex extends BlockIndex {
  /** Returns when a block was written, in microseconds since 1970. */
  createdUs(id: BlockId): number | undefined;
}

interface KnownRow {
  readonly id: BlockId;
  readonly org_rid: number;
  readonly trace_id: TraceId;
  readonly sub_type: SubType;
  readonly parent_block_id: BlockId | null;
  readonly call_id: string | null;
  readonly created_us: number;
}

/** A trace and the body of a request to it. */
interface IndexRequest {
  readonly rid: number;
  readonly id: TraceId;
  readonly org_rid: number;
  readonly body: unknown;
}

/** Loads the blocks that the rules may look up for each body, because the rules are synchronous. */
export async function loadBlockIndexes(
  transaction: SqlReader,
  dialect: SqlDialect,
  bodies: readonly IndexRequest[],
): Promise<readonly LoadedBlockIndex[]> {
  const requests = bodies.map((each) => ({ ...each, mentions: mentionsIn(each.body) }));
  const mentioned = requests.flatMap(({ mentions }) => [...mentions.ids, ...mentions.parents]);
  const orgs = new Set(requests.map(({ org_rid }) => org_rid));
  const found = await readRows(transaction, dialect, mentioned, orgs);
  const rows = new Map(found.map((row) => [keyOf(row.org_rid, row.id), row]));
  const replayed = requests.flatMap(({ id: traceId, org_rid, mentions }) =>
    [...mentions.ids].flatMap((id) => {
      const row = rows.get(keyOf(org_rid, id));
      return row?.trace_id === traceId ? [row] : [];
    }),
  );
  const contents = await readContents(transaction, dialect, replayed);
  const calls = await readCalls(transaction, dialect, requests);
  const results = await readResults(transaction, dialect, requests, rows);
  return requests.map(({ rid, org_rid }) => ({
    block: (id) => toKnown(rows.get(keyOf(org_rid, id))),
    content: (id) => contents.get(keyOf(org_rid, id)),
    call: (callKey) => calls.get(keyOf(rid, callKey)),
    result: (callKey, seq) => results.get(keyOf(rid, seq, callKey)),
    createdUs: (id) => rows.get(keyOf(org_rid, id))?.created_us,
  }));
}

interface IndexedRequest {
  readonly rid: number;
  readonly org_rid: number;
  readonly mentions: MentionedIds;
}

/** Joins parts into one key; numbers come first, so that a text with spaces is unambiguous. */
const keyOf = (...parts: readonly (number | string)[]): string => parts.join(' ');

/** Collects mentioned ids from a body that is not validated yet; skips values of a wrong type. */
function mentionsIn(body: unknown): MentionedIds {
  const ids = new Set<BlockId>();
  const parents = new Set<BlockId>();
  const callKeys = new Set<string>();
  const callIds = new Set<string>();
  const seqs = new Set<number>();
  const blocks: readonly unknown[] = isRecord(body) && Array.isArray(body.blocks) ? body.blocks : [body];
  for (const block of blocks) {
    if (!isRecord(block)) continue;
    const { id, parent_block_id, sub_type, payload } = block;
    const { call_id, seq } = isRecord(payload) ? payload : {};
    const callId = typeof call_id === 'string' ? call_id : undefined;
    if (isBlockId(id)) ids.add(id);
    if (isBlockId(parent_block_id)) parents.add(parent_block_id);
    if (callId !== undefined) callIds.add(callId);
    if (sub_type === 'TOOL_CALL' && (callId ?? isBlockId(id))) callKeys.add(callId ?? String(id));
    if (Number.isSafeInteger(seq)) seqs.add(Number(seq));
  }
  return { ids, parents, callKeys, callIds, seqs };
}

const isBlockId = (value: unknown): value is BlockId => typeof value === 'string' && BLOCK_ID.test(value);

async function readRows(
  transaction: SqlReader,
  dialect: SqlDialect,
  ids: readonly BlockId[],
  orgs: Iterable<number>,
): Promise<readonly KnownRow[]> {
  if (ids.length === 0) return [];
  return await transaction.query<KnownRow>(
    `SELECT b.id, b.org_rid, t.id AS trace_id, b.sub_type, b.parent_block_id, b.call_id, b.created_us
     FROM trace_blocks AS b JOIN trace_rows AS t ON t.rid = b.trace_rid WHERE ${OWN_IDS(dialect, 'b.')}`,
    [dialect.list(ids), dialect.list(orgs)],
  );
}

/** Condition for ids within organizations. `+ 0` makes the engine search the index once per id, not once per pair. */
const OWN_IDS = (dialect: SqlDialect, table = '') =>
  `${dialect.columnIn(`${table}id`)} AND ${dialect.columnIn(`(${table}org_rid + 0)`)}`;

const toKnown = (row: KnownRow | undefined): IndexedBlock | undefined =>
  row && { trace_id: row.trace_id, sub_type: row.sub_type, call_id: decodeStoredTextOrNull(row.call_id) };

async function readContents(
  transaction: SqlReader,
  dialect: SqlDialect,
  known: readonly KnownRow[],
): Promise<ReadonlyMap<string, string>> {
  if (known.length === 0) return new Map();
  const rows = await transaction.query<ContentRow & { readonly id: BlockId; readonly org_rid: number }>(
    `SELECT id, org_rid, payload, raw, extra FROM trace_blocks WHERE ${OWN_IDS(dialect)}`,
    [dialect.list(known.map(({ id }) => id)), dialect.list(new Set(known.map(({ org_rid }) => org_rid)))],
  );
  const contents = new Map(rows.map((row) => [keyOf(row.org_rid, row.id), row]));
  return new Map(
    known.flatMap(({ id, org_rid, trace_id, sub_type, parent_block_id }) => {
      const key = keyOf(org_rid, id);
      const row = contents.get(key);
      return row ? [[key, canonicalContent({ sub_type, parent_block_id, ...toContent(row) }, trace_id)] as const] : [];
    }),
  );
}

async function readCalls(
  transaction: SqlReader,
  dialect: SqlDialect,
  requests: readonly IndexedRequest[],
): Promise<ReadonlyMap<string, BlockId>> {
  const pairs = requests.flatMap(({ rid, mentions }) =>
    [...mentions.callKeys].map((key) => [rid, encodeStoredText(key)]),
  );
  if (pairs.length === 0) return new Map();
  const rows = await transaction.query<{ readonly call_key: string; readonly trace_rid: number; readonly id: BlockId }>(
    `SELECT call_key, trace_rid, id FROM trace_blocks
     WHERE sub_type = 'TOOL_CALL' AND ${dialect.pairIn('trace_rid', 'call_key')}`,
    [JSON.stringify(pairs)],
  );
  return new Map(rows.map(({ call_key, trace_rid, id }) => [keyOf(trace_rid, decodeStoredText(call_key)), id]));
}

interface ResultRow {
  readonly trace_rid: number;
  readonly seq: number;
  readonly call_key: string;
  readonly id: BlockId;
}

async function readResults(
  transaction: SqlReader,
  dialect: SqlDialect,
  requests: readonly IndexedRequest[],
  known: ReadonlyMap<string, KnownRow>,
): Promise<ReadonlyMap<string, BlockId>> {
  const numbered = requests.filter(({ mentions }) => mentions.seqs.size > 0);
  if (numbered.length === 0) return new Map();
  const seqs = new Set(numbered.flatMap(({ mentions }) => [...mentions.seqs]));
  const pairs = numbered.flatMap((request) =>
    keysOf(request, known).map((key) => [request.rid, encodeStoredText(key)]),
  );
  const rows = await transaction.query<ResultRow>(
    `SELECT call_key, trace_rid, seq, id FROM trace_blocks WHERE sub_type = 'TOOL_RESULT' AND seq IS NOT NULL
     AND ${dialect.pairIn('trace_rid', 'call_key')} AND ${dialect.columnIn('seq')}`,
    [JSON.stringify(pairs), dialect.list(seqs)],
  );
  return new Map(
    rows.map(({ trace_rid, seq, call_key, id }) => [keyOf(trace_rid, seq, decodeStoredText(call_key)), id]),
  );
}

/** Keys that the calls of the results in a request may have. */
function keysOf({ org_rid, mentions }: IndexedRequest, known: ReadonlyMap<string, KnownRow>): string[] {
  const { callKeys, callIds, ids, parents } = mentions;
  const callIdsOfParents = [...ids, ...parents].flatMap((id) => {
    const call_id = known.get(keyOf(org_rid, id))?.call_id ?? null;
    return call_id === null ? [] : [decodeStoredText(call_id)];
  });
  return [...new Set([...callKeys, ...callIds, ...parents, ...callIdsOfParents])];
}
