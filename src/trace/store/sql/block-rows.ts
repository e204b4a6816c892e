import type { Block, BlockSkeleton, JSONObject, JSONValue } from '../../../../generated/trace.ts';
import { parseExactJson, sum } from '../../../core/index.ts';
import type { BlockBatchLimits, BlockJsonTexts, StoredBlock } from '../../model/index.ts';
import { toTimestamp } from '../trace-changes.ts';
import type { BlockFields, BlockText, StoredSkeleton } from '../trace-store.ts';
import type { SqlDialect } from './driver.ts';
import { decodeStoredText, decodeStoredTextOrNull } from './statements.ts';

/** Columns to read of blocks, and their conversion. */
export interface BlockReading<R, T> {
  readonly columns: string;
  readonly read: (rows: readonly R[]) => readonly T[];
  /** Limits of one query; other work gets its turn after each. */
  readonly batch: BlockBatchLimits;
}

interface HeadRow extends Pick<BlockSkeleton, 'id' | 'block_type' | 'sub_type' | 'parent_block_id'> {
  readonly ord: number;
  readonly created_us: number;
}

interface BlockRow extends HeadRow, BlockJsonTexts {
  readonly metadata: string;
}

interface SkeletonRow extends HeadRow, Omit<BlockSkeleton, 'is_error' | 'thread' | 'created_at'> {
  readonly is_error: number;
  readonly thread: string | null;
}

const HEAD = 'ord, id, block_type, sub_type, parent_block_id, created_us';
const BLOCK_COLUMNS = `${HEAD}, payload, raw, extra, metadata`;
const SKELETON_COLUMNS = `${HEAD}, call_id, seq, name, role, bytes, reward, is_error, preview, thread`;

const WHOLE_BLOCK_BATCH: BlockBatchLimits = { blocks: 200, bytes: 1024 * 1024 };
/** Skeletons are small, whatever the size of their blocks. */
export const SKELETON_BATCH: BlockBatchLimits = { blocks: 1000, bytes: Number.POSITIVE_INFINITY };

export const wholeBlocks = (traceId: string): BlockReading<BlockRow, StoredBlock> => ({
  columns: BLOCK_COLUMNS,
  batch: WHOLE_BLOCK_BATCH,
  read: (rows) => rows.map((row) => rowToBlock(traceId, row)),
});

export const skeletons: BlockReading<SkeletonRow, StoredSkeleton> = {
  columns: SKELETON_COLUMNS,
  batch: SKELETON_BATCH,
  read: (rows) => rows.map(rowToSkeleton),
};

function rowToBlock(traceId: string, row: BlockRow): StoredBlock {
  const time = toTimestamp(row.created_us);
  const block = {
    id: row.id,
    trace_id: traceId,
    block_type: row.block_type,
    sub_type: row.sub_type,
    parent_block_id: row.parent_block_id,
    ...toContent(row),
    metadata: parseExactJson(row.metadata) as JSONValue,
    created_at: time,
    updated_at: time,
  };
  // The payload was checked against the sub_type when the block was written.
  return { ord: row.ord, block: block as unknown as Block };
}

/** Parses the content of a block, as its author wrote it. */
export const toContent = ({ payload, raw, extra }: BlockJsonTexts) => ({
  payload: parseExactJson(payload) as JSONObject,
  raw: raw === null ? null : (parseExactJson(raw) as JSONValue),
  extra: extra === null ? null : (parseExactJson(extra) as JSONValue),
});

const rowToSkeleton = (row: SkeletonRow): StoredSkeleton => ({
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
    ...(row.thread !== null && { thread: decodeStoredText(row.thread) }),
    preview: decodeStoredText(row.preview),
    bytes: row.bytes,
    created_at: toTimestamp(row.created_us),
  },
});

/** A row whose `content` has the members of a block as JSON, except for those that JavaScript adds. */
interface TextRow extends Omit<HeadRow, 'block_type'> {
  readonly seq: number | null;
  /** Selected for skeletons only. */
  readonly reward?: number | null;
  readonly content: string;
}

/** Reads blocks as JSON text that SQL concatenates: JSON columns are not parsed, and ids are not escaped. */
export const blockTexts = (
  traceId: string,
  fields: BlockFields,
  dialect: SqlDialect,
): BlockReading<TextRow, BlockText> => (fields === 'all' ? wholeTexts(traceId) : skeletonTexts(dialect));

const TEXT_COLUMNS = 'ord, id, sub_type, parent_block_id, created_us, seq';

/** Ids contain no character that JSON escapes. */
const KIND = `'"block_type":"', block_type, '","sub_type":"', sub_type, '","parent_block_id":',
  coalesce('"' || parent_block_id || '"', 'null')`;

const WHOLE = `concat(${KIND}, ',"payload":', payload, ',"raw":', coalesce(raw, 'null'), ',"extra":',
  coalesce(extra, 'null'), ',"metadata":', metadata) AS content`;

const wholeTexts = (traceId: string): BlockReading<TextRow, BlockText> => ({
  columns: `${TEXT_COLUMNS}, ${WHOLE}`,
  batch: WHOLE_BLOCK_BATCH,
  read: (rows) =>
    readAll(
      rows,
      ({ id, content }, created_at) =>
        `"id":"${id}","trace_id":"${traceId}",${content},"created_at":"${created_at}","updated_at":"${created_at}"`,
    ),
});

/** JavaScript adds the reward, because not every SQLite prints all digits of a double. */
const skeletonTexts = (dialect: SqlDialect): BlockReading<TextRow, BlockText> => ({
  columns: `${TEXT_COLUMNS}, reward, concat(${KIND}, ',"call_id":', ${json(dialect, 'call_id')}, ',"seq":',
    coalesce(CAST(seq AS text), 'null'), ',"name":', ${json(dialect, 'name')}, ',"role":', coalesce('"' || role || '"', 'null'),
    ',"is_error":', CASE is_error WHEN 1 THEN 'true' ELSE 'false' END,
    CASE WHEN thread IS NULL THEN '' ELSE concat(',"thread":', ${json(dialect, 'thread')}) END,
    ',"preview":', ${json(dialect, 'preview')}, ',"bytes":', bytes) AS content`,
  batch: SKELETON_BATCH,
  read: (rows) =>
    readAll(
      rows,
      ({ id, reward, content }, created_at) =>
        `"id":"${id}",${content},"reward":${reward},"created_at":"${created_at}"`,
    ),
});

/** @param membersOf returns the members of a block as JSON text, for a row and its formatted time. */
function readAll(
  rows: readonly TextRow[],
  membersOf: (row: TextRow, created_at: string) => string,
): readonly BlockText[] {
  const times = rows.map(({ created_us }) => toTimestamp(created_us));
  const members = sliceFromOneString(rows.map((row, index) => membersOf(row, times[index] ?? '')));
  return rows.map(({ ord, id, sub_type, parent_block_id, seq }, index) => ({
    ord,
    id,
    sub_type,
    parent_block_id,
    seq,
    created_at: times[index] ?? '',
    members: members[index] ?? '',
  }));
}

/** Maximum length of the common string. Larger texts are few, and could exceed the maximum length of a string. */
const MAX_COMMON_LENGTH = 4 * 1024 * 1024;

/** Replaces texts by slices of one string: the garbage collector would copy each concatenated text and its parts twice. */
function sliceFromOneString(texts: readonly string[]): readonly string[] {
  if (sum(texts.map(({ length }) => length)) > MAX_COMMON_LENGTH) return texts;
  const all = texts.join('');
  let end = 0;
  return texts.map(({ length }) => {
    const start = end;
    end += length;
    return all.slice(start, end);
  });
}

/** SQL for the JSON of a text from `encodeStoredText`: a text that begins with a quote is JSON already. */
const json = ({ quote }: SqlDialect, column: string): string =>
  `CASE WHEN ${column} IS NULL THEN 'null' WHEN substr(${column}, 1, 1) = '"' THEN ${column} ELSE ${quote(column)} END`;
