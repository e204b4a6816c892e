import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Block, BlockId, TraceId } from '../../../../generated/trace.ts';
import { countFitting, sum } from '../../../core/index.ts';
import { blockNotFound, TraceStoreError } from '../../model/index.ts';
import type { ReadBatchLimits } from '../slices.ts';
import type { BlockQuery } from '../trace-store.ts';
import { BLOCK_COLUMNS, type BlockRow, rowToBlock } from './block-rows.ts';
import type { SqlDriver, SqlReader } from './driver.ts';
import { findTrace, type GrowingTrace } from './find-trace.ts';
import { whereAll } from './statements.ts';
import { encodeStoredText } from './text.ts';

/** What is read of blocks. */
interface BlockRowQuery<R, T> {
  readonly columns: string;
  /** What becomes of rows. */
  readonly read: (rows: readonly R[]) => readonly T[];
  /** What is read before others have their turn. */
  readonly slice: ReadBatchLimits;
}

/** Reads those that are there when it begins; blocks are never changed, so slices fit together. */
export async function queryBlocks<R extends { readonly ord: number }, T>(
  { query: ask, dialect }: Pick<SqlDriver, 'query' | 'dialect'>,
  { rid, org_rid, block_count, bytes: all }: Pick<GrowingTrace, 'rid' | 'org_rid' | 'block_count' | 'bytes'>,
  { after = 0, before = block_count + 1, limit = block_count, bytes = Number.POSITIVE_INFINITY, ...query }: BlockQuery,
  { columns, read, slice }: BlockRowQuery<R, T>,
): Promise<readonly T[]> {
  const isSmall = all <= Math.min(bytes, slice.bytes);
  const select = <Row extends object>(what: string, from: number, size: number) => {
    const where = between(dialect, { rid, org_rid }, query, [from, Math.min(before, block_count + 1)]);
    return ask<Row>(`SELECT ${what} FROM trace_blocks WHERE ${where.sql} ORDER BY ord LIMIT ?`, [
      ...where.params,
      size,
    ]);
  };
  const found: T[] = [];
  let [last, left] = [after, bytes];
  let weighed: readonly BlockSize[] = [];
  for (;;) {
    const max = Math.min(slice.blocks, limit - found.length);
    // How many fit is looked up before any is read.
    if (!isSmall && weighed.length < max) {
      const requested = Math.min(WEIGHED, limit - found.length) - weighed.length;
      weighed = [...weighed, ...(await select<BlockSize>('ord, bytes', weighed.at(-1)?.ord ?? last, requested))];
    }
    const next = weighed.slice(0, max);
    const count = countFitting(next, { size: Math.min(slice.bytes, left), sizeOf: (block) => block.bytes });
    left -= sum(next.slice(0, count).map((block) => block.bytes));
    if (left < 0 && found.length > 0) return found;
    const size = count === next.length ? max : count;
    const rows = await select<R>(columns, last, size);
    for (const each of read(rows)) found.push(each);
    last = rows.at(-1)?.ord ?? last;
    weighed = weighed.slice(count);
    if (rows.length < size || found.length >= limit || left <= 0) return found;
    await nextTurn();
  }
}

interface BlockSize {
  readonly ord: number;
  readonly bytes: number;
}

/** So many are looked at together: each time costs a database that is a process of its own as much as a slice. */
const WEIGHED = 2000;

type BlockSelection = Omit<BlockQuery, 'after' | 'before' | 'limit' | 'bytes'>;

/** The blocks of a trace between two places. */
function between(
  dialect: SqlDriver['dialect'],
  { rid, org_rid }: Pick<GrowingTrace, 'rid' | 'org_rid'>,
  { block_type, sub_type, call_id, parent, ids }: BlockSelection,
  [after, before]: readonly [number, number],
) {
  // Ids are looked up, one by one: without the sign SQLite goes through all places of the trace instead.
  const [ofTrace, place] = ids === undefined ? ['trace_rid', 'ord'] : ['+trace_rid', '+ord'];
  return whereAll([
    [`${ofTrace} = ?`, rid],
    [`${place} > ?`, after],
    [`${place} < ?`, before],
    block_type === undefined ? undefined : ['block_type = ?', block_type],
    sub_type === undefined ? undefined : ['sub_type = ?', sub_type],
    call_id === undefined ? undefined : ['call_id = ?', encodeStoredText(call_id)],
    parent === undefined ? undefined : ['parent_block_id = ? AND org_rid = ?', parent, org_rid],
    ids === undefined ? undefined : [`${dialect.columnIn('id')} AND org_rid = ?`, dialect.list(ids), org_rid],
  ]);
}

/** @throws Refusal BLOCK_NOT_FOUND. */
export async function readBlock(reader: SqlReader, org: string, id: TraceId, block: BlockId): Promise<Block> {
  const { rid, org_rid } = await findTrace(reader, org, id);
  const [row] = await reader.query<BlockRow>(
    `SELECT ${BLOCK_COLUMNS} FROM trace_blocks WHERE id = ? AND org_rid = ? AND +trace_rid = ?`,
    [block, org_rid, rid],
  );
  if (!row) throw new TraceStoreError(blockNotFound(id, block));
  return rowToBlock(id, row).block;
}
