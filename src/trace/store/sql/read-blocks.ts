import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BlockId, TraceId } from '../../../../generated/trace.ts';
import { batchesOf, countFitting, sum } from '../../../core/index.ts';
import { type BlockPosition, blockNotFound, TraceStoreError } from '../../model/index.ts';
import type {
  BlockQuery,
  BlockText,
  MessagePage,
  SizedPosition,
  TraceStore,
  TreeNode,
  TreeReader,
} from '../trace-store.ts';
import { type BlockReading, blockTexts, SKELETON_BATCH, skeletons, wholeBlocks } from './block-rows.ts';
import type { SqlReader } from './driver.ts';
import { equalColumns, parentSubType, whereAll } from './statements.ts';
import { findTrace, type TraceHead } from './traces.ts';

/** Reads of blocks in the order of writing. */
export function createBlockReader(reader: SqlReader): Pick<TraceStore, 'blocks' | 'skeletons' | 'texts' | 'block'> {
  return {
    blocks: async (org, id, query = {}) =>
      queryBlocks(reader, await findTrace(reader, org, id), query, wholeBlocks(id)),
    skeletons: async (org, id, query = {}) => queryBlocks(reader, await findTrace(reader, org, id), query, skeletons),
    texts: async (org, id, query = {}, fields = 'all') =>
      queryBlocks(reader, await findTrace(reader, org, id), query, blockTexts(id, fields, reader.dialect)),
    async block(org, id, block) {
      const { rid, org_rid } = await findTrace(reader, org, id);
      const { columns, read } = wholeBlocks(id);
      const sql = `SELECT ${columns} FROM block_rows WHERE id = ? AND org_rid = ? AND +trace_rid = ?`;
      const [found] = read(await reader.query(sql, [block, org_rid, rid]));
      if (!found) throw new TraceStoreError(blockNotFound(id, block));
      return found.block;
    },
  };
}

/** Reads blocks in batches. Ignores blocks written since `trace` was read; blocks never change, so batches are consistent. */
export async function queryBlocks<R extends { readonly ord: number }, T>(
  { query, dialect }: SqlReader,
  { rid, org_rid, block_count, bytes: traceBytes }: Pick<TraceHead, 'rid' | 'org_rid' | 'block_count' | 'bytes'>,
  {
    after = 0,
    before = block_count + 1,
    limit = block_count,
    bytes = Number.POSITIVE_INFINITY,
    ...selection
  }: BlockQuery,
  { columns, read, batch }: BlockReading<R, T>,
): Promise<readonly T[]> {
  const isSmall = traceBytes <= Math.min(bytes, batch.bytes);
  const select = <Row extends object>(what: string, from: number, size: number) => {
    const where = between(dialect, { rid, org_rid }, selection, [from, Math.min(before, block_count + 1)]);
    return query<Row>(`SELECT ${what} FROM block_rows WHERE ${where.sql} ORDER BY ord LIMIT ?`, [
      ...where.params,
      size,
    ]);
  };
  const found: T[] = [];
  let last = after;
  let left = bytes;
  let sizes: readonly BlockSize[] = [];
  for (;;) {
    const max = Math.min(batch.blocks, limit - found.length);
    // Reads sizes first, to find out how many blocks fit.
    if (!isSmall && sizes.length < max) {
      const requested = Math.min(SIZES, limit - found.length) - sizes.length;
      sizes = [...sizes, ...(await select<BlockSize>('ord, bytes', sizes.at(-1)?.ord ?? last, requested))];
    }
    const next = sizes.slice(0, max);
    const count = countFitting(next, { size: Math.min(batch.bytes, left), sizeOf: (block) => block.bytes });
    left -= sum(next.slice(0, count).map((block) => block.bytes));
    if (left < 0 && found.length > 0) return found;
    const size = count === next.length ? max : count;
    const rows = await select<R>(columns, last, size);
    for (const each of read(rows)) found.push(each);
    last = rows.at(-1)?.ord ?? last;
    sizes = sizes.slice(count);
    if (rows.length < size || found.length >= limit || left <= 0) return found;
    await nextTurn();
  }
}

interface BlockSize {
  readonly ord: number;
  readonly bytes: number;
}

/** Number of sizes that are read at a time: the round trip to a database server costs as much as a batch of blocks. */
const SIZES = 2000;

type BlockSelection = Omit<BlockQuery, 'after' | 'before' | 'limit' | 'bytes'>;

/** Condition for the blocks of a trace between two ordinals. */
function between(
  dialect: SqlReader['dialect'],
  { rid, org_rid }: Pick<TraceHead, 'rid' | 'org_rid'>,
  { block_type, sub_type, call_id, parent, ids }: BlockSelection,
  [after, before]: readonly [number, number],
) {
  // `+` excludes the index of the trace: otherwise SQLite scans the trace instead of looking up each id.
  const sign = ids === undefined ? '' : '+';
  return whereAll([
    [`${sign}trace_rid = ?`, rid],
    [`${sign}ord > ?`, after],
    [`${sign}ord < ?`, before],
    ...equalColumns({ block_type, sub_type, call_id }),
    parent === undefined ? undefined : ['parent_block_id = ? AND org_rid = ?', parent, org_rid],
    ids === undefined ? undefined : [`${dialect.columnIn('id')} AND org_rid = ?`, dialect.list(ids), org_rid],
  ]);
}

/** Reads of blocks as a tree. */
export function createTreeReader(reader: SqlReader): TreeReader {
  const find = (org: string, id: TraceId) => findTrace(reader, org, id);
  return {
    messages: async (org, id, page) => readMessages(reader, await find(org, id), page),
    children: async (org, id, parents, before) => readChildren(reader, await find(org, id), parents, before),
    orphans: async (org, id, before) => readOrphans(reader, await find(org, id), before),
    async *positions(org, id, before) {
      yield* readPositions(reader, await find(org, id), before);
    },
    async textsAt(org, id, positions, fields) {
      const reading = blockTexts(id, fields, reader.dialect);
      const texts = await readTextsAt(reader, await find(org, id), positions, reading);
      // Rejects if the trace was deleted meanwhile.
      if (texts.length < positions.length) await find(org, id);
      return texts;
    },
  };
}

const NODE_COLUMNS = 'ord, id, sub_type, parent_block_id, seq, bytes';

/** Reads messages with a seq by it, then the others by time; the index `messages_in_order` has both orders. */
async function readMessages(
  { query }: SqlReader,
  { rid, org_rid }: TraceHead,
  { after, before, limit }: MessagePage,
): Promise<readonly TreeNode[] | undefined> {
  const known = `SELECT ${NODE_COLUMNS} FROM block_rows WHERE id = ? AND org_rid = ? AND +trace_rid = ?`;
  const [last] = after === undefined ? [] : await query<TreeNode>(known, [after, org_rid, rid]);
  if (after !== undefined && last?.sub_type !== 'MESSAGE') return undefined;
  const messages = `SELECT ${NODE_COLUMNS} FROM block_rows WHERE trace_rid = ? AND sub_type = 'MESSAGE' AND ord < ?`;
  const numbered =
    last?.seq === null
      ? []
      : await query<TreeNode>(`${messages} AND seq IS NOT NULL AND (seq, ord) > (?, ?) ORDER BY seq, ord LIMIT ?`, [
          rid,
          before,
          last?.seq ?? -1,
          last?.ord ?? 0,
          limit,
        ]);
  const others = await query<TreeNode>(`${messages} AND seq IS NULL AND ord > ? ORDER BY ord LIMIT ?`, [
    rid,
    before,
    last?.seq === null ? last.ord : 0,
    limit - numbered.length,
  ]);
  return [...numbered, ...others];
}

/** Number of parents per query. */
const PARENTS = 500;

async function readChildren(
  { query, dialect }: SqlReader,
  { rid, org_rid }: TraceHead,
  parents: readonly BlockId[],
  before: number,
): Promise<readonly TreeNode[]> {
  const children = dialect.rowsWith('block_rows', 'parent_block_id', 'org_rid');
  // `+` excludes the index of the trace, which SQLite would scan.
  const sql = `SELECT ${NODE_COLUMNS} FROM ${children} WHERE +trace_rid = ? AND +ord < ?`;
  const found: TreeNode[] = [];
  for (let from = 0; from < parents.length; from += PARENTS) {
    const rows = await query<TreeNode>(sql, [dialect.list(parents.slice(from, from + PARENTS)), org_rid, rid, before]);
    for (const row of rows) found.push(row);
    await nextTurn();
  }
  return found;
}

/** Number of ordinals per query. */
const ORPHAN_BATCH = 2000;

/** The rules reject such blocks; a damaged or manually restored database may have some. */
async function readOrphans(
  { query }: SqlReader,
  { rid, block_count }: TraceHead,
  before: number,
): Promise<readonly TreeNode[]> {
  const sql = `SELECT ${NODE_COLUMNS} FROM block_rows AS b WHERE trace_rid = ? AND ord > ? AND ord <= ? AND ord < ?
    AND sub_type <> 'MESSAGE' AND NOT EXISTS (
      SELECT 1 FROM block_rows AS p WHERE p.id = b.parent_block_id AND p.org_rid = b.org_rid AND +p.trace_rid = b.trace_rid
        AND +p.ord < ? AND p.sub_type = ${parentSubType('b')})`;
  const found: TreeNode[] = [];
  for (let after = 0; after < block_count; after += ORPHAN_BATCH) {
    found.push(...(await query<TreeNode>(sql, [rid, after, after + ORPHAN_BATCH, before, before])));
    await nextTurn();
  }
  return found;
}

async function* readPositions(
  { query }: SqlReader,
  { rid, block_count }: TraceHead,
  before: number,
): AsyncGenerator<readonly BlockPosition[]> {
  // `+` excludes the index of the trace, which SQLite would scan once per block.
  const sql = `SELECT ord, sub_type, role, parent_block_id, seq, bytes, reward, (
      SELECT ord FROM block_rows AS p
      WHERE p.id = b.parent_block_id AND p.org_rid = b.org_rid AND +p.trace_rid = b.trace_rid AND +p.ord < ?
    ) AS parent
    FROM block_rows AS b WHERE trace_rid = ? AND ord > ? AND ord < ? ORDER BY ord`;
  const end = Math.min(before, block_count + 1);
  for (let after = 0; after < end - 1; after += SKELETON_BATCH.blocks) {
    yield await query<BlockPosition>(sql, [before, rid, after, Math.min(end, after + SKELETON_BATCH.blocks + 1)]);
    await nextTurn();
  }
}

async function readTextsAt<R extends object>(
  { query, dialect }: SqlReader,
  { rid }: TraceHead,
  positions: readonly SizedPosition[],
  { columns, batch: { blocks, bytes }, read }: BlockReading<R, BlockText>,
): Promise<readonly BlockText[]> {
  const sql = `SELECT ${columns} FROM block_rows WHERE trace_rid = ? AND ${dialect.columnIn('ord')} ORDER BY ord`;
  const sorted = [...positions].sort((one, other) => one.ord - other.ord);
  const found: BlockText[] = [];
  for (const batch of batchesOf(sorted, { count: blocks, size: bytes, sizeOf: (position) => position.bytes })) {
    const rows = await query<R>(sql, [rid, dialect.list(batch.map(({ ord }) => ord))]);
    for (const text of read(rows)) found.push(text);
    await nextTurn();
  }
  return found;
}
