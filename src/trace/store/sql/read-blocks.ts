import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Block, BlockId, TraceId } from '../../../../generated/trace.ts';
import { blockNotFound, Refusal } from '../../model/index.ts';
import type { BlockQuery } from '../trace-store.ts';
import { BLOCK_COLUMNS, type BlockRow, toBlock } from './block-rows.ts';
import type { SqlDriver, SqlReader } from './driver.ts';
import { findTrace } from './find-trace.ts';
import { whereAll } from './statements.ts';
import { storedText } from './text.ts';

/** So many blocks are read before others have their turn; each may have a megabyte. */
const SLICE = 200;

/** What a slice is made of: `columns` of rows, and what becomes of them. */
interface Reading<R, T> {
  readonly columns: string;
  readonly read: (rows: readonly R[]) => readonly T[];
  /** Where rows are small, more may be read at a time. */
  readonly slice?: number;
}

/** Reads those that are there when it begins; blocks are never changed, so slices fit together. */
export async function readBlocks<R extends { readonly ord: number }, T>(
  { query: ask, dialect }: Pick<SqlDriver, 'query' | 'dialect'>,
  { rid, block_count }: { readonly rid: number; readonly block_count: number },
  { after = 0, before = block_count + 1, limit = block_count, ...query }: BlockQuery,
  { columns, read, slice = SLICE }: Reading<R, T>,
): Promise<readonly T[]> {
  const { block_type, sub_type, call_id, parent, ids } = query;
  // Ids are looked up, one by one: without the sign SQLite goes through all places of the trace instead.
  const [ofTrace, place] = ids === undefined ? ['trace_rid', 'ord'] : ['+trace_rid', '+ord'];
  const found: T[] = [];
  let last = after;
  for (;;) {
    const size = Math.min(slice, limit - found.length);
    const where = whereAll([
      [`${ofTrace} = ?`, rid],
      [`${place} > ?`, last],
      [`${place} < ?`, Math.min(before, block_count + 1)],
      block_type === undefined ? undefined : ['block_type = ?', block_type],
      sub_type === undefined ? undefined : ['sub_type = ?', sub_type],
      call_id === undefined ? undefined : ['call_id = ?', storedText(call_id)],
      parent === undefined ? undefined : ['parent_block_id = ?', parent],
      ids === undefined ? undefined : [dialect.oneOf('id'), dialect.list(ids)],
    ]);
    const sql = `SELECT ${columns} FROM trace_blocks WHERE ${where.sql} ORDER BY ord LIMIT ?`;
    const rows = await ask<R>(sql, [...where.params, size]);
    for (const each of read(rows)) found.push(each);
    last = rows.at(-1)?.ord ?? last;
    if (rows.length < size || found.length >= limit) return found;
    await nextTurn();
  }
}

/** @throws Refusal BLOCK_NOT_FOUND. */
export async function readBlock(reader: SqlReader, org: string, id: TraceId, block: BlockId): Promise<Block> {
  const { rid } = await findTrace(reader, org, id);
  const [row] = await reader.query<BlockRow>(
    `SELECT ${BLOCK_COLUMNS} FROM trace_blocks WHERE id = ? AND trace_rid = ?`,
    [block, rid],
  );
  if (!row) throw new Refusal(blockNotFound(id, block));
  return toBlock(id, row).block;
}
