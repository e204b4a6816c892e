import type { BlockId, SubType, TraceId } from '../../../../generated/trace.ts';
import { isRecord } from '../../../protocol/index.ts';
import { BLOCK_ID, contentOf, type KnownBlock, type KnownBlocks } from '../../model/index.ts';
import { type ContentRow, toContent } from './block-rows.ts';
import type { Dialect, SqlReader } from './driver.ts';
import { readText, readTextOrNull, storedText } from './text.ts';

/** What a request names, and the rules may therefore ask a store for. */
interface Mentions {
  readonly ids: ReadonlySet<BlockId>;
  readonly parents: ReadonlySet<BlockId>;
  /** Of the calls. */
  readonly callKeys: ReadonlySet<string>;
  /** Of the results, as far as they bring one. */
  readonly callIds: ReadonlySet<string>;
  readonly seqs: ReadonlySet<number>;
}

/** What the store knows of it, and when the blocks that are there were written. */
export interface KnownRows extends KnownBlocks {
  createdUs(id: BlockId): number | undefined;
}

interface KnownRow {
  readonly id: BlockId;
  readonly trace_id: TraceId;
  readonly sub_type: SubType;
  readonly parent_block_id: BlockId | null;
  readonly call_id: string | null;
  readonly created_us: number;
}

/** Reads what the rules may ask for about a body, so that they, which wait for nothing, find it there. */
export async function readKnown(
  transaction: SqlReader,
  dialect: Dialect,
  { rid, id: traceId }: { readonly rid: number; readonly id: TraceId },
  body: unknown,
): Promise<KnownRows> {
  const mentions = mentionsIn(body);
  const rows = await readRows(transaction, dialect, [...mentions.ids, ...mentions.parents]);
  const blocks = new Map(rows.map((row) => [row.id, row]));
  const again = rows.filter(({ id, trace_id }) => trace_id === traceId && mentions.ids.has(id));
  const contents = await readContents(transaction, dialect, again);
  const calls = await readCalls(transaction, dialect, rid, mentions.callKeys);
  const callIdsOfParents = rows.flatMap(({ call_id }) => (call_id === null ? [] : [readText(call_id)]));
  const keys = new Set([...mentions.callKeys, ...mentions.callIds, ...mentions.parents, ...callIdsOfParents]);
  const results = await readResults(transaction, dialect, rid, { keys, seqs: mentions.seqs });
  return {
    block: (id) => toKnown(blocks.get(id)),
    content: (id) => contents.get(id),
    call: (callKey) => calls.get(callKey),
    result: (callKey, seq) => results.get(resultKey(callKey, seq)),
    createdUs: (id) => blocks.get(id)?.created_us,
  };
}

/** The body is not checked yet: what is not of the right kind is passed over. */
function mentionsIn(body: unknown): Mentions {
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
  dialect: Dialect,
  ids: readonly BlockId[],
): Promise<readonly KnownRow[]> {
  if (ids.length === 0) return [];
  return await transaction.query<KnownRow>(
    `SELECT b.id, t.id AS trace_id, b.sub_type, b.parent_block_id, b.call_id, b.created_us
     FROM trace_blocks AS b JOIN trace_rows AS t ON t.rid = b.trace_rid WHERE ${dialect.oneOf('b.id')}`,
    [dialect.list(ids)],
  );
}

const toKnown = (row: KnownRow | undefined): KnownBlock | undefined =>
  row && { trace_id: row.trace_id, sub_type: row.sub_type, call_id: readTextOrNull(row.call_id) };

async function readContents(
  transaction: SqlReader,
  dialect: Dialect,
  known: readonly KnownRow[],
): Promise<ReadonlyMap<BlockId, string>> {
  if (known.length === 0) return new Map();
  const rows = await transaction.query<ContentRow & { readonly id: BlockId }>(
    `SELECT id, payload, raw, extra FROM trace_blocks WHERE ${dialect.oneOf('id')}`,
    [dialect.list(known.map(({ id }) => id))],
  );
  const contents = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    known.flatMap(({ id, trace_id, sub_type, parent_block_id }) => {
      const row = contents.get(id);
      return row ? [[id, contentOf({ sub_type, parent_block_id, ...toContent(row) }, trace_id)] as const] : [];
    }),
  );
}

async function readCalls(
  transaction: SqlReader,
  dialect: Dialect,
  rid: number,
  keys: Iterable<string>,
): Promise<ReadonlyMap<string, BlockId>> {
  const wanted = [...keys].map(storedText);
  if (wanted.length === 0) return new Map();
  const rows = await transaction.query<{ readonly call_key: string; readonly id: BlockId }>(
    `SELECT call_key, id FROM trace_blocks
     WHERE trace_rid = ? AND sub_type = 'TOOL_CALL' AND ${dialect.oneOf('call_key')}`,
    [rid, dialect.list(wanted)],
  );
  return new Map(rows.map(({ call_key, id }) => [readText(call_key), id]));
}

async function readResults(
  transaction: SqlReader,
  dialect: Dialect,
  rid: number,
  { keys, seqs }: { readonly keys: ReadonlySet<string>; readonly seqs: ReadonlySet<number> },
): Promise<ReadonlyMap<string, BlockId>> {
  if (seqs.size === 0) return new Map();
  const rows = await transaction.query<{ readonly call_key: string; readonly seq: number; readonly id: BlockId }>(
    `SELECT call_key, seq, id FROM trace_blocks WHERE trace_rid = ? AND sub_type = 'TOOL_RESULT' AND seq IS NOT NULL
     AND ${dialect.oneOf('call_key')} AND ${dialect.oneOf('seq')}`,
    [rid, dialect.list([...keys].map(storedText)), dialect.list(seqs)],
  );
  return new Map(rows.map(({ call_key, seq, id }) => [resultKey(readText(call_key), seq), id]));
}

const resultKey = (callKey: string, seq: number) => `${seq} ${callKey}`;
