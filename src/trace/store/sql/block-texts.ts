import { timestampOf } from '../time.ts';
import type { BlockText } from '../trace-store.ts';
import type { HeadRow } from './block-rows.ts';

/** A row with what stands in the text of a block between the id of its trace and its times. */
interface WholeRow extends Omit<HeadRow, 'block_type'> {
  readonly seq: number | null;
  readonly bytes: number;
  readonly content: string;
}

/** No id has anything to escape, and the rest is JSON already. */
const CONTENT = `'"block_type":"' || block_type || '","sub_type":"' || sub_type || '","parent_block_id":' ||
  coalesce('"' || parent_block_id || '"', 'null') || ',"payload":' || payload || ',"raw":' || coalesce(raw, 'null') ||
  ',"extra":' || coalesce(extra, 'null') || ',"metadata":' || metadata`;

/** How the text of a block comes out of a row, without parsing what is JSON in it. */
export const textsOf = (traceId: string) => ({
  columns: `ord, id, sub_type, parent_block_id, created_us, seq, bytes, ${CONTENT} AS content`,
  read: (row: WholeRow): BlockText => {
    const { ord, id, sub_type, parent_block_id, seq, bytes, content } = row;
    const created_at = timestampOf(row.created_us);
    const members = `"id":"${id}","trace_id":"${traceId}",${content},"created_at":"${created_at}","updated_at":"${created_at}"`;
    return { ord, id, sub_type, parent_block_id, seq, bytes, created_at, members };
  },
});
