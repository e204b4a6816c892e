import type { StoreTotals } from '../trace-store.ts';
import type { SqlReader } from './driver.ts';

export async function readTotals(reader: SqlReader): Promise<StoreTotals> {
  const [totals] = await reader.query<StoreTotals>(
    `SELECT count(*) AS traces, coalesce(sum(block_count), 0) AS blocks, coalesce(sum(bytes), 0) AS bytes,
       (SELECT count(*) FROM blobs) AS blobs FROM trace_rows`,
  );
  if (!totals) throw new Error('the database does not count');
  const { traces, blocks, blobs, bytes } = totals;
  return { traces, blocks, blobs, bytes };
}
