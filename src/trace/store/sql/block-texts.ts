import { sum } from '../../../core/index.ts';
import { type ReadBatchLimits, SKELETON_BATCH, WHOLE_BLOCK_BATCH } from '../slices.ts';
import { toTimestamp } from '../time.ts';
import type { BlockFields, BlockText } from '../tree-reader.ts';
import type { HeadRow } from './block-rows.ts';
import type { SqlDialect } from './driver.ts';

/** A row with what stands in the text of a block between its id and what only JavaScript writes as JSON does. */
interface TextRow extends Omit<HeadRow, 'block_type'> {
  readonly seq: number | null;
  readonly content: string;
}

interface OutlineRow extends TextRow {
  readonly reward: number | null;
}

/** How the text of a block comes out of a row, without parsing what is JSON in it and without escaping what is not. */
export interface BlockTextQuery<R> {
  readonly columns: string;
  readonly slice: ReadBatchLimits;
  readonly read: (rows: readonly R[]) => readonly BlockText[];
}

export const blockTextQuery = (traceId: string, fields: BlockFields, dialect: SqlDialect): BlockTextQuery<never> =>
  fields === 'all' ? wholeTexts(traceId) : outlineTexts(dialect);

const PLACED = 'ord, id, sub_type, parent_block_id, created_us, seq';

/** No id has anything to escape. */
const KIND = `'"block_type":"', block_type, '","sub_type":"', sub_type, '","parent_block_id":',
  coalesce('"' || parent_block_id || '"', 'null')`;

const WHOLE = `concat(${KIND}, ',"payload":', payload, ',"raw":', coalesce(raw, 'null'), ',"extra":',
  coalesce(extra, 'null'), ',"metadata":', metadata) AS content`;

const wholeTexts = (traceId: string): BlockTextQuery<TextRow> => ({
  columns: `${PLACED}, ${WHOLE}`,
  slice: WHOLE_BLOCK_BATCH,
  read: (rows) =>
    readAll(
      rows,
      ({ id, content }, created_at) =>
        `"id":"${id}","trace_id":"${traceId}",${content},"created_at":"${created_at}","updated_at":"${created_at}"`,
    ),
});

/** A reward is left to JavaScript: not every SQLite writes all digits of a double. */
const outlineTexts = (dialect: SqlDialect): BlockTextQuery<OutlineRow> => ({
  columns: `${PLACED}, reward, concat(${KIND}, ',"call_id":', ${json(dialect, 'call_id')}, ',"seq":',
    coalesce(CAST(seq AS text), 'null'), ',"name":', ${json(dialect, 'name')}, ',"role":', coalesce('"' || role || '"', 'null'),
    ',"is_error":', CASE is_error WHEN 1 THEN 'true' ELSE 'false' END, ',"preview":', ${json(dialect, 'preview')},
    ',"bytes":', bytes) AS content`,
  slice: SKELETON_BATCH,
  read: (rows) =>
    readAll(
      rows,
      ({ id, reward, content }, created_at) =>
        `"id":"${id}",${content},"reward":${reward},"created_at":"${created_at}"`,
    ),
});

/** @param membersOf the text of a row's block that was written at this time. */
function readAll<R extends TextRow>(
  rows: readonly R[],
  membersOf: (row: R, created_at: string) => string,
): readonly BlockText[] {
  const times = rows.map(({ created_us }) => toTimestamp(created_us));
  const members = cutOutOfOne(rows.map((row, place) => membersOf(row, times[place] ?? '')));
  return rows.map(({ ord, id, sub_type, parent_block_id, seq }, place) => ({
    ord,
    id,
    sub_type,
    parent_block_id,
    seq,
    created_at: times[place] ?? '',
    members: members[place] ?? '',
  }));
}

/** Many large texts together are more than one may have; and few objects are copied for them anyway. */
const MAX_TOGETHER = 4 * 1024 * 1024;

/** Texts that stand alone, and their parts, would be copied by the collector one by one, each twice. */
function cutOutOfOne(texts: readonly string[]): readonly string[] {
  if (sum(texts.map(({ length }) => length)) > MAX_TOGETHER) return texts;
  const all = texts.join('');
  let end = 0;
  return texts.map(({ length }) => {
    const start = end;
    end += length;
    return all.slice(start, end);
  });
}

/** The JSON of a text that `storedText` has made: what begins with a quote is JSON already. */
const json = ({ quote }: SqlDialect, column: string): string =>
  `CASE WHEN ${column} IS NULL THEN 'null' WHEN substr(${column}, 1, 1) = '"' THEN ${column} ELSE ${quote(column)} END`;
