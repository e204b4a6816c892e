import type { Block, BlockSkeleton, JSONObject, JSONValue, SubType } from '../../../../generated/trace.ts';
import { type NewBlock, type StoredBlock, toJsonTexts, toSkeletonFields } from '../../model/index.ts';
import { jsonTextsBytes } from '../derive.ts';
import { toTimestamp } from '../time.ts';
import type { StoredSkeleton } from '../trace-store.ts';
import type { SqlValue } from './driver.ts';
import { decodeStoredText, decodeStoredTextOrNull, encodeStoredText, encodeStoredTextOrNull } from './text.ts';

export interface HeadRow {
  readonly ord: number;
  readonly id: string;
  readonly block_type: Block['block_type'];
  readonly sub_type: SubType;
  readonly parent_block_id: string | null;
  readonly created_us: number;
}

/** What the author of a block chose, but for its place. */
export interface ContentRow {
  readonly payload: string;
  readonly raw: string | null;
  readonly extra: string | null;
}

export interface BlockRow extends HeadRow, ContentRow {
  readonly metadata: string;
}

export interface SkeletonRow extends HeadRow {
  readonly call_id: string | null;
  readonly seq: number | null;
  readonly name: string | null;
  readonly role: string | null;
  readonly bytes: number;
  readonly reward: number | null;
  readonly is_error: number;
  readonly preview: string;
}

const HEAD = 'ord, id, block_type, sub_type, parent_block_id, created_us';
export const BLOCK_COLUMNS = `${HEAD}, payload, raw, extra, metadata`;
export const SKELETON_COLUMNS = `${HEAD}, call_id, seq, name, role, bytes, reward, is_error, preview`;

export function rowToBlock(traceId: string, row: BlockRow): StoredBlock {
  const time = toTimestamp(row.created_us);
  const block = {
    id: row.id,
    trace_id: traceId,
    block_type: row.block_type,
    sub_type: row.sub_type,
    parent_block_id: row.parent_block_id,
    ...toContent(row),
    metadata: JSON.parse(row.metadata) as JSONObject,
    created_at: time,
    updated_at: time,
  };
  // Which payload a sub_type has was checked when the block was written.
  return { ord: row.ord, block: block as unknown as Block };
}

export const toContent = ({ payload, raw, extra }: ContentRow) => ({
  payload: JSON.parse(payload) as JSONObject,
  raw: raw === null ? null : (JSON.parse(raw) as JSONValue),
  extra: extra === null ? null : (JSON.parse(extra) as JSONObject),
});

export const toSkeletonOf = (row: SkeletonRow): StoredSkeleton => ({
  ord: row.ord,
  block: {
    id: row.id,
    block_type: row.block_type,
    sub_type: row.sub_type,
    parent_block_id: row.parent_block_id,
    call_id: decodeStoredTextOrNull(row.call_id),
    seq: row.seq,
    name: decodeStoredTextOrNull(row.name),
    role: row.role,
    reward: row.reward,
    is_error: row.is_error === 1,
    preview: decodeStoredText(row.preview),
    bytes: row.bytes,
    created_at: toTimestamp(row.created_us),
  } satisfies BlockSkeleton,
});

/** Where and when a block is written. */
export interface BlockWriteContext {
  readonly traceRid: number;
  readonly orgRid: number;
  readonly ord: number;
  readonly us: number;
  readonly callKey: string | null;
  readonly metadata: JSONObject;
}

/** A row of `trace_blocks`, and what the counters of its trace need of it. */
export function toRow(block: NewBlock, { traceRid, orgRid, ord, us, callKey, metadata }: BlockWriteContext) {
  const { call_id, seq, name, role, reward, is_error, preview } = toSkeletonFields(block);
  const texts = toJsonTexts(block);
  const bytes = jsonTextsBytes(texts);
  const columns: Readonly<Record<string, SqlValue>> = {
    trace_rid: traceRid,
    ord,
    id: block.id,
    org_rid: orgRid,
    sub_type: block.sub_type,
    parent_block_id: block.parent_block_id,
    call_id: encodeStoredTextOrNull(call_id),
    call_key: encodeStoredTextOrNull(callKey),
    seq,
    name: encodeStoredTextOrNull(name),
    role,
    reward,
    is_error: is_error ? 1 : 0,
    bytes,
    created_us: us,
    preview: encodeStoredText(preview),
    metadata: JSON.stringify(metadata),
    ...texts,
  };
  return { columns, counted: { reward, bytes, is_error } };
}
