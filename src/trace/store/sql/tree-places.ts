import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BlockId } from '../../../../generated/trace.ts';
import { countFitting } from '../../../core/index.ts';
import type { BlockPosition } from '../../model/index.ts';
import { type ReadBatchLimits, SKELETON_BATCH } from '../slices.ts';
import type { BlockText, MessagePage, SizedPosition, TreeNode } from '../tree-reader.ts';
import type { BlockTextQuery } from './block-texts.ts';
import type { SqlDriver } from './driver.ts';
import type { GrowingTrace } from './find-trace.ts';

type TreeQueryDriver = Pick<SqlDriver, 'query' | 'dialect'>;
type TraceRowRef = Pick<GrowingTrace, 'rid' | 'org_rid' | 'block_count'>;

const PLACE = 'ord, id, sub_type, parent_block_id, seq, bytes';

/** First those with a seq, by that, then the others, by time: the index `messages_in_order` has both one after the other. */
export async function readMessages(
  { query: ask }: TreeQueryDriver,
  { rid, org_rid }: TraceRowRef,
  { after, before, limit }: MessagePage,
): Promise<readonly TreeNode[] | undefined> {
  const known = `SELECT ${PLACE} FROM trace_blocks WHERE id = ? AND org_rid = ? AND +trace_rid = ?`;
  const [last] = after === undefined ? [] : await ask<TreeNode>(known, [after, org_rid, rid]);
  if (after !== undefined && last?.sub_type !== 'MESSAGE') return undefined;
  const messages = `SELECT ${PLACE} FROM trace_blocks WHERE trace_rid = ? AND sub_type = 'MESSAGE' AND ord < ?`;
  const numbered =
    last?.seq === null
      ? []
      : await ask<TreeNode>(`${messages} AND seq IS NOT NULL AND (seq, ord) > (?, ?) ORDER BY seq, ord LIMIT ?`, [
          rid,
          before,
          last?.seq ?? -1,
          last?.ord ?? 0,
          limit,
        ]);
  const others = await ask<TreeNode>(`${messages} AND seq IS NULL AND ord > ? ORDER BY ord LIMIT ?`, [
    rid,
    before,
    last?.seq === null ? last.ord : 0,
    limit - numbered.length,
  ]);
  return [...numbered, ...others];
}

/** So many blocks are asked for what hangs under them before others have their turn. */
const PARENTS = 500;

export async function readChildren(
  { query: ask, dialect }: TreeQueryDriver,
  { rid, org_rid }: TraceRowRef,
  parents: readonly BlockId[],
  before: number,
): Promise<readonly TreeNode[]> {
  const children = dialect.rowsWith('trace_blocks', 'parent_block_id', 'org_rid');
  // Without the sign SQLite goes through all places of the trace instead.
  const sql = `SELECT ${PLACE} FROM ${children} WHERE +trace_rid = ? AND +ord < ?`;
  const found: TreeNode[] = [];
  for (let from = 0; from < parents.length; from += PARENTS) {
    const rows = await ask<TreeNode>(sql, [dialect.list(parents.slice(from, from + PARENTS)), org_rid, rid, before]);
    for (const row of rows) found.push(row);
    await nextTurn();
  }
  return found;
}

/** So many places are looked at before others have their turn. */
const STRETCH = 2000;

/** Rules keep such blocks from being written; a database that was damaged or restored by hand may have some. */
export async function readOrphans(
  { query: ask }: TreeQueryDriver,
  { rid, block_count }: TraceRowRef,
  before: number,
): Promise<readonly TreeNode[]> {
  const sql = `SELECT ${PLACE} FROM trace_blocks AS b WHERE trace_rid = ? AND ord > ? AND ord <= ? AND ord < ?
    AND parent_block_id IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM trace_blocks AS p WHERE p.id = b.parent_block_id AND p.org_rid = b.org_rid AND +p.trace_rid = b.trace_rid
        AND +p.ord < ? AND p.sub_type = CASE b.sub_type WHEN 'TOOL_RESULT' THEN 'TOOL_CALL' ELSE 'MESSAGE' END)`;
  const found: TreeNode[] = [];
  for (let after = 0; after < block_count; after += STRETCH) {
    found.push(...(await ask<TreeNode>(sql, [rid, after, after + STRETCH, before, before])));
    await nextTurn();
  }
  return found;
}

export async function* readPositions(
  { query: ask }: TreeQueryDriver,
  { rid, block_count }: TraceRowRef,
  before: number,
): AsyncGenerator<readonly BlockPosition[]> {
  // Without the sign SQLite goes through all places of the trace instead, once for each block.
  const sql = `SELECT ord, sub_type, role, parent_block_id, seq, bytes, reward, (
      SELECT ord FROM trace_blocks AS p
      WHERE p.id = b.parent_block_id AND p.org_rid = b.org_rid AND +p.trace_rid = b.trace_rid AND +p.ord < ?
    ) AS parent
    FROM trace_blocks AS b WHERE trace_rid = ? AND ord > ? AND ord < ? ORDER BY ord`;
  const end = Math.min(before, block_count + 1);
  for (let after = 0; after < end - 1; after += SKELETON_BATCH.blocks) {
    yield await ask<BlockPosition>(sql, [before, rid, after, Math.min(end, after + SKELETON_BATCH.blocks + 1)]);
    await nextTurn();
  }
}

export async function readTextsAt<R extends object>(
  { query: ask, dialect }: TreeQueryDriver,
  { rid }: TraceRowRef,
  places: readonly SizedPosition[],
  { columns, slice, read }: BlockTextQuery<R>,
): Promise<readonly BlockText[]> {
  const sql = `SELECT ${columns} FROM trace_blocks WHERE trace_rid = ? AND ${dialect.columnIn('ord')} ORDER BY ord`;
  const found: BlockText[] = [];
  for (const ords of slicesOf(places, slice)) {
    const rows = await ask<R>(sql, [rid, dialect.list(ords)]);
    for (const text of read(rows)) found.push(text);
    await nextTurn();
  }
  return found;
}

function* slicesOf(places: readonly SizedPosition[], { blocks, bytes }: ReadBatchLimits): Generator<readonly number[]> {
  const sorted = [...places].sort((one, other) => one.ord - other.ord);
  for (let from = 0; from < sorted.length; ) {
    const next = sorted.slice(from, from + blocks);
    const slice = next.slice(0, countFitting(next, { size: bytes, sizeOf: (place) => place.bytes }));
    yield slice.map(({ ord }) => ord);
    from += slice.length;
  }
}
